/*
 * print_json: an object for each row, one a line.
 *
 * The library that knows how texts are escaped asks for memory several times
 * a text.  It gets pieces of one block, which is empty again after each text.
 */
#include "config.h"

#include <jansson.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "print.h"

#define ARENA_FIRST 4096
#define ARENA_ALIGN 16

struct arena {
	char	*block;
	size_t	 size, used;
	size_t	 wanted;	/* what the last text would have taken */
};

static _Thread_local struct arena *arena;

/* What does not fit comes from the heap. */
static void *
arena_take(size_t n)
{
	size_t step = (n + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1);
	char *p;

	if (arena == NULL || step < n)
		return malloc(n);
	arena->wanted += step;
	if (step > arena->size - arena->used)
		return malloc(n);
	p = arena->block + arena->used;
	arena->used += step;
	return p;
}

static void
arena_give(void *p)
{
	uintptr_t at = (uintptr_t)p, block;

	if (arena != NULL) {
		block = (uintptr_t)arena->block;
		if (at >= block && at - block < arena->size)
			return;
	}
	free(p);
}

/* A block that was too small is made larger for the texts to come. */
static void
arena_empty(struct arena *a)
{
	char *block;

	if (a->wanted > a->size) {
		block = realloc(a->block, a->wanted * 2);
		if (block != NULL) {
			a->block = block;
			a->size = a->wanted * 2;
		}
	}
	a->used = a->wanted = 0;
}

static void
use_arena(void)
{
	json_set_alloc_funcs(arena_take, arena_give);
}

bool
json_begin(struct printer *p, struct err *err)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct arena *a = mem_array(1, sizeof *a);

	p->arena = a;
	if (a == NULL || (a->block = mem_array(ARENA_FIRST, 1)) == NULL)
		return fail(err, E_SYSTEM, "no memory for the answer");
	a->size = ARENA_FIRST;
	pthread_once(&once, use_arena);
	return true;
}

void
json_end(struct printer *p)
{
	if (p->arena != NULL)
		free(p->arena->block);
	free(p->arena);
}

static int
json_add(const char *bytes, size_t n, void *line)
{
	buf_add(line, bytes, n);
	return 0;
}

bool
json_text(struct printer *p, struct str s, struct err *err)
{
	json_t *string;
	bool ok;

	buf_clear(&p->cell);
	text_fit_buf(&p->cell, s);
	arena = p->arena;
	string = json_stringn(p->cell.n == 0 ? "" : p->cell.s, p->cell.n);
	ok = string != NULL && json_dump_callback(string, json_add, &p->line,
	    JSON_ENCODE_ANY) == 0;
	json_decref(string);
	arena = NULL;
	arena_empty(p->arena);
	return ok || fail(err, E_SYSTEM, "no memory for a line of the answer");
}

/* What is no number in JSON stands as a text. */
static bool
json_cell(struct printer *p, const struct cell *c, struct err *err)
{
	bool quotes = c->type == CELL_ADDR || (c->type == CELL_REAL && isinf(c->f));

	if (c->type == CELL_TEXT)
		return json_text(p, c->text, err);
	if (c->type == CELL_NONE)
		buf_str(&p->line, STR("null"));
	if (quotes)
		buf_chr(&p->line, '"');
	print_number(c, &p->line);
	if (quotes)
		buf_chr(&p->line, '"');
	return true;
}

bool
json_row(struct printer *p, uint64_t row, struct err *err)
{
	struct cell c;

	for (size_t i = 0; i < p->rows->ncols; i++) {
		buf_str(&p->line, i == 0 ? STR("{\"") : STR(",\""));
		buf_str(&p->line, str_of(p->rows->cols[i].name));
		buf_str(&p->line, STR("\":"));
		rows_cell(p->rows, row, i, &c);
		if (!json_cell(p, &c, err))
			return false;
	}
	buf_str(&p->line, STR("}\n"));
	return print_line(p, err);
}
