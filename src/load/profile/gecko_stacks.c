/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables that samples of a Firefox profile refer to: strings, functions, frames, stacks. They belong to one thread,
 * or several threads share them.
 */
#include "config.h"

#include <assert.h>

#include "gecko.h"

struct func {
	uint32_t	name, file, source, resource;	/* 1 + row; 0: none */
	uint64_t	line;		/* lowest address; 0: unknown */
};

struct frame_row {
	uint32_t	name;		/* 1 + row of strings, in raw profiles */
	uint32_t	func, lib;	/* 1 + row */
	uint32_t	category, subcategory;	/* 1 + row; 0: that of the caller */
	uint32_t	id;		/* id in samples; 0: not known yet */
	uint32_t	caller, ncallers;	/* row of callers */
	uint64_t	address;	/* address in its library; UINT64_MAX: unknown */
	char		kind;
};

struct stack_row {
	uint32_t	frame, prefix;	/* 1 + row */
	uint32_t	category[2];
	uint32_t	id;		/* id in samples; 0: not known yet */
};

struct resource {
	uint32_t	lib, name;	/* 1 + row */
};

#define ROW(g, table, type, row) (&SCRATCH((g)->table, struct type)[(row) - 1])

/* ---- positions of texts ---------------------------------------------------------------------- */

struct str
gecko_string(const struct gecko *g, uint32_t row)
{
	return row == 0 || row > g->nstrings ? STR("") : SCRATCH(g->strings, struct str)[row - 1];
}

static void
load_strings(struct gecko *g, struct json j)
{
	struct str text;

	g->nstrings = 0;
	if (!scan_open(&j, '['))
		return;
	while (scan_item(&j) && into_go(g->to, j.at)) {
		text = STR("");
		if (!(scan_peek(&j) == '"' ? scan_word(&j, &text) : scan_skip(&j)))
			break;
		INTO_ROW(g->to, g->strings, g->nstrings, text, "strings");
	}
}

#define LIBRARY(W, V, O) W(name)
JLOAD_SHAPE(library, LIBRARY)

static void
load_libs(struct gecko *g, struct json j)
{
	g->nlibs = 0;
	JSON_EACH(j, item) {
		struct library at = library_read(g->l, item);

		if (item_rest.bad)
			break;
		INTO_ROW(g->to, g->libs_of, g->nlibs, at.name, "libraries");
	}
}

/* ---- tables --------------------------------------------------------------------------------------- */

static void
add_func(struct gecko *g, const struct str *value)
{
	struct func new = {
		gecko_index(g, value[FUNC_NAME], g->nstrings), gecko_index(g, value[FUNC_FILE], g->nstrings),
		gecko_index(g, value[FUNC_SOURCE], g->nsources),
		    gecko_index(g, value[FUNC_RESOURCE], g->nresources), 0,
	};

	if (!num_u64(value[FUNC_LINE], 10, &new.line))
		new.line = 0;
	INTO_ROW(g->to, g->funcs, g->nfuncs, new, "functions");
}

/* A missing category is that of the caller, like null. Old profiles have bit masks in place of names. */
static uint32_t
category_of(struct gecko *g, struct str s)
{
	return g->cat.n == 0 ? 0 : gecko_index(g, s, g->cat.n);
}

static void
gecko_stacks_add_frame(struct gecko *g, const struct str *value)
{
	struct frame_row new = {
		.name = gecko_index(g, value[FRAME_LOCATION], g->nstrings),
		.func = gecko_index(g, value[FRAME_FUNC], g->nfuncs),
		.lib = gecko_index(g, value[FRAME_LIB], g->nlibs), .category = category_of(g, value[FRAME_CATEGORY]),
		.subcategory = gecko_index(g, value[FRAME_SUBCATEGORY], UINT32_MAX),
	};
	uint64_t depth;

	new.kind = num_u64(value[FRAME_INLINE], 10, &depth) && depth > 0 ? 'i' : 0;
	if (g->names == NULL || !num_u64(value[FRAME_ADDRESS], 10, &new.address))
		new.address = UINT64_MAX;
	INTO_ROW(g->to, g->frames, g->nframes, new, "frames");
}

