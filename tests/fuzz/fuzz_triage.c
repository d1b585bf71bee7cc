/* Fuzz target: any bytes as rows of a triage, opened as a file, and cut at each of its last blocks as a run that is killed leaves them. */
#include "config.h"

#include "heapwalk.h"
#include "target.h"
#include "walk.h"
#include "icecore/triage.h"

#define CUTS 512u

static uint64_t
count_blocks(const uint8_t *data, size_t n, size_t *torn)
{
	struct triage_reader r = { .rest = { (const char *)data, n } };
	struct triage_block b;
	uint64_t blocks = 0;

	for (; triage_next(&r, &b); blocks++)
		triage_drop(&b);
	*torn = r.torn;
	return blocks;
}

TARGET(triage, &mutate_text)
{
	size_t torn, less, from = size > CUTS ? size - CUTS : 0;
	uint64_t all = count_blocks(data, size, &torn);

	MUST(torn <= size);
	/* What a torn end is cut off from has the same blocks; the block before may be damaged, and then ends the rest. */
	MUST(count_blocks(data, size - torn, &less) == all && less <= size - torn);
	for (size_t cut = from; size < 2 * CUTS && cut < size; cut += 7)
		MUST(count_blocks(data, cut, &torn) <= all && torn <= cut);
	walk_as = "triage";
	walk_bytes(data, size);
}
