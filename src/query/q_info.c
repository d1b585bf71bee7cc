/*
 * q_info: what is known about the file as a whole.
 */
#include "config.h"

#include <stdlib.h>

#include "stage.h"

enum info_col { INFO_FIELD, INFO_VALUE, INFO_MEANING };

static const struct coldef info_cols[] = {
	[INFO_FIELD] = { "field", CELL_TEXT, "what is known", false },
	[INFO_VALUE] = { "value", CELL_NONE, "its value", false },
	[INFO_MEANING] = { "meaning", CELL_TEXT, "what the field says", false }
};

static const struct {
	const char	*field, *meaning;
} meanings[] = {
	{ "unpacked", "size of what the gzip file holds" },
	{ "loader", "what read the file" },
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
	{ "loss.gzip", "1: the gzip data is cut or damaged" },
	{ "index path", "where the index is kept" },
};

static struct str
meaning_of(struct str field)
{
	size_t i;

	for (i = 0; i < NELEM(meanings); i++)
		if (str_eq(str_of(meanings[i].field), field))
			return str_of(meanings[i].meaning);
	return STR("");
}

struct info {
	struct rows		 rows;
	const struct store	*store;
	size_t			*fact;		/* of each row but the last */
	size_t			 n;
};

/* Names that begin so are between loader and passes. */
static bool
is_inner(const struct fact *f)
{
	return str_has_prefix(str_of(f->name), STR("trace."));
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

/* Behind the facts comes one row for the index. */
static uint64_t
info_reach(struct rows *r, uint64_t n)
{
	struct info *s = (struct info *)r;

	(void)n;
	return s->store == NULL ? 0 : s->n + 1;
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

static void
info_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct info *s = (struct info *)r;
	struct fact f = {
		.name = "index path", .type = FACT_TEXT, .text = index_path(s->store)
	};

	c->type = CELL_TEXT;
	c->text = STR("");
	if (row < s->n && !store_fact_at(s->store, s->fact[row], &f))
		return;
	if (col == INFO_FIELD)
		c->text = str_of(f.name);
	else if (col == INFO_VALUE)
		fact_value(&f, c);
	else
		c->text = meaning_of(str_of(f.name));
}

static void
info_close(struct rows *r)
{
	free(((struct info *)r)->fact);
}

static const struct rows_ops info_ops = { info_reach, info_cell, info_close };

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
	.args = "",
	.what = "what is known about the file; repairs and losses",
	.example = "info | where value > 0",
	.needs = needs,
	.cols = info_cols,
	.ncols = NELEM(info_cols),
	.open = info_open
};
