/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * likeness: groups of texts that are nearly equal.
 *
 * Texts are joined from the shortest to the longest.  Each text looks for pieces of the texts before it, near
 * their places. Texts that have a piece in common and get through the filters are compared.  Then the pieces
 * of the text itself are noted. A run of noted texts in one group is skipped at once, as groups only grow:
 * many lines alike do not become many pairs.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/make.h"
#include "likeness.h"

#define LOOKS 4096u		/* texts looked at between two ticks */
#define LOOKS_A_PAIR 32u	/* looks that take the time of a comparison */
#define COUNTED (1u << 24)	/* letters whose pieces are counted, roughly */

/* A text, by its number. */
struct like_text {
	uint32_t	letters, group, tried;	/* tried: the text it was compared with last */
	bool		plain;		/* each byte is a letter */
	uint64_t	sign;		/* letters as bits: changing one flips at most two */
};

/* A piece of a text, or a text too short to have pieces. */
struct noted {
	uint32_t	text, letters;
	/* the next one down its list, from 1, that was in another group; those between stay in one */
	uint32_t	skip;
	uint32_t	at, piece;	/* place of the piece; number of chosen pieces before it */
	uint64_t	sign;
};

/* Pieces with the same key, the first one noted first, in one part of an array: many are read fast. */
struct noted_list {
	uint32_t	from, n;
	unsigned	room;		/* for 2^room of them */
};

struct likeness {
	const struct text_pool	*texts;
	uint64_t		 distance, most, pairs;
	struct scratch		 text;		/* struct like_text, by number */
	struct scratch		 order;		/* struct like_order: the shortest first */
	struct like_pieces		 pieces;
	struct idmap		 keys;		/* keys of pieces to numbers of lists, from 1 */
	struct scratch		 lists, noted;	/* struct noted_list, noted */
	uint64_t		 nlists, nnoted;
	/* by room, places of unused parts, from 1; the first text of a part is the next one */
	uint32_t		 free[32];
	uint32_t		 short_ones;	/* the list of texts without pieces */
	uint64_t		 done, looks;	/* texts that were joined; steps */
	struct lev		*lev, *bytes;
	uint64_t		 mask[256];	/* scratch of like_sweep; all are 0 between two calls */
};

struct like_order {
	uint64_t	letters;
	uint32_t	text;
};

#define TEXT_OF(l, number) (SCRATCH((l)->text, struct like_text)[number])
#define NOTED(l) SCRATCH((l)->noted, struct noted)
#define LIST_OF(l, number) (SCRATCH((l)->lists, struct noted_list)[(number) - 1])

/* ---- limits ------------------------------------------------------------------------ */

/* The largest distance of a text with so many letters to one that is not shorter. */
static uint64_t
likeness_limit(const struct likeness *l, uint64_t letters)
{
	if (l->distance != LIKENESS_BY_LENGTH)
		return l->distance;
	return letters < 4 ? 0 : letters < 16 ? 1 : letters < 24 ? 2 : 3;
}

/* ---- distances --------------------------------------------------------------------- */

static size_t
equal_ends(struct str a, struct str b, bool front)
{
	size_t n = a.n < b.n ? a.n : b.n, i = 0;
	uint64_t x, y;

	for (; i + 8 <= n; i += 8) {
		memcpy(&x, front ? a.s + i : a.s + a.n - i - 8, 8);
		memcpy(&y, front ? b.s + i : b.s + b.n - i - 8, 8);
		if (x != y)
			break;
	}
	while (i < n && (front ? a.s[i] == b.s[i] : a.s[a.n - 1 - i] == b.s[b.n - 1 - i]))
		i++;
	return i;
}

/*
 * Myers' bit vectors of a word of 1 to 64 bytes over a text that is not shorter; LEV_OVER as soon as it is
 * above max.
 */
