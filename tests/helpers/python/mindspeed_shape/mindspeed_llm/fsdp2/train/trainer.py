import device


class Trainer:
    def __init__(self, global_step):
        self.global_step = global_step  # as restored

    def get_batch_samples_func(self):
        return lambda n: range(n)

    def training_step(self, inputs, num_items_in_batch):
        device.call(2 + inputs)

    def train(self, updates, micros):
        for _ in range(updates):
            for inputs in self.get_batch_samples_func()(micros):
                self.training_step(inputs, micros)
            device.call(4)
            self.global_step += 1
