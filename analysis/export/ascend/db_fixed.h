/* db_fixed.h - tables that are the same in every database, and those of the second one. */
#pragma once

extern const char db_fixed_tables[], db_analysis_tables[];
