/* work.h - what a training step does besides operators. Each function says how often it calls what. */
#pragma once
#include "tests/sims/ascend/train/ops.h"

void work_start(void); /* kernels, the stub, the captured graph */
void work_end(void);
void work_kernels(void);
void work_copies(void);
void work_memory(int step);
void work_events(int step);
void work_graph(void);

void group_start(void); /* RANK, WORLD_SIZE, TRAIN_ROOT: a file in which rank 0 leaves the root info */
void group_collectives(int step);
void group_end(void);
