/*
 * detect_hashes: hash tables in which most keys collide: each look-up goes through many of them.
 */
#include "config.h"

#include "owners.h"

#define ENTRIES 500u
#define COLLIDE 60u		/* percent; even hashes have 17 to 30 at the load that tables grow at */
#define TOLD 64u

struct hashes {
	struct scratch		 list;		/* struct finding */
	uint64_t		 n;
};

static bool
hashes_wants(struct finder *f, void *state, uint32_t class)
{
	(void)state;
	return collections_know(f->collections, class);
}

static bool
hashes_object(struct finder *f, void *state, uint32_t object)
{
	struct hashes *s = state;
	struct collection c;

	/* More entries than objects are none. */
	if (s->n >= TOLD || !collection_get(f->collections, object, false, &c) || !c.hashed || c.size < ENTRIES ||
	    c.size >= f->h.objects || !collection_get(f->collections, object, true, &c) || c.size < c.used ||
	    (c.size - c.used) * 100 < COLLIDE * c.size)
		return true;
	return scratch_add(&s->list, &s->n, &(struct finding){ .kind = FINDING_HASH, .object = object, .other = object,
	    .count = c.size > UINT32_MAX ? UINT32_MAX : (uint32_t)c.size, .number = (c.size - c.used) * 10000 / c.size,
	    .retained = heap_retained(&f->h, object) }, sizeof(struct finding), f->err);
}

/* What the keys are: of the program, if any elements are. */
static uint32_t
keys_of(const struct owners *o, uint32_t map)
{
	uint32_t best = 0;

	for (uint32_t child = owners_first(o, map); child != 0; child = owners_next(o, child)) {
		const struct name_node *n = owners_at(o, child), *b = owners_at(o, best);
		bool own = (n->whose & CLASS_PROGRAM) != 0, other = best != 0 && (b->whose & CLASS_PROGRAM) != 0;

		if (best == 0 || own > other || (own == other && n->count > b->count))
			best = child;
	}
	return best;
}

static bool
hashes_end(struct finder *f, void *state)
{
	struct hashes *s = state;
	const struct owners *o = f->owners;

	for (uint64_t i = 0; i < s->n; i++) {
		struct finding *x = &SCRATCH(s->list, struct finding)[i];
		uint32_t map = names_of(&f->h, x->object), keys = map == 0 ? 0 : keys_of(o, map);

		if (map == 0)
			continue;
		x->owner = owners_teller(o, map);
		x->content = keys != 0 ? keys : map;
		x->class = owners_at(o, x->content)->object == 0 ? 0 : heap_class(&f->h, owners_at(o, x->content)->object);
		x->object = owners_object(o, x->owner);
		x->object = x->object != 0 ? x->object : x->other;
		x->weight = num_add(x->retained, x->retained / 1000 * x->count);
		if (!finding_add(f, x))
			return false;
	}
	return true;
}

static void
hashes_release(void *state)
{
	scratch_free(&((struct hashes *)state)->list);
}

const struct detector detector_hashes = {
	.state_size = sizeof(struct hashes), .wants = hashes_wants, .object = hashes_object,
	.end = hashes_end, .release = hashes_release
};
