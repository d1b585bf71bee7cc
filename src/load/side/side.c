/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Open side files and add their data to a store over the main file.
 */
#include "config.h"

#include <string.h>

#include "icecore/columns_findings.h"
#include "icecore/columns_frames.h"
#include "icecore/columns_names.h"
#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "icecore/scan.h"
#include "load/code/code.h"
#include "mapping.h"
#include "side.h"
#include "side_table.h"

/* ---- lists: "tid name" lines, ps output with or without a heading, and /proc files ----------------- */

/* Positions of words in a line, according to the heading. */
struct head {
	bool	there;
	size_t	tid, name;	/* number of words before them */
};

static struct str
next_word(struct str *rest)
{
	struct str word;

	*rest = str_skip_blanks(*rest);
	word = (struct str){ rest->s, 0 };
	while (word.n < rest->n && !is_blank(rest->s[word.n]))
		word.n++;
	*rest = str_after(*rest, word.n);
	return word;
}

/*
 * "PID TID CMD": the name must come last, because it may contain blanks; a thread id has precedence over a
 * process id.
 */
static bool
side_read_head(struct head *h, struct str line)
{
	static const char *const tids[] = { "TID", "LWP", "SPID" };
	static const char *const names[] = { "COMMAND", "CMD", "COMM", "NAME", "UCMD" };
	bool tid = false, id = false, name = false;
	struct head found = { .there = true };
	struct str word;

	for (size_t i = 0; (word = next_word(&line)).n > 0; i++) {
		name = str_is_one(names, NELEM(names), word);
		if (name)
			found.name = i;
		else if (!tid && (str_is_one(tids, NELEM(tids), word) || (!id && str_is(word, "PID")))) {
			tid = str_is_one(tids, NELEM(tids), word);
			id = true;
			found.tid = i;
		}
	}
	if (!id || !name)
		return false;
	*h = found;
	return true;
}

/* "124 (name) S 1 ...": a stat file; the name ends at the last parenthesis. */
static struct str
stat_name(struct str rest)
{
	struct str name = rest, after;

	return scan(&name, "(") && str_divide_last(name, ')', &name, &after) && after.n > 1 &&
	    after.s[0] == ' ' ? name : rest;
}

static bool
split_headed(const struct head *h, struct str line, uint64_t *tid, struct str *name)
{
	struct str word;
	bool ok = false;

	for (size_t i = 0; i < h->name; i++) {
		word = next_word(&line);
		if (i == h->tid)
			ok = str_number_any(&word, tid) && word.n == 0;
	}
	*name = str_trim(str_skip_blanks(line));
	return ok;
}

/* "/proc/100/task/101/comm:name", as printed by grep. */
static bool
split_proc(struct str line, uint64_t *tid, struct str *name)
{
	struct str id;
	size_t n;

	if (!str_divide(line, STR("/comm:"), &id, name))
		return false;
	for (n = id.n; n > 0 && is_digit(id.s[n - 1]); n--)
		;
	id = str_after(id, n);
	return str_number_any(&id, tid);
}

static bool
split_line(const struct head *h, struct str line, uint64_t *tid, struct str *name)
{
	struct str word;

	if (h->there)
		return split_headed(h, line, tid, name);
	if (line.n > 0 && line.s[0] == '/')
		return split_proc(line, tid, name);
	word = next_word(&line);
	if (!str_number_any(&word, tid) || word.n > 0)
		return false;
	/* The text after a tab is the name. */
	*name = scan(&line, "\t") ? line : stat_name(str_trim(str_skip_blanks(line)));
	return true;
}

static bool
side_list(struct sides *s, struct str text, bool *any, struct err *err)
{
	struct head head = { .there = false };
	struct lines l = lines_of(text);
	struct side_row *row;
	struct str line, name;
	uint64_t tid, ignored = 0;

	*any = false;
	s->dump++;
	work_start_bytes(s->work, "list of threads", text.n);
	while (lines_next(&l, &line)) {
		if (!lines_look(&l, lines_at(&l), s->work, err))
			return false;
		if (line.n == 0 || line.s[0] == '#' || side_read_head(&head, line))
			continue;
		if (!split_line(&head, line, &tid, &name) || name.n == 0) {
			ignored++;
			continue;
		}
		row = side_row(s, err);
		if (row == NULL)
			return false;
		row->tid = tid;
		row->name = name;
		*any = true;
	}
	s->ignored += *any ? ignored : 0;
	return true;
}

