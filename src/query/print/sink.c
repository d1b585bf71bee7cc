/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sink: what ends a query: a format for its rows, or a file that takes them.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "query/lang/lang.h"

/* ---- format ------------------------------------------------------------------------ */

static const struct rows_ops format_ops = { .reach = same_reach, .cell = same_cell, .touch = touch_same };

/* Return the format plus 1, as in struct rows: 0 is none. */
static bool
read_format(const struct stage *s, unsigned *format, struct err *err)
{
	struct guess guess;
	char text[GUESS_TEXT];

	if (!stage_at_most(s, 1, err))
		return false;
	guess = guess_of(s->token[0].text);
	for (*format = 1; *format <= FORMATS; ++*format) {
		if (token_is(&s->token[0], format_names[*format - 1]))
			return true;
		guess_try(&guess, format_names[*format - 1]);
	}
	return fail_at(err, E_USAGE, s->token[0].at, "unknown format '%.*s'%s",
	    (int)s->token[0].text.n, s->token[0].text.s,
	    guess_text(&guess, text, sizeof text));
}

static bool
format_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct rows *p = rows_new(sizeof *p, &format_ops, session, in, err);

	if (p == NULL)
		return false;
	p->same = true;
	return rows_opened(p, read_format(stage, &p->format, err), out);
}

const struct command stage_format = {
	SINK("format", "set the output format (overrides -o)", "threads | select name cpu | format json",
	    format_open),
	.args = ARGS({ NULL, 0, "table" }, { NULL, ARG_OR, "tsv" }, { NULL, ARG_OR, "csv" },
	    { NULL, ARG_OR, "json" }, { NULL, ARG_OR, "md" }, { NULL, ARG_OR, "folded" },
	    { NULL, ARG_OR, "tree" }, { NULL, ARG_OR, "dot" }, { NULL, ARG_OR, "svg" },
	    { NULL, ARG_OR, "html" }, { NULL, ARG_OR, "sarif" })
};

/* ---- export ------------------------------------------------------------------------ */

enum export_col { EXPORT_FILE, EXPORT_ROWS, EXPORT_SIZE };

static const struct coldef export_cols[] = {
	[EXPORT_FILE] = { "file", CELL_TEXT, "path", false, .cut = CUT_MIDDLE },
	[EXPORT_ROWS] = { "rows", CELL_COUNT, "rows; of a picture: boxes or nodes", false },
	[EXPORT_SIZE] = { "size", CELL_BYTES, "file size", false }
};

/* The only row is about the file, which is written when that row is first read. */
struct export {
	struct rows	 rows;
	char		*path;
	size_t		 at;		/* in the query */
	enum format	 format;
	struct draw_options draw;
	bool		 replace;
	bool		 done, written;
	uint64_t	 n, size;
};

struct drawn {
	struct rows			*rows;
	enum format			 format;
	const struct draw_options	*draw;
	uint64_t			*n;
};

static bool
print_drawn(void *of, FILE *to, struct err *err)
{
	const struct drawn *d = of;

	return rows_draw(d->rows, d->format, d->draw, 0, to, d->n, err);
}

bool
rows_write(struct rows *rows, enum format format, const struct draw_options *draw, const char *path,
    bool replace, uint64_t *n, uint64_t *size, struct err *err)
{
	return file_print(path, replace, print_drawn, &(struct drawn){ rows, format, draw, n }, size, err);
}

static bool
export_file(struct export *x)
{
	struct err *err = &x->rows.err;

	if (x->rows.session->sealed)
		return fail_at(err, E_USAGE, x->at, "cannot write files here: read-only session");
	if (!x->replace && output_replaces(x->path))
		return fail_at(err, E_USAGE, x->at, "%s exists; use export! to overwrite", x->path);
	return rows_write(x->rows.in, x->format, &x->draw, x->path, x->replace, &x->n, &x->size, err);
}

static uint64_t
export_reach(struct rows *r, uint64_t n)
{
	struct export *x = (struct export *)r;

	if (n > 0 && !x->done) {
		x->done = true;
		x->written = export_file(x);
	}
	return x->written;
}

static void
export_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	const struct export *x = (struct export *)r;

	(void)row;
	c->type = r->cols[col].type;
	switch ((enum export_col)col) {
	case EXPORT_FILE:
		c->text = str_of(x->path);
		break;
	case EXPORT_ROWS:
		c->u = x->n;
		break;
	case EXPORT_SIZE:
		c->u = x->size;
		break;
	}
}

static void
export_close(struct rows *r)
{
	free(((struct export *)r)->path);
}

static uint64_t
export_touch(struct rows *r, uint64_t mine, struct touching *touching)
{
	(void)mine;
	(void)touching;
	return format_shows(((struct export *)r)->format) ? columns_shown(r->in) : COLUMNS_ALL;
}

static const struct rows_ops export_ops = {
	.reach = export_reach, .cell = export_cell, .close = export_close, .touch = export_touch
};

const char *const export_endings[] = { ".tsv", ".csv", ".json", ".md", ".txt", ".folded", ".tree", ".dot",
    ".svg", ".html", ".sarif", ".png", ".jpg",
	".webp", NULL };
const char *const picture_endings[] = { ".png", ".jpg", ".webp", "duplicates.tsv", NULL };

bool
format_of_path(const char *path, enum format *format)
{
	const char *dot = strrchr(path, '.');

	for (int i = 0; dot != NULL && i < FORMATS; i++)
		if (strcmp(dot + 1, i == FORMAT_TABLE ? "txt" : format_names[i]) == 0) {
			*format = (enum format)i;
			return true;
		}
	return false;
}

