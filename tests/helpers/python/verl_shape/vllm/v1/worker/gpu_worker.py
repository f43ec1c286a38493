from device import call


class Worker:
    rank = 0

    def execute_model(self, scheduler_output):
        call(1)

    def sample_tokens(self):
        call(1)
