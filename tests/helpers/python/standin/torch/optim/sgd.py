from torch.optim.optimizer import Optimizer


class SGD(Optimizer):
    def step(self):
        for update in self.params:
            update()
