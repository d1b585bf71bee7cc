/*
 * answers: what the rows of all dumps say, by the query language.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fleet.h"

bool
rows_session(struct session *session, const struct buf *text, struct err *err)
{
	const struct str bytes = buf_view(text);
	const struct store_options options = { .memory_only = true, .bytes = &bytes, .as = "triage" };

	*session = (struct session){ .nstores = 0 };
	if (!load_open(&session->store[0], "rows", &options, NULL, err))
		return false;
	session->nstores = 1;
	return true;
}

static unsigned
width(void)
{
	struct winsize size;

	return !isatty(STDOUT_FILENO) ? 0 : ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

bool
rows_answer(struct session *session, const char *query, const struct fleet_options *o, const char *path, uint64_t *n, struct err *err)
{
	enum format format = o->format < FORMATS ? (enum format)o->format : isatty(STDOUT_FILENO) ? FORMAT_TABLE : FORMAT_TSV;
	struct query *q;
	struct rows *rows;
	uint64_t size;
	bool ok;

	if (!query_parse(&q, str_of(query), err))
		return false;
	if (format_shows(format))
		query_reads_shown(q);
	ok = query_prepare(q, session, NULL, err) && query_open(q, session, &rows, err);
	if (ok) {
		ok = path != NULL ? rows_write(rows, format, &DRAW_OPTIONS, path, true, n, &size, err) :
		    rows_print(rows, format, width(), stdout, n, err);
		rows_close(rows);
	}
	query_free(q);
	return ok;
}

/* ---- exemplars -------------------------------------------------------------------------------- */

static bool
text_cell(struct rows *r, uint64_t row, const char *column, struct buf *b)
{
	struct cell c;
	int col = rows_column(r, str_of(column));

	buf_clear(b);
	if (col < 0)
		return false;
	rows_cell(r, row, (size_t)col, &c);
	if (c.type == CELL_TEXT)
		buf_str(b, c.text);
	return b->n > 0 && !b->bad;
}

static bool
copy_file(const char *from, const char *to, struct err *err)
{
	struct file f;
	struct map m;
	bool ok;

	if (!map_open(&m, from, NULL, err))
		return false;
	ok = file_begin(&f, to, err) && file_write(&f, m.data, m.size, err) && file_commit(&f, true, err);
	if (!ok)
		file_abandon(&f);
	map_close(&m);
	return ok;
}

/* A dump that is gone meanwhile is no failure. */
static bool
keep_one(const char *out, const char *sig, const char *path, struct err *err)
{
	const char *name = strrchr(path, '/');
	struct buf to = BUF_INIT;
	struct stat st;
	bool ok;

	name = name == NULL ? path : name + 1;
	buf_printf(&to, "%s/keep", out);
	ok = !to.bad && (mkdir(to.s, 0700) == 0 || errno == EEXIST);
	buf_printf(&to, "/%s", sig);
	ok = ok && !to.bad && (mkdir(to.s, 0700) == 0 || errno == EEXIST);
	buf_printf(&to, "/%s", name);
	ok = (ok && !to.bad) || fail_errno(err, "%s", out);
	if (ok && stat(to.s, &st) != 0 && stat(path, &st) == 0 && link(path, to.s) != 0)
		ok = copy_file(path, to.s, err);
	buf_free(&to);
	return ok;
}

static bool
keep_rows(struct rows *r, const struct fleet_options *o, struct err *err)
{
	struct buf sig = BUF_INIT, last = BUF_INIT, path = BUF_INIT;
	uint64_t kept = 0;
	bool ok = true;

	for (uint64_t i = 0; ok && rows_reach(r, i + 1) > i; i++) {
		if (!text_cell(r, i, "hash", &sig) || strspn(sig.s, "0123456789abcdef") != sig.n || !text_cell(r, i, "path", &path))
			continue;
		kept = str_eq(buf_view(&sig), buf_view(&last)) ? kept + 1 : 1;
		if (kept <= o->keep)
			ok = keep_one(o->out, sig.s, path.s, err);
		buf_clear(&last);
		buf_str(&last, buf_view(&sig));
	}
	buf_free(&sig);
	buf_free(&last);
	buf_free(&path);
	return ok;
}

bool
keep_exemplars(const struct fleet_options *o, struct err *err)
{
	struct buf text = BUF_INIT;
	struct session session = { .nstores = 0 };
	struct query *q = NULL;
	struct rows *r = NULL;
	bool ok = out_read(o->out, &text, err) && rows_session(&session, &text, err) &&
	    query_parse(&q, STR("findings | sort hash -retained"), err) && query_prepare(q, &session, NULL, err) &&
	    query_open(q, &session, &r, err) && keep_rows(r, o, err);

	rows_close(r);
	query_free(q);
	session_close(&session);
	buf_free(&text);
	return ok;
}