/* A stack must come after its prefix; any other order would allow cycles. */
static void
add_stack(struct gecko *g, const struct str *value)
{
	struct stack_row new = {
		.frame = gecko_index(g, value[STACK_FRAME], g->nframes),
		.category = { category_of(g, value[STACK_CATEGORY]),
		gecko_index(g, value[STACK_SUBCATEGORY], UINT32_MAX) },
	};
	uint64_t row = g->nstacks, prefix = UINT64_MAX;
	bool is_offset = value[STACK_OFFSET].n > 0;
	struct str text = value[is_offset ? STACK_OFFSET : STACK_PREFIX];

	if (num_u64(text, 10, &prefix) && is_offset)
		prefix = prefix == 0 ? UINT64_MAX : row - prefix;
	if (prefix < row)
		new.prefix = (uint32_t)prefix + 1;
	else
		g->counts.bad_prefix += text.n > 0 && !str_eq(text, STR("-1")) &&
		    !(is_offset && str_eq(text, STR("0")));
	assert(new.prefix <= row);
	INTO_ROW(g->to, g->stacks, g->nstacks, new, "stacks");
}

static void
add_resource(struct gecko *g, const struct str *value)
{
	struct resource new = { gecko_index(g, value[RESOURCE_LIB], g->nlibs),
	    gecko_index(g, value[RESOURCE_NAME], g->nstrings) };

	INTO_ROW(g->to, g->resources, g->nresources, new, "libraries");
}

static void
add_source(struct gecko *g, const struct str *value)
{
	uint32_t file = gecko_index(g, value[SOURCE_FILE], g->nstrings);

	INTO_ROW(g->to, g->sources, g->nsources, file, "sources");
}

/*
 * Load a table of the thread or, by default, the shared one.  *new: in: a table that it refers to is new;
 * out: this one is new.
 */
static void
load_table(struct gecko *g, enum gecko_name name, uint64_t *n, bool *new,
    void (*add)(struct gecko *, const struct str *))
{
	bool shared = !g->own.table[name].there;
	struct gecko_table t = shared ? g->shared.table[name] : g->own.table[name];

	if (shared && g->is_shared[name] && !*new)
		return;
	g->is_shared[name] = shared;
	*new = true;
	*n = 0;
	while (gecko_table_next(&t) && into_go(g->to, gecko_table_at(&t)))
		add(g, t.value);
}

/* Load the tables of the thread.  A table is rebuilt if a table that it refers to was rebuilt. */
void
gecko_lookups(struct gecko *g)
{
	bool shared = !json_is(g->own.strings) && !json_is(g->own.libs), new = !shared || !g->is_shared[GECKO_TABLES];

	g->is_shared[GECKO_TABLES] = shared;
	if (new) {
		load_strings(g, json_is(g->own.strings) ? g->own.strings : g->shared.strings);
		load_libs(g, json_is(g->own.libs) ? g->own.libs : g->libs);
	}
	load_table(g, GECKO_SOURCES, &g->nsources, &new, add_source);
	load_table(g, GECKO_RESOURCES, &g->nresources, &new, add_resource);
	load_table(g, GECKO_FUNCS, &g->nfuncs, &new, add_func);
	load_table(g, GECKO_FRAMES, &g->nframes, &new, gecko_stacks_add_frame);
	load_table(g, GECKO_STACKS, &g->nstacks, &new, add_stack);
}

void
gecko_lookups_forget(struct gecko *g)
{
	for (size_t i = 0; i <= GECKO_TABLES; i++)
		g->is_shared[i] = false;
}

/* ---- stacks -------------------------------------------------------------------------------------- */

static const struct resource *
resource_of(const struct gecko *g, const struct func *func)
{
	return func == NULL || func->resource == 0 ? NULL : ROW(g, resources, resource, func->resource);
}

