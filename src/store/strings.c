/*
 * strings: text that lies in the source.
 */
#include "config.h"

#include "inside.h"

#define LENGTH_BITS 24
#define OFFSET_MAX ((1ull << 40) - 1)

uint64_t
ref_make(uint64_t offset, uint64_t length)
{
	if (offset > OFFSET_MAX || length == 0)
		return 0;
	if (length > REF_MAX)
		length = REF_MAX;
	return offset << LENGTH_BITS | length;
}

struct str
store_text(const struct store *st, uint64_t ref)
{
	const struct map *source = store_source(st);
	uint64_t offset = ref >> LENGTH_BITS, length = ref & REF_MAX;

	if (length == 0 || offset > source->size ||
	    length > source->size - offset)
		return STR("");
	return (struct str){
		(const char *)source->data + offset, (size_t)length
	};
}
