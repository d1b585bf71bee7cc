/* Fuzz target: any bytes as a scheduler trace, as a file and live; the kept ones are small traces. */
#include "config.h"

#include "schedwalk.h"

int	LLVMFuzzerTestOneInput(const uint8_t *, size_t);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	schedwalk_bytes(data, n);
	return 0;
}
