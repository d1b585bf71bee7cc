/* Fuzz target: any bytes, opened as a file and explored; the kept ones are pprof profiles, recognised or asked for. */
#include "config.h"

#include "walk.h"

int	LLVMFuzzerTestOneInput(const uint8_t *, size_t);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	walk_as = NULL;
	walk_bytes(data, n);
	walk_as = "pprof";
	walk_bytes(data, n);
	return 0;
}
