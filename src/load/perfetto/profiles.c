/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * profiles: samples of JavaScript that V8 takes in Chrome: old track events "Profile" and "ProfileChunk", whose
 * annotation "data" is the JSON of the same trace events.
 */
#include "config.h"

#include "perfetto.h"

enum { ANNOTATION_NAMES = 3 };

#define PROFILE_DATA(F) F(1, name_iid, U64) F(9, json, TEXT) F(10, name, TEXT)
SHAPE(profile_data, "debug_annotation", PROFILE_DATA)

/* Return the annotation "data" of an event; empty: none. */
static struct str
data_of(const struct perfetto *p, const struct pf_row *r)
{
	struct profile_data at;
	struct str event = pf_bytes(p, r->at, r->n), name;

	SHAPE_EACH(event, 4, annotation) {
		(void)profile_data_read(annotation, &at, NULL);
		name = at.name;
		if (at.name_iid != 0 && !pf_interned_text(p, r->a, ANNOTATION_NAMES, at.name_iid, &name))
			continue;
		if (str_eq(name, STR("data")))
			return at.json;
	}
	return STR("");
}

bool
pf_play_profile(struct perfetto *p, const struct pf_row *r, struct str name, uint64_t key, uint32_t task,
    bool *read, struct err *err)
{
	bool head = str_eq(name, STR("Profile"));
	struct str data;
	uint32_t thread;

	*read = false;
	if (task == 0 || (!head && !str_eq(name, STR("ProfileChunk"))))
		return true;
	data = data_of(p, r);
	if (data.n == 0)
		return true;
	if ((thread = pf_task_thread(p, pf_task_at(p, task), err)) == 0)
		return false;
	*read = true;
	p->l->to = (struct into){ .samples = &p->l->samples, .spans = &p->l->spans, .work = p->l->work, .err = err };
	chrome_samples_data(&p->v8, head, key, thread, (struct json){ .base = data.s, .size = data.n });
	return !p->l->to.bad;
}

/* Their times are on the monotonic clock; samples before the first event are moved to it. */
bool
pf_profiles_load(struct perfetto *p, const uint32_t *place, struct err *err)
{
	struct samples *s = &p->l->samples;
	uint64_t i = s->nsamples, time;
	int64_t converted;

	if (p->v8.nprofiles == 0)
		return true;
	p->l->to = (struct into){ .samples = s, .spans = &p->l->spans, .work = p->l->work, .err = err };
	chrome_samples_load(&p->v8, place);
	for (; i < s->nsamples && !p->l->to.bad; i++) {
		time = narrow_get(&s->rows.time, i);
		time = time > TIME_ZERO ? time - TIME_ZERO : 0;
		if (pf_clock_convert(&p->clocks, CLOCK_OF_MONOTONIC, (int64_t)time, &converted) && converted > 0)
			time = (uint64_t)converted;
		time = time < p->first ? p->first : time < PF_TIME_MOST ? time : PF_TIME_MOST;
		p->last = time > p->last ? time : p->last;
		INTO(&p->l->to, narrow_set(&s->rows.time, i, PF_TIME(time), err));
	}
	return !p->l->to.bad;
}
