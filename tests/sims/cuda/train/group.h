/* group.h - the collectives of a step. */
#pragma once

void group_start(void);
void group_collectives(int step);
void group_end(void);
