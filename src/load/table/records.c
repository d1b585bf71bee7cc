/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * records: read all records of a table in one pass over its bytes.
 *
 * Several processors count records in pieces of the text. The start of a piece's first record is known only
 * when the previous piece was read, so it is guessed meanwhile. A piece with a wrong guess is read again.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/chunk.h"
#include "icecore/facts.h"
#include "table.h"

#define TICK 256u
#define HEAD_BYTES (1u << 20)	/* bytes at the start that suffice to recognise most encodings */
#define PIECE CHUNK_OF(2u << 20)	/* bytes */
#define PIECES_EACH 4u		/* for each thread */
#define GUESSES 64u		/* lines tried as the first record of a piece */

/* ---- bytes ------------------------------------------------------------------------------ */

/* Kinds of bytes in a part of the file. */
struct bytes_seen {
	uint64_t	nuls;
	bool		high, latin;	/* some bytes are not ASCII, not UTF-8 */
};

/* Examine the bytes from p, where a character begins, to end; return the start of the next character. */
static const char *
look_at(const struct sheet *s, const char *p, const char *end, struct bytes_seen *seen)
{
	uint32_t cp;
	size_t n;

	while (p < end) {
		if ((unsigned char)*p >= 0x80) {
			n = text_decode((struct str){ p, (size_t)(s->end - p < 4 ? s->end - p : 4) }, &cp);
			seen->high = true;
			seen->latin |= n == 1;
			p += n;
		} else if (*p == '\0') {
			seen->nuls++;
			p++;
		} else {
			p += masks_plain((struct str){ p, (size_t)(end - p) });
		}
	}
	return p;
}

/* Set the encoding required by these bytes; false: it was set already. */
static bool
heed_bytes(struct load *l, const struct bytes_seen *seen)
{
	struct str encoding = fact_text(l->st, FACT_ENCODING);
	bool latin = seen->latin && (encoding.n == 0 || memmem(encoding.s, encoding.n, "UTF-", 4) == NULL);
	bool nuls = seen->nuls > 0, others = latin != l->sheet.latin || nuls != l->sheet.nuls;

	l->sheet.latin = latin;
	l->sheet.nuls = nuls;
	return others;
}

void
load_look(struct load *l)
{
	uint64_t n = (uint64_t)(l->sheet.end - l->sheet.data);
	struct bytes_seen seen = { 0 };

	(void)look_at(&l->sheet, l->sheet.data, l->sheet.data + (n < HEAD_BYTES ? n : HEAD_BYTES), &seen);
	(void)heed_bytes(l, &seen);
}

/* ---- requested columns ------------------------------------------------------------------- */

/* Columns whose values must be examined before they are read. */
struct voters {
	uint32_t	column[PATH_PARTS + WEIGHTS_MOST + 1];
	uint32_t	n;
};

static void
find_voters(const struct load *l, struct voters *v)
{
	const struct asked *a = &l->asked;

	v->n = 0;
	for (uint32_t i = 0; i < a->nparts; i++)
		if (a->part[i].how > PART_SPLIT)
			v->column[v->n++] = a->part[i].column;
	for (uint32_t i = 0; i < a->nweights; i++)
		v->column[v->n++] = a->weight[i].column;
	if (a->time != 0)
		v->column[v->n++] = a->time - 1;
	assert(v->n <= NELEM(v->column));
}

/* Return how many fields of a record these columns need. */
static uint32_t
voters_keep(const struct voters *v)
{
	uint32_t keep = 1;

	for (uint32_t i = 0; i < v->n; i++)
		keep = v->column[i] < keep ? keep : v->column[i] + 1;
	return keep;
}

/* Record the currency of a weight while all values have the same. */
static void
note_unit(struct weighed *w, struct str text)
{
	struct str unit = sheet_currency(text);

	if (unit.n == 0 || w->units)
		return;
	if (w->unit_text[0] == '\0' && unit.n < sizeof w->unit_text)
		memcpy(w->unit_text, unit.s, unit.n);
	else
		w->units = !str_eq(str_of(w->unit_text), unit);
}

static void
hear_voters(struct load *l, struct sheet_reader *r, const struct voters *v)
{
	struct str text;

	for (uint32_t i = 0; i < v->n; i++) {
		assert(v->column[i] < l->sheet.names.n);
		text = sheet_text(r, v->column[i]);
		if (text.n > 0)
			sheet_vote(&l->votes[v->column[i]], text);
	}
	for (uint32_t i = 0; i < l->asked.nweights; i++)
		note_unit(&l->asked.weight[i], sheet_text(r, l->asked.weight[i].column));
}

