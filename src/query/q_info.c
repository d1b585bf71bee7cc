/*
 * q_info: what is known about the file as a whole.
 */
#include "config.h"

#include <stdlib.h>

#include "heap.h"

enum info_col { INFO_FIELD, INFO_VALUE, INFO_MEANING };

static const struct coldef info_cols[] = {
	[INFO_FIELD] = { "field", CELL_TEXT, "what is known", false },
	[INFO_VALUE] = { "value", CELL_NONE, "its value", false },
	[INFO_MEANING] = { "meaning", CELL_TEXT, "what the field says", false }
};

struct meaning {
	const char	*field, *meaning;
};

static const struct meaning of_all[] = {
	{ "unpacked", "size of what the gzip file holds" },
	{ "loader", "what read the file" },
	{ "loss.gzip", "1: the gzip data is cut or damaged" },
	{ "loss.reason", "the most important loss, in words" },
	{ "index path", "where the index is kept" },
	{ NULL, NULL }
};

static const struct meaning of_traces[] = {
	{ "kind", "container: v1-regular, v1-stream, or v2a, v2b, v2c" },
	{ "clock", "clocks of the records: dual is wall and thread-cpu" },
	{ "records", "enters and exits in the file" },
	{ "records_claimed", "what the file says of the number of its records" },
	{ "threads_listed", "threads the file names; some may have no record" },
	{ "methods_listed", "methods the file names" },
	{ "threads", "threads with records" },
	{ "methods", "methods that were called" },
	{ "stacks", "different stacks, the nodes of the call trees" },
	{ "elapsed", "from start to end of the trace, as the file says" },
	{ "clock_overhead", "cost of reading the clocks once, at least" },
	{ "max_depth", "calls on the deepest stack" },
	{ "last_wall", "the latest wall time of a record" },
	{ "last_cpu", "the latest CPU time of a record" },
	{ "sampled", "1: a sampler wrote the trace, and the numbers of calls mean little" },
	{ "sample_interval", "usual time between two samples" },
	{ "repair.overflow", "1: the buffer was full and recording ended early" },
	{ "repair.dup_tids", "thread ids that are listed again; the last name counts" },
	{ "repair.renames", "threads announced again, renamed or their id used again" },
	{ "repair.bad_lines", "lines of the tables without a readable id, left out" },
	{ "repair.trailing", "bytes behind the end of the trace, left out" },
	{ "repair.synthetic", "exits without an enter: calls open since before the start" },
	{ "repair.forced", "calls closed because one around them was left" },
	{ "repair.ignored", "exits of methods that were not open" },
	{ "repair.open", "calls still open at the end of their thread" },
	{ "repair.action3", "records of unknown kind, left out" },
	{ "repair.wraps", "times a 32-bit clock ran over" },
	{ "repair.backwards", "times a clock stepped back, taken as standing still" },
	{ "repair.unknown_methods", "methods in records that the file does not name" },
	{ "repair.unknown_method_records", "records of such methods" },
	{ "repair.unknown_thread_records", "records of threads that the file does not name" },
	{ "loss.tail_bytes", "bytes at the end that are no whole record" },
	{ "loss.no_summary", "1: the stream ends without its summary" },
	{ "loss.cut_text", "1: the file ends before its first record" },
	{ "loss.mangled", "1: a text conversion destroyed the records" },
	{ NULL, NULL }
};

