/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * live: a pane of the classes of a running JVM by growth, with a sparkline for each class.
 *
 * Every key but q and the arrows is answered after the next histogram at the latest. The terminal is restored
 * by every signal that ends the program.
 */
#include "config.h"

#include <errno.h>
#include <langinfo.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "icecore/ending.h"
#include "live.h"

#define POINTS 16u		/* points of a sparkline */
#define CLASSES_MOST 1000000u
#define ENTER_SCREEN "\033[?1049h\033[?25l"
#define LEAVE_SCREEN "\033[?25h\033[?1049l"

/* ---- history of classes --------------------------------------------------------------------------------- */

struct live_class {
	struct counted_class is;		/* the class, with a copy of its name */
	uint64_t	 point[POINTS];		/* bytes of the last histograms, the newest last */
	unsigned	 seen;			/* number of the last histogram that had it */
};

struct live_pane {
	struct recording	*r;
	struct idmap		 by_name;	/* to its number, from 1 */
	struct scratch		 classes;
	uint64_t		 nclasses;
	uint32_t		*order;		/* by growth */
	size_t			 order_cap;
	unsigned		 rounds;
	size_t			 at, top;	/* selected row, first row on the screen */
	bool			 utf8;
	char			 told[256];	/* last line */
};

static struct live_class *
live_class_at(const struct live_pane *l, uint64_t i)
{
	return &SCRATCH(l->classes, struct live_class)[i];
}

/* NULL: out of memory. */
static struct live_class *
live_class_of(struct live_pane *l, const struct counted_class *row, struct err *err)
{
	struct live_class new = { .is.before = l->rounds == 1 ? row->bytes : 0 };
	uint64_t key = idmap_hash_text(row->name, 0);
	uint32_t i = idmap_get(&l->by_name, key);
	char *copy;

	if (i != 0)
		return live_class_at(l, i - 1);
	copy = l->nclasses < CLASSES_MOST ? mem_copy(row->name) : NULL;
	if (copy == NULL) {
		(void)fail(err, E_SYSTEM, "out of memory, or too many classes");
		return NULL;
	}
	new.is.name = (struct str){ copy, row->name.n };
	if (!scratch_add(&l->classes, &l->nclasses, &new, sizeof new, err)) {
		free(copy);
		return NULL;
	}
	return idmap_put(&l->by_name, key, (uint32_t)l->nclasses, err) ? live_class_at(l, l->nclasses - 1) :
	    NULL;
}

static bool
live_keep(struct live_pane *l, const struct class_counts *h, struct err *err)
{
	struct live_class *c;

	l->rounds++;
	for (size_t i = 0; i < h->n; i++) {
		c = live_class_of(l, &h->row[i], err);
		if (c == NULL)
			return false;
		/* Loaders may define classes of the same name. */
		c->is.bytes = c->seen == l->rounds ? num_add(c->is.bytes, h->row[i].bytes) : h->row[i].bytes;
		c->is.instances = c->seen == l->rounds ? num_add(c->is.instances, h->row[i].instances) :
		    h->row[i].instances;
		c->seen = l->rounds;
	}
	for (uint64_t i = 0; i < l->nclasses; i++) {
		c = live_class_at(l, i);
		if (c->seen != l->rounds)
			c->is.bytes = c->is.instances = 0;
		if (l->rounds == 1)
			c->is.before = c->is.bytes;
		memmove(c->point, c->point + 1, sizeof c->point - sizeof c->point[0]);
		c->point[POINTS - 1] = c->is.bytes;
	}
	return true;
}

static const struct live_pane *sorted;	/* for qsort */

static int
live_order(const void *a, const void *b)
{
	return class_by_growth(&live_class_at(sorted, *(const uint32_t *)a)->is,
	    &live_class_at(sorted, *(const uint32_t *)b)->is);
}