static uint64_t
like_sweep(uint64_t *mask, struct str word, struct str text, uint64_t max)
{
	uint64_t vp = ~UINT64_C(0), vn = 0, score = word.n, e, d0, flat, less;
	unsigned bottom = (unsigned)word.n - 1;
	size_t i;

	assert(word.n > 0 && word.n <= 64 && text.n >= word.n);
	for (i = 0; i < word.n; i++)
		mask[(unsigned char)word.s[i]] |= UINT64_C(1) << i;
	for (i = 0; i < text.n; i++) {
		e = mask[(unsigned char)text.s[i]];
		d0 = (((e & vp) + vp) ^ vp) | e | vn;
		flat = vn | ~(d0 | vp);
		less = d0 & vp;
		score += flat >> bottom & 1;
		score -= less >> bottom & 1;
		if (score > max && score - max > text.n - 1 - i)
			break;
		flat = flat << 1 | 1;
		vp = less << 1 | ~(d0 | flat);
		vn = d0 & flat;
	}
	for (i = 0; i < word.n; i++)
		mask[(unsigned char)word.s[i]] = 0;
	return score > max ? LEV_OVER : score;
}

static bool
like_compare(struct likeness *l, bool plain, struct str a, struct str b, uint64_t max, uint64_t *distance,
    struct work *work, struct err *err)
{
	struct lev *lev = plain ? l->bytes : l->lev;
	bool more = true;

	for (lev_start(lev, a, b, max); more;)
		if (!lev_step(lev, LEV_SLICE, &more, err) ||
		    (more && !work_tick(work, l->done) && !fail_cancel(err)))
			return false;
	*distance = lev_distance(lev);
	return true;
}

bool
likeness_distance(struct likeness *l, uint32_t a, uint32_t b, uint64_t max, uint64_t *distance,
    struct work *work, struct err *err)
{
	struct str word = texts_get(l->texts, a), text = texts_get(l->texts, b), swap;
	size_t n;

	if (!TEXT_OF(l, a).plain || !TEXT_OF(l, b).plain)
		return like_compare(l, false, word, text, max, distance, work, err);
	if (word.n > text.n) {
		swap = word;
		word = text;
		text = swap;
	}
	n = equal_ends(word, text, true);
	word = (struct str){ word.s + n, word.n - n };
	text = (struct str){ text.s + n, text.n - n };
	n = equal_ends(word, text, false);
	word.n -= n;
	text.n -= n;
	if (word.n > 64)
		return like_compare(l, true, word, text, max, distance, work, err);
	if (word.n == 0)
		*distance = text.n > max ? LEV_OVER : text.n;
	else
		*distance = like_sweep(l->mask, word, text, max);
	return true;
}

/* ---- groups ------------------------------------------------------------------------ */

uint32_t
likeness_group(struct likeness *l, uint32_t text)
{
	struct like_text *t = SCRATCH(l->text, struct like_text);

	while (t[text].group != text)
		text = t[text].group = t[t[text].group].group;
	return text;
}

/* Return the next one down the list in another group than number i, whose group is given. */
static uint32_t
skip_group(struct likeness *l, struct noted *list, uint32_t i, uint32_t group)
{
	struct noted *first = &list[i - 1];

	while (first->skip != 0 && likeness_group(l, list[first->skip - 1].text) == group)
		first->skip = list[first->skip - 1].skip;
	return first->skip;
}

/* How many bits are set; a function call on many machines otherwise. */
static inline uint64_t
sign_bits(uint64_t x)
{
	x -= x >> 1 & UINT64_C(0x5555555555555555);
	x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
	return ((x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f)) * UINT64_C(0x0101010101010101) >> 56;
}

/* For one unchanged piece, as many steps are before it as pieces: see likeness_pieces.c. */
static bool
piece_fits(const struct noted *e, uint32_t at, uint64_t longer, uint64_t limit)
{
	int64_t shift = (int64_t)at - e->at, rest = (int64_t)longer - shift, left = (int64_t)limit - e->piece;

	return shift <= (int64_t)e->piece && -shift <= (int64_t)e->piece && rest <= left && -rest <= left;
}

