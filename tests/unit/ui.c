/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ui: keys, patterns, frames, pools and saved queries, without a screen.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "icecore/keys.h"
#include "check.h"
#include "ui/core/core.h"
#include "ui/core/state.h"
#include "ui/icicle/frames.h"
#include "ui/list/list.h"
#include "ui/prompt/menu.h"
#include "ui/term/screen.h"

/* ---- texts ---- */

static void
long_texts(void **state)
{
	struct buf	raw = BUF_INIT, fit = BUF_INIT;

	(void)state;
	buf_str(&raw, STR("begin "));
	for (int i = 0; i < 70000; i++)
		buf_str(&raw, STR("\xc3\xa9"));
	buf_str(&raw, STR(" end"));
	screen_fit(&fit, buf_view(&raw));
	assert_false(fit.bad);
	assert_in_range(fit.n, 30000, 70000);
	assert_true(str_has_prefix(buf_view(&fit), STR("begin ")));
	assert_true(str_has_suffix(buf_view(&fit), STR(" end")));
	/* No character is cut in two, so that all characters except the mark of the cut are the same. */
	for (size_t i = 6, odd = 0; i < fit.n - 4; i++) {
		odd += fit.s[i] != fit.s[6];
		assert_in_range(odd, 0, 1);
	}
	buf_clear(&fit);
	screen_fit(&fit, STR("short"));
	assert_string_equal(fit.s, "short");
	buf_free(&fit);
	buf_free(&raw);
}

/* ---- keys ---------------------------------------------------------------- */

static void
decode(const char *bytes, bool final, const char *name, size_t n)
{
	struct press	p = { .name = "none" };

	assert_int_equal(key_decode(str_of(bytes), final, &p), n);
	if (n > 0)
		assert_string_equal(p.name, name);
}

static void
keys_decoded(void **state)
{
	(void)state;
	decode("j", false, "j", 1);
	decode("jk", false, "j", 1);
	decode("\r", false, "Enter", 1);
	decode("\004", false, "C-d", 1);
	decode(" ", false, "Space", 1);
	decode("\033[A", false, "Up", 3);
	decode("\033OA", false, "Up", 3);
	decode("\033[1;5A", false, "Up", 6);
	decode("\033[5~x", false, "PgUp", 4);
	decode("\033[5;2~", false, "PgUp", 6);
	decode("\033;", false, "", 2);
	decode("\033[;", true, "Esc", 1);
	decode("\033x", false, "", 2);
}

static void
answers(const char *bytes, bool final, size_t n, enum said said, int y, int x)
{
	struct press	p = { .name = "none" };

	assert_int_equal(key_decode(str_of(bytes), final, &p), n);
	if (n == 0)
		return;
	assert_string_equal(p.name, "");
	assert_int_equal(p.said, said);
	assert_int_equal(p.y, y);
	assert_int_equal(p.x, x);
}

/* A report of a terminal is not a key, also when it is cut off; what follows is one. */
static void
answers_decoded(void **state)
{
	(void)state;
	answers("\033[?62;4;22cj", false, 11, SAID_DEVICE, 1, 0);
	answers("\033[?4;14;24c", false, 11, SAID_DEVICE, 0, 0);
	answers("\033[?1;2c", true, 7, SAID_DEVICE, 0, 0);
	answers("\033_Gi=31;OK\033\\j", false, 12, SAID_KITTY, 1, 0);
	answers("\033_Gi=31;EINVAL: no\033\\", false, 20, SAID_KITTY, 0, 0);
	answers("\033[6;20;10tj", false, 10, SAID_CELL, 20, 10);
	answers("\033[6;99999999999999999999;10t", false, 28, SAID_CELL, 0, 10);
	answers("\033[6;70000;10t", false, 13, SAID_OTHER, 0, 0);
	answers("\033[8;24;80t", false, 10, SAID_OTHER, 0, 0);
	answers("\033[2;1Rj", false, 6, SAID_CURSOR, 1, 0);
	answers("\033[24;80R", false, 8, SAID_CURSOR, 23, 79);
	answers("\033[24;80", false, 0, SAID_NONE, 0, 0);
	answers("\033[24;70000R", false, 11, SAID_OTHER, 0, 0);
	answers("\033[1;2R", false, 6, SAID_NONE, 0, 0);
	answers("\033[?25;1$y", false, 9, SAID_OTHER, 0, 0);
	answers("\033[?62;4", false, 0, SAID_NONE, 0, 0);
	answers("\033[?62;4", true, 7, SAID_OTHER, 0, 0);
	answers("\033[?62;4\rQ", false, 7, SAID_OTHER, 0, 0);
	answers("\033_Gi=31;OK\033", false, 0, SAID_NONE, 0, 0);
	answers("\033_Gi=31;OK\033", true, 11, SAID_OTHER, 0, 0);
	answers("\033_Gi=31\003", false, 7, SAID_KITTY, 0, 0);
	decode("\033[6~", false, "PgDn", 4);
	decode("\033_j", false, "", 2);
}

