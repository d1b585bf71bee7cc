/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * code_rows: rows over bytecode, and the methods that arguments mean.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_code.h"
#include "code_rows.h"

/* ---- access ---------------------------------------------------------------------------------- */

struct access_word {
	uint32_t	bit;
	const char	*method, *class;
};

static const struct access_word access_words[] = {
	{ 0x0001, "public", "public" }, { 0x0002, "private", "private" },
	{ 0x0004, "protected", "protected" },
	{ 0x0008, "static", "static" }, { 0x0010, "final", "final" }, { 0x0020, "synchronized", NULL },
	{ 0x0040, "bridge", NULL }, { 0x0080, "varargs", NULL }, { 0x0100, "native", NULL },
	{ 0x0200, NULL, "interface" },
	{ 0x0400, "abstract", "abstract" }, { 0x0800, "strict", NULL }, { 0x1000, "synthetic", "synthetic" },
	{ 0x2000, NULL, "annotation" }, { 0x4000, NULL, "enum" }, { 0x8000, NULL, "module" },
	{ 0x20000, "synchronized", NULL }
};

static void
put_access(struct buf *b, uint64_t access, bool class)
{
	const char *word;

	for (size_t i = 0; i < NELEM(access_words); i++) {
		word = class ? access_words[i].class : access_words[i].method;
		if (word != NULL && (access & access_words[i].bit) != 0)
			buf_printf(b, "%s%s", b->n > 0 ? " " : "", word);
	}
}

/* ---- cells ----------------------------------------------------------------------------------- */

void
code_rows_cell(struct item_rows *s, uint64_t n, unsigned show, struct cell *c)
{
	const struct code *code = CODE(s);
	struct buf *b = cell_begin(s);
	uint32_t id = (uint32_t)n;

	switch ((enum code_show)show) {
	case CODE_TEXT: code_text(store_text(s->st, n), b); break;
	case CODE_CLASS: code_text(code_class_name(code, id), b); break;
	case CODE_NAME: code_text(code_method_name(code, id), b); break;
	case CODE_METHOD: code_method_told(code, id, b); break;
	case CODE_DESC: code_method_desc(code, id, b); break;
	case CODE_CLASS_ACCESS:
	case CODE_METHOD_ACCESS: put_access(b, n, show == CODE_CLASS_ACCESS); break;
	case CODE_FILE:
		buf_str(b, store_text(s->st, store_cell(s->st, COL_PIECE_NAME,
		    store_cell(s->st, COL_CODE_CLASS_PIECE, id))));
		break;
	case CODE_MORE: break;
	}
	cell_text(&s->rows, c, b);
}

bool
code_rows_begin(struct item_rows *s, const struct stage *stage, struct err *err)
{
	(void)stage;
	(void)err;
	s->rows.reads = COLUMNS_ALL;
	(void)code_open(CODE(s), s->st);
	return true;
}

const struct domain code_domain = { .size = sizeof(struct code), .open = code_rows_begin,
    .cell = code_rows_cell };

/* ---- methods by name -------------------------------------------------------------------------- */

const struct arg_type arg_code_method = { .name = "METHOD", .hint =
    "method of the bytecode: name, glob, /regex/ or @id",
	.regex = true, .look = LOOK_NAMES, .query = "methods", .column = "method" };

/* Append "a.b.C.run". */
static void
code_name_of(const struct store *st, uint32_t method, struct buf *b)
{
	struct code code;

	if (code_open(&code, st))
		code_method_told(&code, method, b);
}

/* Append the name and the descriptor, to distinguish methods of the same name. */
static void
full_name(const struct store *st, uint32_t method, struct buf *b)
{
	struct code code;

	if (!code_open(&code, st))
		return;
	code_method_told(&code, method, b);
	code_method_desc(&code, method, b);
}

static bool
mark_token(const struct code *c, const struct token *t, uint8_t *has, struct err *err)
{
	struct named names = { .what = "method", .query = "methods", .st = c->st, .name = code_name_of,
	    .n = c->nmethods };
	struct str text = t->text;
	struct regex *regex = NULL;
	uint32_t hits = 0;
	uint64_t id;
	bool ok;

	if (t->kind == TOKEN_WORD && str_take(&text, STR("@")) && num_u64(text, 10, &id) && id > 0 &&
	    id <= c->nmethods) {
		has[id] = 1;
		return true;
	}
	if (memchr(t->text.s, '(', t->text.n) != NULL)
		names.name = full_name;
	ok = (t->kind != TOKEN_REGEX || regex_compile(&regex, t, err)) &&
	    named_mark(&names, t, regex, has, &hits, err) && (hits > 0 || fail_no_named(&names, t, err));
	regex_free(regex);
	return ok;
}

/* Constructors and descriptors must be quoted: they contain characters that end a word. */
static bool
code_rows_is_name(const struct token *t, struct err *err)
{
	return t->kind == TOKEN_WORD || t->kind == TOKEN_TEXT || t->kind == TOKEN_REGEX ||
	    t->kind == TOKEN_COMMA ||
	    fail_at(err, E_USAGE, t->at, "put names with '(' or '<' in quotes: 'a.B.<init>', 'a.B.run(I)V'");
}

bool
code_methods_of(const struct code *c, const struct stage *stage, uint32_t **list, uint64_t *n,
    struct err *err)
{
	uint8_t *has = mem_array(c->nmethods + (size_t)1, 1);
	const struct token *t;
	size_t i = 0;
	bool ok;

	*n = 0;
	*list = mem_array(c->nmethods + (size_t)1, sizeof **list);
	ok = (has != NULL && *list != NULL) || fail(err, E_SYSTEM, "out of memory (list of methods)");
	for (size_t k = 0; ok && k < stage->n; k++)
		ok = code_rows_is_name(&stage->token[k], err);
	while (ok && (t = stage_next(stage, &i)) != NULL)
		ok = mark_token(c, t, has, err);
	for (uint32_t id = 1; ok && id <= c->nmethods; id++)
		if (has[id])
			(*list)[(*n)++] = id;
	free(has);
	return ok;
}
