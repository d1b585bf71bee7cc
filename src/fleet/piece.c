/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * piece: data that only the page of a dump shows: its overview, the leak traces of its findings and its largest
 * classes.
 *
 * The process that reads the dump makes it as a row of texts. It is stored in a file of its own next to the rows,
 * because it is larger than all rows of the dump.
 */
#include "config.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "fleet.h"

#define PIECES "pieces"
#define PIECE_MOST (2u << 20)	/* maximum bytes of a file */

/* Fields of info shown in the overview, in this order. */
static const struct {
	const char	*field, *label;
} overview[] = {
	{ "jvm", "written by" }, { "command", "program" }, { "os", "system" }, { "live_bytes", "reachable" },
	{ "live_objects", "reachable objects" }, { "unreachable_bytes", "unreachable" }, { "direct_bytes", "direct buffers" },
	{ "classes", "classes" }, { "loaders", "class loaders" }, { "threads", "threads" }, { "roots", "GC roots" }
};

/* ---- making it from a dump --------------------------------------------------------------- */

static bool
piece_put_text(json_t *row, struct str raw)
{
	struct buf b = BUF_INIT;
	bool ok;

	text_fit_buf(&b, raw);
	ok = !b.bad && json_array_append_new(row, json_stringn(b.n == 0 ? "" : b.s, b.n)) == 0;
	buf_free(&b);
	return ok;
}

/* Make a row of all cells as displayed text. */
static bool
piece_add_row(void *table, struct rows *r, uint64_t at, struct err *err)
{
	json_t *row = json_array();
	struct buf b = BUF_INIT;
	struct cell c;
	bool ok = row != NULL;

	for (size_t i = 0; ok && i < r->ncols; i++) {
		buf_clear(&b);
		rows_cell(r, at, i, &c);
		cell_show(&c, &b);
		ok = !b.bad && piece_put_text(row, buf_view(&b));
	}
	ok = ok && json_array_append(table, row) == 0;
	json_decref(row);
	buf_free(&b);
	return ok || fail(err, E_SYSTEM, "out of memory (page)");
}

/* Columns finding, suspect, text. Each finding has a row of lines; some may be empty. */
static bool
piece_add_line(void *to, struct rows *r, uint64_t at, struct err *err)
{
	json_t *traces = to, *lines;
	struct cell finding, suspect, text;
	struct buf b = BUF_INIT;
	bool ok = true;

	rows_cell(r, at, 0, &finding);
	rows_cell(r, at, 1, &suspect);
	rows_cell(r, at, 2, &text);
	if (finding.type == CELL_NONE || finding.u == 0 || finding.u > TRIAGE_ROWS || text.type != CELL_TEXT)
		return true;
	while (ok && json_array_size(traces) < finding.u)
		ok = json_array_append_new(traces, json_array()) == 0;
	lines = json_array_get(traces, (size_t)finding.u - 1);
	if (ok && json_array_size(lines) < TRIAGE_CELLS) {
		buf_str(&b, json_array_size(lines) + 1 < TRIAGE_CELLS ? text.text : STR("..."));
		if (suspect.type == CELL_BOOL && suspect.u != 0 && str_has_prefix(text.text, STR(" ")))
			buf_str(&b, STR("  (suspect)"));
		ok = !b.bad && piece_put_text(lines, buf_view(&b));
	}
	buf_free(&b);
	return ok || fail(err, E_SYSTEM, "out of memory (page)");
}

static bool
piece_part(json_t *row, const char *field, struct session *session, const char *query,
    bool (*each)(void *to, struct rows *, uint64_t row, struct err *), struct work *w)
{
	json_t *table = json_array();
	struct err ignored;

	return row_put(row, field, table) && rows_each(session, query, w, each, table, &ignored);
}

json_t *
piece_make(struct session *session, const char *key, struct work *w)
{
	json_t *row = json_object();
	struct buf query = BUF_INIT;
	bool ok;

	for (size_t i = 0; i < NELEM(overview); i++)
		buf_printf(&query, "%s%s", i == 0 ? "info | where field ~ /^(" : "|", overview[i].field);
	buf_str(&query, STR(")$/ | select field value"));
	ok = !query.bad && row_put(row, "row", json_string("page")) && row_put(row, "schema", json_integer(TRIAGE_SCHEMA)) &&
	    row_put(row, "key", json_string(key)) && piece_part(row, "overview", session, query.s, piece_add_row, w) &&
	    piece_part(row, "traces", session, "findings | where severity != note | head 15 | leaktrace "
	    "| where line ~ /^(root|hop|mark|note|reference|fold)$/ | select finding suspect text", piece_add_line, w) &&
	    piece_part(row, "classes", session, "classes | where retained > 0 | top 15 retained | select retained objects name",
	    piece_add_row, w);
	buf_free(&query);
	if (ok)
		return row;
	json_decref(row);
	return NULL;
}