enum format
output_format(size_t asked)
{
	return asked < FORMATS ? (enum format)asked : isatty(STDOUT_FILENO) ? FORMAT_TABLE : FORMAT_TSV;
}

unsigned
output_width(void)
{
	struct winsize size;

	return !isatty(STDOUT_FILENO) ? 0 : ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
	    size.ws_col > 0 ? size.ws_col : 80;
}

bool
stage_file(const struct stage *s, size_t most, char **path, struct err *err)
{
	const struct token *t = s->token;

	if (s->n > most || (t->kind != TOKEN_WORD && t->kind != TOKEN_TEXT))
		return fail_at(err, E_USAGE, s->n > most ? s->token[most].at : t->at,
		    "'%s' takes one path; quote it if it has blanks", s->command->word);
	if (t->text.n == 0 || memchr(t->text.s, '\0', t->text.n) != NULL)
		return fail_at(err, E_USAGE, t->at, "not a path");
	*path = mem_copy(t->text);
	return *path != NULL || fail(err, E_SYSTEM, "out of memory (query)");
}

/* ---- how pictures are drawn ---- */

/* Take the value of an option, which is the next token. */
static bool
option_value(const struct stage *s, size_t *i, const struct token **value, struct err *err)
{
	if (++*i >= s->n)
		return fail_at(err, E_USAGE, s->end, "'%.*s' needs a value", (int)s->token[*i - 1].text.n,
		    s->token[*i - 1].text.s);
	*value = &s->token[*i];
	return true;
}

static bool
read_min(const struct token *t, double *min, struct err *err)
{
	struct str s = t->text;

	if (s.n > 0 && s.s[s.n - 1] == '%')
		s.n--;
	return (num_f64(s, min) && *min >= 0 && *min <= 100) ||
	    fail_at(err, E_USAGE, t->at, "expected percent of all, 0 to 100");
}

static bool
read_nodes(const struct token *t, unsigned *nodes, struct err *err)
{
	uint64_t n;

	if (!num_u64(t->text, 10, &n) || n == 0 || n > NODES_MAX)
		return fail_at(err, E_USAGE, t->at, "expected a number of nodes, 1 to %u", NODES_MAX);
	*nodes = (unsigned)n;
	return true;
}

static bool
read_option(struct export *x, const struct stage *s, size_t *i, struct err *err)
{
	struct draw_options *o = &x->draw;
	const struct token *word = &s->token[*i], *value;

	if (token_is(word, "up")) {
		o->up = true;
		return true;
	}
	if (token_is(word, "interactive")) {
		o->interactive = true;
		return x->format == FORMAT_SVG || fail_at(err, E_USAGE, word->at,
		    "'interactive' is for .svg; .html always is");
	}
	if (token_is(word, "min"))
		return option_value(s, i, &value, err) && read_min(value, &o->min, err);
	if (token_is(word, "nodes"))
		return option_value(s, i, &value, err) && read_nodes(value, &o->nodes, err);
	if (!token_is(word, "title"))
		return fail_at(err, E_USAGE, word->at, "after the path, '%s' takes up, interactive, min "
		    "PERCENT, nodes N or title TEXT; quote a path with blanks", s->command->word);
	if (!option_value(s, i, &value, err))
		return false;
	o->title = value->text;
	return true;
}

static bool
read_export(struct export *x, const struct stage *s, struct err *err)
{
	bool known;

	if (!stage_file(s, SIZE_MAX, &x->path, err))
		return false;
	x->at = s->token->at;
	known = format_of_path(x->path, &x->format);
	if (s->n > 1 && !(known && format_draws(x->format)))
		return fail_at(err, E_USAGE, s->token[1].at, "'%s' takes one path; quote it if it has blanks",
		    s->command->word);
	if (!known)
		return fail_at(err, E_USAGE, x->at,
		    "unknown suffix; use .html .svg .dot .tsv .csv .json .md .folded or .txt%s",
		    rows_column(x->rows.in, STR("height")) >= 0 ? "; for pictures of bitmaps 'png DIR'" : "");
	for (size_t i = 1; i < s->n; i++)
		if (!read_option(x, s, &i, err))
			return false;
	return true;
}

static bool
export_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct export *x = rows_of_command(sizeof *x, &export_ops, session, stage, in, err);

	if (x == NULL)
		return false;
	x->replace = *(const bool *)stage->command->source;
	x->draw = DRAW_OPTIONS;
	return rows_opened(&x->rows, read_export(x, stage, err), out);
}

static const struct arg_type arg_percent = { .name = "PERCENT" }, arg_title = { .name = "TEXT" };

#define EXPORT(word, over, says, query) { SINK(word, says, query, export_open), COLUMNS(export_cols), \
	.args = ARGS({ &arg_path }, { NULL, ARG_OPTIONAL, "up" }, { NULL, ARG_OPTIONAL, "interactive" }, \
	    { &arg_percent, ARG_OPTIONAL, "min" }, { &arg_number, ARG_OPTIONAL, "nodes" }, \
	    { &arg_title, ARG_OPTIONAL, "title" }), .writes = true, .source = &(const bool){ over } }

const struct command stage_export = EXPORT("export", false, "write rows to a new file; suffix = format",
    "calls main | export main.folded");
const struct command stage_export_over = EXPORT("export!", true, "write rows to a file, overwrite it",
    "methods | top 20 self | export! top.csv");
