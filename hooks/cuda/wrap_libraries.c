/* wrap_libraries.c - the exported functions of the rows of cuBLAS and cuDNN. */
#define ROWS_ARE_MANY
#include "hooks/cuda/words.h"
#include "hooks/cuda/dnn/words.h"
#include "hooks/rows/table.h"
#include "hooks/cuda/blas/cublas.def"
#include "hooks/cuda/blas/cublaslt.def"
#include "hooks/cuda/dnn/cudnn.def"
