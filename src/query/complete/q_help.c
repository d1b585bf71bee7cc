/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_help: what the language has, asked in the language itself.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "complete.h"

static const char *const kind_names[] = {
	[COMMAND_SOURCE] = "source", [COMMAND_STAGE] = "stage",
	[COMMAND_SINK] = "sink"
};

/* ---- help -------------------------------------------------------------------- */

enum help_col { HELP_ITEM, HELP_KIND, HELP_TYPE, HELP_MEANING, HELP_COLS };

#define HELP_COLUMNS(all) { \
	[HELP_ITEM] = { "item", CELL_TEXT, "command or column" }, \
	[HELP_KIND] = { "kind", CELL_TEXT, "source, stage, sink, usage, example, column and others" }, \
	[HELP_TYPE] = { "type", CELL_TEXT, "type of the column; severity of the finding kind", all }, \
	[HELP_MEANING] = { "meaning", CELL_TEXT, "meaning or usage" } \
}

static const struct coldef help_cols[HELP_COLS] = HELP_COLUMNS(false);
static const struct coldef help_all_cols[HELP_COLS] = HELP_COLUMNS(true);

/* Rows of a command when help gets its word: command, usage, example, columns, topics. */
enum help_row { ROW_COMMAND, ROW_USAGE, ROW_EXAMPLE, ROW_COLUMNS };

struct help {
	struct rows	rows;
	struct entry	*entry;
	size_t		nentries;
	bool		 all;		/* a row for each entry: those of a word and kind are one */
	unsigned	shapes;		/* only commands for files that have one */
	uint64_t	n;
	struct buf	text;
};

/* An entry of help: a command, and the files it is described for. */
struct entry {
	const struct command	*command;
	unsigned		 shapes;
};

/*
 * Return the nth column made on demand (when a query names it) whose name is not one of the command; NULL:
 * there are fewer.
 */
static const struct coldef *
made_at(const struct command *c, uint64_t n)
{
	size_t i;

	for (const struct coldef *made = made_columns; made < made_columns + MADE_COLUMNS; made++) {
		for (i = 0; i < c->ncols && strcmp(c->cols[i].name, made->name) != 0; i++)
			;
		if (i == c->ncols && n-- == 0)
			return made;
	}
	return NULL;
}

/*
 * The columns that the command has for these files, then those made on demand for rows of objects; NULL:
 * there are fewer.
 */
static const struct coldef *
column_at(const struct entry *e, uint64_t n)
{
	const struct command *c = e->command;

	for (size_t i = 0; i < c->ncols; i++)
		if (command_has_column(c, i, e->shapes) && n-- == 0)
			return &c->cols[i];
	return command_has_fields(c) ? made_at(c, n) : NULL;
}

static size_t
column_count(const struct entry *e)
{
	size_t n = 0;

	while (column_at(e, n) != NULL)
		n++;
	return n;
}

/*
 * Make an entry of a command for these files.  Without a file, a command whose columns differ for profiles has
 * two entries; the second is for profiles.
 */
static bool
help_entry(unsigned shapes, size_t half, struct entry *e)
{
	const struct command *c = commands[half / 2];
	bool other = false;

	*e = (struct entry){ c, half % 2 == 0 ? shapes : SHAPE_SAMPLES };
	for (size_t i = 0; i < c->ncols; i++)
		other |= (c->shapes & c->cols[i].only & SHAPE_SAMPLES) != 0;
	return command_fits(c, shapes) && (half % 2 == 0 || (shapes == 0 && other));
}

static bool
help_is_same(const struct command *a, const struct command *b)
{
	return a->kind == b->kind && strcmp(a->word, b->word) == 0;
}

/* Count the help rows of an entry. */
static uint64_t
row_count(const struct help *h, const struct entry *e)
{
	uint64_t topics = 0;
	struct topic topic;

	if (h->all)
		return 1;
	while (e->command->topic != NULL && e->command->topic(topics, &topic))
		topics++;
	return ROW_COLUMNS + column_count(e) + topics;
}

/* List the entries of a word; empty: of all. */
static void
list_entries(struct help *h, struct str word)
{
	struct entry e;
	size_t k;

	h->n = h->nentries = 0;
	for (size_t i = 0; commands[i / 2] != NULL; i++) {
		if (!help_entry(h->shapes, i, &e) || (word.n > 0 && !str_eq(word, str_of(e.command->word))))
			continue;
		for (k = 0; h->all && k < h->nentries && !help_is_same(h->entry[k].command, e.command); )
			k++;
		if (h->all && k < h->nentries)
			continue;
		h->entry[h->nentries++] = e;
		h->n += row_count(h, &e);
	}
}

/* Find the entry of a row; *row becomes its row within the entry. */
static const struct entry *
help_find(const struct help *h, uint64_t *row)
{
	const struct entry *e = h->entry;

	for (uint64_t n; *row >= (n = row_count(h, e)); e++)
		*row -= n;
	return e;
}

