/* Fuzz target: any bytes, opened as a table: its columns and records, and some columns as paths with weights and times. */
#include "config.h"

#include "target.h"
#include "walk.h"

TARGET(table, &mutate_text)
{
	walk_as = "table";
	walk_bytes(data, size);
}
