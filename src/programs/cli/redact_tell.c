/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * redact_tell: messages about masked and kept data.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/kept.h"
#include "redact.h"

static int
redact_tell_by_class(const void *a, const void *b)
{
	const struct kept_field *x = a, *y = b;
	int order = (x->of_class != NULL) - (y->of_class != NULL);

	if (order == 0)
		order = strcmp(x->class, y->class);
	if (order == 0)
		order = strcmp(x->name, y->name);
	if (order == 0 && x->of_class != NULL)
		order = strcmp(x->of_class, y->of_class);
	return order != 0 || x->of_class == NULL ? order : strcmp(x->of_name, y->of_name);
}

static void
print_field(const struct kept_field *f)
{
	if (f->of_class != NULL)
		printf("%s.%s -> ", f->of_class, f->of_name);
	printf("%s.%s\n", f->class, f->name);
}

bool
redact_print_kept(struct err *err)
{
	struct kept_field *f = NULL, more;
	struct buf b = BUF_INIT;
	size_t n = 0, cap = 0;

	for (; kept_field(n, &more); n++) {
		if (!mem_grow(&f, &cap, n + 1, sizeof *f)) {
			free(f);
			return fail(err, E_SYSTEM, "out of memory (fields)");
		}
		f[n] = more;
	}
	qsort(f, n, sizeof *f, redact_tell_by_class);
	puts("# Number and flag fields that are kept because the analysis reads them.");
	for (size_t i = 0; i < n; i++) {
		if (f[i].of_class != NULL && (i == 0 || f[i - 1].of_class == NULL))
			puts("# Fields that are kept only in objects referenced by one of those fields.");
		if (i == 0 || redact_tell_by_class(&f[i - 1], &f[i]) != 0)
			print_field(&f[i]);
	}
	puts("# Texts that are kept if a string or array contains nothing else.");
	for (size_t i = 0; kept_word(i) != NULL; i++)
		printf("\"%s\"\n", kept_word(i));
	puts("# Names of tasks and packages that are kept in traces, unless --names hash-all.");
	for (size_t i = 0; platform_list(i, &b) && !b.bad; i++)
		printf("\"%s\"\n", b.s);
	buf_free(&b);
	free(f);
	return true;
}

static void
print_text(void *letters, const struct map *m, const struct redact_text *t)
{
	struct buf b = BUF_INIT;
	bool *began = letters;

	(void)m;
	if (t->letters && !*began)
		puts("# Texts of the letters a to z alone, as redact writes them.");
	*began |= t->letters;
	text_fit_data(&b, t->text);
	if (t->more > 0)
		buf_printf(&b, " (%llu more bytes)", (unsigned long long)t->more);
	if (!b.bad)
		printf("%llu\t%.*s\t%s\n", (unsigned long long)t->count, (int)t->field.n, t->field.s,
		    b.n > 0 ? b.s : "");
	buf_free(&b);
}

bool
redact_print_texts(const char *path, struct work *work, struct err *err)
{
	uint64_t omitted;
	bool began = false;

	puts("# count\tfield\ttext");
	if (!redact_texts(path, print_text, &began, &omitted, work, err))
		return false;
	if (omitted > 0)
		printf("# %llu other texts\n", (unsigned long long)omitted);
	return true;
}

/* Write "1 975 names"; singular for 1. */
static void
put_count(struct buf *b, const char *before, uint64_t n, const char *what)
{
	char text[NUM_TEXT];

	num_show_count(text, sizeof text, n);
	buf_printf(b, "%s%s %s%s", before, text, what, n == 1 ? "" : "s");
}

static void
put_size(struct buf *b, const char *before, uint64_t bytes)
{
	char text[NUM_TEXT];

	num_show_size(text, sizeof text, bytes);
	buf_printf(b, "%s%s", before, text);
}

static void
redact_tell_put_file(struct buf *b, const char *path, bool input)
{
	text_fit_buf(b, strcmp(path, "-") == 0 ? input ? STR("standard input") : STR("standard output") :
	    str_of(path));
}

static void
redact_tell_put_line(struct buf *b)
{
	if (!b->bad)
		fprintf(stderr, "icecore: %s\n", b->s);
	buf_clear(b);
}

