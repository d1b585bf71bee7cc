/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * page: rows in both forms of an answer, text and JSON, as many as a budget takes.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "mcp.h"

#define NOTES_MOST 400u		/* bytes of all notes, in one form */
#define RESERVE (2 * NOTES_MOST + 500)	/* bytes around the rows: cursor, notes, the envelope */
#define BREAKS "\t\n\r"
#define EXACT ((uint64_t)1 << 53)	/* above it readers of JSON round */

/* Bytes that more of the answer takes: the text is sent as a string of JSON. */
static size_t
sent_size(const struct page *p, const struct buf *text, const struct buf *object)
{
	return text_json_size(buf_view(text)) + (p->call->plain ? 0 : object->n);
}

void
page_begin(struct page *p, const struct call *call)
{
	*p = (struct page){ .call = call, .text_most = PAGE_TEXT_MOST };
	buf_str(&p->object, STR("{\"columns\":["));
}

void
page_column(struct page *p, const char *name, enum cell_type type)
{
	const char *unit = cell_unit(type);

	buf_str(&p->text, p->cols > 0 ? STR("\t") : STR(""));
	text_fit_buf(&p->text, str_of(name));
	buf_str(&p->object, p->cols++ > 0 ? STR(",{\"name\":") : STR("{\"name\":"));
	message_raw(&p->object, str_of(name));
	buf_printf(&p->object, ",\"type\":\"%s\"", cell_type_name(type));
	if (unit[0] != '\0') {
		buf_printf(&p->text, " (%s)", unit);
		buf_printf(&p->object, ",\"unit\":\"%s\"", unit);
	}
	buf_chr(&p->object, '}');
}

void
page_row(struct page *p)
{
	if (p->rows == 0 && p->size == 0) {
		buf_chr(&p->text, '\n');
		buf_str(&p->object, STR("],\"rows\":["));
		p->size = sent_size(p, &p->text, &p->object);
	}
	buf_clear(&p->line);
	buf_clear(&p->row);
	buf_str(&p->row, p->rows > 0 ? STR(",[") : STR("["));
}

static void
page_put_text(struct page *p, struct str raw)
{
	struct buf b = BUF_INIT;
	/* The gate never drops text, so reading more would not show more. */
	struct str part, rest = str_head(raw, 2 * PAGE_TEXT_MOST);
	int byte;

	do {
		byte = str_split_any(&rest, BREAKS, &part);
		text_fit_buf(&b, part);
		if (byte >= 0)
			buf_chr(&b, BREAKS[byte]);
	} while (byte >= 0);
	if (b.n > p->text_most) {
		b.n = p->text_most;
		while (b.n > 0 && (b.s[b.n] & 0xc0) == 0x80)
			b.n--;
		buf_str(&b, STR("\xe2\x80\xa6"));
	}
	text_backslash(&p->line, buf_view(&b), BREAKS "\\", "tnr\\", buf_str);
	message_text(&p->row, buf_view(&b));
	p->row.bad |= b.bad;
	buf_free(&b);
}

/* Whether a value cannot be a number in JSON, or is one that some readers round. */
static bool
is_quoted(const struct cell *c)
{
	switch (c->type) {
	case CELL_ADDR:
	case CELL_DECIMAL:
		return true;
	case CELL_REAL:
	case CELL_PERCENT:
		return !isfinite(c->f);
	case CELL_INT:
		return c->i > (int64_t)EXACT || c->i < -(int64_t)EXACT;
	case CELL_BOOL:
		return false;
	default:
		return c->u > EXACT;
	}
}

void
page_cell(struct page *p, const struct cell *c)
{
	bool quoted;

	if (p->row.n > 0 && p->row.s[p->row.n - 1] != '[') {
		buf_chr(&p->line, '\t');
		buf_chr(&p->row, ',');
	}
	if (c->type == CELL_NONE)
		buf_str(&p->row, STR("null"));
	else if (c->type == CELL_TEXT)
		page_put_text(p, c->text);
	else {
		cell_plain(c, &p->line);
		quoted = is_quoted(c);
		if (quoted)
			buf_chr(&p->row, '"');
		cell_plain(c, &p->row);
		if (quoted)
			buf_chr(&p->row, '"');
	}
}

bool
page_keep(struct page *p)
{
	size_t more;

	buf_chr(&p->line, '\n');
	buf_chr(&p->row, ']');
	more = sent_size(p, &p->line, &p->row);
	if (!p->row.bad && p->size + more + RESERVE > p->call->o->budget)
		return false;
	p->size += more;
	p->object.bad |= p->row.bad || p->line.bad;
	buf_str(&p->text, buf_view(&p->line));
	buf_str(&p->object, buf_view(&p->row));
	p->rows++;
	return true;
}

bool
page_shorten(struct page *p, struct err *err)
{
	p->text_most = p->text_most > 200 ? 200 : p->text_most / 4;
	return p->text_most >= 3 || fail(err, E_USAGE, "a row takes more than %zu bytes; select fewer columns",
	    (size_t)p->call->o->budget);
}

/* Add the notes that fit. */
static void
put_notes(struct page *p, struct buf *head, const char *const *notes)
{
	size_t left = NOTES_MOST, size;
	bool some = false;

	for (; *notes != NULL; notes++) {
		size = text_json_size(str_of(*notes)) + strlen("note: \\n");
		if (size > left)
			continue;
		left -= size;
		buf_str(head, STR("note: "));
		text_fit_buf(head, str_of(*notes));
		buf_chr(head, '\n');
		buf_str(&p->object, some ? STR(",") : STR(",\"notes\":["));
		message_raw(&p->object, str_of(*notes));
		some = true;
	}
	if (some)
		buf_chr(&p->object, ']');
}

void
page_end(struct page *p, struct call *call, struct str cursor, uint64_t total, const char *const *notes)
{
	struct buf *head = &call->out;

	page_row(p);
	buf_printf(&p->object, "],\"more\":%s", cursor.n > 0 ? "true" : "false");
	buf_printf(head, "%s: %zu %s", call->tool->name, p->rows, p->rows == 1 ? "row" : "rows");
	if (total != UINT64_MAX) {
		buf_printf(&p->object, ",\"total\":%llu", (unsigned long long)total);
		buf_printf(head, " of %llu", (unsigned long long)total);
	}
	if (cursor.n > 0) {
		buf_str(&p->object, STR(",\"cursor\":"));
		message_text(&p->object, cursor);
		buf_printf(head, ", more with cursor %.*s", (int)cursor.n, cursor.s);
	}
	buf_chr(head, '\n');
	put_notes(p, head, notes);
	buf_chr(head, '\n');
	buf_str(head, buf_view(&p->text));
	head->bad |= p->text.bad;
	buf_chr(&p->object, '}');
	buf_free(&call->object);
	call->object = p->object;
	p->object = BUF_INIT;
}

void
page_free(struct page *p)
{
	buf_free(&p->text);
	buf_free(&p->object);
	buf_free(&p->line);
	buf_free(&p->row);
}
