/* Fuzz target: any bytes, opened as a file and closed; Makefile.am builds one for each kind of mutations. */
#include "config.h"

#include "walk.h"

int	LLVMFuzzerTestOneInput(const uint8_t *, size_t);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	load_bytes(data, n);
	return 0;
}