static const struct meaning of_heaps[] = {
	{ "format", "form of the file, as its header says" },
	{ "id_size", "bytes of an address in the file" },
	{ "dumped_at", "when it was written, as it says" },
	{ "dumps", "heap dumps in the file; --dump opens another one" },
	{ "dump", "which of them this is, from 1" },
	{ "layout", "how the Java machine laid out its objects, and how many gaps between addresses say so" },
	{ "layout_runner_up", "the next best guess" },
	{ "objects", "objects in the dump, reachable or not, with the Class objects" },
	{ "classes", "classes with a record of their own" },
	{ "loaders", "class loaders, with the one of the Java machine" },
	{ "roots", "references from outside the heap" },
	{ "threads", "threads of the dump" },
	{ "names", "names in the file" },
	{ "missing", "references to objects that are not in the dump" },
	{ "repair.version", "1: the header has a version that is not known" },
	{ "repair.doubles", "objects that are there twice; the first counts" },
	{ "repair.unknown_records", "records of unknown kind, skipped by their length" },
	{ "repair.bad_records", "records whose content cannot be right, left out" },
	{ "repair.lengths", "records whose length is not that of their content" },
	{ "repair.zeros", "places with zeros where a record should begin" },
	{ "repair.super_cycles", "classes that extend themselves in the end, cut there" },
	{ "repair.no_super", "classes that extend one that is not in the dump" },
	{ "repair.no_class", "classes with objects but without a record of their own" },
	{ "repair.absent_roots", "roots of objects that are not in the dump, left out" },
	{ "repair.no_roots", "1: the dump has no roots; objects that nothing refers to are taken as such" },
	{ "repair.field_lengths", "objects with fewer bytes than their class has fields" },
	{ "loss.cut_bytes", "bytes that the last record says to have and the file does not" },
	{ "loss.tail_bytes", "bytes at the end that are no whole record" },
	{ "loss.skipped_bytes", "bytes in between that could not be read" },
	{ "loss.no_end", "1: the record that ends a dump is missing" },
	{ "loss.no_heap", "1: there is only a header" },
	{ "refs", "references that count for what is live and retained: soft, strong or all" },
	{ "sizes", "rule of sizes: vm, as the Java machine has them, or mat" },
	{ "live_objects", "objects that can be reached from the roots" },
	{ "live_bytes", "size of these" },
	{ "unreachable_objects", "objects that cannot: garbage that was not collected yet" },
	{ "unreachable_bytes", "size of these" },
	{ NULL, NULL }
};

static const char *
look_up(const struct meaning *m, struct str field)
{
	while (m->field != NULL && !str_eq(str_of(m->field), field))
		m++;
	return m->meaning;
}

static struct str
meaning_of(struct str field, bool heap)
{
	const char *meaning = look_up(heap ? of_heaps : of_traces, field);

	return str_of(meaning != NULL ? meaning : look_up(of_all, field));
}

/* Behind the facts come rows that belong to the session. */
enum extra { EXTRA_REFS, EXTRA_SIZES, EXTRA_LIVE, EXTRA_LIVE_BYTES, EXTRA_UNREACHABLE,
	EXTRA_UNREACHABLE_BYTES, EXTRA_INDEX, EXTRAS };

struct info {
	struct rows		 rows;
	const struct store	*store;
	size_t			*fact;		/* of each row but the last ones */
	size_t			 n;
	bool			 heap;
};

/* Names that begin so are between loader and passes, or of one graph among several. */
static bool
is_inner(const struct fact *f)
{
	static const char *const inner[] = { "trace.", "heap.", "soft.", "strong.", "all." };
	size_t i;

	for (i = 0; i < NELEM(inner); i++)
		if (str_has_prefix(str_of(f->name), str_of(inner[i])))
			return true;
	return false;
}

static bool
find_facts(struct info *s, struct err *err)
{
	size_t i, n = store_nfacts(s->store);
	struct fact f;

	s->fact = mem_array(n, sizeof *s->fact);
	if (s->fact == NULL)
		return fail(err, E_SYSTEM, "no memory for the answer");
	for (i = 0; i < n; i++)
		if (store_fact_at(s->store, i, &f) && !is_inner(&f))
			s->fact[s->n++] = i;
	return true;
}

static uint64_t
info_reach(struct rows *r, uint64_t n)
{
	struct info *s = (struct info *)r;

	(void)n;
	if (s->store == NULL)
		return 0;
	return s->n + (s->heap ? EXTRAS : 1);
}

static void
fact_value(const struct fact *f, struct cell *c)
{
	switch (f->type) {
	case FACT_TEXT:
		c->type = CELL_TEXT;
		c->text = f->text;
		return;
	case FACT_COUNT:
		c->type = CELL_COUNT;
		break;
	case FACT_BYTES:
		c->type = CELL_BYTES;
		break;
	case FACT_TIME:
		c->type = CELL_TIME;
		break;
	}
	c->u = f->value;
}

