/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * learn: the use of each string of a dump, and the fields of its classes.
 *
 * The first walk finds them wherever records are. If names are replaced, a second walk finds the names of
 * platform classes, and a third one the names of their members.
 */
#include "config.h"

#include "redact.h"

struct learning {
	struct learned	*l;
	const struct dump_walk *w;
	unsigned	 turn;		/* walks, from 1 */
	struct err	*err;
};

static bool
learn_use(struct learning *g, uint64_t string, unsigned as)
{
	unsigned had = idmap_get(&g->l->use, string);

	return string == 0 || (had | as) == had || idmap_put(&g->l->use, string, had | as, g->err);
}

static uint64_t
id_at(const struct learning *g, uint64_t at)
{
	return heap_id(g->w->d + at, g->w->id_size);
}

/* The class with this id has a platform name; known from the third walk on. */
static bool
is_platform(const struct learning *g, uint64_t class)
{
	const struct class_layout *c = layout_of(g->l, class);

	return g->turn > 2 && c != NULL && (idmap_get(&g->l->use, c->name) & USE_PLATFORM) != 0;
}

/* ---- classes --------------------------------------------------------------------------------- */

static struct class_layout *
make_class(struct learning *g, uint64_t id)
{
	struct learned *l = g->l;
	struct class_layout *c = layout_of(l, id);

	if (c != NULL)
		return c;
	if (l->nclasses == UINT32_MAX - 1 ||
	    !scratch_add(&l->classes, &l->nclasses, &(struct class_layout){ .field = 0 }, sizeof *c,
	    g->err) || !idmap_put(&l->class_of, id, (uint32_t)l->nclasses, g->err))
		return NULL;
	return layout_of(l, id);
}

static bool
add_field(struct learning *g, struct class_layout *c, const struct hprof_members *m)
{
	struct field_layout f = { .name = hprof_member_name(m), .type = (uint8_t)m->type,
	    .width = (uint8_t)m->width };

	if (g->l->nfields == UINT32_MAX)
		return fail(g->err, E_SYSTEM, "too many fields (limit: %u)", UINT32_MAX);
	c->fields++;
	return scratch_add(&g->l->fields, &g->l->nfields, &f, sizeof f, g->err);
}

/* The first record of a class is used, as in the loader. */
static bool
learn_class(struct learning *g, const struct heap_record *r)
{
	const unsigned id = g->w->id_size, as = USE_FIELD | (is_platform(g, r->id) ? USE_PLATFORM : 0);
	struct hprof_members m = hprof_members(g->w->d, id, r);
	struct class_layout *c = make_class(g, r->id);
	bool first = c != NULL && !c->dump, ok = c != NULL;

	if (first) {
		c->dump = true;
		c->super = id_at(g, r->data + id + 4);
		c->field = (uint32_t)g->l->nfields;
	}
	while (ok && hprof_member(&m))
		ok = m.list == LIST_CONSTANTS || (learn_use(g, hprof_member_name(&m), as) &&
		    (m.list == LIST_STATICS || !first || add_field(g, c, &m)));
	return ok;
}

/* ---- records ----------------------------------------------------------------------------------- */

/* An array class is named after its element class. */
static bool
learn_add_own(struct learning *g, struct str name, uint64_t at)
{
	struct own_name own = { at, (uint32_t)name.n };

	return name.n == 0 || name.n > NAME_MOST || name.s[0] == '[' ||
	    scratch_add(&g->l->own, &g->l->nown, &own, sizeof own, g->err);
}

static bool
learn_string(struct learning *g, const struct dump_piece *p)
{
	struct str text = { (const char *)g->w->d + p->body, p->end - p->body };
	uint32_t word = words_find(g->l->words, text);
	bool class = g->turn == 2 && (idmap_get(&g->l->use, p->id) & USE_CLASS) != 0;

	if (class && (name_is_platform(text) ? !learn_use(g, p->id, USE_PLATFORM) :
	    !learn_add_own(g, text, p->body)))
		return false;
	/* The second string with an id is used. */
	return (word == 0 && idmap_get(&g->l->word, p->id) == 0) ||
	    idmap_put(&g->l->word, p->id, word + 1, g->err);
}

static bool
learn_load(struct learning *g, uint64_t body)
{
	const unsigned id = g->w->id_size;
	uint64_t class = id_at(g, body + 4);
	struct class_layout *c = make_class(g, class);

	if (c == NULL)
		return false;
	c->name = id_at(g, body + 8 + id);
	if (is_platform(g, class) && !idmap_put(&g->l->serial, be32(g->w->d + body), 1, g->err))
		return false;
	return learn_use(g, c->name, USE_CLASS);
}

static bool
learn_frame(struct learning *g, uint64_t body)
{
	const unsigned id = g->w->id_size;
	unsigned platform = idmap_get(&g->l->serial, be32(g->w->d + body + 4 * id)) != 0 ? USE_PLATFORM : 0;

	return learn_use(g, id_at(g, body + id), USE_METHOD | platform) &&
	    learn_use(g, id_at(g, body + 2 * id), USE_SIGNATURE) &&
	    learn_use(g, id_at(g, body + 3 * id), USE_FILE | platform);
}

