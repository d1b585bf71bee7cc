/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * piece: what only the page of a file shows: the parts of its report, as HTML.
 *
 * The process that reads the file makes them as a row. It is stored in a file of its own next to the rows,
 * because it is larger than all rows of the file.
 */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "retain.h"

#define PIECES "pieces"
#define PIECE_MOST (TRIAGE_PAGE * 6ull + 4096)	/* maximum bytes of a file: JSON escapes a byte by at most six */

void
piece_make(struct session *session, const char *key, struct triage_row *row, struct work *w)
{
	const struct report_options o = { .page = PAGE_REPORT, .format = FORMAT_HTML, .parts = true,
	    .no_hash = true };
	struct err ignored;
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);
	bool ok = f != NULL && report_prepare(session, &o, w, &ignored) &&
	    report_print(session, &o, f, w, &ignored);

	if ((f == NULL || fclose(f) == 0) && ok) {
		begin_row(row, "page");
		triage_put_text(row, "key", str_of(key));
		triage_put_text(row, "parts", (struct str){ text, n });
	}
	free(text);
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

	if (!piece_name(triage_text(&b->page, "key"), name, sizeof name))
		return true;
	ok = outdir_below(&dir, out, PIECES, true, err);
	if (ok) {
		outdir_path(&dir, name, &path);
		ok = triage_print(&b->page, &text) && !path.bad ?
		    (file_begin(&f, path.s, err) && file_write(&f, text.s, text.n, err) &&
		    file_commit(&f, true, err)) || outdir_fail(&dir, name, err) :
		    fail(err, E_SYSTEM, "out of memory (page)");
	}
	if (!ok)
		file_abandon(&f);
	outdir_close(&dir);
	buf_free(&text);
	buf_free(&path);
	return ok;
}

void
piece_read(const struct out_dir *out, struct str key, struct triage_row *found)
{
	struct out_dir dir = OUT_DIR_INIT;
	char name[HASH_TEXT + 8];
	struct triage_row row;
	struct err err;
	struct map m;
	int fd = -1;

	*found = (struct triage_row){ .n = 0 };
	if (piece_name(key, name, sizeof name) && outdir_below(&dir, out, PIECES, false, &err))
		fd = outdir_file(&dir, name, O_RDONLY, &err);
	if (fd >= 0 && map_open_fd(&m, fd, NULL, NULL, &err)) {
		if (triage_parse((struct str){ (const char *)m.data, m.size < PIECE_MOST ? m.size : 0 },
		    &row))
			triage_fill(found, triage_page, NULL, &row);
		triage_row_free(&row);
		map_close(&m);
	}
	if (fd >= 0)
		close(fd);
	outdir_close(&dir);
}

void
piece_forget(const struct out_dir *out, struct str key)
{
	struct out_dir dir = OUT_DIR_INIT;
	char name[HASH_TEXT + 8];
	struct err ignored;

	if (piece_name(key, name, sizeof name) && outdir_below(&dir, out, PIECES, false, &ignored))
		(void)unlinkat(dir.fd, name, 0);
	outdir_close(&dir);
}
