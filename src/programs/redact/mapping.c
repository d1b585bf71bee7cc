/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mapping: old and new names in R8 format, so that the owner of the dump can restore them.
 *
 * A class has one line, even with several class loaders, followed by its members, each once.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "redact.h"

/* Kinds of lines, in their order; types of fields are in between. */
#define LINE_CLASS 0u
#define LINE_FILE 1u
#define LINE_METHOD 255u

struct line {
	uint64_t	class, name;	/* string ids */
	uint8_t		kind;
};

struct listing {
	const struct learned *l;
	const struct redaction *r;
	struct dump_walk w;
	struct idmap	 text;		/* string id to 1 + its row */
	struct idmap	 serial;	/* 1 + serial number of a class, to its row from 1 */
	struct scratch	 texts, lines;	/* struct str, struct line */
	uint64_t	 ntexts, nlines;
	struct buf	*out;
	uint8_t		 to[NAME_MOST];
};

/* ---- names in the dump ------------------------------------------------------------------------------ */

static uint64_t
mapping_id_at(const struct listing *g, uint64_t at)
{
	return heap_id(g->w.d + at, g->w.id_size);
}

static bool
mapping_add_line(struct listing *g, const struct class_layout *c, uint64_t name, unsigned kind)
{
	struct line line = { .class = c == NULL ? 0 : c->name, .name = name, .kind = (uint8_t)kind };

	return line.class == 0 || scratch_add(&g->lines, &g->nlines, &line, sizeof line, g->r->err);
}

static bool
list_class(struct listing *g, const struct heap_record *r)
{
	const struct class_layout *c = layout_of(g->l, r->id);
	struct hprof_members m = hprof_members(g->w.d, g->w.id_size, r);
	bool ok = true;

	while (ok && hprof_member(&m))
		ok = m.list == LIST_CONSTANTS || mapping_add_line(g, c, hprof_member_name(&m), m.type);
	return ok;
}

static bool
list_load(struct listing *g, uint64_t body)
{
	uint64_t class = mapping_id_at(g, body + 4);
	uint32_t row = idmap_get(&g->l->class_of, class);

	return idmap_put(&g->serial, be32(g->w.d + body) + 1ull, row, g->r->err) &&
	    mapping_add_line(g, layout_of(g->l, class), mapping_id_at(g, body + 8 + g->w.id_size),
	    LINE_CLASS);
}

static bool
list_frame(struct listing *g, uint64_t body)
{
	const unsigned id = g->w.id_size;
	uint32_t row = idmap_get(&g->serial, be32(g->w.d + body + 4 * id) + 1ull);
	const struct class_layout *c = row == 0 ? NULL :
	    &SCRATCH(g->l->classes, struct class_layout)[row - 1];

	return mapping_add_line(g, c, mapping_id_at(g, body + id), LINE_METHOD) &&
	    mapping_add_line(g, c, mapping_id_at(g, body + 3 * id), LINE_FILE);
}

static bool
list_piece(struct listing *g, const struct dump_piece *p)
{
	struct str text = { (const char *)g->w.d + p->body, p->end - p->body };

	if (p->heap)
		return p->kind != PIECE_CLASS || list_class(g, &p->record);
	if (p->kind == PIECE_STRING && (idmap_get(&g->l->use, p->id) & USE_NAME) != 0 && text.n <= NAME_MOST)
		return scratch_add(&g->texts, &g->ntexts, &text, sizeof text, g->r->err) &&
		    idmap_put(&g->text, p->id, (uint32_t)g->ntexts, g->r->err);
	if (p->at == 0 || p->body <= p->at + 9)
		return true;
	return p->tag == RECORD_LOAD_CLASS ? list_load(g, p->at + 9) : p->tag != RECORD_FRAME ||
	    list_frame(g, p->at + 9);
}

static int
mapping_by_class(const void *x, const void *y)
{
	const struct line *a = x, *b = y;

	return num_order(a->class, b->class, num_order(a->kind, b->kind, num_order(a->name, b->name, 0)));
}

/* ---- lines --------------------------------------------------------------------------------------------- */