static bool
side_has_any(const char *const *list)
{
	return list != NULL && list[0] != NULL;
}

/* ---- files --------------------------------------------------------------------------- */

/* Return the bytes of a file, decompressed and as UTF-8, valid until close. */
static bool
side_read_file(struct sides *s, const char *path, struct str *text, struct err *err)
{
	struct map map;
	bool cut;

	if (!scratch_array(&s->maps, s->nmaps + 1, sizeof map, err) ||
	    !text_file_open(&map, path, &cut, s->work, err))
		return false;
	s->cut += cut;
	SCRATCH(s->maps, struct map)[s->nmaps++] = map;
	*text = (struct str){ (const char *)map.data, map.data == NULL ? 0 : (size_t)map.size };
	return true;
}

static bool
read_threads(struct sides *s, const char *path, struct err *err)
{
	struct str text;
	bool any;

	if (!side_read_file(s, path, &text, err))
		return false;
	if (!side_dump(s, text, &any, err) || (!any && !side_list(s, text, &any, err)))
		return err->kind == E_CANCEL ? false : fail_about(err, path, err);
	if (!any)
		return fail_file(err, E_UNREADABLE, path,
		    "not a thread dump (jstack, javacore, ANR) or tid list (ps -eLo tid,comm)");
	return true;
}

/* ---- mapping files ------------------------------------------------------------------------ */

static bool
read_mapping(struct mapping *m, const char *path, struct err *err)
{
	uint64_t before = m->nclasses;
	struct str text;

	if (!side_read_file(m->s, path, &text, err))
		return false;
	if (!mapping_read(m, text, err))
		return err->kind == E_CANCEL ? false : fail_about(err, path, err);
	if (m->nclasses == before)
		return fail_file(err, E_UNREADABLE, path,
		    "not an R8/ProGuard mapping: no \"original.Class -> name:\" line");
	return true;
}

static bool
put_mapping_facts(const struct mapping *m, struct err *err)
{
	const struct make_fact facts[] = {
		{ FACT_MAPPING_CLASSES, m->nclasses }, { FACT_MAPPING_DOUBLES, m->doubles },
		{ FACT_MAPPING_IGNORED_LINES, m->ignored },
		{ FACT_MAPPING_RENAMED_CLASSES, m->renamed_classes },
		{ FACT_MAPPING_RENAMED_METHODS, m->renamed_methods },
		{ FACT_MAPPING_RENAMED_FIELDS, m->renamed_fields },
		{ FACT_MAPPING_AMBIGUOUS, m->ambiguous }
	};

	return make_facts(m->s->over, facts, NELEM(facts), err);
}

static bool
is_heap(const struct store *st)
{
	return (load_shapes(st) & SHAPE_GRAPH) != 0;
}

static bool
read_mappings(struct sides *s, const char *const *path, struct err *err)
{
	struct mapping m = { .s = s };
	bool ok = true;

	for (; ok && *path != NULL; path++)
		ok = read_mapping(&m, *path, err);
	ok = ok && mapping_sort(&m, err) &&
	    (!is_heap(s->base) || mapping_heap(&m, err)) &&
	    ((is_heap(s->base) && (load_shapes(s->base) & SHAPE_TREES) == 0) || mapping_trace(&m, err)) &&
	    put_mapping_facts(&m, err);
	SCRATCH_FREE(&m.classes, &m.members);
	buf_free(&m.args);
	return ok;
}

/* ---- all side files ---------------------------------------------------------------------- */

/* Fail if a file changed while it was read. */
static bool
check_lost(const struct sides *s, struct err *err)
{
	for (uint64_t i = 0; i < s->nmaps; i++)
		if (map_lost(&SCRATCH(s->maps, struct map)[i]))
			return fail(err, E_SYSTEM, "name file changed while reading; run icecore again");
	return true;
}

