/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * jfr_meant: what the bytes of a recording mean (meant.h).
 *
 * The field decides what its text means (meanings.h).  The fields that refer to a constant decide what its
 * text means, so constants and events are read twice: first to learn these uses, then to report all bytes in
 * the order of the file.  Values that are not read whole are lost.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/name.h"
#include "teller.h"

enum told_kind { TOLD_TEXT, TOLD_KEY, TOLD_NUMBER };

/* A field whose bytes are reported, numbered from 1. */
struct told_field {
	const struct jfr_meaning *rule;
	uint8_t		 kind;
	uint32_t	 type;		/* row, of a key */
	size_t		 path;		/* in paths */
};

static uint16_t
jfr_meant_add_field(struct teller *t, const struct told_field *f)
{
	INTO(&t->to, make_add(&t->fields, &t->nfields, f, sizeof *f, UINT16_MAX, "fields with texts", t->to.err));
	return t->to.bad ? 0 : (uint16_t)t->nfields;
}

/* ---- what fields mean ----------------------------------------------------------------------------------- */

/* Constants of these types are texts of many uses. */
static bool
is_shared_text(const struct teller *t, uint32_t type)
{
	return type != UINT32_MAX && (jfr_type(&t->c, type)->prim == JFR_STRING ||
	    str_eq(jfr_told_type(t, type), STR("jdk.types.Symbol")));
}

/* Numbers of the application, and bytes that may be text. */
static bool
is_private_number(const struct teller *t, const struct jfr_asked *a, struct str field)
{
	struct str owner = jfr_told_type(t, a->owner);
	enum jfr_prim prim = (enum jfr_prim)jfr_type(&t->c, a->type)->prim;

	if (!jfr_is_vendor(owner) || !jfr_is_vendor(jfr_told_type(t, a->root)))
		return a->owner != a->root || (!str_eq(field, STR("startTime")) && !str_eq(field, STR("duration")));
	return a->field != NULL && a->field->array && (prim == JFR_BYTE || prim == JFR_CHAR) &&
	    !str_eq(owner, STR("jdk.types.ChunkHeader"));
}

static uint16_t
ask_field(void *teller, const struct jfr_asked *a)
{
	struct teller *t = teller;
	struct str owner = jfr_told_type(t, a->owner), field = a->field == NULL ? STR("") :
	    jfr_word(&t->c, a->field->name);
	enum jfr_prim prim = a->type == UINT32_MAX ? JFR_STRUCT : (enum jfr_prim)jfr_type(&t->c, a->type)->prim;
	struct told_field f = { jfr_meaning_of(owner, field), TOLD_TEXT, a->type, t->paths.n };

	if (a->field != NULL && a->field->pool) {
		if (!is_shared_text(t, a->type))
			return 0;
		f.kind = TOLD_KEY;
	} else if (prim == JFR_STRUCT) {
		return 0;
	} else if (prim != JFR_STRING) {
		if (!is_private_number(t, a, field))
			return 0;
		f.kind = TOLD_NUMBER;
	}
	buf_str(&t->paths, owner);
	buf_chr(&t->paths, ' ');
	buf_str(&t->paths, field);
	buf_chr(&t->paths, '\0');
	into_made(&t->to, &t->paths);
	return jfr_meant_add_field(t, &f);
}

/* ---- constants --------------------------------------------------------------------------------------- */

/* The strictest use of a text counts, except that texts of the platform are public. */
static unsigned
strictness(const struct jfr_meaning *rule)
{
	static const uint8_t by[] = { [MEANT_MEMBER] = 1, [MEANT_CLASS] = 2, [MEANT_NAME] = 3,
	    [MEANT_WHO] = 4, [MEANT_TEXT] = 5 };

	return rule == &jfr_meaning_platform ? 6 : by[rule->means];
}

/* The number of a field stands for its rule, from 1; 0: none so far. */
static void
meant_use(struct teller *t, uint32_t type, uint64_t key, uint32_t told)
{
	struct jfr_constant *k = type == UINT32_MAX ? NULL : jfr_constant_any(&t->c, type, key);
	const struct told_field *f = SCRATCH(t->fields, struct told_field);
	uint32_t *had;

	if (k == NULL)
		return;
	had = &k->known[JFR_AS_TEXT];
	if (*had == 0 || strictness(f[told - 1].rule) > strictness(f[*had - 1].rule))
		*had = told;
}