/* Append a name and its replacement; false: the name is kept, or cannot be written to a line. */
static bool
mapping_both(struct listing *g, uint64_t id, struct str *was, struct str *is)
{
	uint32_t row = idmap_get(&g->text, id);

	if (row == 0)
		return false;
	*was = SCRATCH(g->texts, struct str)[row - 1];
	*is = (struct str){ (const char *)g->to, was->n };
	name_mask(g->r->key, g->l, g->r->o->names, idmap_get(&g->l->use, id), *was, g->to);
	for (size_t i = 0; i < was->n; i++)
		if ((unsigned char)was->s[i] < ' ' || is_one_of(was->s[i], "(:\"\\"))
			return false;
	return was->n > 0 && was->s[0] != '[' && !str_eq(*was, *is) &&
	    memmem(was->s, was->n, " -> ", 4) == NULL;
}

static void
put_dotted(struct listing *g, struct str name)
{
	for (size_t i = 0; i < name.n; i++)
		buf_chr(g->out, name_dot(name.s[i]));
}

static void
put_member(struct listing *g, const struct line *line, struct str was, struct str is)
{
	static const char *const types[] = {
		[HEAP_BOOLEAN] = "boolean", [HEAP_CHAR] = "char", [HEAP_FLOAT] = "float",
		[HEAP_DOUBLE] = "double", [HEAP_BYTE] = "byte", [HEAP_SHORT] = "short", [HEAP_INT] = "int",
		[HEAP_LONG] = "long"
	};
	const char *type = line->kind == LINE_METHOD ? "void" :
	    line->kind < NELEM(types) && types[line->kind] != NULL ? types[line->kind] : "java.lang.Object";

	buf_printf(g->out, "    %s ", type);
	buf_str(g->out, was);
	buf_str(g->out, line->kind == LINE_METHOD ? STR("() -> ") : STR(" -> "));
	buf_str(g->out, is);
	buf_chr(g->out, '\n');
}

static bool
mapping_put_lines(struct listing *g)
{
	const struct line *line = SCRATCH(g->lines, struct line);
	struct str was, is;
	uint64_t class = 0, file = 0;

	for (uint64_t i = 0; i < g->nlines; i++) {
		if (!work_go(g->w.work, i, g->r->err))
			return false;
		if ((i > 0 && mapping_by_class(&line[i - 1], &line[i]) == 0) ||
		    (line[i].kind != LINE_CLASS && line[i].class != class) ||
		    (line[i].kind == LINE_FILE && line[i].class == file) ||
		    !mapping_both(g, line[i].name, &was, &is))
			continue;
		if (line[i].kind == LINE_CLASS) {
			class = line[i].class;
			put_dotted(g, was);
			buf_str(g->out, STR(" -> "));
			put_dotted(g, is);
			buf_str(g->out, STR(":\n"));
		} else if (line[i].kind == LINE_FILE) {
			file = line[i].class;
			buf_printf(g->out, "# {\"id\":\"sourceFile\",\"fileName\":\"%.*s\"}\n", (int)was.n,
			    was.s);
		} else
			put_member(g, &line[i], was, is);
	}
	return !g->out->bad || fail(g->r->err, E_SYSTEM, "out of memory (mapping)");
}

bool
mapping_lines(const struct redaction *r, const struct learned *l, struct buf *out)
{
	struct listing *g = mem_array(1, sizeof *g);
	struct dump_piece p;
	bool end = false, ok;

	if (g == NULL)
		return fail(r->err, E_SYSTEM, "out of memory (mapping)");
	*g = (struct listing){ .l = l, .r = r, .text = IDMAP_INIT, .serial = IDMAP_INIT, .texts = SCRATCH_INIT,
	    .lines = SCRATCH_INIT,
	    .out = out };
	work_start_bytes(r->work, "mapping", r->in->size);
	ok = walk_begin(&g->w, r->in, r->work, r->err);
	while (ok && walk_next(&g->w, &p, &end))
		ok = list_piece(g, &p);
	ok = ok && end;
	if (ok && g->nlines > 0)
		qsort(g->lines.data, g->nlines, sizeof(struct line), mapping_by_class);
	ok = ok && mapping_put_lines(g);
	idmap_free(&g->text);
	idmap_free(&g->serial);
	SCRATCH_FREE(&g->texts, &g->lines);
	free(g);
	return ok;
}
