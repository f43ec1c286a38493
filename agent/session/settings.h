/* settings.h - what the user asked for, as agent_start() read it. */
#pragma once
#include "agent/base/attributes.h"
#include "config/config.h"

extern struct config settings OURS;

#define DETAIL_ROLES (ROLE_CHOICES * (ROLE_NAME + 1))

/* What of it is in force in a window: what is said of all, or of the roles that it is for. */
struct detail {
	int level;
	unsigned int contents;
	bool discrete;
	const struct schedule *schedule; /* of its batches; NULL: none */
	const char *roles;		 /* commas between; "": nothing is said of roles */
	unsigned int waits_for;		 /* a bit for each role of settings.roles: our rank may be one of theirs, or not; 0: some role is for us */
};