/* The selected class stays selected. */
static bool
live_sort(struct live_pane *l, struct err *err)
{
	uint32_t chosen = l->at < l->nclasses && l->rounds > 1 ? l->order[l->at] : UINT32_MAX;

	if (!mem_grow(&l->order, &l->order_cap, l->nclasses, sizeof *l->order))
		return fail(err, E_SYSTEM, "out of memory");
	for (uint32_t i = 0; i < l->nclasses; i++)
		l->order[i] = i;
	sorted = l;
	qsort(l->order, l->nclasses, sizeof *l->order, live_order);
	for (size_t i = 0; i < l->nclasses && l->at > 0; i++)
		if (l->order[i] == chosen)
			l->at = i;
	return true;
}

static bool
live_ask(struct live_pane *l, struct err *err)
{
	struct class_counts h = { .n = 0 };
	struct buf text = BUF_INIT;
	bool ok = histogram_ask(l->r, &text, &h, err) && live_keep(l, &h, err) && live_sort(l, err);

	histogram_free(&h);
	buf_free(&text);
	return ok;
}

/* ---- the terminal ------------------------------------------------------------------------------------------ */

static struct termios usual;

/* Async-signal-safe. */
static void
live_restore(void)
{
	(void)!write(STDOUT_FILENO, LEAVE_SCREEN, sizeof LEAVE_SCREEN - 1);
	(void)tcsetattr(STDIN_FILENO, TCSANOW, &usual);
}

bool
live_enter(struct err *err)
{
	struct termios raw;

	if (tcgetattr(STDIN_FILENO, &usual) != 0)
		return fail_errno(err, "no terminal");
	raw = usual;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	raw.c_cc[VMIN] = 0;
	raw.c_cc[VTIME] = 0;
	/* Nothing would restore the screen of a stopped program. */
	raw.c_cc[VSUSP] = _POSIX_VDISABLE;
	ending_before(live_restore);
	(void)!write(STDOUT_FILENO, ENTER_SCREEN, sizeof ENTER_SCREEN - 1);
	return tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0 || fail_errno(err, "cannot set the terminal");
}

void
live_leave(void)
{
	live_restore();
	ending_before(NULL);
}

void
live_size(size_t *rows, size_t *cols)
{
	struct winsize w;
	bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_row > 4 && w.ws_col > 20;

	*rows = known ? w.ws_row : 24;
	*cols = known ? w.ws_col : 80;
}

/* ---- drawing ------------------------------------------------------------------------------------------------- */

static void
put_spark(const struct live_pane *l, const struct live_class *c, struct buf *b)
{
	static const char *const blocks[] = { "\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586",
	    "\u2587", "\u2588" };
	static const char plain[] = "_.-:=+*#";
	unsigned n = l->rounds < POINTS ? l->rounds : POINTS;
	uint64_t least = UINT64_MAX, most = 0;
	size_t level;

	for (unsigned i = POINTS - n; i < POINTS; i++) {
		least = c->point[i] < least ? c->point[i] : least;
		most = c->point[i] > most ? c->point[i] : most;
	}
	for (unsigned i = 0; i < POINTS - n; i++)
		buf_chr(b, ' ');
	for (unsigned i = POINTS - n; i < POINTS; i++) {
		level = most > least ? (size_t)((double)(c->point[i] - least) / (double)(most - least) * 7) :
		    0;
		if (l->utf8)
			buf_str(b, str_of(blocks[level]));
		else
			buf_chr(b, plain[level]);
	}
}

/* Append a row that fits into the columns; the name is hostile. */
static void
live_put_class(const struct live_pane *l, const struct live_class *c, size_t cols, struct buf *b)
{
	char bytes[NUM_TEXT], count[NUM_TEXT];
	struct buf name = BUF_INIT;
	struct str s;

	num_show_size(bytes, sizeof bytes, c->is.bytes);
	num_show_count(count, sizeof count, c->is.instances);
	put_growth(&c->is, 10, b);
	put_spark(l, c, b);
	buf_printf(b, " %12s %10s  ", count, bytes);
	text_fit_buf(&name, c->is.name);
	s = buf_view(&name);
	if (cols > 55)
		buf_str(b, str_head(s, text_cut(s, cols - 55, NULL)));
	buf_free(&name);
}