static void
reported(const char *bytes, bool final, size_t n, enum mouse mouse, int y, int x)
{
	struct press	p = { .name = "none" };

	assert_int_equal(key_decode(str_of(bytes), final, &p), n);
	if (n == 0)
		return;
	assert_string_equal(p.name, "");
	assert_int_equal(p.mouse, mouse);
	if (mouse != MOUSE_OTHER) {
		assert_int_equal(p.y, y);
		assert_int_equal(p.x, x);
	}
}

/* Both forms; what is not whole waits, and is then dropped with all that belongs to it. */
static void
clicks_decoded(void **state)
{
	(void)state;
	reported("\033[<0;1;1M", false, 9, MOUSE_CLICK, 0, 0);
	reported("\033[<0;300;50Mx", false, 12, MOUSE_CLICK, 49, 299);
	reported("\033[<4;3;2M", false, 9, MOUSE_CLICK, 1, 2);
	reported("\033[<0;3;2m", false, 9, MOUSE_RELEASE, 1, 2);
	reported("\033[<2;3;2m", false, 9, MOUSE_OTHER, 0, 0);
	reported("\033[<32;5;2M", false, 10, MOUSE_DRAG, 1, 4);
	reported("\033[<34;5;2M", false, 10, MOUSE_OTHER, 0, 0);
	reported("\033[<2;3;2M", false, 9, MOUSE_BACK, 1, 2);
	reported("\033[<64;3;2M", false, 10, MOUSE_WHEEL_UP, 1, 2);
	reported("\033[<65;3;2M", false, 10, MOUSE_WHEEL_DOWN, 1, 2);
	reported("\033[<66;3;2M", false, 10, MOUSE_OTHER, 0, 0);
	reported("\033[<35;3;2M", false, 10, MOUSE_OTHER, 0, 0);
	reported("\033[<0;0;2M", false, 9, MOUSE_OTHER, 0, 0);
	reported("\033[<0;99999999999999999999;2M", false, 28, MOUSE_CLICK, 1, 999998);
	reported("\033[<0;3M", false, 7, MOUSE_OTHER, 0, 0);
	reported("\033[<0;3;2;1M", false, 11, MOUSE_OTHER, 0, 0);
	reported("\033[<0;3", false, 0, MOUSE_OTHER, 0, 0);
	reported("\033[<0;3", true, 6, MOUSE_OTHER, 0, 0);
	reported("\033[<0;3x", false, 6, MOUSE_OTHER, 0, 0);
	reported("\033[M #\"", false, 6, MOUSE_CLICK, 1, 2);
	reported("\033[M`\377\"", false, 6, MOUSE_WHEEL_UP, 1, 222);
	reported("\033[M##\"", false, 6, MOUSE_RELEASE, 1, 2);
	reported("\033[M@#\"", false, 6, MOUSE_DRAG, 1, 2);
	reported("\033[MC#\"", false, 6, MOUSE_OTHER, 0, 0);
	reported("\033[M #", false, 0, MOUSE_OTHER, 0, 0);
	reported("\033[M #", true, 5, MOUSE_OTHER, 0, 0);
	reported("\033[M\033[A", false, 3, MOUSE_OTHER, 0, 0);
}

