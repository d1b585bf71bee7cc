/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * page: rows as JSON, as many as a budget takes.
 */
#include "config.h"

#include <math.h>

#include "mcp.h"

#define RESERVE 700u		/* bytes for everything around the rows: cursor, notes, the envelope */
#define EXACT ((uint64_t)1 << 53)	/* above it readers of JSON round */

/* Bytes that more of the object takes: inside of a text its quotes are escaped once more. */
static size_t
sent_size(const struct page *p, struct str json)
{
	return p->call->plain ? text_json_size(json) : json.n;
}

void
page_begin(struct page *p, const struct call *call)
{
	*p = (struct page){ .call = call, .text_most = PAGE_TEXT_MOST };
	buf_str(&p->out, STR("{\"columns\":["));
}

static const char *
page_unit_of(enum cell_type type)
{
	return type == CELL_BYTES ? "bytes" : type == CELL_TIME ? "ns" : type == CELL_PERCENT ? "%" : NULL;
}

void
page_column(struct page *p, const char *name, enum cell_type type)
{
	const char *unit = page_unit_of(type);

	buf_str(&p->out, p->cols++ > 0 ? STR(",{\"name\":") : STR("{\"name\":"));
	message_raw(&p->out, str_of(name));
	buf_printf(&p->out, ",\"type\":\"%s\"", cell_type_name(type));
	if (unit != NULL)
		buf_printf(&p->out, ",\"unit\":\"%s\"", unit);
	buf_chr(&p->out, '}');
}

void
page_row(struct page *p)
{
	if (p->rows == 0 && p->size == 0) {
		buf_str(&p->out, STR("],\"rows\":["));
		p->size = sent_size(p, buf_view(&p->out));
	}
	buf_clear(&p->row);
	buf_str(&p->row, p->rows > 0 ? STR(",[") : STR("["));
}

static void
page_put_text(struct page *p, struct str raw)
{
	char text[PAGE_TEXT_MOST + 1];
	struct buf b = BUF_INIT;
	/* The gate never drops text, so reading more would not show more. */
	bool cut = text_fit(text, p->text_most + 1, str_head(raw, 2 * PAGE_TEXT_MOST)) > p->text_most;

	buf_str(&b, str_of(text));
	if (cut)
		buf_str(&b, STR("\xe2\x80\xa6"));
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

	if (p->row.n > 0 && p->row.s[p->row.n - 1] != '[')
		buf_chr(&p->row, ',');
	if (c->type == CELL_NONE)
		buf_str(&p->row, STR("null"));
	else if (c->type == CELL_TEXT)
		page_put_text(p, c->text);
	else {
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

	buf_chr(&p->row, ']');
	more = sent_size(p, buf_view(&p->row));
	if (!p->row.bad && p->size + more + RESERVE > p->call->o->budget)
		return false;
	p->size += more;
	p->out.bad |= p->row.bad;
	buf_str(&p->out, buf_view(&p->row));
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
put_notes(struct page *p, const char *const *notes)
{
	size_t left = RESERVE - 300;
	bool some = false;

	for (; *notes != NULL; notes++) {
		if (sent_size(p, str_of(*notes)) + 3 > left)
			continue;
		left -= sent_size(p, str_of(*notes)) + 3;
		buf_str(&p->out, some ? STR(",") : STR(",\"notes\":["));
		message_raw(&p->out, str_of(*notes));
		some = true;
	}
	if (some)
		buf_chr(&p->out, ']');
}

void
page_end(struct page *p, struct call *call, struct str cursor, uint64_t total, const char *const *notes)
{
	page_row(p);
	buf_printf(&p->out, "],\"more\":%s", cursor.n > 0 ? "true" : "false");
	buf_printf(&call->summary, "%zu %s", p->rows, p->rows == 1 ? "row" : "rows");
	if (total != UINT64_MAX) {
		buf_printf(&p->out, ",\"total\":%llu", (unsigned long long)total);
		buf_printf(&call->summary, " of %llu", (unsigned long long)total);
	}
	if (cursor.n > 0) {
		buf_str(&p->out, STR(",\"cursor\":"));
		message_text(&p->out, cursor);
		buf_printf(&call->summary, ", more: cursor %.*s", (int)cursor.n, cursor.s);
	}
	put_notes(p, notes);
	buf_chr(&p->out, '}');
	buf_free(&call->out);
	call->out = p->out;
	p->out = BUF_INIT;
}

void
page_free(struct page *p)
{
	buf_free(&p->out);
	buf_free(&p->row);
}
