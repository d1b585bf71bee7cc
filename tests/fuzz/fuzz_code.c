/*
 * Fuzz target: files of one kind of bytecode, or archives of it, or what the runtime makes of it, opened and explored.  Makefile.am
 * builds one for each KIND; what is plainly of another kind is left to the others.
 */
#include "config.h"

#include <string.h>

#include "walk.h"

enum kind { KIND_CLASS, KIND_DEX, KIND_ELF, KIND_ZIP };

int	LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static const char marks[][5] = {
	[KIND_CLASS] = "\xca\xfe\xba\xbe", [KIND_DEX] = "dex\n", [KIND_ELF] = "\x7f" "ELF", [KIND_ZIP] = "PK"
};

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	const char *mark = marks[KIND];
	const uint8_t *at = n == 0 ? NULL : memmem(data, n, mark, strlen(mark));

	/* A stub may stand in front of an archive. */
	if (at != NULL && (at == data || KIND == KIND_ZIP))
		walk_bytes(data, n);
	return 0;
}
