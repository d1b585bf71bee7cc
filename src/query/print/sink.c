/*
 * sink: what ends a query: a format for its rows, or a file that takes them.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "query/lang/lang.h"

/* ---- format ------------------------------------------------------------------------ */

static const struct rows_ops format_ops = { .reach = same_reach, .cell = same_cell, .touch = touch_same };

/* As rows have it: 0 would be none. */
static bool
read_format(const struct stage *s, unsigned *format, struct err *err)
{
	struct guess guess;
	char text[GUESS_TEXT];

	if (s->n == 0)
		return fail_needs(s, err);
	if (!stage_at_most(s, 1, err))
		return false;
	guess = guess_of(s->token[0].text);
	for (*format = 1; *format <= FORMATS; ++*format) {
		if (token_is(&s->token[0], format_names[*format - 1]))
			return true;
		guess_try(&guess, format_names[*format - 1]);
	}
	return fail_at(err, E_USAGE, s->token[0].at, "there is no format '%.*s'%s",
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
	SINK("format", "print the rows so, whatever -o says", "threads | select name cpu | format json",
	    format_open),
	.args = ARGS({ NULL, 0, "table" }, { NULL, ARG_OR, "tsv" }, { NULL, ARG_OR, "csv" },
	    { NULL, ARG_OR, "json" }, { NULL, ARG_OR, "folded" })
};

/* ---- export ------------------------------------------------------------------------ */

enum export_col { EXPORT_FILE, EXPORT_ROWS, EXPORT_SIZE };

static const struct coldef export_cols[] = {
	[EXPORT_FILE] = { "file", CELL_TEXT, "what was written", false },
	[EXPORT_ROWS] = { "rows", CELL_COUNT, "rows in it", false },
	[EXPORT_SIZE] = { "size", CELL_BYTES, "size of the file", false }
};

/* One row about the file, which is written when that row is asked for. */
struct export {
	struct rows	 rows;
	char		*path;
	size_t		 at;		/* in the query */
	enum format	 format;
	bool		 replace;
	bool		 done, written;
	uint64_t	 n, size;
};

/* Goes through a stream of its own: the file stays open for the commit. */
static bool
write_rows(struct rows *rows, enum format format, const char *path, int fd, uint64_t *n, struct err *err)
{
	int copy = dup(fd);
	FILE *f = copy < 0 ? NULL : fdopen(copy, "w");
	bool ok;

	if (f == NULL) {
		fail_errno(err, "cannot write %s", path);
		if (copy >= 0)
			close(copy);
		return false;
	}
	ok = rows_print(rows, format, 0, f, n, err);
	if (fclose(f) != 0 && ok)
		ok = fail_errno(err, "cannot write %s", path);
	return ok;
}

bool
rows_write(struct rows *rows, enum format format, const char *path, bool replace, uint64_t *n, uint64_t *size,
    struct err *err)
{
	struct file file = FILE_INIT;
	struct stat st;

	if (!file_begin(&file, path, err))
		return false;
	if (!write_rows(rows, format, path, file.fd, n, err)) {
		file_abandon(&file);
		return false;
	}
	if (fstat(file.fd, &st) == 0)
		*size = (uint64_t)st.st_size;
	return file_commit(&file, replace, err);
}

static bool
export_file(struct export *x)
{
	struct err *err = &x->rows.err;
	struct stat st;

	if (x->rows.session->sealed)
		return fail_at(err, E_USAGE, x->at, "files cannot be written from here");
	if (!x->replace && lstat(x->path, &st) == 0)
		return fail_at(err, E_USAGE, x->at, "%s is there already; "
		    "export! replaces it", x->path);
	return rows_write(x->rows.in, x->format, x->path, x->replace, &x->n, &x->size, err);
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
	return ((struct export *)r)->format == FORMAT_TABLE ? columns_shown(r->in) : COLUMNS_ALL;
}

static const struct rows_ops export_ops = {
	.reach = export_reach, .cell = export_cell, .close = export_close, .touch = export_touch
};

/* The format that the end of a name tells. */
static bool
format_of(const char *path, enum format *format)
{
	const char *dot = strrchr(path, '.');

	for (int i = 0; dot != NULL && i < FORMATS; i++)
		if (strcmp(dot + 1, i == FORMAT_TABLE ? "txt" : format_names[i]) == 0) {
			*format = (enum format)i;
			return true;
		}
	return false;
}

bool
stage_file(const struct stage *s, size_t most, char **path, struct err *err)
{
	const struct token *t = s->token;

	if (s->n == 0)
		return fail_needs(s, err);
	if (s->n > most || (t->kind != TOKEN_WORD && t->kind != TOKEN_TEXT))
		return fail_at(err, E_USAGE, s->n > most ? s->token[most].at : t->at,
		    "'%s' takes one path; put it in quotes", s->command->word);
	if (t->text.n == 0 || memchr(t->text.s, '\0', t->text.n) != NULL)
		return fail_at(err, E_USAGE, t->at, "this is no path");
	*path = strndup(t->text.s, t->text.n);
	return *path != NULL || fail(err, E_SYSTEM, "no memory for the query");
}

static bool
read_path(struct export *x, const struct stage *s, struct err *err)
{
	if (!stage_file(s, 1, &x->path, err))
		return false;
	x->at = s->token->at;
	return format_of(x->path, &x->format) || fail_at(err, E_USAGE, x->at,
	    "the end of the path tells the format: .tsv .csv .json .folded or .txt");
}

static bool
export_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct export *x = rows_of_command(sizeof *x, &export_ops, session, stage, in, err);

	if (x == NULL)
		return false;
	x->replace = *(const bool *)stage->command->source;
	return rows_opened(&x->rows, read_path(x, stage, err), out);
}

#define EXPORT(word, over, says, query) { SINK(word, says, query, export_open), COLUMNS(export_cols), \
	.args = ARGS({ &arg_path }), .writes = true, .source = &(const bool){ over } }

const struct command stage_export = EXPORT("export", false, "write the rows to a new file; its suffix tells the format",
    "calls main | export main.folded");
const struct command stage_export_over = EXPORT("export!", true, "the same, and replace a file that is there",
    "methods | top 20 self | export! top.csv");
