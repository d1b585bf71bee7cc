/*
 * icicle_walk: looking for calls in the tree, the visible ones first.
 */
#include "config.h"

#include "icicle.h"

enum { WALK_STEP = 512 };

static bool
walk_wants(struct icicle *ic, uint32_t id)
{
	struct tree_node node;

	tree_get(ic->tree, id, &node);
	return ic->walk_method != 0 ? node.method == ic->walk_method :
	    icicle_matches(ic, &node);
}

static uint32_t
walk_next(struct icicle *ic, uint32_t id)
{
	uint32_t	next = tree_first(ic->tree, id);

	while (next == 0 && id != 0) {
		next = tree_next(ic->tree, id);
		id = tree_parent(ic->tree, id);
	}
	return next;
}

/* Shows it with as much of its surroundings as leaves it three cells. */
void
icicle_show(struct icicle *ic, uint32_t id)
{
	double		need = (double)icicle_weight(ic, id) * ic->width;
	uint32_t	up, zoom = id;

	for (up = id; up != 0 && 3 * (double)icicle_weight(ic, up) <= need;
	    up = tree_parent(ic->tree, up))
		zoom = up;
	icicle_zoom(ic, (struct zoom){ .node = zoom });
	icicle_select(ic, id);
}

static void
walk_end(struct icicle *ic)
{
	ic->walking = false;
	ic->walk_method = 0;
	if (ic->best != 0)
		icicle_show(ic, ic->best);
	else
		ui_say(ic->pane->ui, "no call of it here");
}

bool
icicle_walk(struct icicle *ic, uint64_t deadline)
{
	uint64_t	weight;
	size_t		n = 0;

	if (ic->walk == 0) {
		ic->walk = TREE_ROOT;
		ic->best = 0;
		ic->best_weight = 0;
	}
	for (; ic->walk != 0; ic->walk = walk_next(ic, ic->walk)) {
		if (icicle_lend(ic, ic->walk))
			return false;
		if (++n % WALK_STEP == 0 && os_now() > deadline)
			return true;
		if (!walk_wants(ic, ic->walk))
			continue;
		weight = icicle_weight(ic, ic->walk);
		if (ic->best == 0 || weight > ic->best_weight) {
			ic->best = ic->walk;
			ic->best_weight = weight;
		}
	}
	walk_end(ic);
	return true;
}

/* What is too narrow to be seen is looked for in the tree; the inverted one has no end. */
void
icicle_find(struct icicle *ic)
{
	bool	backward = ic->find < 0;

	ic->find = 0;
	if (frames_next_match(&ic->f, backward))
		return;
	if (ui_found(ic->pane->ui)->calls == 0) {
		found_show(ic->pane->ui);
		return;
	}
	if (ic->kind == TREE_DOMINATORS)
		icicle_show(ic, tree_of_object(ic->tree, ui_found(ic->pane->ui)->best));
	else if (ic->kind == TREE_INVERTED)
		ui_say(ic->pane->ui, "no match is wide enough to be seen; zoom, or i");
	else {
		ic->walk = 0;
		ic->walk_method = 0;
		ic->walking = true;
	}
}
