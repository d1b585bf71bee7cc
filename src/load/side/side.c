/*
 * Opens the files that tell of the one that is open, and puts what they say
 * into a store over it.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "mapping.h"
#include "load/trace/nano.h"

uint64_t
side_text(struct sides *s, struct str text)
{
	uint64_t at = store_own_at(s->over) + s->text.n;

	buf_str(&s->text, text);
	return ref_make(at, text.n);
}

struct side_row *
side_row(struct sides *s, struct err *err)
{
	struct side_row *row;

	if (s->nrows == UINT32_MAX) {
		fail(err, E_INPUT, "more than %u threads", UINT32_MAX);
		return NULL;
	}
	if (!scratch_array(&s->rows, s->nrows + 1, sizeof *row, err))
		return NULL;
	row = &SCRATCH(s->rows, struct side_row)[s->nrows];
	*row = (struct side_row){ .tid = SIDE_NO_TID, .dump = s->dump, .seq = (uint32_t)s->nrows };
	s->nrows++;
	return row;
}

bool
side_number(struct str *rest, uint64_t *value)
{
	unsigned digit, base = rest->n > 2 && rest->s[0] == '0' && (rest->s[1] | 32) == 'x' ? 16 : 10;
	size_t i = base == 16 ? 2 : 0, from = i;

	for (*value = 0; i < rest->n; i++) {
		unsigned char c = (unsigned char)rest->s[i];

		digit = c >= '0' && c <= '9' ? c - (unsigned)'0' : (c | 32) >= 'a' && (c | 32) <= 'f' ?
		    (c | 32u) - 'a' + 10 : 16;
		if (digit >= base)
			break;
		if (*value > (UINT64_MAX - digit) / base)
			return false;
		*value = *value * base + digit;
	}
	rest->s += i;
	rest->n -= i;
	return i > from;
}

bool
side_line(struct str *rest, struct str *line)
{
	if (!str_split(rest, '\n', line))
		return false;
	while (line->n > 0 && line->s[line->n - 1] == '\r')
		line->n--;
	return true;
}

static bool
has_any(const char *const *list)
{
	return list != NULL && list[0] != NULL;
}

/* ---- files --------------------------------------------------------------------------- */

/* The bytes of a file, unpacked and as UTF-8; they stay until close. */
static bool
read_file(struct sides *s, const char *path, struct str *text, struct err *err)
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

/* Says of an error which file it is about. */
static bool
about(const char *path, struct err *err)
{
	struct err e = *err;

	return fail(err, e.kind, "%s: %s", path, e.text);
}

static bool
read_threads(struct sides *s, const char *path, struct err *err)
{
	struct str text;
	bool any;

	if (!read_file(s, path, &text, err))
		return false;
	if (!side_dump(s, text, &any, err) || (!any && !side_list(s, text, &any, err)))
		return err->kind == E_CANCEL ? false : about(path, err);
	if (!any)
		return fail(err, E_INPUT, "%s: neither a thread dump (jstack, jcmd Thread.print, javacore, ANR) "
		    "nor a list of thread ids and names (ps -eLo tid,comm)", path);
	return true;
}

/* ---- mapping files ------------------------------------------------------------------------ */

static bool
read_mapping(struct mapping *m, const char *path, struct err *err)
{
	uint64_t before = m->nclasses;
	struct str text;

	if (!read_file(m->s, path, &text, err))
		return false;
	if (!mapping_read(m, text, err))
		return err->kind == E_CANCEL ? false : about(path, err);
	if (m->nclasses == before)
		return fail(err, E_INPUT, "%s: no mapping file of R8 or ProGuard: "
		    "no line \"original.Class -> name:\" in it", path);
	return true;
}

static bool
put_mapping_facts(const struct mapping *m, struct err *err)
{
	const struct { const char *name; uint64_t value; } facts[] = {
		{ "mapping.classes", m->nclasses }, { "mapping.doubles", m->doubles },
		{ "mapping.ignored_lines", m->ignored },
		{ "mapping.renamed_classes", m->renamed_classes },
		{ "mapping.renamed_methods", m->renamed_methods },
		{ "mapping.renamed_fields", m->renamed_fields },
		{ "mapping.ambiguous", m->ambiguous }
	};
	size_t i;

	for (i = 0; i < NELEM(facts); i++)
		if (!store_fact(m->s->over, facts[i].name, FACT_COUNT, facts[i].value, err))
			return false;
	return true;
}