/* The class of a native function is empty, or its library. */
static const struct jfr_meaning *
function_rule(struct str class)
{
	static const char *const libraries[] = { "libc.so", "libc.so.6", "libjvm.so", "libpthread.so.0",
	    "libjava.so", "libnio.so", "libnet.so", "libzip.so",
	    "libverify.so", "libjli.so", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "libstdc++.so.6",
	    "libm.so.6" };

	if (str_is_one(libraries, NELEM(libraries), class) || name_is_platform(class))
		return &jfr_meaning_platform;
	return class.n == 0 || memmem(class.s, class.n, ".so", 3) != NULL ? &jfr_meaning_native : NULL;
}

enum { RULE_PLATFORM = 1, RULE_NATIVE };

/* Methods of the platform keep their names, even if classes of the application have such methods. */
static void
learn_methods(struct teller *t)
{
	struct jfr_chunk *c = &t->c;
	const struct jfr_constant *k = SCRATCH(c->constants, struct jfr_constant);
	uint32_t type = jfr_type_named(c, STR("jdk.types.Method"));
	const struct jfr_meaning *rule;
	const struct jfr_plan *plan;
	uint64_t class, name;

	/* These rules have no field of their own. */
	jfr_meant_add_field(t, &(struct told_field){ &jfr_meaning_platform, TOLD_TEXT, UINT32_MAX, 0 });
	jfr_meant_add_field(t, &(struct told_field){ &jfr_meaning_native, TOLD_TEXT, UINT32_MAX, 0 });
	for (uint64_t i = 0; i < c->nconstants && !t->to.bad; i++) {
		if (k[i].type != type || (plan = jfr_constant_value(c, &k[i])) == NULL ||
		    plan->slot[METHOD_NAME].kind != JFR_KEY)
			continue;
		class = c->slot[METHOD_CLASS];
		name = c->slot[METHOD_NAME];
		buf_clear(&t->text);
		jfr_slot_text(c, plan->slot[METHOD_CLASS], class, &t->text);
		rule = function_rule(buf_view(&t->text));
		if (rule != NULL && is_shared_text(t, plan->slot[METHOD_NAME].type))
			meant_use(t, plan->slot[METHOD_NAME].type, name,
			    rule == &jfr_meaning_platform ? RULE_PLATFORM : RULE_NATIVE);
		if (i % JFR_TICK == 0)
			into_go(&t->to, c->begin);
	}
}

static bool
told_tell(void *teller, uint16_t told, bool packed, struct jfr_in in)
{
	struct teller *t = teller;
	const struct told_field *f;
	struct jfr_text text;
	const char *path;

	assert(told > 0 && told <= t->nfields);
	f = &SCRATCH(t->fields, struct told_field)[told - 1];
	path = t->paths.s + f->path;
	switch ((enum told_kind)f->kind) {
	case TOLD_NUMBER:
		if (!t->learning)
			jfr_tell_part(t, (uint64_t)(in.at - t->c.data), (uint64_t)(in.end - t->c.data),
			    MEANT_OWN_NUMBER, packed, path);
		return !t->to.bad;
	case TOLD_KEY:
		while (t->learning && in.at < in.end)
			meant_use(t, f->type, jfr_u64(&in), told);
		return true;
	case TOLD_TEXT: break;
	}
	if (!jfr_text_take(&in, &text))
		return true;
	if (t->learning && t->use == NULL && text.kind == TEXT_CONSTANT && t->c.string != 0)
		meant_use(t, t->c.string - 1, text.key, told);
	if (!t->learning)
		jfr_tell_text(t, &text, t->use != NULL ? t->use : f->rule, path);
	return !t->to.bad;
}

/* Read a value, which fills: all of *in.  True: it was reported up to where *in is now. */
static bool
jfr_meant_read_value(struct teller *t, uint32_t type, bool fills, struct jfr_in *in)
{
	struct jfr_type *of = jfr_type(&t->c, type);
	struct jfr_in ahead = *in;

	if (of->event == 0)
		of->event = jfr_steps_make_told(&t->c, type, &t->telling);
	/* If a value ends too early or too late, its numbers may be text. */
	if (t->to.bad || !jfr_steps_run(&t->c, jfr_steps_of(&t->c, of->event), &ahead) ||
	    (fills && ahead.at != ahead.end))
		return false;
	jfr_steps_tell(&t->c, jfr_steps_of(&t->c, of->event), &t->telling, in);
	return true;
}