/* Join the meanings of all commands of a word for these files: "x; or y". */
static struct str
join_meanings(struct help *h, const struct command *c)
{
	const char *what, *said[8];
	size_t n = 0, k;
	struct entry e;

	buf_clear(&h->text);
	for (size_t i = 0; commands[i / 2] != NULL; i++) {
		if (!help_is_same(commands[i / 2], c) || !help_entry(h->shapes, i, &e))
			continue;
		what = command_what(e.command, e.shapes);
		for (k = 0; k < n && strcmp(said[k], what) != 0; )
			k++;
		if (k < n || n == NELEM(said))
			continue;
		said[n++] = what;
		buf_printf(&h->text, "%s%s", n > 1 ? "; or " : "", what);
	}
	return h->text.bad ? str_of(c->what) : buf_view(&h->text);
}

/* A row of an entry. */
static struct topic
help_topic(struct help *h, const struct entry *e, uint64_t row)
{
	struct topic topic = { STR(""), STR(""), STR(""), STR("") };
	const struct coldef *def = row < ROW_COLUMNS ? NULL : column_at(e, row - ROW_COLUMNS);
	const struct command *c = e->command;
	char usage[USAGE_TEXT];

	if (row >= ROW_COLUMNS && def == NULL) {
		c->topic(row - ROW_COLUMNS - column_count(e), &topic);
	} else if (def != NULL) {
		topic = (struct topic){ str_of(def->name), def->more ? STR("hidden") : STR("column"),
		    str_of(cell_type_name(def->type)), str_of(def->what) };
	} else if (row == ROW_COMMAND) {
		topic.item = str_of(c->word);
		topic.kind = str_of(kind_names[c->kind]);
		topic.meaning = h->all ? join_meanings(h, c) : str_of(command_what(c, e->shapes));
	} else if (row == ROW_USAGE) {
		buf_clear(&h->text);
		buf_printf(&h->text, "%s%s%s", c->word, c->args == NULL ? "" : " ", command_usage(c, usage));
		topic.kind = STR("usage");
		topic.meaning = h->text.bad ? str_of(c->word) : buf_view(&h->text);
	} else {
		topic.kind = STR("example");
		topic.meaning = str_of(command_example(c, e->shapes));
	}
	return topic;
}

static uint64_t
help_reach(struct rows *r, uint64_t n)
{
	(void)n;
	return ((struct help *)r)->n;
}

static void
help_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct help *h = (struct help *)r;
	const struct entry *e = help_find(h, &row);
	struct topic topic = help_topic(h, e, row);

	c->type = CELL_TEXT;
	c->text = col == HELP_ITEM ? topic.item : col == HELP_KIND ? topic.kind :
	    col == HELP_TYPE ? topic.type : topic.meaning;
}

static void
help_close(struct rows *r)
{
	free(((struct help *)r)->entry);
	buf_free(&((struct help *)r)->text);
}

static const struct rows_ops help_ops = { help_reach, help_cell, help_close };

static bool
q_help_fail_unknown(const struct token *t, bool columns, struct err *err)
{
	struct guess guess = guess_of(t->text);
	char text[GUESS_TEXT];

	for (size_t i = 0; commands[i] != NULL; i++)
		if ((!columns || commands[i]->ncols > 0) &&
		    command_find(str_of(commands[i]->word), true, 0) == commands[i])
			guess_try(&guess, commands[i]->word);
	return fail_at(err, E_USAGE, t->at, "unknown %s '%.*s'%s",
	    columns ? "source" : "command", (int)t->text.n, t->text.s,
	    guess_text(&guess, text, sizeof text));
}

static bool
help_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	const struct token *word = &stage->token[0];
	struct str none = STR("");
	size_t n = 0;
	struct help *h;
	bool all;

	(void)in;
	if (!stage_at_most(stage, 1, err))
		return false;
	if (stage->n == 0)
		return questions_open(session, out, err);
	all = token_is(word, "all");
	if (!all && (word->text.n == 0 || command_find(word->text, true, 0) == NULL))
		return q_help_fail_unknown(word, false, err);
	h = rows_new(sizeof *h, &help_ops, session, NULL, err);
	if (h == NULL)
		return false;
	while (commands[n] != NULL)
		n++;
	h->entry = mem_array(2 * n, sizeof *h->entry);
	if (h->entry == NULL) {
		rows_close(&h->rows);
		return fail(err, E_SYSTEM, "out of memory (help)");
	}
	h->rows.cols = all ? help_all_cols : help_cols;
	h->rows.ncols = HELP_COLS;
	h->all = all;
	h->shapes = session_shapes(session);
	list_entries(h, all ? none : word->text);
	/* A command for other files than this one is still explained. */
	if (h->n == 0) {
		h->shapes = 0;
		list_entries(h, word->text);
	}
	*out = &h->rows;
	return true;
}

const struct command source_help = {
	SOURCE("help", "what to ask of a file; all commands, or one", "help calls", help_open),
	.args = ARGS({ &arg_command, ARG_OPTIONAL }, { .word = "all", .flags = ARG_OR | ARG_OPTIONAL }),
	.cols = help_cols,
	.ncols = HELP_COLS,
	.no_file = true
};

/* ---- columns ------------------------------------------------------------------- */

