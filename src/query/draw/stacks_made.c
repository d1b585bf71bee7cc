/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stacks while they are made.  Stacks with equal names are one: overloaded methods, threads with the same
 * name.  So names become numbers, and a stack is its caller's number and its name's.
 */
#include "config.h"

#include <string.h>

#include "draw.h"

/*
 * In folded stacks semicolons separate names.  If fitting changes a name, the original follows after a NUL:
 * names that only look alike stay different.
 */
bool
stacks_name(struct stack_tree *s, struct str raw, char kind, uint32_t *name, struct err *err)
{
	struct buf *b = &s->text;

	buf_clear(b);
	if (s->picture)
		buf_chr(b, kind);
	text_fit_buf(b, raw);
	if (!str_eq(str_after(buf_view(b), s->picture), raw)) {
		buf_chr(b, '\0');
		buf_str(b, raw);
	}
	for (size_t i = 0; i < b->n && !s->picture; i++)
		if (b->s[i] == ';')
			b->s[i] = s->table ? ',' : ':';
	return b->bad ? fail(err, E_SYSTEM, "out of memory (name)") :
	    texts_number(&s->names, buf_view(b), name, err);
}

struct str
stack_name(const struct stack_tree *s, uint32_t name)
{
	struct str key = texts_get(&s->names, name);
	const char *end = key.n > 0 ? memchr(key.s, '\0', key.n) : NULL;

	return str_after((struct str){ key.s, end != NULL ? (size_t)(end - key.s) : key.n }, s->picture);
}

static bool
stack_new(struct stack_tree *s, const struct tree_stack *stack, const struct stack_about *about,
    struct err *err)
{
	uint64_t n = s->n;

	if (s->n == UINT32_MAX)
		return fail(err, E_SYSTEM, "too many different stacks (limit: %u)", UINT32_MAX);
	if (!scratch_add(&s->list, &n, stack, sizeof *stack, err))
		return false;
	n = s->n;
	if (s->picture && !scratch_add(&s->about, &n, about, sizeof *about, err))
		return false;
	s->n++;
	return true;
}

bool
stacks_add(struct stack_tree *s, struct str raw, char kind, const struct tree_stack *stack,
    const struct stack_about *about, struct err *err)
{
	struct tree_stack one = *stack;

	return stacks_name(s, raw, kind, &one.name, err) && stack_new(s, &one, about, err);
}

/* Most stacks have a single child, which needs no look-up. */
bool
stacks_push_named(struct stack_tree *s, uint32_t name, uint32_t *stack, struct err *err)
{
	const struct tree_stack one = { .caller = *stack, .name = name };
	uint32_t first = one.caller == 0 ? 0 : stack_at(s, one.caller)->child;

	*stack = s->n + 1;
	if (first != 0 && stack_at(s, first)->name == name) {
		*stack = first;
		return true;
	}
	if ((first != 0 || one.caller == 0) &&
	    !idmap_enter(&s->by_key, (uint64_t)one.caller << 32 | name, s->n + 1, stack, err))
		return false;
	if (*stack <= s->n)
		return true;
	if (!stack_new(s, &one, &(struct stack_about){ .more = 0 }, err))
		return false;
	if (first == 0 && one.caller != 0)
		stack_at(s, one.caller)->child = s->n;
	return true;
}

bool
stacks_push(struct stack_tree *s, struct str raw, char kind, uint32_t *stack, struct err *err)
{
	uint32_t name;

	return stacks_name(s, raw, kind, &name, err) && stacks_push_named(s, name, stack, err);
}

void
stacks_free(struct stack_tree *s)
{
	texts_free(&s->names);
	SCRATCH_FREE(&s->list, &s->about);
	idmap_free(&s->by_key);
	buf_free(&s->text);
}
