/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loader of stack dumps: what the threads of a process do at a moment, as JVMs, Go, debuggers and others
 * write it.
 */
#include "config.h"

#include <string.h>

#include "icecore/json.h"
#include "icecore/scan.h"

#include "forms.h"

#define SHAPES (SHAPE_SAMPLES | SHAPE_TRACKS | SHAPE_DUMPS)
#define LOOK (1u << 20)		/* bytes in which a form must show */

static bool
stacks_sniff(const uint8_t *head, size_t n)
{
	struct str text = { (const char *)head, n };

	/* Binary data has no lines. */
	return n > 0 && memchr(head, '\0', str_head(text, LOOK).n) == NULL &&
	    stack_form_of(text, LOOK, NULL) != NULL;
}

/* JSON is read whole or not at all. */
static bool
json_whole(struct str text, struct err *err)
{
	struct json j = { .base = text.s, .size = text.n };
	char c = scan_peek(&j);

	return (c != '{' && c != '[') || scan_skip(&j) ||
	    fail_at(err, E_UNREADABLE, text.n, "a thread dump in JSON that is truncated at byte %zu", text.n);
}

/* Read the text of one file; *name: its form, for people. */
static bool
read_part(struct dumps_in *in, struct str text, const char **name)
{
	const struct stack_form *form;

	scan(&text, "\xef\xbb\xbf");
	in->text = text;
	in->lines = (struct lines){ .rest = text, .prefixed = in->lines.prefixed,
	    .next_look = in->lines.next_look };
	if ((form = stack_form_of(text, LOOK, &in->unread)) == NULL)
		form = stack_form_of(text, text.n, &in->unread);
	if (form == NULL)
		return fail(in->err, E_UNREADABLE, "no stack dump in this file");
	in->json = form >= stack_forms + STACK_TEXT_FORMS;
	if (in->json && !json_whole(text, in->err))
		return false;
	dump_lines_prefix(&in->lines);
	/* What the reader of another file left is of that file: its state is gone. */
	in->reader = (struct in_reader){ NULL, NULL };
	form->read(in);
	dumps_end(in);
	*name = form->name;
	return !in->bad;
}

/*
 * The text of the first file of a series, and the rest; false: there is one file.  Its mark is searched by a
 * byte that texts lack.
 */
static bool
divide_series(struct str s, struct str *part, struct str *rest)
{
	static const struct str mark = STR(SERIES_MARK);
	const char *at = s.s, *end = s.s + s.n;

	while ((at = memchr(at, mark.s[1], (size_t)(end - at))) != NULL) {
		size_t n = (size_t)(at++ - s.s);

		if (n > 0 && str_has_prefix(str_after(s, n - 1), mark)) {
			*part = str_head(s, n - 1);
			*rest = str_after(s, n - 1 + mark.n);
			return true;
		}
	}
	return false;
}

static bool
stacks_load(struct store *st, struct work *w, struct err *err)
{
	struct dumps_in in;
	struct str rest, part;
	const char *name = "";
	bool ok = true, more;
	unsigned counted;

	dumps_open(&in, st, w, err);
	rest = in.text;
	scratch_budget_rows(rest.n / 64);
	work_start_bytes(w, "thread dump", rest.n);
	do {
		more = divide_series(rest, &part, &rest);
		ok = read_part(&in, more ? part : rest, &name);
		counts_next_file(&in.counts);
	} while (ok && more);
	ok = ok && dumps_columns(&in, name) && counts_columns(&in.counts, &counted) &&
	    (counted == 0 || fact_set(st, FACT_SHAPES, SHAPES | counted, err));
	dumps_close(&in);
	return ok;
}

/* Read as ever, in a store that nobody asks. */
static bool
stacks_meant(const struct map *m, meant_take take, void *arg, uint64_t *lost, struct work *w, struct err *err)
{
	struct str text = { (const char *)m->data, (size_t)m->size };
	struct tells t = { .take = take, .arg = arg, .text = text, .err = err };
	const char *name = "";
	struct dumps_in in;
	struct store *st;
	bool ok;

	*lost = 0;
	if (!store_open(&st, "-", &(struct store_options){ .bytes = &text }, err))
		return false;
	dumps_open(&in, st, w, err);
	t.text.s = in.s.source;
	in.meaning.to = &t;
	telling_span(&t, str_begins(text, "\xef\xbb\xbf") ? str_head(in.text, 3) : STR(""), MEANT_FORM,
	    "mark of UTF-8");
	telling_piece(&t, str_head(in.text, t.n > 0 ? 3 : 0), " ", 0);
	in.meaning.reported = t.n > 0 ? 3 : 0;
	telling_drop(&t);
	ok = read_part(&in, in.text, &name);
	if (ok)
		dumps_tell_lines(&in, in.text.s + in.text.n);
	ok = ok && !in.bad;
	dumps_close(&in);
	store_close(st);
	telling_free(&t);
	return ok;
}

const struct loader load_stacks = {
	"stacks", "stack dumps: Java, Android, Go, Python, .NET, Node.js, Erlang, Kotlin, PHP, Ruby, gdb, "
	    "lldb, WinDbg and Linux, and reports of crashes",
	SHAPES, stacks_sniff, stacks_load, .whole = true,
	    .meant = stacks_meant
};