/* Return 1 + row of the frame's library; 0: unknown. */
static uint32_t
library_of(const struct gecko *g, const struct frame_row *f, const struct func *func)
{
	const struct resource *r = resource_of(g, func);

	assert(f->lib <= g->nlibs && (r == NULL || r->lib <= g->nlibs));
	return f->lib != 0 ? f->lib : r != NULL ? r->lib : 0;
}

static struct str
module_of(struct gecko *g, const struct frame_row *f, const struct func *func)
{
	uint32_t lib = library_of(g, f, func);
	const struct resource *r = resource_of(g, func);

	return scan_unescape(lib != 0 ? SCRATCH(g->libs_of, struct str)[lib - 1] :
	    gecko_string(g, r == NULL ? 0 : r->name), &g->l->name);
}

/* Add the functions of an address; the innermost is that of the frame. */
static void
name_natively(struct gecko *g, struct frame_row *f, const struct func *func, struct str name, struct str module)
{
	uint32_t lib = library_of(g, f, func), id;
	const struct native_frame *frame;
	uint64_t address;
	size_t n = 0;

	if (f->address == UINT64_MAX || lib == 0 || g->nprocesses > 1 || json_is(g->own.libs) ||
	    !str_take(&name, STR("0x")) || !num_u64(name, 16, &address))
		return;
	INTO(g->to, native_names_at(g->names, lib - 1, f->address, &frame, &n, g->to->err));
	f->caller = (uint32_t)g->ncallers;
	for (size_t i = 0; i < n && !g->to->bad; i++) {
		id = INTO_ID(g->to, samples_placed(&g->l->samples, frame[i].name, frame[i].file, module,
		    i > 0 ? 'i' : f->kind, g->to->err));
		if (i + 1 < n)
			INTO_ROW(g->to, g->callers, g->ncallers, id, "frames");
		if (id != 0)
			samples_line(&g->l->samples, id, frame[i].line);
		f->id = id;
	}
	f->ncallers = (uint32_t)g->ncallers - f->caller;
}

/* Take ":123" off the end. */
static bool
take_number(struct str *s, uint64_t *v)
{
	struct str before, digits;

	if (!str_divide_last(*s, ':', &before, &digits) || digits.n == 0 || str_digits(digits) != digits.n ||
	    !num_u64(digits, 10, v))
		return false;
	*s = before;
	return true;
}

/* Where a function of JavaScript begins; line 0: unknown. */
struct js_place {
	struct str	file;
	uint64_t	line, column;
};

/* "FILE:LINE:COLUMN" or "FILE:LINE". */
static bool
js_place_read(struct str s, struct js_place *p)
{
	p->file = s;
	p->column = 0;
	if (!take_number(&p->file, &p->line))
		return false;
	p->column = p->line;
	if (!take_number(&p->file, &p->line))
		p->column = 0;
	return p->file.n > 0;
}

/* The text in the last brackets, if the text ends with them; otherwise all of it. */
static struct str
in_brackets(struct str s)
{
	if (s.n == 0 || s.s[s.n - 1] != ')')
		return s;
	for (size_t at = s.n - 1; at-- > 0; )
		if (s.s[at] == '(' && (at == 0 || s.s[at - 1] == ' '))
			return (struct str){ s.s + at + 1, s.n - at - 2 };
	return s;
}

/*
 * Take the number of the source off "NAME (FILE:LINE:COLUMN)[SOURCE]" or "FILE:LINE:COLUMN[SOURCE]": it is a row of
 * the table "sources" of the process, so it differs from process to process.  False: another text.
 */
static bool
take_source(struct gecko *g, struct str *text, struct js_place *p)
{
	struct str before, digits;
	uint64_t source;

	if (text->n == 0 || text->s[text->n - 1] != ']' || !str_divide_last((struct str){ text->s, text->n - 1 }, '[',
	    &before, &digits) || digits.n == 0 || str_digits(digits) != digits.n || !num_u64(digits, 10, &source))
		return false;
	if (!js_place_read(in_brackets(before), p))
		return false;
	*text = before;
	if (source < g->nraw_sources && SCRATCH(g->raw_sources, struct str)[source].n > 0) {
		p->file = scan_unescape(SCRATCH(g->raw_sources, struct str)[source], &g->l->file);
		into_made(g->to, &g->l->file);
	}
	return true;
}