static bool
like_fail_pairs(struct err *err)
{
	return fail(err, E_USAGE, "similar: too many pairs of texts to compare; use a smaller DISTANCE, or fewer rows "
	    "(head, where)");
}

/* Compare a text with one that was noted. */
static bool
like_pair(struct likeness *l, uint32_t text, const struct noted *e, uint64_t limit, struct work *work,
    struct err *err)
{
	uint64_t distance;

	TEXT_OF(l, e->text).tried = text;
	if (l->pairs-- == 0)
		return like_fail_pairs(err);
	if (!likeness_distance(l, e->text, text, limit, &distance, work, err))
		return false;
	if (distance != LEV_OVER)
		TEXT_OF(l, likeness_group(l, e->text)).group = likeness_group(l, text);
	return true;
}

/* A look at a noted text costs less than a comparison. */
static bool
like_look(struct likeness *l, struct work *work, struct err *err)
{
	if (++l->looks % LOOKS != 0)
		return true;
	return l->looks / LOOKS_A_PAIR > LIKENESS_PAIRS ? like_fail_pairs(err) : work_go(work, l->done, err);
}

/* Meet those in a list, the longest text first.  at: place in the text. */
static bool
meet_list(struct likeness *l, uint32_t text, uint32_t number, uint32_t at, struct work *work, struct err *err)
{
	const struct like_text *t = &TEXT_OF(l, text);
	struct noted *list = NOTED(l) + LIST_OF(l, number).from;
	uint32_t group = likeness_group(l, text), next;
	const struct noted *e;
	uint64_t limit, longer;
	bool fits;

	for (uint32_t i = LIST_OF(l, number).n; i != 0; i = next) {
		e = &list[i - 1];
		longer = t->letters - e->letters;
		if (longer > l->most)
			break;
		if (!like_look(l, work, err))
			return false;
		next = i - 1;
		limit = likeness_limit(l, e->letters);
		fits = longer <= limit && piece_fits(e, at, longer, limit) &&
		    sign_bits(t->sign ^ e->sign) <= 2 * limit;
		/* The group is looked up only where that may help: it is elsewhere in memory. */
		if ((fits || e->skip != next) && likeness_group(l, e->text) == group)
			next = skip_group(l, list, i, group);
		else if (fits && TEXT_OF(l, e->text).tried != text) {
			if (!like_pair(l, text, e, limit, work, err))
				return false;
			group = likeness_group(l, text);
		}
	}
	return true;
}

/* Room for one more in a full list: a part of twice the size. */
static bool
like_list_grow(struct likeness *l, struct noted_list *list, struct err *err)
{
	unsigned room = list->n == 0 ? 0 : list->room + 1;
	uint64_t from = l->nnoted, n = UINT64_C(1) << room;

	if (l->free[room] != 0) {
		from = l->free[room] - UINT64_C(1);
		l->free[room] = NOTED(l)[from].text;
	} else {
		if (from + n > UINT32_MAX)
			return fail(err, E_USAGE,
			    "similar: too many pieces of texts; use a smaller DISTANCE, or fewer rows (head, where)");
		if (!scratch_array(&l->noted, from + n, sizeof(struct noted), err))
			return false;
		l->nnoted += n;
	}
	if (list->n > 0) {
		memcpy(NOTED(l) + from, NOTED(l) + list->from, list->n * sizeof(struct noted));
		NOTED(l)[list->from].text = l->free[list->room];
		l->free[list->room] = list->from + 1;
	}
	list->from = (uint32_t)from;
	list->room = room;
	return true;
}