/* The last one that has the cell. */
static void
spots_found(void **state)
{
	(void)state;
	spots_clear();
	assert_null(spot_at(0, 0));
	spot_add(&(struct spot){ .area = { 0, 0, 24, 80 }, .what = 1 });
	spot_add(&(struct spot){ .area = { 2, 3, 1, 4 }, .what = 2 });
	spot_add(&(struct spot){ .area = { 5, 5, 1, 0 }, .what = 3 });
	assert_int_equal(spot_at(2, 3)->what, 2);
	assert_int_equal(spot_at(2, 6)->what, 2);
	assert_int_equal(spot_at(2, 7)->what, 1);
	assert_int_equal(spot_at(2, 2)->what, 1);
	assert_int_equal(spot_at(5, 5)->what, 1);
	assert_null(spot_at(24, 0));
	spots_clear();
	assert_null(spot_at(2, 3));
	spots_free();
}

static void
keys_in_pieces(void **state)
{
	(void)state;
	decode("\033", false, "", 0);
	decode("\033[", false, "", 0);
	decode("\033[1;", false, "", 0);
	decode("\033", true, "Esc", 1);
	decode("\033\033[A", true, "Esc", 1);
	decode("\303", false, "", 0);
	decode("\303", true, "\303", 1);
	decode("\303\251", false, "\303\251", 2);
	decode("\377", false, "\377", 1);
}

/* No bytes make it stop, run over, or take nothing when nothing more will come. */
static void
keys_any_bytes(void **state)
{
	struct press	p;
	char		s[64];
	struct str	rest;
	uint32_t	seed = 1, i, k;
	size_t		n;

	(void)state;
	for (i = 0; i < 20000; i++) {
		for (k = 0; k < sizeof s; k++) {
			seed = seed * 1664525u + 1013904223u;
			s[k] = (seed >> 28) < 6 ? "\033[O;1~"[(seed >> 20) % 6] :
			    (char)(seed >> 24);
		}
		for (rest = (struct str){ s, sizeof s }; rest.n > 0; rest.s += n, rest.n -= n) {
			n = key_decode(rest, true, &p);
			assert_true(n > 0 && n <= rest.n);
			assert_true(strlen(p.name) < sizeof p.name && p.n <= sizeof p.raw);
		}
	}
}

static void
keys_have_verbs(void **state)
{
	struct press	 p;
	const struct key *k;
	struct str	 rest, one;
	char		 name[16];

	(void)state;
	/* Each key of the table can be pressed, and does there what its row says or a row before it. */
	for (k = keys; k->verb != VERB_NONE; k++)
		for (rest = str_of(k->keys); str_split(&rest, ' ', &one);) {
			assert_true(one.n > 0 && one.n < sizeof name);
			memcpy(name, one.s, one.n);
			name[one.n] = '\0';
			assert_true(key_named(name, &p));
			assert_int_not_equal(key_verb(&p, k->where), VERB_NONE);
		}
	assert_true(key_named("h", &p));
	assert_int_equal(key_verb(&p, IN_TIME), VERB_PAN_LEFT);
	assert_int_equal(key_verb(&p, IN_ICICLE), VERB_LEFT);
	assert_false(key_named("Nosuch", &p));
	assert_false(key_named("", &p));
}

static void
hints_name_keys(void **state)
{
	(void)state;
	for (size_t verb = VERB_NONE + 1; verb < VERBS; verb++)
		assert_non_null(key_of((enum verb)verb, UINT64_MAX));
	assert_string_equal(hint(VERB_UNDO, "_ undoes it; again: _").s, "u undoes it; again: u");
	assert_string_equal(hint(VERB_QUIT, "press _").s, "press Q");
	assert_string_equal(hint(VERB_BACK, "_").s, "Backspace");
	assert_string_equal(hint_in(IN_OVERLAY, VERB_BACK, "_ closes").s, "Esc closes");
	/* A verb that has no key there is named by its first key. */
	assert_string_equal(hint(VERB_OTHER, "_").s, "b");
	assert_string_equal(hint_in(IN_LIST, VERB_FORMAT, "_: next format").s, "f: next format");
}

/* A later row is never hidden by an earlier one everywhere it applies. */
static void
keys_all_reachable(void **state)
{
	struct press	 p;
	const struct key *k;
	struct str	 rest, one;
	char		 name[16];
	uint64_t	 bit;
	bool		 reached;

	(void)state;
	for (k = keys; k->verb != VERB_NONE; k++) {
		reached = false;
		for (rest = str_of(k->keys); str_split(&rest, ' ', &one);) {
			memcpy(name, one.s, one.n);
			name[one.n] = '\0';
			assert_true(key_named(name, &p));
			for (bit = 1; bit < UINT64_C(1) << IN_BITS; bit <<= 1)
				if ((k->where & bit) && key_verb(&p, bit) == k->verb)
					reached = true;
		}
		if (!reached)
			print_error("%s is hidden\n", k->keys);
		assert_true(reached);
	}
}