static bool
side_read_all(struct sides *s, const struct side_options *o, struct err *err)
{
	for (const char *const *path = o->threads; path != NULL && *path != NULL; path++)
		if (!read_threads(s, *path, err))
			return false;
	if ((side_has_any(o->threads) && !side_join(s, err)) ||
	    (side_has_any(o->mappings) && !read_mappings(s, o->mappings, err)) ||
	    (side_has_tracks(s->base) && !side_tracks(s->over, s->work, err)))
		return false;
	if (s->cut > 0 && (!fact_set(s->over, FACT_LOSS_SIDE, s->cut, err) ||
	    !fact_set_text(s->over, FACT_LOSS_REASON, STR("name file truncated or damaged"), err)))
		return false;
	return check_lost(s, err);
}

/* Store the text at its final offset. */
static bool
keep_text(struct sides *s, struct err *err)
{
	void *data;

	if (s->text.bad)
		return fail(err, E_SYSTEM, "out of memory (names)");
	if (s->text.n == 0)
		return true;
	data = store_make(s->over, COL_SIDE_TEXT, COL_BYTES, s->text.n, err);
	if (data == NULL)
		return false;
	memcpy(data, s->text.s, s->text.n);
	store_own_text(s->over, (struct str){ data, s->text.n });
	return true;
}

static void
close_all(struct sides *s)
{
	for (uint64_t i = 0; i < s->nmaps; i++)
		map_close(&SCRATCH(s->maps, struct map)[i]);
	for (uint64_t i = 0; i < s->nstores; i++)
		store_close(SCRATCH(s->stores, struct store *)[i]);
	SCRATCH_FREE(&s->maps, &s->stores, &s->rows);
	buf_free(&s->text);
}

/* Columns that depend on names: over a heap dump with other names they are rebuilt. */
static const column_id by_names[] = {
	FINDINGS_MAKES, NAMES_MAKES, COL_FRAME_THREAD, COL_FRAME_METHOD, COL_FRAME_SIGNATURE,
	COL_FRAME_FILE, COL_FRAME_CLASS, COL_FRAME_LINE, COL_JTHREAD_FRAME, COL_JTHREAD_FRAMES,
	COL_ROOT_FRAME,
	COL_NONE
};

static bool
load_names(struct store **out, struct store *base, const struct side_options *o,
    struct work *w, struct err *err)
{
	struct sides s = { .base = base, .work = w };
	bool ok;

	*out = base;
	if (!side_has_any(o->threads) && !side_has_any(o->mappings) && !side_has_tracks(base))
		return true;
	if (!store_over(&s.over, base, side_has_any(o->mappings) && is_heap(base) ? by_names : NULL, err))
		return false;
	ok = side_read_all(&s, o, err) && keep_text(&s, err);
	close_all(&s);
	if (!ok) {
		store_close(s.over);
		return false;
	}
	store_publish(s.over);
	*out = s.over;
	return true;
}

/* ---- tables beside a trace ------------------------------------------------------------- */

static bool
load_tables(struct store **out, const struct side_options *o, struct work *w, struct err *err)
{
	for (const char *const *path = o->tables; path != NULL && *path != NULL; path++)
		if (!side_table(out, *path, o, w, err))
			return false;
	return true;
}

/* The main file is readable: the error is about the file of an option. */
static bool
wrong_side(struct err *err)
{
	if (err != NULL && err->kind == E_UNREADABLE)
		err->kind = E_USAGE;
	return false;
}

bool
load_sides(struct store **out, struct store *base, const struct side_options *o, struct work *w,
    struct err *err)
{
	if (!load_names(out, base, o, w, err))
		return wrong_side(err);
	if ((!side_has_any(o->classes) || code_beside(out, o->classes, w, err)) &&
	    (!side_has_any(o->resources) || resources_beside(out, o->resources, w, err)) &&
	    (!side_has_any(o->checks) || checks_beside(out, o->checks, w, err)) &&
	    load_tables(out, o, w, err))
		return true;
	store_close_pile(*out, base);
	*out = base;
	return wrong_side(err);
}
