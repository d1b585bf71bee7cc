/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: any bytes as rows of a triage, opened as a file, and cut at each of its last blocks as a run that is killed leaves them. */
#include "config.h"

#include "heapwalk.h"
#include "target.h"
#include "walk.h"
#include "icecore/triage.h"

#define CUTS 512u

/* A row that is written is read again, and written as before. */
static void
write_again(const struct triage_field *fields, const struct triage_row *row)
{
	struct buf one = BUF_INIT, two = BUF_INIT;
	struct triage_row kept, again;
	enum triage_state state;

	triage_fill(&kept, fields, row, NULL);
	MUST(triage_print(&kept, &one) && one.n > 1);
	triage_row_free(&kept);
	MUST(triage_parse((struct str){ one.s, one.n - 1 }, &again));
	triage_fill(&kept, fields, &again, NULL);
	MUST(triage_print(&kept, &two) && str_eq(buf_view(&one), buf_view(&two)));
	(void)triage_state_of(triage_text(&kept, "state"), &state);
	triage_row_free(&kept);
	triage_row_free(&again);
	buf_free(&one);
	buf_free(&two);
}

static void
write_block(const struct triage_block *b)
{
	write_again(triage_dump, &b->dump);
	write_again(triage_page, &b->dump);
	for (size_t i = 0; i < b->findings.n; i++)
		write_again(triage_finding, &b->findings.row[i]);
}

static uint64_t
count_blocks(const uint8_t *data, size_t n, size_t *torn, bool write)
{
	struct triage_reader r = { .rest = { (const char *)data, n } };
	struct triage_block b;
	uint64_t blocks = 0;

	for (; triage_next(&r, &b); blocks++) {
		if (write)
			write_block(&b);
		triage_drop(&b);
	}
	*torn = r.torn;
	return blocks;
}

TARGET(triage, &mutate_text)
{
	size_t torn, less, from = size > CUTS ? size - CUTS : 0;
	uint64_t all = count_blocks(data, size, &torn, true);

	MUST(torn <= size);
	/* Without its torn end the input has the same blocks.  The block before may be damaged, and then ends the shorter input. */
	MUST(count_blocks(data, size - torn, &less, false) == all && less <= size - torn);
	for (size_t cut = from; size < 2 * CUTS && cut < size; cut += 7)
		MUST(count_blocks(data, cut, &torn, false) <= all && torn <= cut);
	walk_as = "triage";
	walk_bytes(data, size);
}
