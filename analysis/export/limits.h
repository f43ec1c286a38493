/* limits.h - bytes of a file that msprof-analyze opens. */
#pragma once

#define LIMIT_JSON     (10ull << 30)
#define LIMIT_CSV      (5ull << 30)
#define LIMIT_DATABASE (20ull << 30)
