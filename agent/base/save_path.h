/* save_path.h - the folders below save_path: made, and entered one by one, never through a link. */
#pragma once
#include <stdbool.h>

/*
 * The folder that a file belongs into, as a descriptor or a negative errno. path must begin with save_path;
 * base is set to the file's name in it. save_path may lead through links of the user's making; nothing
 * below it may, nor may anybody else but root write there (-EPERM). With make, folders that are missing
 * are made, for their owner only.
 */
int save_path_open(const char *save_path, const char *path, bool make, const char **base);

/* What -EPERM says of a place. */
#define PLACE_REFUSED "others may write there, or it is theirs"

/* Closes it, unless the program closed all descriptors meanwhile and has the number for a file of its own. */
void save_path_leave(int folder);