/* ---- patterns ------------------------------------------------------------ */

static bool
matches(const char *pattern, const char *text)
{
	struct pattern	*p = pattern_make(str_of(pattern), NULL);
	bool		 hit;

	assert_non_null(p);
	hit = pattern_match(p, str_of(text));
	pattern_free(p);
	return hit;
}

static void
patterns(void **state)
{
	char	bomb[4096];

	(void)state;
	assert_true(matches("hash", "java.util.HashMap"));
	assert_false(matches("hASH", "java.util.HashMap"));
	assert_true(matches("Hash", "java.util.HashMap"));
	assert_true(matches("^java\\.util", "java.util.HashMap"));
	assert_true(matches("a\\Sb", "axb"));
	assert_true(matches("a(b", "xA(Bx"));
	assert_true(matches("[", "a[0]"));
	assert_false(matches("x", ""));
	assert_true(matches("", ""));
	/* No pattern takes for ever. */
	memset(bomb, 'a', sizeof bomb - 1);
	bomb[sizeof bomb - 1] = '\0';
	assert_false(matches("(a*)*(a*)*(a*)*b", bomb));
}

static void
text_is(const char *typed, const char *text)
{
	struct buf	b = BUF_INIT;

	pattern_text(str_of(typed), &b);
	assert_string_equal(b.s, text);
	buf_free(&b);
}

static void
pattern_texts(void **state)
{
	(void)state;
	text_is("hash", "/hash/i");
	text_is("Hash", "/Hash/");
	text_is("a/b", "/a\\/b/i");
	text_is("a\\/b", "/a\\/b/i");
	text_is("a\\Sb", "/a\\Sb/i");
	text_is("a\\", "/a\\\\/i");
}

/* ---- frames -------------------------------------------------------------- */

/* One of ten cells; below it five, three and two; below the second of these, two. */
static void
fill(struct frames *f)
{
	static const struct { uint32_t level, x, w; } boxes[] = {
		{ 0, 0, 10 }, { 1, 0, 5 }, { 1, 5, 3 }, { 1, 8, 2 }, { 2, 5, 1 }, { 2, 6, 2 },
	};
	frames_clear(f);
	for (size_t i = 0; i < NELEM(boxes); i++) {
		while (f->nlevels <= boxes[i].level)
			assert_true(frames_level(f));
		assert_non_null(frames_add(f, (struct box){ .x = boxes[i].x, .w = boxes[i].w }));
	}
	frames_select(f, 0);
}

static void
frames_moves(void **state)
{
	struct frames	f = { 0 };

	(void)state;
	assert_false(frames_move(&f, VERB_DOWN, 5));
	assert_null(frames_selected(&f));
	fill(&f);
	assert_true(frames_move(&f, VERB_DOWN, 5));
	assert_int_equal(f.sel, 1);		/* the widest */
	frames_move(&f, VERB_DOWN, 5);
	assert_int_equal(f.sel, 1);		/* nothing below it */
	frames_move(&f, VERB_RIGHT, 5);
	frames_move(&f, VERB_DOWN, 5);
	assert_int_equal(f.sel, 5);
	assert_int_equal(f.sel_level, 2);
	frames_move(&f, VERB_RIGHT, 5);
	assert_int_equal(f.sel, 5);		/* not into the next level */
	frames_move(&f, VERB_UP, 5);
	assert_int_equal(f.sel, 2);
	frames_move(&f, VERB_TOP, 5);
	assert_int_equal(f.sel, 0);
	frames_move(&f, VERB_LEFT, 5);
	assert_int_equal(f.sel, 0);
	assert_false(frames_move(&f, VERB_SORT_RIGHT, 5));
	frames_free(&f);
}

