/* python.h - the one function of Python that this version watches: every subclass's step, and the most steps of any counts. */
#pragma once

#define PYTHON_OPTIMIZER "torch.optim.optimizer:Optimizer+.step@return{group=max}"
