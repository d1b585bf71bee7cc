/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * calls: the effect of a call on the cursor, or other resource, being followed.
 */
#include "config.h"

#include "walk.h"

/* Classes whose methods read their arguments and keep none. */
static const char *const borrowers[] = {
	"java/lang/", "java/io/PrintStream", "java/util/Objects", "android/util/Log",
	    "android/database/DatabaseUtils",
	"kotlin/jvm/internal/Intrinsics"
};

static bool
is_borrower(struct str owner)
{
	for (size_t i = 0; i < NELEM(borrowers); i++)
		if (str_has_prefix(owner, str_of(borrowers[i])))
			return true;
	return false;
}

/*
 * The one method that the call can run decides what happens to the argument; if it was not walked yet, it is
 * *need.
 */
static bool
effect_of(struct code_world *w, struct code_body *b, const struct flow_step *s, const struct code_ref *ref,
    uint32_t word,
    enum effect *effect, uint32_t *need, struct err *err)
{
	uint32_t method;

	*need = 0;
	*effect = EFFECT_ESCAPES;
	if (w->row != 0 && resources_has(&w->resources, 0, RESOURCE_BORROWS, ref->owner, ref->name)) {
		*effect = str_is(ref->name, "requireNonNull") ? EFFECT_SAME : EFFECT_BORROWS;
		return true;
	}
	if (w->row == 0 && is_borrower(ref->owner)) {
		if (str_is(ref->name, "requireNonNull"))
			*effect = EFFECT_SAME;
		else if (!str_is(ref->name, "<init>"))
			*effect = EFFECT_BORROWS;
		return true;
	}
	if (!world_call(w, b, s->index, (enum flow_call)s->test, &method, err))
		return false;
	if (method == 0)
		return true;
	*effect = (enum effect)idmap_get(&w->effects, walk_effect_key(w, method, word));
	if (*effect == EFFECT_UNKNOWN || *effect == EFFECT_AGAIN)
		*need = method;
	return true;
}

/* The cursor is among the arguments, open. */
static bool
argument_edges(struct code_world *w, struct path_walk *k, struct code_body *b, const struct flow_step *s,
    const struct code_ref *ref,
    bool receiver, struct call_edges *e, struct err *err)
{
	const uint32_t *reg = flow_words(&k->flow, s);
	bool init = str_is(ref->name, "<init>");
	enum effect effect;

	for (uint32_t word = 0; word < s->n; word++) {
		if (k->old[reg[word]] != VALUE_CURSOR || (word == 0 && receiver && !init))
			continue;
		e->param = word;
		if (!effect_of(w, b, s, ref, word, &effect, &e->need, err))
			return false;
		if (e->need != 0)
			return true;
		if (effect == EFFECT_SAME)
			e->value = VALUE_CURSOR;
		else if (effect == EFFECT_CLOSES && e->status == STATUS_OPEN)
			e->status = STATUS_CLOSED;
		else if (effect == EFFECT_ESCAPES)
			e->status = STATUS_ESCAPED;
	}
	return true;
}

/* The call releases the resource, whatever its outcome. */
static bool
is_release(const struct code_world *w, const struct code_body *b, const struct flow_step *s,
    const struct code_ref *ref, struct str desc,
    bool receiver)
{
	const struct resources *r = &w->resources;

	if (resource_is_check(w->row))
		return world_fits(w, RESOURCE_RELEASED, ref, desc, s->test == CALL_SPECIAL, b->class);
	if (w->row == 0)
		return receiver && str_is(ref->name, "close") && str_is(desc, "()V");
	return resources_has(r, w->row, RESOURCE_RELEASED, ref->owner, ref->name) &&
	    (receiver || r->row[w->row].begun || resources_has(r, w->row, RESOURCE_WITH, ref->owner,
	    ref->name));
}

/* The result of the call shows whether the resource is released; VALUE_ANY: it does not. */
static enum flow_value
asked_value(const struct code_world *w, const struct code_ref *ref, struct str desc, bool receiver)
{
	const struct resources *r = &w->resources;

	if (!str_is(desc, "()Z") || (!receiver && !r->row[w->row].begun))
		return VALUE_ANY;
	if (w->row == 0 ? str_is(ref->name, "isClosed") : resources_has(r, w->row, RESOURCE_UNLESS,
	    ref->owner, ref->name))
		return VALUE_CLOSED;
	return w->row != 0 && resources_has(r, w->row, RESOURCE_WHILE, ref->owner,
	    ref->name) ? VALUE_PRESENT : VALUE_ANY;
}