/* Add to a list; *number 0: to a new one. */
static bool
note(struct likeness *l, uint32_t text, uint32_t at, uint32_t piece, uint32_t *number, struct err *err)
{
	const struct like_text *t = &TEXT_OF(l, text);
	struct noted e = { .text = text, .letters = t->letters, .at = at, .piece = piece, .sign = t->sign },
	    *last;
	struct noted_list none = { 0, 0, 0 }, *list;

	if (*number == 0) {
		if (!scratch_add(&l->lists, &l->nlists, &none, sizeof none, err))
			return false;
		*number = (uint32_t)l->nlists;
	}
	list = &LIST_OF(l, *number);
	if ((list->n == 0 || list->n == UINT32_C(1) << list->room) && !like_list_grow(l, list, err))
		return false;
	e.skip = list->n;
	last = NOTED(l) + list->from + list->n;
	if (list->n > 0 && likeness_group(l, last[-1].text) == likeness_group(l, text))
		e.skip = last[-1].skip;
	*last = e;
	list->n++;
	return true;
}

/* ---- joining ----------------------------------------------------------------------- */

/* Look for pieces of a length at all places of a text. */
static bool
meet_pieces(struct likeness *l, uint32_t text, unsigned size, struct work *work, struct err *err)
{
	const struct like_pieces *p = &l->pieces;
	uint32_t most = (uint32_t)l->most, block, end, list;

	for (uint32_t at = 0; at + pieces_length(size) <= p->n; at++) {
		end = (at + most) >> p->block;
		for (block = (at > most ? at - most : 0) >> p->block; block <= end; block++) {
			list = idmap_get(&l->keys, pieces_key(p, at, size, block));
			if (list != 0 && !meet_list(l, text, list, at, work, err))
				return false;
		}
		if (!like_look(l, work, err))
			return false;
	}
	return true;
}

static bool
note_pieces(struct likeness *l, uint32_t text, unsigned limit, struct err *err)
{
	struct like_pieces *p = &l->pieces;
	uint64_t key;
	uint32_t list;

	if (!pieces_choose(p, limit + 1, pieces_lengths(TEXT_OF(l, text).letters, limit), err))
		return false;
	for (unsigned i = 0; i <= limit; i++) {
		key = pieces_key(p, p->chosen[i].at, p->chosen[i].size, p->chosen[i].at >> p->block);
		list = idmap_get(&l->keys, key);
		if (!note(l, text, p->chosen[i].at, i, &list, err) || !idmap_put(&l->keys, key, list, err))
			return false;
	}
	return true;
}

/* Lengths of the pieces of texts that may be like one with so many letters, and not longer. */
static unsigned
lengths_near(const struct likeness *l, uint64_t letters)
{
	unsigned lengths = 0;

	for (uint64_t less = 0; less <= l->most && less <= letters; less++)
		lengths |= pieces_lengths(letters - less, likeness_limit(l, letters - less));
	return lengths;
}

static bool
join_text(struct likeness *l, uint32_t text, struct work *work, struct err *err)
{
	uint32_t letters = TEXT_OF(l, text).letters;
	uint64_t limit = likeness_limit(l, letters);
	unsigned lengths = lengths_near(l, letters);

	if (limit == 0)
		return true;
	if (!pieces_read(&l->pieces, texts_get(l->texts, text), err) ||
	    (l->short_ones != 0 && !meet_list(l, text, l->short_ones, 0, work, err)))
		return false;
	for (unsigned size = 0; size < PIECE_LENGTHS; size++)
		if ((lengths >> size & 1) != 0 && !meet_pieces(l, text, size, work, err))
			return false;
	return letters > limit ? note_pieces(l, text, (unsigned)limit, err) :
	    note(l, text, 0, 0, &l->short_ones, err);
}

