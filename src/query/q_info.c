/*
 * q_info: what is known about the file as a whole.
 */
#include "config.h"

#include <stdlib.h>

#include "stage.h"

enum info_col { INFO_FIELD, INFO_VALUE };

static const struct coldef info_cols[] = {
	[INFO_FIELD] = { "field", CELL_TEXT, "what is known", false },
	[INFO_VALUE] = { "value", CELL_NONE, "its value", false }
};

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
	struct fact f;

	c->type = CELL_TEXT;
	if (row == s->n) {
		c->text = col == INFO_FIELD ? STR("index path") :
		    index_path(s->store);
		return;
	}
	c->text = STR("");
	if (!store_fact_at(s->store, s->fact[row], &f))
		return;
	if (col == INFO_FIELD)
		c->text = str_of(f.name);
	else
		fact_value(&f, c);
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