static void
frames_matches(void **state)
{
	struct frames	f = { 0 };

	(void)state;
	assert_false(frames_next_match(&f, false));
	fill(&f);
	assert_false(frames_next_match(&f, false));
	f.at[2].match = f.at[5].match = true;
	f.at[3].match = true;
	f.at[3].group = 7;			/* a group is not a match to go to */
	assert_true(frames_next_match(&f, false));
	assert_int_equal(f.sel, 2);
	assert_true(frames_next_match(&f, false));
	assert_int_equal(f.sel, 5);
	assert_int_equal(f.sel_level, 2);
	assert_true(frames_next_match(&f, false));
	assert_int_equal(f.sel, 2);		/* around */
	assert_true(frames_next_match(&f, true));
	assert_int_equal(f.sel, 5);
	frames_free(&f);
}

static void
short_names(void **state)
{
	(void)state;
	assert_true(str_eq(frame_short(STR("java.util.HashMap.put")), STR("HashMap.put")));
	assert_true(str_eq(frame_short(STR("HashMap.put")), STR("HashMap.put")));
	assert_true(str_eq(frame_short(STR("put")), STR("put")));
	assert_true(str_eq(frame_short(STR("a..b")), STR("a..b")));
	assert_true(str_eq(frame_short(STR("a.b.C.<init>")), STR("C.<init>")));
	assert_true(str_eq(frame_short(STR("a.b.C::run")), STR("C::run")));
	assert_true(str_eq(frame_short(STR("static Shop.Foo.bar(Swift.Int) -> Swift.String")),
	    STR("Foo.bar(Swift.Int) -> Swift.String")));
	assert_true(str_eq(frame_short(STR("ns::f(a.b.C, d.e)")), STR("ns::f(a.b.C, d.e)")));
	assert_true(str_eq(frame_short(STR("github.com/acme/shop.(*Cart).Add")), STR("(*Cart).Add")));
	assert_true(str_eq(frame_short(STR("")), STR("")));
}

static void
shortened(const char *full, size_t w, const char *want)
{
	struct buf	b = BUF_INIT;

	object_short(&b, str_of(full), w);
	buf_chr(&b, '\0');
	assert_string_equal(b.s, want);
	buf_free(&b);
}

static void
short_objects(void **state)
{
	(void)state;
	shortened("java.util.HashMap$Node[] @12", SIZE_MAX, "HashMap$Node[] @12");
	shortened("java.util.HashMap$Node[] @12", 18, "HashMap$Node[] @12");
	shortened("java.util.HashMap$Node[] @12", 17, "Node[] @12");
	shortened("java.util.HashMap$Node[] @12", 2, "Node[] @12");
	shortened("class java.util.HashMap$Node @9", 21, "class HashMap$Node @9");
	shortened("class java.util.HashMap$Node @9", 20, "HashMap$Node @9");
	shortened("class java.util.HashMap$Node @9", 14, "Node @9");
	shortened("a.B$1 @7", 2, "B$1 @7");
	shortened("a.B$ @7", 2, " @7");
	shortened("byte[] @7", 3, "byte[] @7");
	shortened("all", 1, "all");
	shortened("class ", 9, "class ");
	shortened("", 0, "");
}

/* Its form in a query, which gives it back. */
static void
quoted(void **state)
{
	struct buf	b = BUF_INIT, big = BUF_INIT;
	size_t		i;

	(void)state;
	assert_true(list_quote(STR("it's a \\ \001"), &b));
	assert_true(str_eq(buf_view(&b), STR("'it\\'s a \\\\ \\x01'")));
	buf_free(&b);
	for (i = 0; i < 2000; i++)
		buf_chr(&big, 'x');
	assert_false(list_quote(buf_view(&big), &b));
	buf_free(&b);
	buf_free(&big);
}

/* ---- pools --------------------------------------------------------------- */

static const struct coldef thread_cols[] = {
	{ "name", CELL_TEXT, "", false }, { "calls", CELL_COUNT, "", false },
	{ "id", CELL_ID, "", false }, { "pool", CELL_TEXT, "", false },
	{ "max_wait", CELL_TIME, "", false }, { "p99_wait", CELL_TIME, "", false }, { "utilisation", CELL_PERCENT, "", false },
};

static const struct { const char *name, *pool; uint64_t calls; } some_threads[] = {
	{ "main", "main", 5 }, { "b-1", "b-*", 3 }, { "x", "x", 1 }, { "b-2", "b-*", 4 },
};

static uint64_t
threads_reach(struct rows *r, uint64_t n)
{
	(void)r;
	return n < NELEM(some_threads) ? n : NELEM(some_threads);
}

