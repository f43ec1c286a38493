#!/bin/sh
# The page of Ascend's columns is what the exporters are built from.
. "$(dirname "$0")/../lib/lib.sh"

holds the_page_of_columns_is_up_to_date "$here/scripts/dev/gen-columns" --check
finish
