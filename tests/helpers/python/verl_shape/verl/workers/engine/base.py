class BaseEngine:
    def infer_batch(self, data):
        for calls in data["micro"]:
            self.forward_step(calls)