/* Calls known to have no effect, or to close; false: another call. */
static bool
known_edges(const struct code_world *w, const struct code_body *b, const struct flow_step *s,
    const struct code_ref *ref, bool receiver,
    struct call_edges *e)
{
	bool init = str_is(ref->name, "<init>");
	struct str desc = buf_view(&w->text);

	e->throws = false;
	if (receiver && init && e->status == STATUS_UNBORN) {
		e->status = w->row == 0 || resources_constructed(&w->resources, w->row, ref->owner,
		    desc) ? STATUS_OPEN : STATUS_NOTHING;
		e->throws = e->born = true;
		return true;
	}
	if (receiver && !init && str_is(ref->owner, "java/lang/Object"))
		return true;
	if (e->status == STATUS_OPEN && is_release(w, b, s, ref, desc, receiver)) {
		e->status = e->thrown = STATUS_CLOSED;
		e->throws = true;
		return true;
	}
	if (e->status == STATUS_OPEN && (e->value = (uint8_t)asked_value(w, ref, desc,
	    receiver)) != VALUE_ANY)
		return true;
	return str_is(ref->name, "addSuppressed") && str_is(ref->owner, "java/lang/Throwable");
}

bool
walk_takes_cursor(const struct path_walk *k, const struct flow_step *s)
{
	const uint32_t *reg = flow_words(&k->flow, s);

	for (uint32_t i = 0; i < s->n; i++)
		if (k->old[reg[i]] == VALUE_CURSOR)
			return true;
	return false;
}

/* ---- resources other than Cursors ------------------------------------------------------------- */

static bool
is_ending(const struct code_ref *ref)
{
	return (str_is(ref->owner, "java/lang/System") && str_is(ref->name, "exit")) ||
	    (str_is(ref->owner, "java/lang/Runtime") &&
	    (str_is(ref->name, "exit") || str_is(ref->name, "halt")));
}

/* Whether it may throw, as far as is known of it: in doubt it does not. */
static bool
may_throw(const struct code_world *w, const struct code_ref *ref, const struct call_edges *e)
{
	if (e->operation || e->born)
		return w->resources.row[w->row].throws &&
		    !resources_has(&w->resources, 0, RESOURCE_CALM, ref->owner, ref->name);
	return !str_has_prefix(ref->name, STR("close")) && !str_is(ref->name, "flush") &&
	    !resources_has(&w->resources, 0, RESOURCE_QUIET, ref->owner, ref->name);
}

/* The result of an operation is the resource itself, or shares its obligation. */
static bool
gives_same(const struct code_world *w, const struct code_ref *ref, struct str desc)
{
	struct str before, type;

	if (resources_has(&w->resources, w->row, RESOURCE_SAME, ref->owner, ref->name))
		return true;
	return str_divide_last(desc, ')', &before, &type) &&
	    (str_eq(code_type_name(type), ref->owner) ||
	    str_eq(code_type_name(type), w->resources.row[w->row].type));
}

/* A constructor of a wrapper has the resource among its arguments. */
static bool
wraps(const struct code_world *w, const struct path_walk *k, const struct flow_step *s,
    const struct code_ref *ref)
{
	const uint32_t *reg = flow_words(&k->flow, s);

	if (k->site == STEP_NONE || s->n < 2 || k->old[reg[0]] == VALUE_CURSOR ||
	    !str_is(ref->name, "<init>") ||
	    !resources_has(&w->resources, 0, RESOURCE_WRAPS, ref->owner, ref->name))
		return false;
	for (uint32_t i = 1; i < s->n; i++)
		if (k->old[reg[i]] == VALUE_CURSOR)
			return true;
	return false;
}

/* An argument has a type whose release is that of the resource, too. */
static bool
takes_owner(const struct code_world *w, struct str desc)
{
	struct str type;

	if (!w->resources.row[w->row].with)
		return false;
	for (desc = str_until(desc, ')'); str_divide(desc, STR("L"), &type, &desc);)
		if (str_divide(desc, STR(";"), &type, &desc) &&
		    resources_has(&w->resources, w->row, RESOURCE_WITH, type, STR("")))
			return true;
	return false;
}