static struct str
index_path(const struct store *st)
{
	const char *path = store_index_path(st);

	if (path[0] == '\0')
		path = store_note(st);
	return path[0] == '\0' ? STR("none") : str_of(path);
}

static uint64_t
live_fact(const struct info *s, const char *pattern)
{
	const struct session *session = s->rows.session;
	char name[HEAP_COLUMN];

	return store_fact_get(s->store, heap_column(name, pattern, session->refs,
	    session->sizes));
}

static void
extra_row(const struct info *s, enum extra row, struct fact *f)
{
	const struct session *session = s->rows.session;
	uint64_t live = live_fact(s, "REFS.SIZES.live_objects");
	uint64_t bytes = live_fact(s, "REFS.SIZES.live_bytes");

	*f = (struct fact){ .type = FACT_TEXT };
	switch (row) {
	case EXTRA_REFS:
		f->name = "refs";
		f->text = str_of(heap_refs_names[session->refs]);
		return;
	case EXTRA_SIZES:
		f->name = "sizes";
		f->text = str_of(heap_sizes_names[session->sizes]);
		return;
	case EXTRA_LIVE:
		*f = (struct fact){ "live_objects", FACT_COUNT, live, STR("") };
		return;
	case EXTRA_LIVE_BYTES:
		*f = (struct fact){ "live_bytes", FACT_BYTES, bytes, STR("") };
		return;
	case EXTRA_UNREACHABLE:
		*f = (struct fact){ "unreachable_objects", FACT_COUNT,
		    store_fact_get(s->store, "heap.objects") - live, STR("") };
		return;
	case EXTRA_UNREACHABLE_BYTES:
		*f = (struct fact){ "unreachable_bytes", FACT_BYTES,
		    heap_all_bytes(s->store, session->sizes) - bytes, STR("") };
		return;
	case EXTRA_INDEX:
	case EXTRAS:
		break;
	}
	f->name = "index path";
	f->text = index_path(s->store);
}

static void
info_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct info *s = (struct info *)r;
	struct fact f;

	c->type = CELL_TEXT;
	c->text = STR("");
	if (row >= s->n)
		extra_row(s, s->heap ? (enum extra)(row - s->n) : EXTRA_INDEX, &f);
	else if (!store_fact_at(s->store, s->fact[row], &f))
		return;
	if (col == INFO_FIELD)
		c->text = str_of(f.name);
	else if (col == INFO_VALUE)
		fact_value(&f, c);
	else
		c->text = meaning_of(str_of(f.name), s->heap);
}

static void
info_close(struct rows *r)
{
	free(((struct info *)r)->fact);
}

static const struct rows_ops info_ops = { .reach = info_reach, .cell = info_cell, .close = info_close };

static bool
info_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct info *s;

	(void)in;
	if (!stage_at_most(stage, 0, err))
		return false;
	s = rows_new(sizeof *s, &info_ops, session, NULL, err);
	if (s == NULL)
		return false;
	s->rows.cols = info_cols;
	s->rows.ncols = NELEM(info_cols);
	s->store = session_store(session);
	s->heap = (stage->command->shapes & SHAPE_GRAPH) != 0;
	if (s->store != NULL && !find_facts(s, err)) {
		rows_close(&s->rows);
		return false;
	}
	*out = &s->rows;
	return true;
}

/* The passes count repairs. */
static const char *const needs[] = { "call.method", NULL };

const struct command source_info = {
	.word = "info",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_CALLS | SHAPE_INTERVALS,
	.args = "",
	.what = "what is known about the file; repairs and losses",
	.example = "info | where value > 0",
	.needs = needs,
	.cols = info_cols,
	.ncols = NELEM(info_cols),
	.open = info_open
};

static const char *const heap_needs[] = { "REFS.SIZES.parent", NULL };

const struct command source_heap_info = {
	.word = "info",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_GRAPH,
	.args = "",
	.what = "what is known about the file; what is live, repairs and losses",
	.example = "info | where field ~ /live/",
	.needs = heap_needs,
	.cols = info_cols,
	.ncols = NELEM(info_cols),
	.open = info_open
};
