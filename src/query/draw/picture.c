/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * picture: stacks that become boxes of a flame graph, and their positions.
 *
 * Children are ordered by descending weight, timed ones by their start.  Those that are too small are merged
 * into one box at the end.  There are never more than BOXES_MAX boxes: the size limit is raised until they fit.
 */
#include "config.h"

#include <stdlib.h>

#include "draw.h"

/* Shares in percent, per scale.  At the last one, 10, a level has 10 boxes, and a joined one below each. */
static const double steps[] = { 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8 },
    scales[] = { 1e-4, 1e-3, 1e-2, 0.1, 1, 10 };

#define SHARES (NELEM(steps) * (NELEM(scales) - 1) + 1)

static_assert(LEVELS_MAX * 2 * 10 < BOXES_MAX, "the largest share at which they fit");

struct shown {
	uint64_t	width, order;	/* order: the largest first */
	uint32_t	stack, caller;
};

struct joined {
	uint64_t	weight, before, n;
};

/* Boxes of one picture while they are placed. */
struct placing {
	struct drawing	*p;
	struct shown	*shown;		/* by caller, the largest first */
	size_t		 n;
	struct idmap	 first;		/* by caller: the first one, from 1 */
	struct joined	*joined;	/* by place in shown, from 1; [0] of all */
};

static uint16_t
picture_level_of(const struct drawing *p, uint32_t stack)
{
	return stack == 0 ? 0 : SCRATCH(p->levels, uint16_t)[stack - 1];
}

/* Callers have smaller numbers: totals are summed from the last stack to the first, levels the other way. */
static bool
sum_up(struct drawing *p, struct err *err)
{
	const struct stack_tree *s = &p->stacks;
	uint16_t *levels, above;

	if (!scratch_array(&p->totals, s->n + 1ull, sizeof(uint64_t), err) ||
	    !scratch_array(&p->befores, s->n + 1ull, sizeof(uint64_t), err) ||
	    !scratch_array(&p->levels, s->n + 1ull, sizeof(uint16_t), err))
		return false;
	p->total = SCRATCH(p->totals, uint64_t);
	p->before = SCRATCH(p->befores, uint64_t);
	levels = SCRATCH(p->levels, uint16_t);
	for (uint32_t i = s->n; i > 0; i--) {
		const struct tree_stack *one = stack_at(s, i);

		p->total[i] = num_add(p->total[i], one->weight);
		p->before[i] = num_add(p->before[i], one->before);
		p->total[one->caller] = num_add(p->total[one->caller], p->total[i]);
		p->before[one->caller] = num_add(p->before[one->caller], p->before[i]);
	}
	for (uint32_t i = 1; i <= s->n; i++) {
		above = picture_level_of(p, stack_at(s, i)->caller);
		levels[i - 1] = above < LEVELS_MAX ? above + 1 : above;
	}
	return true;
}

/* Return true if a stack is drawn by itself; then its callers are, too. */
static bool
is_shown(const struct drawing *p, uint32_t stack)
{
	uint64_t width = picture_width(p, stack);

	return width > 0 && picture_level_of(p, stack) < LEVELS_MAX &&
	    stack_about(&p->stacks, stack)->more == 0 &&
	    (double)width * 100 >= p->share * (double)picture_width(p, 0);
}

static size_t
count_shown(const struct drawing *p)
{
	size_t n = 0;

	for (uint32_t i = 1; i <= p->stacks.n; i++)
		n += is_shown(p, i);
	return n;
}

/* Return true if the boxes fit: those drawn by themselves, and a joined box for each caller of others. */
static bool
share_fits(const struct drawing *p, uint8_t *tried, uint8_t try)
{
	size_t n = 1;
	uint32_t caller;

	for (uint32_t i = 1; i <= p->stacks.n && n <= BOXES_MAX; i++) {
		caller = stack_at(&p->stacks, i)->caller;
		if (is_shown(p, i))
			n++;
		else if (tried[caller] != try && picture_width(p, i) > 0 &&
		    (caller == 0 || is_shown(p, caller))) {
			tried[caller] = try;
			n++;
		}
	}
	return n <= BOXES_MAX;
}