static bool
learn_piece(struct learning *g, const struct dump_piece *p)
{
	const unsigned id = g->w->id_size;
	uint64_t body = p->at + 9;
	bool ok = true;

	if (p->heap && p->kind == PIECE_CLASS)
		return learn_class(g, &p->record);
	if (p->heap)
		return p->kind != PIECE_NUMBERS || p->tag != TAG_PART || p->end - p->at < 5 + id ||
		    learn_use(g, id_at(g, p->at + 5), USE_HEAP);
	if (p->kind == PIECE_STRING)
		return learn_string(g, p);
	/* Only the part beyond the limit of longer names is lost. */
	if (p->at == 0 || p->body <= body)
		return true;
	if (p->tag == RECORD_LOAD_CLASS)
		return learn_load(g, body);
	if (p->tag == RECORD_FRAME)
		return learn_frame(g, body);
	for (unsigned i = 1; ok && p->tag == RECORD_START_THREAD && i <= 3; i++)
		ok = learn_use(g, id_at(g, body + 8 + i * id), USE_THREAD);
	return ok;
}

static bool
learn_turn(struct learned *l, const struct redaction *r, unsigned turn)
{
	struct dump_walk w;
	struct learning g = { .l = l, .w = &w, .turn = turn, .err = r->err };
	struct dump_piece p;
	bool end = false;

	work_start_bytes(r->work, "reading names", r->in->size);
	if (!walk_begin(&w, r->in, r->work, r->err))
		return false;
	while (walk_next(&w, &p, &end))
		if (!learn_piece(&g, &p))
			return false;
	l->lost = w.lost;
	l->cut = walk_is_cut(&w);
	return end;
}

/* ---- objects that counting fields refer to ------------------------------------------------------ */

/* Record the objects that KEPT_COUNT fields of an instance refer to. */
static bool
learn_instance(struct learned *l, const struct dump_walk *w, const struct dump_piece *p)
{
	const struct class_layout *first = layout_first(l, p->id), *c;
	const struct field_layout *f;
	uint64_t at = p->body, id;
	uint32_t steps = 0;

	for (c = first; c != NULL && steps < LAYOUT_STEPS && !c->counts; c = layout_next(l, c))
		steps += c->steps;
	if (c == NULL || !c->counts)
		return true;
	steps = 0;
	for (c = first; c != NULL && steps < LAYOUT_STEPS; steps += c->steps, c = layout_next(l, c)) {
		f = c->fields == 0 ? NULL : &SCRATCH(l->fields, struct field_layout)[c->field];
		for (uint32_t i = 0; i < c->fields && f[i].width <= p->end - at; at += f[i++].width) {
			id = f[i].kept == KEPT_COUNT && f[i].type <= HEAP_OBJECT ?
			    heap_id(w->d + at, w->id_size) : 0;
			if (id != 0 && !idmap_put(&l->counted, id, 1, w->err))
				return false;
		}
	}
	return true;
}

/* The fields of all classes are known now. */
static bool
learn_counted(struct learned *l, const struct redaction *r)
{
	const struct class_layout *c = SCRATCH(l->classes, struct class_layout);
	struct dump_walk w;
	struct dump_piece p;
	bool end = false, some = false;

	for (uint64_t i = 0; i < l->nclasses; i++)
		some |= c[i].counts;
	if (!some)
		return true;
	work_start_bytes(r->work, "reading counts", r->in->size);
	if (!walk_begin(&w, r->in, r->work, r->err))
		return false;
	while (walk_next(&w, &p, &end))
		if (p.kind == PIECE_INSTANCE && !learn_instance(l, &w, &p))
			return false;
	return end;
}

bool
learn(struct learned *l, const struct redaction *r)
{
	unsigned turns = r->o->names == REDACT_KEEP ? 1 : 4;

	*l = (struct learned){ .use = IDMAP_INIT, .word = IDMAP_INIT, .class_of = IDMAP_INIT, .serial = IDMAP_INIT,
	    .counted = IDMAP_INIT, .again = IDMAP_INIT, .classes = SCRATCH_INIT, .fields = SCRATCH_INIT,
	    .own = SCRATCH_INIT };
	if (!words_open(&l->words, r->o->keep, r->err))
		return false;
	for (unsigned turn = 1; turn <= turns; turn++)
		if (!learn_turn(l, r, turn))
			return false;
	return layouts_finish(l, r->work, r->err) && learn_counted(l, r);
}

void
learned_free(struct learned *l)
{
	idmap_free(&l->use);
	idmap_free(&l->word);
	idmap_free(&l->class_of);
	idmap_free(&l->serial);
	idmap_free(&l->counted);
	idmap_free(&l->again);
	SCRATCH_FREE(&l->classes, &l->fields, &l->own);
	words_free(l->words);
}
