#include "agent/session/settings.h"

struct config settings;
