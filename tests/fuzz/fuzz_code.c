/*
 * Fuzz target: files of one kind of bytecode, or archives of it, or what the runtime makes of it, opened and explored.  Makefile.am
 * builds one for each KIND; what is plainly of another kind is left to the others.
 */
#include "config.h"

#include "walk.h"

enum kind { KIND_CLASS, KIND_DEX, KIND_ELF, KIND_ZIP };

int	LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static const char marks[][5] = {
	[KIND_CLASS] = "\xca\xfe\xba\xbe", [KIND_DEX] = "dex\n", [KIND_ELF] = "\177ELF", [KIND_ZIP] = "PK"
};

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct str s = { (const char *)data, n };

	/* A script may stand in front of an archive. */
	if (str_has_prefix(s, str_of(marks[KIND])) || (KIND == KIND_ZIP && str_has_prefix(s, STR("#!"))))
		walk_bytes(data, n);
	return 0;
}
