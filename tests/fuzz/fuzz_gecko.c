/* Fuzz target: profiles of Firefox and samply in JSON, opened as a file and explored; other JSON is left to fuzz_json. */
#include "config.h"

#include "walk.h"

int	LLVMFuzzerTestOneInput(const uint8_t *, size_t);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	if (memmem(data, n, "\"threads\"", 9) != NULL)
		walk_bytes(data, n);
	return 0;
}