static void
threads_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	(void)r;
	c->type = thread_cols[col].type;
	if (col == 0 || col == 3)
		c->text = str_of(col == 0 ? some_threads[row].name : some_threads[row].pool);
	else
		c->u = col == 2 ? row + 1 : some_threads[row].calls;
	if (c->type == CELL_PERCENT)
		c->f = (double)some_threads[row].calls / 8;
}

static const struct rows_ops threads_ops = { threads_reach, threads_cell, NULL };

static void
pools(void **state)
{
	struct rows	*in = calloc(1, sizeof *in), *r;
	struct folds	 folds = { 0 };
	struct session	 session = { 0 };
	struct cell	 c;
	uint32_t	*ids;
	size_t		 n;

	(void)state;
	*in = (struct rows){ .ops = &threads_ops, .cols = thread_cols,
	    .ncols = NELEM(thread_cols), .session = &session };
	r = pools_wrap(in, "pool", NULL, &folds, NULL);
	assert_non_null(r);
	/* main, the head, two threads below it, x */
	assert_int_equal(rows_reach(r, ROWS_ALL), 5);
	rows_cell(r, 1, 1, &c);
	assert_int_equal(c.u, 7);
	rows_cell(r, 1, 2, &c);
	assert_int_equal(c.type, CELL_NONE);
	rows_cell(r, 3, 2, &c);
	assert_int_equal(c.u, 4);
	ids = pools_threads(r, 1, &n);
	assert_int_equal(n, 2);
	assert_int_equal(ids[0], 2);
	assert_int_equal(ids[1], 4);
	free(ids);
	pools_fold(r, &folds, 2, true, false);
	assert_int_equal(rows_reach(r, ROWS_ALL), 3);
	assert_int_equal(folds.n, 1);
	pools_fold(r, &folds, 0, false, true);
	assert_int_equal(rows_reach(r, ROWS_ALL), 5);
	assert_int_equal(folds.n, 0);
	pools_fold(r, &folds, 99, true, false);
	rows_close(r);
	idmap_free(&folds.pool);
}

/* Heads in the order of their sums, with the largest of what is a largest one. */
static void
pools_sorted(void **state)
{
	struct rows	*in = calloc(1, sizeof *in), *r;
	struct folds	 folds = { 0 };
	struct list	*l = calloc(1, sizeof *l);
	struct session	 session = { 0 };
	struct cell	 c;

	(void)state;
	*in = (struct rows){ .ops = &threads_ops, .cols = thread_cols,
	    .ncols = NELEM(thread_cols), .session = &session };
	r = pools_wrap(in, "pool", "-calls", &folds, NULL);
	assert_non_null(r);
	/* The head, its two threads, main, x. */
	assert_int_equal(rows_reach(r, ROWS_ALL), 5);
	rows_cell(r, 0, 1, &c);
	assert_int_equal(c.u, 7);
	rows_cell(r, 0, 4, &c);
	assert_int_equal(c.u, 4);
	rows_cell(r, 0, 5, &c);
	assert_int_equal(c.type, CELL_NONE);
	rows_cell(r, 0, 6, &c);
	assert_true(c.type == CELL_PERCENT && c.f > 0.874 && c.f < 0.876);
	rows_cell(r, 3, 2, &c);
	assert_int_equal(c.u, 1);
	l->now.rows = r;
	l->now.known = 5;
	assert_true(pools_act(l, &folds, VERB_ENTER));
	assert_int_equal(l->now.known, 3);
	assert_true(pools_act(l, &folds, VERB_ENTER));
	assert_true(pools_act(l, &folds, VERB_FOLD_ALL));
	assert_int_equal(l->now.known, 3);
	l->sel = 1;
	assert_false(pools_act(l, &folds, VERB_ENTER));
	l->task.given = true;
	assert_false(pools_act(l, &folds, VERB_FOLD));
	free(l);
	rows_close(r);
	idmap_free(&folds.pool);
}

