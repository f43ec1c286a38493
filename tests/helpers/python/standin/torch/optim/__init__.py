from torch.optim.sgd import SGD
from torch.optim import lr_scheduler