static void
live_draw(struct live_pane *l)
{
	struct buf b = BUF_INIT;
	size_t rows, cols, lines;

	live_size(&rows, &cols);
	lines = rows - 3;
	l->at = l->nclasses == 0 ? 0 : l->at < l->nclasses ? l->at : l->nclasses - 1;
	l->top = l->at < l->top ? l->at : l->at >= l->top + lines ? l->at - lines + 1 : l->top;
	buf_printf(&b, "\033[H\033[1mclasses of %ld (%s) by growth, histogram %u\033[0m\033[K\r\n",
	    (long)l->r->target.pid, l->r->target.name, l->rounds);
	buf_printf(&b, "%-11s %*s %12s %10s  class\033[K\r\n", " growth", (int)POINTS, "", "instances",
	    "size");
	for (size_t i = l->top; i < l->top + lines; i++) {
		if (i < l->nclasses) {
			buf_str(&b, i == l->at ? STR("\033[7m") : STR(""));
			live_put_class(l, live_class_at(l, l->order[i]), cols, &b);
		}
		buf_str(&b, STR("\033[0m\033[K\r\n"));
	}
	buf_printf(&b, "%.*s\033[K", (int)(cols - 1), l->told[0] != '\0' ? l->told :
	    "Enter: heap dump of this class   w: write   q: quit");
	if (!b.bad)
		(void)!write(STDOUT_FILENO, b.s, b.n);
	buf_free(&b);
}

/* ---- keys ------------------------------------------------------------------------------------------------------ */

enum live_key
live_key(void)
{
	static const struct { const char *bytes; enum live_key key; } keys[] = { { "\033[A", LIVE_UP },
	    { "\033OA", LIVE_UP }, { "k", LIVE_UP },
		{ "\033[B", LIVE_DOWN }, { "\033OB", LIVE_DOWN }, { "j", LIVE_DOWN },
		{ "\033[5~", LIVE_PAGE_UP }, { "\033[6~", LIVE_PAGE_DOWN },
		{ "\r", LIVE_ENTER }, { "\n", LIVE_ENTER }, { "w", LIVE_WRITE }, { "q", LIVE_QUIT } };
	char in[8];
	ssize_t n = read(STDIN_FILENO, in, 1), more = n;

	/* A sequence ends with a letter or ~. */
	while (n > 0 && in[0] == '\033' && more > 0 && n < (ssize_t)sizeof in &&
	    (n < 3 || (in[n - 1] < '@' && in[n - 1] != '~'))) {
		more = read(STDIN_FILENO, in + n, 1);
		n += more > 0 ? more : 0;
	}

	/* The terminal is gone. */
	if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
		return LIVE_QUIT;
	for (size_t i = 0; n > 0 && i < NELEM(keys); i++)
		if ((size_t)n == strlen(keys[i].bytes) && memcmp(in, keys[i].bytes, (size_t)n) == 0)
			return keys[i].key;
	return LIVE_NONE;
}

/* A table that icecore opens with --path class --weight growth. */
static bool
live_write(struct live_pane *l, struct err *err)
{
	const struct live_class *c;
	struct buf b = BUF_INIT;
	struct file f;
	bool ok = result_name(l->r, l->r->target.name, ".classes.tsv", err) &&
	    file_begin(&f, l->r->path.s, err);

	if (!ok)
		return false;
	buf_str(&b, STR("class\tinstances\tbytes\tgrowth\n"));
	for (uint64_t i = 0; i < l->nclasses; i++) {
		c = live_class_at(l, l->order[i]);
		text_fit_buf(&b, c->is.name);
		buf_printf(&b, "\t%llu\t%llu\t%lld\n", (unsigned long long)c->is.instances,
		    (unsigned long long)c->is.bytes, (long long)(c->is.bytes - c->is.before));
	}
	ok = (!b.bad || fail(err, E_SYSTEM, "out of memory")) && file_write(&f, b.s, b.n, err);
	buf_free(&b);
	if (ok)
		return file_commit(&f, false, err);
	file_abandon(&f);
	return false;
}

