/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * calls: the effect of a call on the cursor being followed.
 */
#include "config.h"

#include "walk.h"

/* Classes whose methods read their arguments and keep none. */
static const char *const borrowers[] = {
	"java/lang/", "java/io/PrintStream", "java/util/Objects", "android/util/Log", "android/database/DatabaseUtils",
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

/* The one method that the call can run decides what happens to the argument; if it was not walked yet, it is *need. */
static bool
effect_of(struct code_world *w, struct code_body *b, const struct flow_step *s, const struct code_ref *ref, uint32_t word,
    enum effect *effect, uint32_t *need, struct err *err)
{
	uint32_t method;

	*need = 0;
	*effect = EFFECT_ESCAPES;
	if (is_borrower(ref->owner)) {
		if (str_eq(ref->name, STR("requireNonNull")))
			*effect = EFFECT_SAME;
		else if (!str_eq(ref->name, STR("<init>")))
			*effect = EFFECT_BORROWS;
		return true;
	}
	if (!world_call(w, b, s->index, (enum flow_call)s->test, &method, err))
		return false;
	if (method == 0)
		return true;
	*effect = (enum effect)idmap_get(&w->effects, (uint64_t)method << 16 | word);
	if (*effect == EFFECT_UNKNOWN || *effect == EFFECT_AGAIN)
		*need = method;
	return true;
}

/* The cursor is among the arguments, open. */
static bool
argument_edges(struct code_world *w, struct path_walk *k, struct code_body *b, const struct flow_step *s, const struct code_ref *ref,
    bool receiver, struct call_edges *e, struct err *err)
{
	const uint32_t *reg = flow_words(&k->flow, s);
	bool init = str_eq(ref->name, STR("<init>"));
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

/* Calls known to have no effect, or to close; false: another call. */
static bool
known_edges(const struct code_ref *ref, struct str desc, bool receiver, struct call_edges *e)
{
	bool init = str_eq(ref->name, STR("<init>"));

	e->throws = false;
	if (receiver && init && e->status == STATUS_UNBORN) {
		e->status = STATUS_OPEN;
		e->throws = e->born = true;
		return true;
	}
	if (receiver && !init && str_eq(ref->owner, STR("java/lang/Object")))
		return true;
	if (receiver && e->status == STATUS_OPEN && str_eq(ref->name, STR("close")) && str_eq(desc, STR("()V"))) {
		e->status = e->thrown = STATUS_CLOSED;
		e->throws = true;
		return true;
	}
	if (receiver && e->status == STATUS_OPEN && str_eq(ref->name, STR("isClosed")) && str_eq(desc, STR("()Z"))) {
		e->value = VALUE_CLOSED;
		return true;
	}
	return str_eq(ref->name, STR("addSuppressed")) && str_eq(ref->owner, STR("java/lang/Throwable"));
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

bool
call_edges(struct code_world *w, struct path_walk *k, struct code_body *b, const struct flow_step *s, struct call_edges *e, struct err *err)
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
	if (known_edges(&ref, buf_view(&w->text), receiver, e)) {
		e->returns_first = true;
		return true;
	}
	e->throws = true;
	e->operation = receiver && !str_eq(ref.name, STR("<init>"));
	if (e->status == STATUS_OPEN && walk_takes_cursor(k, s)) {
		if (!argument_edges(w, k, b, s, &ref, receiver, e, err))
			return false;
		if (e->need != 0)
			return true;
		if (e->value == VALUE_CURSOR && !site)
			e->throws = false;
		else if (str_has_prefix(ref.owner, STR("kotlin/jvm/internal/Intrinsics")) && e->status == STATUS_OPEN)
			e->throws = false;
	}
	e->thrown = e->status;
	if (!site)
		return true;
	e->lost = e->status == STATUS_OPEN;
	e->status = STATUS_OPEN;
	e->value = VALUE_CURSOR;
	return true;
}