static void
tell_masked(const struct redact_options *o, const struct redacted *t, struct buf *b)
{
	redact_tell_put_file(b, o->out, false);
	buf_str(b, STR(": written"));
	if (t->written > 0)
		put_size(b, ", ", t->written);
	buf_str(b, STR(", a redacted copy of "));
	redact_tell_put_file(b, o->in, true);
	put_size(b, " (", t->size);
	buf_str(b, STR(")"));
	redact_tell_put_line(b);
	if (t->other)
		return;
	put_size(b, "masked ", t->masked);
	put_count(b, ": ", t->texts, "VM string");
	put_count(b, ", ", t->arrays, "primitive array");
	put_count(b, ", ", t->fields, "field");
	put_count(b, ", ", t->statics, "static field");
	put_count(b, ", ", t->constants, "constant");
	redact_tell_put_line(b);
}

/* List the queries whose results change in the redacted dump. */
static void
tell_equal(const struct redact_options *o, struct buf *b)
{
	buf_str(b, o->mode == REDACT_SHAPE ?
	    STR("arrays of the same type and length are now equal; ignore duplicates and equal bitmaps (--mode stable "
	    "keeps them apart)") :
	    STR("short contents may now be equal; ignore duplicates under 8 bytes"));
	redact_tell_put_line(b);
}

static void
tell_kept(const struct redact_options *o, const struct redacted *t, struct buf *b)
{
	put_count(b, "kept all ids, references and sizes, ", t->names - t->renamed, "name");
	if (t->renamed > 0) {
		put_count(b, " (replaced ", t->renamed, "other");
		buf_str(b, STR(")"));
	}
	put_count(b, ", and ", t->kept, "value");
	buf_str(b, STR(" that the analysis needs (--list-kept)"));
	redact_tell_put_line(b);
	if (t->shared > 0 && o->names == REDACT_KEEP) {
		put_count(b, "kept ", t->shared, "thread name");
		buf_str(b, STR(": classes or members use the same string"));
		redact_tell_put_line(b);
	}
	if (t->collided > 0) {
		put_count(b, "", t->collided, "class name");
		buf_str(b, STR(" too short to be unique after masking; these classes cannot be distinguished"));
		redact_tell_put_line(b);
	}
	if (t->tail > 0) {
		put_size(b, "cleared ", t->tail);
		buf_str(b, STR(" in instances of unknown classes"));
		redact_tell_put_line(b);
	}
}

static void
tell_trace(const struct redact_options *o, const struct redacted *t, struct buf *b)
{
	put_size(b, "masked ", t->masked);
	put_count(b, ": ", t->renamed, "name");
	put_count(b, ", ", t->texts, "text");
	put_count(b, ", ", t->fields, "number");
	put_count(b, ", ", t->arrays, "field");
	buf_str(b, STR(" of other kinds"));
	redact_tell_put_line(b);
	put_count(b, "kept all times, ids and counts, and ", t->names - t->renamed, "name");
	buf_str(b, o->names == REDACT_HASH_ALL ? STR(" of a few letters") :
	    o->names == REDACT_HASH ? STR(" of system tasks") :
	    STR(" of events, functions and system tasks (--names hash)"));
	redact_tell_put_line(b);
}

void
redact_tell_passed(const struct redact_options *o, const struct redacted *t, bool answers)
{
	struct buf room = BUF_INIT, *b = &room;

	if (o->key == NULL && (t->other || o->mode == REDACT_STABLE || o->names != REDACT_KEEP)) {
		buf_str(b, STR("not checked without the key: which letters and numbers replace values, only that they "
		    "are others "
		    "(--key-file compares all bytes)"));
		redact_tell_put_line(b);
	}
	redact_tell_put_file(b, o->out, true);
	/* Of a damaged file, redact reads a part. */
	buf_str(b, redacted_sound(t) ? STR(": check passed: ") :
	    STR(": check passed as far as the input can be read: "));
	put_count(b, t->other ? "what redact writes for these options (" : "same length (", t->size, "byte");
	buf_str(b, t->other ? STR("), no masked value of ") :
	    answers ? STR("), same structure, same query results, no value of ") :
	    STR("), same structure, no value of "));
	redact_tell_put_file(b, o->in, true);
	buf_str(b, STR(" remains"));
	if (t->kept > 0) {
		put_count(b, " except ", t->kept, "value");
		buf_str(b, STR(" that the analysis needs (--list-kept)"));
	}
	redact_tell_put_line(b);
	buf_free(b);
}

void
redact_tell_written(const struct redact_options *o, const struct redacted *t)
{
	struct buf b = BUF_INIT;

	tell_masked(o, t, &b);
	if (t->other)
		tell_trace(o, t, &b);
	else {
		tell_kept(o, t, &b);
		tell_equal(o, &b);
	}
	buf_free(&b);
}
