"""As much of PyTorch as the hooks of its optimizers are. TORCH_OLD=1: without them, as 1.13 is."""
import os

__version__ = "1.13.1" if os.environ.get("TORCH_OLD") else "2.9.9"

from torch import compiler, optim
