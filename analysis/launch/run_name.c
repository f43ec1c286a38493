#include "analysis/launch/run_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

#include "config/option.h"

void run_name_choose(struct config *c, bool launched)
{
	const char *slurm = getenv("SLURM_JOB_ID");
	unsigned long long id = 0;
	char start[32];
	time_t now = time(NULL);
	struct tm tm;

	if (getrandom(&id, sizeof(id), 0) != sizeof(id))
		id = (unsigned long long)now << 20 ^ (unsigned long long)clock();
	c->launch[0] = '\0';
	if (launched)
		snprintf(c->launch, sizeof(c->launch), "%016llx", id);
	if (!c->job[0] && slurm)
		option_set(c, OPTION_job, slurm, start, sizeof(start));
	if (c->job[0])
		return;
	strftime(start, sizeof(start), "%Y%m%d-%H%M%S", gmtime_r(&now, &tm));
	snprintf(c->job, sizeof(c->job), "%s-%04llx", start, id & 0xffff);
}