/* ---- pieces ------------------------------------------------------------------------------ */

struct record_place {
	uint64_t	at, line;	/* number of its first line, from 0 */
};

struct piece {
	uint64_t	 from, to;	/* records that begin in [from, to) belong to the piece */
	uint64_t	 before;	/* data records before it */
	/* from and before are guesses, so positions of all records are kept; from UINT64_MAX: no guess */
	bool		 guessed;
	uint64_t	 next, lines;	/* start of the next piece, and number of lines up to it */
	struct scratch	 place;		/* struct record_place */
	uint64_t	 places;
	struct scratch	 widths;	/* u64: number of records by width */
	uint64_t	 records, shorter, longer, unclosed, stray, bad;
	struct bytes_seen seen;
};

struct counting {
	struct load	*load;
	struct voters	 voters;
	struct piece	*piece;
	struct bytes_seen seen;
};

static bool
count_width(struct scratch *widths, uint32_t width, uint64_t more, struct err *err)
{
	if ((width + 1ull) * sizeof(uint64_t) > widths->size &&
	    !scratch_array(widths, width + 1ull, sizeof(uint64_t), err))
		return false;
	SCRATCH(*widths, uint64_t)[width] += more;
	return true;
}

/* Return the most frequent width, the larger one on a tie. */
static uint32_t
most_records(const struct scratch *widths)
{
	const uint64_t *n = SCRATCH(*widths, uint64_t);
	uint32_t most = 0;

	for (uint32_t i = 1; i < widths->size / sizeof *n; i++)
		if (n[i] > 0 && n[i] >= n[most])
			most = i;
	return most;
}

/*
 * Find a line that starts a record: one with as many fields as most records. False: none of the first GUESSES
 * lines has.
 */
static bool
guess_from(struct load *l, struct piece *p, struct err *err)
{
	/* Only in the piece: a run of blank lines may continue far after it. */
	struct sheet some = l->sheet;
	const char *at = some.data + p->from - 1, *end = some.end = some.data + p->to;
	struct sheet_reader r;
	bool found = false, ok = sheet_reader_open(&r, &some, p->from, 0, err);

	for (unsigned i = 0; ok && !found && i < GUESSES && at < end &&
	    (at = memchr(at, '\n', (size_t)(end - at))) != NULL; i++) {
		r.at = ++at;
		found = some.json || (sheet_next(&r, err) && r.record == at && r.n == l->width);
		if (found)
			p->from = (uint64_t)(at - some.data);
		else if (r.record > at)
			at = r.record - 1;
	}
	sheet_reader_close(&r);
	return found;
}

static bool
count_record(struct counting *c, struct piece *p, struct sheet_reader *r, struct err *err)
{
	struct load *l = c->load;
	struct record_place place = { (uint64_t)(r->record - l->sheet.data), r->line };

	if (!l->sheet.json && !count_width(&p->widths, r->n, 1, err))
		return false;
	if (place.at < l->sheet.first)
		return true;
	p->shorter += r->n < l->sheet.names.n && !l->sheet.json;
	p->longer += r->n > l->sheet.names.n;
	hear_voters(l, r, &c->voters);
	p->records++;
	return (!p->guessed && (p->before + p->records - 1) % SHEET_BLOCK != 0) ||
	    scratch_add(&p->place, &p->places, &place, sizeof place, err);
}

static bool
count_piece(void *arg, uint64_t part, struct work *w, struct err *err)
{
	struct counting *c = arg;
	struct piece *p = &c->piece[part];
	const struct sheet *s = &c->load->sheet;
	struct sheet_reader r;
	bool ok = sheet_reader_open(&r, s, p->from, 0, err), found;

	r.keep = voters_keep(&c->voters);
	if (ok && p->guessed) {
		found = guess_from(c->load, p, err);
		r.at = found ? s->data + p->from : s->data + p->to;
		r.next_line = r.unclosed = r.stray = r.bad = 0;
		p->from = found ? p->from : UINT64_MAX;
	}
	err->kind = ok ? E_NONE : err->kind;
	for (uint64_t n = 0; ok && r.at < s->data + p->to && sheet_next(&r, err); n++)
		ok = (n % TICK != 0 || work_go(w, (uint64_t)(r.record - s->data), err)) &&
		    count_record(c, p, &r, err);
	p->next = (uint64_t)(r.at - s->data);
	p->lines = r.next_line;
	p->unclosed = r.unclosed;
	p->stray = r.stray;
	p->bad = r.bad;
	/* A record may be as long as the file. */
	for (uint64_t at = p->from, left; ok && at < p->next; ok = work_go(w, at, err)) {
		left = p->next - at;
		at = (uint64_t)(look_at(s, s->data + at,
		    s->data + at + (left < HEAD_BYTES ? left : HEAD_BYTES), &p->seen) - s->data);
	}
	sheet_reader_close(&r);
	return ok && err->kind == E_NONE;
}