/* Cells of the selected row in the form of a query. */
static void
queries_filled(void **state)
{
	struct rows	*in = calloc(1, sizeof *in);
	struct list	*l = calloc(1, sizeof *l);
	struct buf	 b = BUF_INIT;

	(void)state;
	*in = (struct rows){ .ops = &threads_ops, .cols = thread_cols, .ncols = NELEM(thread_cols) };
	l->now.rows = in;
	l->now.known = NELEM(some_threads);
	l->sel = 1;
	assert_true(list_fill(l, "rows | where pool = {pool} and id = {id} | sort", &b));
	assert_string_equal(b.s, "rows | where pool = 'b-*' and id = 2 | sort");
	buf_clear(&b);
	assert_true(list_fill(l, "rows", &b));
	assert_string_equal(b.s, "rows");
	assert_false(list_fill(l, "rows | where x = {none}", &b));
	l->sel = NELEM(some_threads);
	assert_false(list_fill(l, "{id?}", &b));
	buf_free(&b);
	free(l);
	free(in);
}

/* ---- prompt -------------------------------------------------------------- */

static size_t
common(const char *a, const char *b, unsigned rank)
{
	struct candidate	items[] = { { (char *)(uintptr_t)a, NULL, 0 },
		{ (char *)(uintptr_t)b, NULL, rank } };
	struct menu		m = { .c = { .item = items, .n = 2 } };

	return menu_common(&m);
}

static void
menu_is_sure(void **state)
{
	(void)state;
	assert_int_equal(common("self_wall", "self_cpu", 0), 5);
	assert_int_equal(common("self_wall", "self_cpu", 1), 0);
	assert_int_equal(common("a", "b", 0), 0);
	/* Never half a character or half an escape. */
	assert_int_equal(common("x\303\251", "x\303\250", 0), 1);
	assert_int_equal(common("'a\\x1b'", "'a\\x1c'", 0), 2);
	assert_int_equal(common("'a\\x1bcd'", "'a\\x1bce'", 0), 7);
}

static void
menu_moves(void **state)
{
	struct candidate	items[3] = { { NULL, NULL, 0 } };
	struct menu		m = { .c = { .item = items, .n = 3 }, .open = true, .sel = MENU_NONE };

	(void)state;
	assert_null(menu_chosen(&m));
	menu_move(&m, 1);
	assert_ptr_equal(menu_chosen(&m), &items[0]);
	menu_move(&m, -1);
	assert_ptr_equal(menu_chosen(&m), &items[2]);
	menu_move(&m, 1);
	assert_ptr_equal(menu_chosen(&m), &items[0]);
	m.c.n = 0;
	menu_move(&m, 1);
	assert_null(menu_chosen(&m));
}

static void
line_entered(void *asker, const char *line)
{
	snprintf(asker, 16, "%s", line);
}

/* Asks for a line, which is entered or given up. */
static void
prompted(const char *text, const char *key, void *asker, bool disown)
{
	struct press	p;

	prompt_open(PROMPT_LINE, "line: ", text, line_entered, asker);
	assert_true(prompt_is_open());
	if (disown)
		prompt_disown(asker);
	assert_true(key_named(key, &p));
	prompt_feed(&p);
	prompt_poll();
	assert_false(prompt_is_open());
}

/* A pane that closes under the prompt gets no line any more. */
static void
lines_entered(void **state)
{
	struct ui_options options = { .no_history = true };
	char		line[16] = "none";

	(void)state;
	prompt_start(&options);
	prompted("one", "Enter", line, false);
	assert_string_equal(line, "one");
	prompted("two", "Esc", line, false);
	prompted("three", "Enter", line, true);
	assert_string_equal(line, "one");
	prompted("four", "Enter", line, false);
	assert_string_equal(line, "four");
	prompt_end();
}