enum columns_col { COLUMNS_NAME, COLUMNS_TYPE, COLUMNS_SHOWN, COLUMNS_MEANING };

static const struct coldef columns_cols[] = {
	[COLUMNS_NAME] = { "name", CELL_TEXT, "name of the column" },
	[COLUMNS_TYPE] = { "type", CELL_TEXT, "type" },
	[COLUMNS_SHOWN] = { "shown", CELL_BOOL, "shown by default, not only when selected" },
	[COLUMNS_MEANING] = { "meaning", CELL_TEXT, "meaning" }
};

struct columns {
	struct rows		 rows;
	struct entry		 of;		/* command NULL: the columns are those of in */
	size_t			 n;
	struct scratch		 known;		/* u32: names that in could make columns of */
	uint64_t		 nknown;
	bool			 listed;
};

static void
list_known(struct columns *s)
{
	struct rows *in = rows_origin(s->rows.in);
	struct str name;

	for (uint32_t i = 0; in->ops->known != NULL && in->ops->known(in, i, &name); i++) {
		if (rows_column(s->rows.in, name) >= 0)
			continue;
		if (!scratch_array(&s->known, s->nknown + 1, sizeof i, &s->rows.err))
			return;
		SCRATCH(s->known, uint32_t)[s->nknown++] = i;
	}
}

static uint64_t
columns_reach(struct rows *r, uint64_t n)
{
	struct columns *s = (struct columns *)r;

	if (n > 0 && !s->listed && r->in != NULL)
		list_known(s);
	s->listed |= n > 0;
	return s->n + s->nknown;
}

static void
columns_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	static const struct coldef field = { "", CELL_NONE, "field of the object", .more = true },
	    other = { "", CELL_TEXT, "made when a query names it", .more = true };
	struct columns *s = (struct columns *)r;
	uint32_t made = row < s->n ? 0 : SCRATCH(s->known, uint32_t)[row - s->n];
	const struct coldef *def = s->of.command != NULL ? column_at(&s->of, row) :
	    row < s->n ? &r->in->cols[row] : fields_object(r->in) < 0 ? &other :
	    made < MADE_NAMED ? &made_columns[made] : &field;
	struct rows *origin;

	c->type = columns_cols[col].type;
	switch ((enum columns_col)col) {
	case COLUMNS_NAME:
		c->text = str_of(def->name);
		if (def != &field && def != &other)
			break;
		origin = rows_origin(r->in);
		origin->ops->known(origin, made, &c->text);
		break;
	case COLUMNS_TYPE:
		c->text = str_of(cell_type_name(def->type));
		break;
	case COLUMNS_SHOWN:
		c->u = !def->more;
		break;
	case COLUMNS_MEANING:
		c->text = str_of(def->what);
		break;
	}
}

static void
columns_close(struct rows *r)
{
	scratch_free(&((struct columns *)r)->known);
}

/* The names of fields are read with the objects. */
static uint64_t
columns_touch(struct rows *r, uint64_t mine, struct touching *touching)
{
	(void)mine;
	(void)touching;
	return r->in != NULL && rows_origin(r->in)->ops->known != NULL ? COLUMNS_ALL : 0;
}

static const struct rows_ops columns_ops = {
	.reach = columns_reach, .cell = columns_cell, .close = columns_close, .touch = columns_touch
};

static bool
columns_new(struct session *session, struct entry of, struct rows *in, struct rows **out, struct err *err)
{
	struct columns *s = rows_new(sizeof *s, &columns_ops, session, in, err);

	if (s == NULL)
		return false;
	s->rows.cols = columns_cols;
	s->rows.ncols = NELEM(columns_cols);
	s->of = of;
	s->n = of.command != NULL ? column_count(&of) : in->ncols;
	*out = &s->rows;
	return true;
}

static bool
source_columns_open(struct session *session, const struct stage *stage,
    struct rows *in, struct rows **out, struct err *err)
{
	unsigned shapes = session_shapes(session);
	const struct command *c;

	(void)in;
	if (!stage_at_most(stage, 1, err))
		return false;
	c = command_find(stage->token[0].text, true, shapes);
	if (c == NULL)
		return q_help_fail_unknown(&stage->token[0], true, err);
	if (c->ncols == 0)
		return fail_at(err, E_USAGE, stage->token[0].at,
		    "'%s' adds no columns", c->word);
	return columns_new(session, (struct entry){ c, shapes }, NULL, out, err);
}

static bool
stage_columns_open(struct session *session, const struct stage *stage,
    struct rows *in, struct rows **out, struct err *err)
{
	if (!stage_at_most(stage, 0, err)) {
		rows_close(in);
		return false;
	}
	return columns_new(session, (struct entry){ NULL, 0 }, in, out, err);
}

const struct command source_columns = {
	SOURCE("columns", "columns of a source", "columns methods", source_columns_open),
	.args = ARGS({ &arg_source }),
	COLUMNS(columns_cols),
	.no_file = true
};

const struct command stage_columns_of = {
	STAGE("columns", "columns of the rows so far", "threads | select name cpu | columns",
	    stage_columns_open)
};