static void
pass_pool(struct jfr_chunk *c, void *teller, uint32_t type, uint64_t n)
{
	(void)c;
	(void)teller;
	(void)type;
	(void)n;
}

/*
 * Whether the value at *in is that of the constant: the first one with a key has the uses.  Another one with that key
 * repeats it, or its key is damaged.
 */
static bool
is_constant(struct jfr_chunk *c, const struct jfr_constant *k, const struct jfr_in *in)
{
	struct jfr_in ahead = *in;
	uint64_t n;

	if (k->at == (uint64_t)(in->at - c->data))
		return true;
	if (!jfr_steps_run(c, jfr_steps_of(c, jfr_type(c, k->type)->constant), &ahead))
		return false;
	n = (uint64_t)(ahead.at - in->at);
	return n <= c->end - k->at && memcmp(c->data + k->at, in->at, n) == 0;
}

static void
take_constant(struct jfr_chunk *c, void *teller, uint32_t type, uint64_t key, struct jfr_in *in)
{
	struct teller *t = teller;
	const struct jfr_constant *k = t->learning ||
	    !is_shared_text(t, type) ? NULL : jfr_constant_any(c, type, key);
	const bool other = k != NULL && !is_constant(c, k, in);

	t->good = in->at;
	if (is_shared_text(t, type))
		t->use = k == NULL || k->known[JFR_AS_TEXT] == 0 || other ? jfr_meaning_of(STR(""), STR("")) :
		    SCRATCH(t->fields, struct told_field)[k->known[JFR_AS_TEXT] - 1].rule;
	if (jfr_meant_read_value(t, type, false, in)) {
		t->lost += other ? (uint64_t)(in->at - t->good) : 0;
		t->good = in->at;
	} else
		in->bad = true;
	t->use = NULL;
}

static void
tell_checkpoint(struct teller *t, uint64_t at, const struct jfr_in *body)
{
	struct jfr_pool_take take = { pass_pool, take_constant, t };
	struct jfr_in in;

	t->good = body->at;
	jfr_checkpoint_each(&t->c, at, &take, &in);
	t->good = in.bad ? t->good : in.at;
	if (!t->learning && t->good != body->end && !t->to.bad)
		jfr_tell_lost(t, t->good, body->end);
}

/*
 * A damaged count makes numbers of the texts behind it, and damage is only found where these end.  So nothing of such a
 * checkpoint stays but what leads to the one before.
 */
static void
tell_lost_checkpoint(struct teller *t, const struct jfr_event *e)
{
	struct jfr_in in = e->body;

	jfr_skip(&in, 4);
	jfr_u8(&in);
	if (in.at < in.end)
		jfr_tell_lost(t, in.bad ? e->body.at : in.at, in.end);
}

/* Keep the places of the whole checkpoints: constants of others mean nothing. */
static void
drop_checkpoints(struct jfr_chunk *c)
{
	uint64_t *at = SCRATCH(c->checkpoints, uint64_t), n = 0;

	for (uint64_t i = 0; i < c->ncheckpoints && !c->to->bad; i++) {
		at[n] = at[i];
		n += jfr_checkpoint_whole(c, at[i]);
		into_go(c->to, at[i]);
	}
	c->ncheckpoints = n;
}

/* ---- chunks ------------------------------------------------------------------------------------------- */

/* Only constants are of such types; an event is if the name of its type is damaged, so its fields mean nothing. */
static bool
is_event_type(struct str name)
{
	return !str_has_prefix(name, STR("jdk.types.")) && !str_has_prefix(name, STR("java.lang."));
}

static void
tell_event(struct teller *t, struct jfr_event *e)
{
	uint32_t type = jfr_type_row(&t->c, e->type);
	const uint8_t *begin = e->body.at;

	if (type != UINT32_MAX && is_event_type(jfr_told_type(t, type)) &&
	    jfr_meant_read_value(t, type, true, &e->body))
		begin = e->body.at;
	if (!t->learning && begin != e->body.end && !t->to.bad)
		jfr_tell_lost(t, begin, e->body.end);
}

/* All events of the chunk.  Return where they end. */
static uint64_t
jfr_meant_tell_events(struct teller *t)
{
	const struct jfr_chunk *c = &t->c;
	const uint64_t *whole = SCRATCH(c->checkpoints, uint64_t), *end = whole + c->ncheckpoints;
	uint64_t at = c->begin + JFR_HEADER;
	struct jfr_event e;

	for (uint64_t n = 0; !t->to.bad && jfr_chunk_event(c, &at, &e); n++) {
		if (n % JFR_TICK == 0)
			into_go(&t->to, at);
		if (e.type > 1)
			tell_event(t, &e);
		else if (t->learning)
			continue;
		else if (e.type == 0)
			jfr_tell_metadata(t, &e);
		else if (whole < end && *whole == e.begin) {
			tell_checkpoint(t, e.begin, &e.body);
			whole++;
		} else
			tell_lost_checkpoint(t, &e);
	}
	return at;
}

