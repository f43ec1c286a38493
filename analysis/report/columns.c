#include "analysis/report/columns.h"

#include <inttypes.h>
#include <stdio.h>

const char *const place_words[PLACES] = { [PLACE_DEVICE] = "device", [PLACE_HOST] = "host" };

const char *cell_rank(const struct report *r, char *cell)
{
	if (!r->has_rank)
		return "-";
	snprintf(cell, CELL, "%" PRId64, r->rank);
	return cell;
}

const char *cell_duration(uint64_t ns, char *cell)
{
	if (ns < 1000000)
		snprintf(cell, CELL, "%.3f us", (double)ns / 1e3);
	else if (ns < 1000000000)
		snprintf(cell, CELL, "%.3f ms", (double)ns / 1e6);
	else
		snprintf(cell, CELL, "%.3f s", (double)ns / 1e9);
	return cell;
}

const char *cell_bytes(uint64_t n, char *cell)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	double value = (double)n;
	size_t u = 0;

	for (; value >= 1024 && u < 6; u++)
		value /= 1024;
	snprintf(cell, CELL, u ? "%.2f %s" : "%.0f %s", value, units[u]);
	return cell;
}