/* Count the pieces of some texts, evenly chosen. */
static bool
count_like_pieces(struct likeness *l, uint64_t letters, struct work *work, struct err *err)
{
	uint64_t step = letters / COUNTED + 1;
	uint32_t text;

	for (uint64_t i = 0; i < l->texts->n; i += step) {
		text = SCRATCH(l->order, struct like_order)[i].text;
		if (likeness_limit(l, TEXT_OF(l, text).letters) == 0)
			continue;
		if (!work_go(work, i, err) || !pieces_read(&l->pieces, texts_get(l->texts, text), err))
			return false;
		pieces_count(&l->pieces, lengths_near(l, TEXT_OF(l, text).letters));
	}
	return true;
}

bool
likeness_join(struct likeness *l, struct work *work, struct err *err)
{
	uint32_t n = l->texts->n;
	uint64_t letters = 0;

	if (!scratch_array(&l->order, n, sizeof(struct like_order), err))
		return false;
	for (uint32_t i = 0; i < n; i++) {
		SCRATCH(l->order, struct like_order)[i] = (struct like_order){ TEXT_OF(l, i + 1).letters,
		    i + 1 };
		letters += TEXT_OF(l, i + 1).letters;
	}
	if (!make_sort(&l->order, n, sizeof(struct like_order), work, err))
		return false;
	l->most = n == 0 ? 0 : likeness_limit(l, SCRATCH(l->order, struct like_order)[n - 1].letters);
	work_start(work, "similar texts", n);
	if (!pieces_open(&l->pieces, l->most, letters, err) || !count_like_pieces(l, letters, work, err))
		return false;
	for (l->done = 0; l->done < n; l->done++)
		if (!work_go(work, l->done, err) || !join_text(l,
		    SCRATCH(l->order, struct like_order)[l->done].text, work, err))
			return false;
	return true;
}

/* ---- opening ----------------------------------------------------------------------- */

/*
 * 16 kinds of letters, each with a counter of 4 bits that flips one when a letter is counted.  Texts with
 * equal counters may differ; texts that differ in more than two bits for each change are farther apart.
 */
static uint64_t
sign_letter(uint64_t sign, uint32_t symbol)
{
	unsigned at = 4 * (symbol - '0' < 10 ? symbol - '0' : 10 + symbol % 6);
	uint64_t counter = sign >> at & 15, next = (counter << 1 & 15) | (~counter >> 3 & 1);

	return sign ^ (counter ^ next) << at;
}

static void
read_like_text(struct likeness *l, uint32_t number)
{
	struct like_text *t = &TEXT_OF(l, number);
	struct str text = texts_get(l->texts, number);
	uint32_t symbol;
	size_t n;

	*t = (struct like_text){ .group = number, .plain = lev_ascii(text) };
	for (; text.n > 0; text.s += n, text.n -= n) {
		n = lev_symbol(text, 0, &symbol);
		t->sign = sign_letter(t->sign, symbol);
		t->letters++;
	}
}

bool
likeness_open(struct likeness **out, const struct text_pool *texts, uint64_t distance, uint64_t pairs,
    struct err *err)
{
	struct likeness *l = mem_array(1, sizeof *l);
	bool ok = l != NULL || fail(err, E_SYSTEM, "out of memory (similar texts)");

	*out = l;
	if (!ok)
		return false;
	assert(distance == LIKENESS_BY_LENGTH || distance <= LIKENESS_DISTANCE);
	l->texts = texts;
	l->distance = distance;
	l->pairs = pairs;
	ok = lev_new(&l->lev, 0, err) && lev_new(&l->bytes, LEV_BYTES, err) &&
	    scratch_array(&l->text, texts->n + UINT64_C(1), sizeof(struct like_text), err);
	for (uint32_t i = 1; ok && i <= texts->n; i++)
		read_like_text(l, i);
	return ok;
}

void
likeness_close(struct likeness *l)
{
	if (l == NULL)
		return;
	lev_free(l->lev);
	lev_free(l->bytes);
	pieces_close(&l->pieces);
	SCRATCH_FREE(&l->text, &l->order, &l->lists, &l->noted);
	idmap_free(&l->keys);
	free(l);
}
