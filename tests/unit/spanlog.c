/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The loader that src/load/profile/profile.h gives as an example, over lines of a process, a thread, two times and a name.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "folder.h"
#include "icecore/columns_trace.h"
#include "icecore/store.h"
#include "load/profile/profile.h"

static bool
next_line(struct str *text, struct str *pid, struct str *tid, uint64_t *start, uint64_t *end, struct str *name)
{
	struct str line, at[4];

	if (!str_split(text, '\n', &line) || line.n == 0)
		return false;
	for (size_t i = 0; i < NELEM(at); i++)
		assert_true(str_split(&line, ' ', &at[i]));
	*pid = at[0];
	*tid = at[1];
	*name = line;
	assert_true(num_u64(at[2], 10, start) && num_u64(at[3], 10, end));
	return true;
}

/* The lines from samples_open to samples_close are those of the header. */
static bool
load(struct store *st, struct work *w, struct err *err)
{
	const struct map *m = store_source(st);
	struct str text = { (const char *)m->data, m->size }, pid, tid, name;
	const char *source = text.s;
	struct samples names;
	struct spans_in in;
	struct span span;
	uint64_t start, end;
	struct into to = { .samples = &names, .spans = &in, .work = w, .err = err };

	samples_open(&names, st, w);
	spans_in_open(&in, &names);
	while (into_go(&to, (uint64_t)(text.s - source)) && next_line(&text, &pid, &tid, &start, &end, &name)) {
		span = (struct span){ start, end, INTO_ID(&to, spans_in_thread(&in, pid, tid, err)),
		    into_frame(&to, name), SPAN_NO_CPU, SPAN_NO_CPU, 0 };
		INTO(&to, spans_in_add(&in, &span, err));
	}
	INTO(&to, spans_in_calls(&in, err) && fact_set_text(st, FACT_FORMAT, STR("my format"), err) &&
	    calls_in_columns(&in.calls, err));
	spans_in_close(&in);
	samples_close(&names);
	return !to.bad;
}

static void
example(void **state)
{
	static const char lines[] = "7 12 100 900 run\n7 12 200 300 parse file\n7 34 150 450 run\n7 12 400 700 draw\n";
	static const uint64_t threads[] = { 12, 34 };
	struct store_options options = { .memory_only = true };
	struct err err = { .kind = E_NONE };
	struct store *st;
	struct work w;
	char *folder = folder_make(), *path = folder_path(folder, "spans");

	(void)state;
	folder_write(path, lines, sizeof lines - 1);
	work_init(&w, NULL);
	if (!store_open(&st, path, &options, &err) || !load(st, &w, &err))
		fail_msg("%s", err.text);
	store_publish(st);
	assert_true(str_eq(store_fact_str(st, "format"), STR("my format")));
	assert_int_equal(column_rows(store_column(st, COL_LISTED_TID)), NELEM(threads));
	for (uint64_t i = 1; i <= NELEM(threads); i++)
		assert_int_equal(store_cell(st, COL_LISTED_TID, i), threads[i - 1]);
	/* Each call is entered and left. */
	assert_int_equal(column_rows(store_column(st, COL_EVENT_TID)), 8);
	store_close(st);
	free(path);
	folder_remove(folder);
}

/* The code of a file from the line with samples_open to that with samples_close, without its indentation. */
static void
code_of(const char *path, const char *lead, struct buf *out)
{
	FILE *f = fopen(path, "r");
	char line[256];
	bool in = false;

	if (f == NULL)
		fail_msg("%s", path);
	while (fgets(line, sizeof line, f) != NULL) {
		const char *code = line + (strncmp(line, lead, strlen(lead)) == 0 ? strlen(lead) : 0);

		code += strspn(code, "\t ");
		in |= strncmp(code, "samples_open(&names", 19) == 0;
		if (in)
			buf_str(out, str_of(code));
		if (in && strncmp(code, "samples_close(", 14) == 0)
			break;
	}
	fclose(f);
	assert_false(out->bad);
}

static void
header(void **state)
{
	const char *sources = getenv("srcdir");
	struct buf theirs = BUF_INIT, ours = BUF_INIT;
	char path[512];

	(void)state;
	snprintf(path, sizeof path, "%s/src/load/profile/profile.h", sources != NULL ? sources : ".");
	code_of(path, " *", &theirs);
	snprintf(path, sizeof path, "%s/tests/unit/spanlog.c", sources != NULL ? sources : ".");
	code_of(path, "", &ours);
	assert_true(theirs.n > 100 && str_eq(buf_view(&theirs), buf_view(&ours)));
	buf_free(&theirs);
	buf_free(&ours);
}

TOOL(unit, spanlog)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(example), cmocka_unit_test(header) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