/* Add a piece after those before it, at that line. */
static bool
add_piece(struct counting *c, struct piece *p, uint64_t line, struct scratch *widths, struct err *err)
{
	struct load *l = c->load;
	const struct record_place *place = SCRATCH(p->place, struct record_place);
	uint64_t step = p->guessed ? SHEET_BLOCK : 1, i = p->guessed ? (0 - l->sheet.records) % SHEET_BLOCK :
	    0, n, at;

	for (; i < p->places; i += step) {
		n = l->nblocks;
		at = place[i].line + line;
		if (!scratch_add(&l->block, &n, &place[i].at, sizeof at, err) ||
		    !scratch_add(&l->line, &l->nblocks, &at, sizeof at, err))
			return false;
	}
	for (uint32_t w = 0; w < p->widths.size / sizeof n; w++)
		if ((n = SCRATCH(p->widths, uint64_t)[w]) > 0 && !count_width(widths, w, n, err))
			return false;
	l->sheet.records += p->records;
	l->shorter += p->shorter;
	l->longer += p->longer;
	l->unclosed += p->unclosed;
	l->stray += p->stray;
	l->bad += p->bad;
	c->seen.nuls += p->seen.nuls;
	c->seen.high |= p->seen.high;
	c->seen.latin |= p->seen.latin;
	return true;
}

/* Count n pieces from *at on, which is on *line. *good: how many of them began as guessed. */
static bool
count_pieces(struct counting *c, unsigned n, uint64_t *at, uint64_t *line, unsigned *good,
    struct scratch *widths, struct err *err)
{
	struct load *l = c->load;
	uint64_t size = (uint64_t)(l->sheet.end - l->sheet.data), left = (size - *at + PIECE - 1) / PIECE;
	struct piece *p = c->piece;
	bool ok;

	n = n < left ? n : (unsigned)left;
	for (unsigned i = 0; i < n; i++)
		p[i] = (struct piece){ .from = *at + i * (uint64_t)PIECE, .guessed = i > 0,
		    .before = l->sheet.records,
			.to = size - *at <= (i + 1) * (uint64_t)PIECE ? size :
			    *at + (i + 1) * (uint64_t)PIECE };
	ok = pool_run(l->work, n, count_piece, c, err);
	for (*good = 0; ok && *good < n && p[*good].from == *at; ++*good) {
		ok = add_piece(c, &p[*good], *line, widths, err);
		*at = p[*good].next;
		*line += p[*good].lines;
	}
	for (unsigned i = 0; i < n; i++)
		SCRATCH_FREE(&p[i].place, &p[i].widths);
	return ok;
}

bool
load_count(struct load *l, uint32_t *width, bool *others, struct err *err)
{
	struct counting c = { .load = l };
	struct scratch widths = SCRATCH_INIT;
	uint64_t at = l->body, line = l->body_line;
	unsigned most = pool_size() > 1 ? pool_size() * PIECES_EACH : 1, n = 1, good;
	bool ok = true;

	find_voters(l, &c.voters);
	/* Votes depend on the order of records in the file. */
	most = c.voters.n > 0 ? 1 : most;
	c.piece = mem_array(most, sizeof *c.piece);
	if (c.piece == NULL)
		return fail(err, E_SYSTEM, "out of memory (table)");
	l->sheet.records = l->nblocks = l->shorter = l->longer = l->unclosed = l->stray = l->bad = 0;
	err->kind = E_NONE;
	while (ok && at < (uint64_t)(l->sheet.end - l->sheet.data)) {
		ok = count_pieces(&c, n, &at, &line, &good, &widths, err);
		n = good == n && n <= most / 2 ? n * 2 : good == n ? most : (n + 1) / 2;
	}
	*width = most_records(&widths);
	*others = ok && heed_bytes(l, &c.seen);
	l->nuls = c.seen.nuls;
	l->high = c.seen.high;
	scratch_free(&widths);
	free(c.piece);
	return ok;
}
