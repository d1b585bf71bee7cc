/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * seed: the rules of the two FindBugs detectors for Cursors, to the letter, including their false negatives
 * and false positives.
 *
 * They check only methods with a local variable that is declared as a Cursor.  A block is known by the name
 * of its method and the number of an entry of its exception table, so that methods of the same name share it;
 * its end is searched among all bytes.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "code.h"

struct seed_block {
	struct str	 name;
	uint32_t	 entry, method, pc;
	bool		 good;
};

struct seed {
	struct code_world	*w;
	struct bug_list	*to;
	ARRAY(struct seed_block)	blocks;
	uint64_t	 nblocks, too_large;
};

static bool
is_cursor_call(const struct code_body *b, const struct insn *i, struct code_ref *ref)
{
	return i->code >= 0xb6 && i->code <= 0xb9 && !i->wide && code_pool_method(&b->pool, i->index, ref) &&
	    str_is(ref->owner, "android/database/Cursor");
}

/* The last byte that looks like athrow, areturn or goto; 0: none does. */
static uint32_t
last_end(const struct code_body *b)
{
	uint32_t at = b->size;

	while (at > 1 && b->insns[at - 1] != 0xbf && b->insns[at - 1] != 0xb0 && b->insns[at - 1] != 0xa7)
		at--;
	return at - 1;
}

static struct seed_block *
block_of(struct seed *s, struct str name, uint32_t entry, const struct code_body *b, uint32_t pc,
    struct err *err)
{
	struct seed_block *block = s->blocks.at;
	struct seed_block fresh = { name, entry, b->method, pc, false };

	s->w->effort += s->nblocks / 4;
	for (uint64_t i = 0; i < s->nblocks; i++)
		if (block[i].entry == entry && str_eq(block[i].name, name))
			return &block[i];
	if (!array_add(&s->blocks, &s->nblocks, &fresh, err))
		return NULL;
	return &s->blocks.at[s->nblocks - 1];
}

static bool
is_covered(const struct code_body *b, uint32_t pc)
{
	const struct code_try *t = SCRATCH(b->tries, struct code_try);

	for (uint64_t i = 0; i < b->ntries; i++)
		if (t[i].start <= pc && pc < t[i].end)
			return true;
	return false;
}

static bool
seed_method(struct seed *s, const struct code_body *b, struct err *err)
{
	const struct code_try *t = SCRATCH(b->tries, struct code_try);
	struct str name = code_method_name(&s->w->code, b->method);
	uint32_t end = last_end(b);
	struct seed_block *block;
	struct code_ref ref;
	struct insn i;
	bool on, close;

	s->w->effort = 0;
	for (uint32_t pc = 0; pc < b->size; pc += i.size) {
		uint64_t k = 0;

		if ((s->w->effort += 1 + b->ntries / 4) >= WORLD_EFFORT) {
			s->too_large++;
			return work_go(s->w->work, pc, err);
		}

		if (!code_insn(b, pc, &i))
			return true;
		on = is_cursor_call(b, &i, &ref);
		close = on && str_is(ref.name, "close");
		if (on && !close && !is_covered(b, pc) &&
		    !bug_add(s->to, &(struct bug_row){ .method = b->method, .site = pc,
		    .pc = pc, .kind = BUG_OUTSIDE_TRY, .rules = RULES_SEED, .why = WHY_OPERATION }, err))
			return false;
		while (k < b->ntries && t[k].handler > pc)
			k++;
		if (k == b->ntries || end <= pc)
			continue;
		if ((block = block_of(s, name, (uint32_t)k, b, pc, err)) == NULL)
			return false;
		block->good |= close;
	}
	return true;
}

bool
seed_class(struct code_world *w, uint32_t class, struct bug_list *to, uint64_t *too_large, struct err *err)
{
	struct seed s = { .w = w, .to = to };
	uint64_t method, n = code_class_methods(w->code.st, class, &method);
	const struct seed_block *block;
	bool ok = true;

	for (; ok && n > 0; n--, method++)
		if (code_body_open(&w->body, &w->code, (uint32_t)method, err))
			ok = !w->body.has_cursor || w->body.pool.dex || seed_method(&s, &w->body, err);
		else
			ok = err->kind == E_NONE;
	*too_large += s.too_large;
	block = s.blocks.at;
	for (uint64_t i = 0; ok && i < s.nblocks; i++)
		if (!block[i].good)
			ok = bug_add(to, &(struct bug_row){ .method = block[i].method, .site = block[i].pc,
			    .pc = block[i].pc,
			    .at = block[i].entry, .kind = BUG_HANDLER, .rules = RULES_SEED,
			    .why = WHY_ENTRY }, err);
	SCRATCH_FREE(&s.blocks);
	return ok;
}
