/* Fuzz target: any bytes, opened as a table: its columns and records, and some columns as paths with weights and times. */
#include "config.h"

#include "walk.h"

int	LLVMFuzzerTestOneInput(const uint8_t *, size_t);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	walk_as = "table";
	walk_bytes(data, n);
	return 0;
}