static bool
choose_share(struct drawing *p, struct err *err)
{
	struct scratch tried = SCRATCH_INIT;
	uint8_t try = 1;
	double share;

	if (!scratch_array(&tried, p->stacks.n + 1ull, 1, err))
		return false;
	for (size_t i = 0; i < SHARES; i++) {
		share = steps[i % NELEM(steps)] * scales[i / NELEM(steps)];
		if (share <= p->share)
			continue;
		if (share_fits(p, SCRATCH(tried, uint8_t), try++))
			break;
		p->share = share;
		p->raised = true;
	}
	scratch_free(&tried);
	return true;
}

static int
shown_order(const void *a, const void *b)
{
	const struct shown *x = a, *y = b;

	return num_order(x->caller, y->caller, num_order(y->order, x->order,
	    num_order(x->stack, y->stack, 0)));
}

/* List the stacks that are drawn; place: by stack, its place in shown, from 1. */
static bool
picture_list_shown(struct placing *l, struct idmap *place, struct err *err)
{
	const struct drawing *p = l->p;

	l->shown = mem_array(count_shown(p) + 1, sizeof *l->shown);
	l->joined = mem_array(count_shown(p) + 1, sizeof *l->joined);
	if (l->shown == NULL || l->joined == NULL)
		return fail(err, E_SYSTEM, "out of memory (picture)");
	for (uint32_t i = 1; i <= p->stacks.n; i++)
		if (is_shown(p, i))
			l->shown[l->n++] = (struct shown){ picture_width(p, i), p->stacks.timed ?
			    UINT64_MAX - stack_about(&p->stacks, i)->start : picture_width(p, i), i,
			    stack_at(&p->stacks, i)->caller };
	qsort(l->shown, l->n, sizeof *l->shown, shown_order);
	for (size_t i = 0; i < l->n; i++)
		if (!idmap_put(place, l->shown[i].stack, (uint32_t)i + 1, err) ||
		    ((i == 0 || l->shown[i].caller != l->shown[i - 1].caller) &&
		    !idmap_put(&l->first, l->shown[i].caller + 1ull, (uint32_t)i + 1, err)))
			return false;
	return true;
}

/* Join stacks that are not drawn themselves but whose caller is drawn. */
static void
join_others(struct placing *l, const struct idmap *place)
{
	struct drawing *p = l->p;
	struct joined *j;
	uint32_t caller, more;

	for (uint32_t i = 1; i <= p->stacks.n; i++) {
		caller = stack_at(&p->stacks, i)->caller;
		if (is_shown(p, i) || (caller != 0 && !is_shown(p, caller)) ||
		    picture_width(p, i) == 0)
			continue;
		more = stack_about(&p->stacks, i)->more;
		j = &l->joined[caller == 0 ? 0 : idmap_get(place, caller)];
		j->weight = num_add(j->weight, p->total[i]);
		j->before = num_add(j->before, p->before[i]);
		j->n = num_add(j->n, more > 0 ? more : 1);
	}
}

static struct flame *
add_box(struct drawing *p, struct err *err)
{
	if (!mem_grow(&p->box, &p->cap, p->n + 1, sizeof *p->box)) {
		fail(err, E_SYSTEM, "out of memory (picture)");
		return NULL;
	}
	p->box[p->n] = (struct flame){ .name = 0 };
	return &p->box[p->n++];
}

/* Return the self weight of a stack; the weight before if the stack is only there. */
static uint64_t
self_of(const struct drawing *p, uint32_t stack)
{
	const struct tree_stack *s = stack_at(&p->stacks, stack);

	return p->total[stack] == 0 ? s->before : s->weight;
}