void
gecko_raw_sources(struct gecko *g, struct json j)
{
	struct gecko_table t;

	g->nraw_sources = 0;
	gecko_table_open(g->l, &j, &gecko_source_form, &t);
	while (gecko_table_next(&t) && into_go(g->to, gecko_table_at(&t)))
		INTO_ROW(g->to, g->raw_sources, g->nraw_sources, t.value[SOURCE_FILE], "sources");
}

/* Name a frame after its function, the source file of the function and the library. */
static void
gecko_stacks_name_frame(struct gecko *g, struct frame_row *f)
{
	const struct func *func = f->func == 0 ? NULL : ROW(g, funcs, func, f->func);
	struct str name = jload_text(g->l, gecko_string(g,
	    f->name != 0 ? f->name : func == NULL ? 0 : func->name)), module, file;
	uint32_t row = func == NULL ? 0 : func->file;
	struct js_place js = { .line = 0 };

	if (f->name != 0 && take_source(g, &name, &js)) {
		f->id = INTO_ID(g->to, samples_begun(&g->l->samples, name, js.file, js.line, js.column, g->to->err));
		return;
	}
	if (func != NULL && func->source != 0)
		row = SCRATCH(g->sources, uint32_t)[func->source - 1];
	file = scan_unescape(gecko_string(g, row), &g->l->file);
	module = module_of(g, f, func);
	into_made(g->to, &g->l->file);
	into_made(g->to, &g->l->name);
	name_natively(g, f, func, name, module);
	if (f->id != 0)
		return;
	f->id = INTO_ID(g->to, samples_placed(&g->l->samples, name.n == 0 ? STR("[unknown]") : name, file,
	    module, f->kind, g->to->err));
	if (f->id != 0 && func != NULL)
		samples_line(&g->l->samples, f->id, func->line);
}

/* Build a stack on top of its prefix, which is already built. */
static void
make_stack(struct gecko *g, struct stack_row *s)
{
	const struct stack_row *prefix = s->prefix == 0 ? NULL : ROW(g, stacks, stack_row, s->prefix);
	struct frame_row *f = s->frame == 0 ? NULL : ROW(g, frames, frame_row, s->frame);
	uint32_t parent = prefix == NULL ? 0 : prefix->id;

	assert(s->prefix <= g->nstacks && s->frame <= g->nframes && (prefix == NULL || prefix->id != 0));
	if (s->category[0] == 0 && f != NULL) {
		s->category[0] = f->category;
		s->category[1] = f->subcategory;
	}
	if (s->category[0] == 0 && prefix != NULL) {
		s->category[0] = prefix->category[0];
		s->category[1] = prefix->category[1];
	}
	if (f != NULL && f->id == 0)
		gecko_stacks_name_frame(g, f);
	for (uint32_t i = 0; f != NULL && i < f->ncallers; i++)
		parent = into_stack(g->to, parent, SCRATCH(g->callers, uint32_t)[f->caller + i]);
	s->id = into_stack(g->to, parent, f != NULL ? f->id : into_frame(g->to, STR("[unknown]")));
}

uint32_t
gecko_stack(struct gecko *g, uint32_t row, uint32_t category[2])
{
	const struct stack_row *s;
	uint64_t n = 0;

	assert(row != 0 && row <= g->nstacks);
	for (uint32_t at = row; at != 0 && ROW(g, stacks, stack_row, at)->id == 0; at = ROW(g, stacks,
	    stack_row, at)->prefix)
		INTO_ROW(g->to, g->path, n, at, "frames of a stack");
	while (n-- > 0 && !g->to->bad)
		make_stack(g, ROW(g, stacks, stack_row, SCRATCH(g->path, uint32_t)[n]));
	s = ROW(g, stacks, stack_row, row);
	assert(g->to->bad || s->id != 0);
	category[0] = s->category[0];
	category[1] = s->category[1];
	return s->id;
}
