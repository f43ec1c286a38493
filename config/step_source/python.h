/* python.h - how the argument of python: is written. */
#pragma once

/* Every subclass's step(); of several optimizers the one that ends a round, and until that is known the one with the most steps. */
#define PYTHON_OPTIMIZER "torch.optim.optimizer:Optimizer+.step@return{group=max}"
#define PYTHON_FUNCTION	 "MODULE:CLASS.METHOD"
