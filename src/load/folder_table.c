/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * folder_table: a list of files as the text of a table.
 */
#include "config.h"

#include "folder_table.h"

const struct ask_options folder_asks = { .sep = ",", .header = "yes", .decimal = "." };

/* Append a cell in quotes, with bytes that cannot be shown escaped. */
static void
folder_put_text(struct buf *b, struct str text)
{
	struct buf safe = BUF_INIT;

	text_escape(&safe, text);
	buf_chr(b, '"');
	for (size_t i = 0; i < safe.n; i++) {
		buf_chr(b, safe.s[i]);
		if (safe.s[i] == '"')
			buf_chr(b, '"');
	}
	buf_chr(b, '"');
	b->bad |= safe.bad;
	buf_free(&safe);
}

void
folder_head(struct buf *b)
{
	buf_str(b, STR("name,kind,size,age,used,path\n"));
}

void
folder_row(struct buf *b, const struct folder_row *r)
{
	folder_put_text(b, r->name);
	buf_chr(b, ',');
	folder_put_text(b, r->kind);
	buf_chr(b, ',');
	if (r->sized)
		buf_printf(b, "%ju", (uintmax_t)r->size);
	buf_chr(b, ',');
	if (r->aged)
		buf_printf(b, "%jd", (intmax_t)r->age);
	buf_printf(b, ",%s,", r->recent ? "recently" : "");
	folder_put_text(b, r->path);
	buf_chr(b, '\n');
}