/* ---- kept ---------------------------------------------------------------------------------- */

/* False: not a key, and not safe as a file name. */
static bool
piece_name(struct str key, char *name, size_t room)
{
	if (key.n == 0 || key.n >= HASH_TEXT || strspn(key.s, "0123456789abcdef") < key.n)
		return false;
	snprintf(name, room, "%.*s.json", (int)key.n, key.s);
	return true;
}

bool
piece_keep(const struct out_dir *out, const struct triage_block *b, struct err *err)
{
	struct buf text = BUF_INIT, path = BUF_INIT;
	struct out_dir dir = OUT_DIR_INIT;
	struct file f = FILE_INIT;
	char name[HASH_TEXT + 8];
	bool ok;

	if (b->page == NULL || !piece_name(triage_text(b->page, "key"), name, sizeof name))
		return true;
	ok = outdir_below(&dir, out, PIECES, true, err);
	if (ok) {
		outdir_path(&dir, name, &path);
		ok = triage_print(b->page, &text) && !path.bad ? (file_begin(&f, path.s, err) && file_write(&f, text.s, text.n, err) &&
		    file_commit(&f, true, err)) || outdir_fail(&dir, name, err) : fail(err, E_SYSTEM, "out of memory (page)");
	}
	if (!ok)
		file_abandon(&f);
	outdir_close(&dir);
	buf_free(&text);
	buf_free(&path);
	return ok;
}

json_t *
piece_read(const struct out_dir *out, struct str key)
{
	struct out_dir dir = OUT_DIR_INIT;
	char name[HASH_TEXT + 8];
	json_t *found = NULL, *row;
	struct str text;
	struct err err;
	struct map m;
	int fd = -1;

	if (piece_name(key, name, sizeof name) && outdir_below(&dir, out, PIECES, false, &err))
		fd = outdir_file(&dir, name, O_RDONLY, &err);
	if (fd >= 0 && map_open_fd(&m, fd, NULL, &err)) {
		text = (struct str){ (const char *)m.data, m.size < PIECE_MOST ? m.size : 0 };
		row = triage_parse(text);
		found = row != NULL ? triage_row(triage_page, NULL, row) : NULL;
		json_decref(row);
		map_close(&m);
	}
	if (fd >= 0)
		close(fd);
	outdir_close(&dir);
	return found;
}

/* ---- shown ----------------------------------------------------------------------------------- */

static struct str
piece_cell(const json_t *row, size_t i)
{
	const json_t *v = json_array_get(row, i);

	return (struct str){ json_is_string(v) ? json_string_value(v) : "", json_string_length(v) };
}

void
piece_overview(const json_t *piece, struct buf *html)
{
	const json_t *info = json_object_get(piece, "overview"), *row;
	size_t at;

	if (json_array_size(info) == 0)
		return;
	buf_str(html, STR("<h2>Overview</h2>\n<table>\n"));
	for (size_t i = 0; i < NELEM(overview); i++)
		json_array_foreach(info, at, row) {
			if (!str_eq(piece_cell(row, 0), str_of(overview[i].field)))
				continue;
			buf_printf(html, "<tr><th>%s</th><td>", overview[i].label);
			html_text(html, piece_cell(row, 1));
			buf_str(html, STR("</td></tr>\n"));
		}
	buf_str(html, STR("</table>\n"));
}

void
piece_trace(const json_t *piece, uint64_t rank, struct buf *html)
{
	const json_t *lines = rank > 0 ? json_array_get(json_object_get(piece, "traces"), (size_t)rank - 1) : NULL;

	if (json_array_size(lines) == 0)
		return;
	buf_str(html, STR("<pre>"));
	for (size_t i = 0; i < json_array_size(lines); i++) {
		buf_str(html, i > 0 ? STR("\n") : STR(""));
		html_text(html, piece_cell(lines, i));
	}
	buf_str(html, STR("</pre>\n"));
}

void
piece_classes(const json_t *piece, struct buf *html)
{
	const json_t *classes = json_object_get(piece, "classes"), *row;
	size_t i;

	if (json_array_size(classes) == 0)
		return;
	buf_str(html, STR("<h2>Largest classes by retained size</h2>\n<table>\n<tr><th>retained</th><th>objects</th><th>class</th></tr>\n"));
	json_array_foreach(classes, i, row) {
		for (size_t col = 0; col < 3; col++) {
			buf_str(html, col == 0 ? STR("<tr><td class=\"n\">") : col == 1 ? STR("</td><td class=\"n\">") : STR("</td><td>"));
			html_text(html, piece_cell(row, col));
		}
		buf_str(html, STR("</td></tr>\n"));
	}
	buf_str(html, STR("</table>\n"));
}
