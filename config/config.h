/* config.h - every setting as a field: fixed size, no allocation. A row of options.def is a field. */
#pragma once
#include "config/role_choice.h"
#include "config/types.h"

struct config {
#define OPTION(key, type, initial, metavar, help) FIELD_##type(key)
#include "config/options.def"
};