/* Place the boxes on top of box `above`, which is the stack at place, but not those on top of them. */
static bool
place_above(struct placing *l, uint32_t above, uint32_t place, uint32_t stack, struct err *err)
{
	struct drawing *p = l->p;
	uint64_t at = above == 0 ? 0 : p->box[above - 1].at;
	uint32_t level = above == 0 ? 0 : p->box[above - 1].level + 1;
	uint32_t first = (uint32_t)p->n + 1;
	const struct joined *j = &l->joined[place];
	const struct shown *s;
	struct flame *b = NULL;

	for (size_t i = idmap_get(&l->first, stack + 1ull); i > 0 && i <= l->n &&
	    l->shown[i - 1].caller == stack; i++) {
		s = &l->shown[i - 1];
		if (p->stacks.timed)
			at = stack_about(&p->stacks, s->stack)->start - stack_about(&p->stacks, 1)->start;
		if ((b = add_box(p, err)) == NULL)
			return false;
		*b = (struct flame){ .at = at, .width = s->width, .weight = p->total[s->stack],
		    .before = p->before[s->stack],
		    .self = self_of(p, s->stack), .calls = stack_about(&p->stacks, s->stack)->calls,
		    .name = (uint32_t)i, .above = above, .level = level };
		at = num_add(at, s->width);
	}
	if (j->n > 0 && (b = add_box(p, err)) == NULL)
		return false;
	if (above != 0) {
		p->box[above - 1].first = first;
		p->box[above - 1].last = (uint32_t)p->n;
	}
	if (j->n == 0)
		return true;
	*b = (struct flame){ .at = at, .width = num_add(j->weight, j->before), .weight = j->weight,
	    .before = j->before,
	    .above = above, .level = level, .more = j->n > UINT32_MAX ? UINT32_MAX : (uint32_t)j->n };
	p->joined = num_add(p->joined, j->n);
	p->joined_width = num_add(p->joined_width, b->width);
	return true;
}

/* Place all boxes level by level.  Until then the name of a box is its place in shown. */
static bool
picture_place_all(struct placing *l, struct err *err)
{
	struct drawing *p = l->p;
	struct flame *top;
	size_t tops = 0;
	uint32_t place;

	for (size_t i = 0; i < l->n && l->shown[i].caller == 0; i++)
		tops++;
	/* A single box at the top represents all: no other box is added above it. */
	if (tops != 1 || l->joined[0].n > 0) {
		if ((top = add_box(p, err)) == NULL)
			return false;
		*top = (struct flame){ .width = picture_width(p, 0), .weight = p->total[0],
		    .before = p->before[0] };
	}
	if (!place_above(l, (uint32_t)p->n, 0, 0, err))
		return false;
	for (size_t i = p->n > 0 && p->box[0].name == 0 ? 1 : 0; i < p->n; i++) {
		place = p->box[i].name;
		if (place != 0 && !place_above(l, (uint32_t)i + 1, place, l->shown[place - 1].stack, err))
			return false;
		if (place != 0)
			p->box[i].name = stack_at(&p->stacks, l->shown[place - 1].stack)->name;
		p->deepest = p->box[i].level;
	}
	return true;
}

static bool
place_boxes(struct drawing *p, struct err *err)
{
	struct placing l = { .p = p };
	struct idmap place = { 0 };
	bool ok;

	if (!sum_up(p, err) || !choose_share(p, err))
		return false;
	ok = picture_list_shown(&l, &place, err);
	if (ok) {
		join_others(&l, &place);
		ok = picture_place_all(&l, err);
	}
	idmap_free(&place);
	idmap_free(&l.first);
	free(l.shown);
	free(l.joined);
	return ok;
}

const struct flame *
picture_next(const struct drawing *p, const struct flame *b)
{
	uint32_t number = (uint32_t)(b - p->box) + 1;

	if (b->first != 0 && b->first <= b->last)
		return &p->box[b->first - 1];
	while (b->above != 0 && number == p->box[b->above - 1].last) {
		number = b->above;
		b = &p->box[number - 1];
	}
	return b->above == 0 ? NULL : &p->box[number];
}

bool
picture_open(struct drawing *p, struct rows *rows, const struct draw_options *o, struct err *err)
{
	static const char *const down[] = { "calls", "merged", "process_calls" };
	const struct command *command = rows_origin(rows)->command;
	bool timed = chart_fits(rows);

	p->down = command != NULL && str_is_one(down, NELEM(down), str_of(command->word));
	p->share = timed ? 0 : o->min;
	p->stacks.picture = true;
	return (timed ? chart_read(&p->stacks, rows, err) :
	    objects_fit(rows) ? (o->alike ? alike_read : objects_read)(&p->stacks, rows, o->min, err) :
	    stacks_read(&p->stacks, rows, err)) && (rows_error(rows) != NULL || place_boxes(p, err));
}

void
picture_close(struct drawing *p)
{
	stacks_free(&p->stacks);
	SCRATCH_FREE(&p->totals, &p->befores, &p->levels);
	free(p->box);
}