static void
live_do_write(struct live_pane *l)
{
	struct buf raw = BUF_INIT;
	struct err err;

	if (live_write(l, &err))
		buf_printf(&raw, "wrote %s", l->r->path.s);
	else
		buf_str(&raw, str_of(err.text));
	(void)text_fit(l->told, sizeof l->told, buf_view(&raw));
	buf_free(&raw);
	buf_clear(&l->r->path);
}

/* Wait for the next histogram, and do what keys say until then. *done: q, a signal, or Enter. */
static void
live_wait(struct live_pane *l, uint64_t until, bool *done, bool *dump)
{
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };
	size_t rows, cols;
	uint64_t now;

	for (now = os_now(); !*done && record_stop == 0 && now < until; now = os_now()) {
		live_draw(l);
		if (poll(&p, 1, until - now < 1000000000u ? (int)((until - now) / 1000000u) + 1 : 1000) <= 0)
			continue;
		l->told[0] = '\0';
		live_size(&rows, &cols);
		switch (live_key()) {
		case LIVE_UP:
			l->at -= l->at > 0;
			break;
		case LIVE_DOWN:
			l->at++;
			break;
		case LIVE_PAGE_UP:
			l->at -= l->at < rows - 3 ? l->at : rows - 3;
			break;
		case LIVE_PAGE_DOWN:
			l->at += rows - 3;
			break;
		case LIVE_WRITE:
			live_do_write(l);
			break;
		case LIVE_ENTER:
			*dump = l->nclasses > 0;
			*done = true;
			break;
		case LIVE_QUIT:
			*done = true;
			break;
		case LIVE_NONE:
			break;
		}
	}
	*done |= record_stop != 0;
}

/* ---- the pane ---------------------------------------------------------------------------------------------------- */

/*
 * Type the query for the objects of a class when the dump is open. Names with unusual characters are left
 * out.
 */
static void
live_type(struct recording *r, struct str name)
{
	struct buf b = BUF_INIT;

	class_source_name(name, &b);
	if (!b.bad && b.n > 0 && b.s[strspn(b.s,
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$[]")] == '\0')
		buf_printf(&r->typed, ":objects '%s'\r", b.s);
	buf_free(&b);
}

bool
live_run(struct recording *r, struct err *err)
{
	struct live_pane l = { .r = r, .by_name = IDMAP_INIT, .classes = SCRATCH_INIT,
	    .utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0 };
	struct err why = { .kind = E_NONE };
	bool done = false, dump = false, ok = live_enter(err);
	uint64_t next;

	for (next = os_now(); ok && !done; next += r->o->every) {
		if (next > os_now())
			live_wait(&l, next, &done, &dump);
		else
			next = os_now();
		ok = done || live_ask(&l, &why);
	}
	live_leave();
	if (!ok && why.kind != E_NONE && why.kind != E_CANCEL)
		fail_about(err, NULL, &why);
	ok |= why.kind == E_CANCEL;
	if (ok && dump)
		live_type(r, live_class_at(&l, l.order[l.at])->is.name);
	for (uint64_t i = 0; i < l.nclasses; i++)
		free((char *)(uintptr_t)live_class_at(&l, i)->is.name.s);
	idmap_free(&l.by_name);
	scratch_free(&l.classes);
	free(l.order);
	return ok && stop_keeps(r, err) && (!dump || record_heap(r, err));
}