/* Saved queries can be read again, and other lines stay. */
static void
queries_saved(void **state)
{
	static const char before[] = "# mine\n\n top=threads | sort -cpu\nbroken line\nx y = z\n";
	char		folder[] = "/tmp/icecore-ui-XXXXXX", path[64], text[256];
	struct buf	query = BUF_INIT;
	struct err	err;
	bool		replaced;
	FILE		*f;

	(void)state;
	assert_non_null(mkdtemp(folder));
	setenv("XDG_CONFIG_HOME", folder, 1);
	assert_false(saved_get(STR("top"), &query));
	assert_true(saved_put(STR("a-1"), STR(" calls | head  "), &replaced, &err));
	assert_false(replaced);
	snprintf(path, sizeof path, "%s/icecore/queries", folder);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(before, f);
	fclose(f);
	assert_true(saved_put(STR("top"), STR("methods | where name = 'x'"), &replaced, &err));
	assert_true(replaced);
	assert_true(saved_get(STR("top"), &query));
	assert_string_equal(query.s, "methods | where name = 'x'");
	assert_false(saved_put(STR("a b"), STR("calls"), &replaced, &err));
	assert_false(saved_put(STR(""), STR("calls"), &replaced, &err));
	assert_false(saved_put(STR("n"), STR("calls\nx = y"), &replaced, &err));
	f = fopen(path, "r");
	assert_non_null(f);
	text[fread(text, 1, sizeof text - 1, f)] = '\0';
	fclose(f);
	assert_string_equal(text,
	    "# mine\n\nbroken line\nx y = z\ntop = methods | where name = 'x'\n");
	remove(path);
	snprintf(path, sizeof path, "%s/icecore", folder);
	remove(path);
	remove(folder);
	buf_free(&query);
}

/* ---- tasks --------------------------------------------------------------- */

struct waiter {
	struct task	 task;
	atomic_bool	 go;
	bool		 ran, ended, ok;
};

static bool
wait_to_go(struct task *task, struct work *work, struct err *err)
{
	struct waiter	*w = (struct waiter *)task;

	w->ran = true;
	while (!atomic_load(&w->go))
		if (!work_tick(work, 1))
			return fail_cancel(err);
	return work_tick(work, 2) || fail_cancel(err);
}

static void
has_waited(struct task *task, bool ok, const struct err *err)
{
	struct waiter	*w = (struct waiter *)task;

	(void)err;
	w->ended = true;
	w->ok = ok;
}

/* Taking a task out of the queue does not stop the running one; dropping that one waits for its end. */
static void
tasks_dropped(void **state)
{
	struct waiter	one = { .task = { .run = wait_to_go, .done = has_waited } }, two = one, three = one;
	struct session	session = { .nstores = 0 };
	struct pane	pane = { .ui = NULL };
	struct ui	ui = { .session = &session, .main = &session, .pane = { &pane }, .npanes = 1 };
	struct err	err;
	int		wake[2];

	(void)state;
	assert_int_equal(pipe(wake), 0);
	assert_true(worker_start(&ui.worker, wake[1], &err));
	task_give(&ui, &one.task);
	task_give(&ui, &two.task);
	task_drop(&two.task);
	assert_false(atomic_load(&task_work(&ui)->cancel));
	task_give(&ui, &three.task);
	atomic_store(&one.go, true);
	while (!one.ended)
		task_collect(&ui);
	assert_true(one.ok);
	assert_false(two.ran || two.ended);
	task_drop(&three.task);
	assert_false(three.ended);
	assert_true(task_idle(&ui));
	/* The worker is free at once. */
	atomic_store(&two.go, true);
	task_give(&ui, &two.task);
	assert_ptr_equal(ui.running, &two.task);
	while (!two.ended)
		task_collect(&ui);
	assert_true(two.ok);
	worker_stop(ui.worker);
	close(wake[0]);
	close(wake[1]);
}

TOOL(unit, ui)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(long_texts),
		cmocka_unit_test(keys_decoded),
		cmocka_unit_test(answers_decoded),
		cmocka_unit_test(clicks_decoded),
		cmocka_unit_test(spots_found),
		cmocka_unit_test(keys_in_pieces),
		cmocka_unit_test(keys_any_bytes),
		cmocka_unit_test(keys_have_verbs),
		cmocka_unit_test(hints_name_keys),
		cmocka_unit_test(keys_all_reachable),
		cmocka_unit_test(patterns),
		cmocka_unit_test(pattern_texts),
		cmocka_unit_test(frames_moves),
		cmocka_unit_test(frames_matches),
		cmocka_unit_test(short_names),
		cmocka_unit_test(short_objects),
		cmocka_unit_test(quoted),
		cmocka_unit_test(pools), cmocka_unit_test(pools_sorted), cmocka_unit_test(queries_filled),
		cmocka_unit_test(menu_is_sure),
		cmocka_unit_test(menu_moves),
		cmocka_unit_test(lines_entered),
		cmocka_unit_test(queries_saved),
		cmocka_unit_test(tasks_dropped),
	};

	return cmocka_run_group_tests_name("ui", tests, NULL, NULL);
}