/* The result of the call is not null, or rarely so. */
static bool
gives_some(const struct code_world *w, const struct code_ref *ref, struct str desc, uint32_t made)
{
	struct str before, type;

	if (made > 1)
		return true;
	if (!str_divide_last(desc, ')', &before, &type) || (type = code_type_name(type)).n == 0)
		return false;
	return (str_has_prefix(ref->owner, STR("java/lang/String")) &&
	    str_has_prefix(type, STR("java/lang/String"))) ||
	    resources_has(&w->resources, w->row, RESOURCE_WITH, type, STR(""));
}

/* The resources of the table differ from Cursors in some edges. */
static bool
resource_edges(struct code_world *w, struct code_body *b, const struct flow_step *s,
    const struct code_ref *ref, bool site,
    struct call_edges *e, struct err *err)
{
	const struct resources *r = &w->resources;
	uint32_t made = world_mark(w, b->piece, s->index), method;
	bool owner = takes_owner(w, buf_view(&w->text)), releases = owner, throws = true;
	bool some = gives_some(w, ref, buf_view(&w->text), made);

	if (!world_call(w, b, s->index, (enum flow_call)s->test, &method, err) ||
	    (method != 0 && (r->row[w->row].begun || owner) &&
	    !world_does(w, DOES_RELEASE, method, &releases, err)) ||
	    (method != 0 && !world_does(w, DOES_THROW, method, &throws, err)))
		return false;
	if (releases && e->status == STATUS_OPEN && !site)
		e->status = e->thrown = STATUS_CLOSED;
	if (made == 0 && str_is(ref->name, "<init>") &&
	    (made = resources_made(r, ref->owner, STR("new"), STR(""))) != 0)
		made++;
	e->declared = e->operation || (made > 1 && r->row[made - 1].throws);
	e->ends = is_ending(ref);
	if (some && !site && e->value == VALUE_ANY)
		e->value = VALUE_SOME;
	if (e->thrown == STATUS_OPEN && !site)
		e->throws &= throws && may_throw(w, ref, e);
	return true;
}

/* The constructor of a wrapper makes a new object: otherwise this object is the wrapper, as in super(). */
static bool
makes_wrapper(const struct path_walk *k, const struct flow_step *s)
{
	uint32_t first = *flow_words(&k->flow, s);

	return k->flow.dex ? k->flow.is_static || first != k->flow.first :
	    first > k->flow.locals && k->old[first - 1] == VALUE_SOME;
}

bool
call_edges(struct code_world *w, struct path_walk *k, struct code_body *b, const struct flow_step *s,
    struct call_edges *e, struct err *err)
{
	const uint32_t *reg = flow_words(&k->flow, s);
	bool receiver = s->test != CALL_STATIC && s->n > 0 && k->old[reg[0]] == VALUE_CURSOR;
	bool site = (uint32_t)(s - flow_steps(&k->flow)) == k->site;
	struct code_ref ref;

	*e = (struct call_edges){ .throws = true, .status = k->from->status, .thrown = k->from->status };
	if (!code_pool_method(&b->pool, s->index, &ref))
		return true;
	buf_clear(&w->text);
	code_pool_desc(&b->pool, &ref, &w->text);
	if (known_edges(w, b, s, &ref, receiver, e)) {
		e->returns_first = true;
		return true;
	}
	e->throws = true;
	e->operation = receiver && !str_is(ref.name, "<init>");
	if (w->row != 0 && e->operation && e->status == STATUS_OPEN &&
	    gives_same(w, &ref, buf_view(&w->text)))
		e->value = VALUE_CURSOR;
	if (w->row != 0 && e->status == STATUS_OPEN && wraps(w, k, s, &ref)) {
		e->wraps = makes_wrapper(k, s);
		e->status = e->wraps ? STATUS_OPEN : STATUS_ESCAPED;
		e->throws = false;
	} else if (e->status == STATUS_OPEN && walk_takes_cursor(k, s)) {
		if (!argument_edges(w, k, b, s, &ref, receiver, e, err))
			return false;
		if (e->need != 0)
			return true;
		if (e->value == VALUE_CURSOR && !site && !e->operation)
			e->throws = false;
		else if (str_has_prefix(ref.owner, STR("kotlin/jvm/internal/Intrinsics")) &&
		    e->status == STATUS_OPEN)
			e->throws = false;
	}
	e->thrown = e->status;
	if (w->row != 0 && !resource_edges(w, b, s, &ref, site, e, err))
		return false;
	if (!site)
		return true;
	e->lost = e->status == STATUS_OPEN && !w->resources.row[w->row].begun;
	e->status = STATUS_OPEN;
	e->value = w->resources.row[w->row].begun ? VALUE_ANY : VALUE_CURSOR;
	return true;
}