static bool
is_heap(const struct store *st)
{
	return (load_shapes(st) & SHAPE_GRAPH) != 0;
}

static bool
read_mappings(struct sides *s, const char *const *path, struct err *err)
{
	struct mapping m = { .s = s, .classes = SCRATCH_INIT, .members = SCRATCH_INIT,
	    .args = BUF_INIT };
	bool ok = true;

	for (; ok && *path != NULL; path++)
		ok = read_mapping(&m, *path, err);
	ok = ok && mapping_sort(&m, err) &&
	    (is_heap(s->base) ? mapping_heap(&m, err) : mapping_trace(&m, err)) &&
	    put_mapping_facts(&m, err);
	scratch_free(&m.classes);
	scratch_free(&m.members);
	buf_free(&m.args);
	return ok;
}

/* ---- all of them ------------------------------------------------------------------------- */

/* Files that shrank while they were read were not read. */
static bool
check_lost(const struct sides *s, struct err *err)
{
	uint64_t i;

	for (i = 0; i < s->nmaps; i++)
		if (map_lost(&SCRATCH(s->maps, struct map)[i]))
			return fail(err, E_INPUT, "a file of names shrank while it was read");
	return true;
}

static bool
read_all(struct sides *s, const struct side_options *o, struct err *err)
{
	const char *const *path;

	for (path = o->threads; path != NULL && *path != NULL; path++)
		if (!read_threads(s, *path, err))
			return false;
	if ((has_any(o->threads) && !side_join(s, err)) ||
	    (has_any(o->mappings) && !read_mappings(s, o->mappings, err)) ||
	    (nano_has_sides(s->base) && !nano_sides(s->over, s->work, err)))
		return false;
	if (s->cut > 0 && (!store_fact(s->over, "loss.side", FACT_COUNT, s->cut, err) ||
	    !store_fact_text(s->over, "loss.reason", STR("a file of names is cut or damaged"), err)))
		return false;
	return check_lost(s, err);
}

/* The text gets its place for good. */
static bool
keep_text(struct sides *s, struct err *err)
{
	void *data;

	if (s->text.bad)
		return fail(err, E_SYSTEM, "no memory for names");
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
	uint64_t i;

	for (i = 0; i < s->nmaps; i++)
		map_close(&SCRATCH(s->maps, struct map)[i]);
	scratch_free(&s->maps);
	scratch_free(&s->rows);
	buf_free(&s->text);
}

/* Columns that names decide: over a heap dump with other names they are made anew. */
static const enum col by_names[] = {
	COL_EACH_FINDING_KIND, COL_EACH_FINDING_OBJECT, COL_EACH_FINDING_CLASS, COL_EACH_FINDING_OTHER,
	COL_EACH_FINDING_RETAINED, COL_EACH_FINDING_COUNT, COL_EACH_FINDING_NUMBER, COL_EACH_FINDING_HOP,
	COL_EACH_FINDING_HOPS, COL_EACH_HOP_OBJECT, COL_FRAME_THREAD, COL_FRAME_METHOD, COL_FRAME_SIGNATURE,
	COL_FRAME_FILE, COL_FRAME_CLASS, COL_FRAME_LINE, COL_JTHREAD_FRAME, COL_JTHREAD_FRAMES, COL_ROOT_FRAME,
	COL_NONE
};

bool
load_sides(struct store **out, struct store *base, const struct side_options *o,
    struct work *w, struct err *err)
{
	struct sides s = { .base = base, .work = w, .maps = SCRATCH_INIT, .rows = SCRATCH_INIT,
	    .text = BUF_INIT };
	bool ok;

	*out = base;
	if (!has_any(o->threads) && !has_any(o->mappings) && !nano_has_sides(base))
		return true;
	if (!store_over(&s.over, base, has_any(o->mappings) && is_heap(base) ? by_names : NULL, err))
		return false;
	ok = read_all(&s, o, err) && keep_text(&s, err);
	close_all(&s);
	if (!ok) {
		store_close(s.over);
		return false;
	}
	store_publish(s.over);
	*out = s.over;
	return true;
}