/* A symbol may be a string that is a constant, too. */
static void
learn_symbols(struct teller *t)
{
	struct jfr_chunk *c = &t->c;
	const struct jfr_constant *k = SCRATCH(c->constants, struct jfr_constant);
	const struct jfr_plan *plan;
	struct jfr_text text;
	struct jfr_in in;

	for (uint64_t i = 0; c->string != 0 && i < c->nconstants; i++) {
		if (k[i].known[JFR_AS_TEXT] == 0 || k[i].type == c->string - 1 || !is_shared_text(t, k[i].type) ||
		    (plan = jfr_constant_value(c, &k[i])) == NULL || plan->slot[0].kind != JFR_TEXT)
			continue;
		in = jfr_at(c, c->slot[0]);
		if (jfr_text_take(&in, &text) && text.kind == TEXT_CONSTANT)
			meant_use(t, c->string - 1, text.key, k[i].known[JFR_AS_TEXT]);
	}
}

/* Find what constants mean, from the constants and events that refer to them. */
static void
learn_uses(struct teller *t)
{
	t->learning = true;
	t->nfields = 0;
	buf_clear(&t->paths);
	learn_methods(t);
	for (uint64_t i = 0; i < t->c.ncheckpoints && !t->to.bad; i++)
		tell_checkpoint(t, SCRATCH(t->c.checkpoints, uint64_t)[i],
		    &(struct jfr_in){ t->c.data, t->c.data, false });
	jfr_meant_tell_events(t);
	learn_symbols(t);
	t->learning = false;
}

/* *next: where the chunk ends, or where its last checkpoint was read up to. */
static void
tell_chunk(struct teller *t, uint64_t *next)
{
	struct jfr_chunk *c = &t->c;
	uint64_t lost = 0, at = c->begin + JFR_HEADER;
	bool found;

	/* The last event is cut where another chunk begins. */
	if (*next < c->end)
		c->end = jfr_chunk_find(c->data, c->end, *next);
	found = jfr_metadata_read(c, &lost);
	drop_checkpoints(c);
	jfr_constants_read(c, NULL, &lost);
	if (found && !t->to.bad) {
		learn_uses(t);
		at = jfr_meant_tell_events(t);
	}
	*next = at > *next ? at : *next;
	if (at != *next && !t->to.bad)
		jfr_tell_lost(t, c->data + at, c->data + *next);
}

static void
meant_file(struct teller *t)
{
	struct jfr_chunk *c = &t->c;
	uint64_t at = 0, next, lost;

	for (; at < c->size && !t->to.bad; at = next) {
		if (!jfr_chunk_is(c->data, c->size, at)) {
			next = jfr_chunk_find(c->data, c->size, at);
			jfr_tell_lost(t, c->data + at, c->data + next);
			continue;
		}
		jfr_chunk_open(c, at, &next, &lost);
		if (!t->to.bad)
			tell_chunk(t, &next);
	}
	if (!t->to.bad)
		jfr_tell_part(t, c->size, c->size, MEANT_FORM, false, "");
}

bool
jfr_meant(const struct map *m, meant_take take, void *arg, uint64_t *lost, struct work *w, struct err *err)
{
	struct teller *t;
	bool ok;

	if (!jfr_check_head(m->data, m->size, err))
		return false;
	t = mem_array(1, sizeof *t);
	if (t == NULL)
		return fail(err, E_SYSTEM, "out of memory (chunks)");
	t->c.data = m->data;
	t->c.size = m->size;
	t->take = take;
	t->arg = arg;
	t->to = (struct into){ .work = w, .err = err };
	t->c.to = &t->to;
	t->paths = t->text = BUF_INIT;
	t->telling = (struct jfr_telling){ ask_field, told_tell, t };
	meant_file(t);
	ok = !t->to.bad;
	*lost += t->lost;
	jfr_chunk_close(&t->c);
	SCRATCH_FREE(&t->fields, &t->words);
	buf_free(&t->paths);
	buf_free(&t->text);
	free(t);
	return ok;
}
