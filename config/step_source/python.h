/* python.h - the one function of Python that this version watches. */
#pragma once

/* Every subclass's step(); of several optimizers the one that ends a round, and until that is known the one with the most steps. */
#define PYTHON_OPTIMIZER "torch.optim.optimizer:Optimizer+.step@return{group=max}"
