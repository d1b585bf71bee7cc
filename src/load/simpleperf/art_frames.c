/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * art_frames: omit frames of Android's runtime beside Java frames, as the reports of simpleperf do.
 *
 * They run Java code or go from it to native code.  A method that is interpreted first and continues in
 * its compiled code has two frames for one call.
 */
#include "config.h"

#include <assert.h>

#include "recording.h"

#define TRAMPOLINE STR("jni_trampoline")

bool
art_frames_is_java(struct str path)
{
	static const char *const parts[] = { "[JIT app cache]", "[JIT cache]", ".dex", "jit_app_cache",
	    "/TemporaryFile-" };

	for (size_t i = 0; i < NELEM(parts); i++)
		if (str_has(path, str_of(parts[i])))
			return true;
	return false;
}

static const struct code_object *
art_object(const struct simple_file *r, const struct code_place *p)
{
	assert(p->object != 0 && p->object <= r->nobjects);
	return &SCRATCH(r->objects, struct code_object)[p->object - 1];
}

static struct str
art_name(const struct simple_file *r, const struct code_place *p)
{
	assert(p->symbol < r->nsymbols);
	return SCRATCH(r->symbols, struct code_symbol)[p->symbol].name;
}

static bool
is_trampoline(const struct simple_file *r, const struct code_place *p)
{
	return str_has_suffix(art_name(r, p), TRAMPOLINE);
}

static bool
is_runtime(const struct simple_file *r, const struct code_place *p)
{
	const struct code_object *o = art_object(r, p);

	return !o->java && (o->art || is_trampoline(r, p));
}

/* The frame that a trampoline called is of the program. */
static void
drop_beside(const struct simple_file *r, struct code_place *p, uint64_t n)
{
	bool near = false;

	for (uint64_t i = 0; i < n; i++) {
		if (art_object(r, &p[i])->java) {
			near = true;
			for (uint64_t k = i; k > 0 && !p[k - 1].dropped && is_runtime(r, &p[k - 1]); k--)
				p[k - 1].dropped = true;
		} else if (near && is_runtime(r, &p[i]))
			p[i].dropped = true;
		else
			near = false;
	}
	for (uint64_t i = 1; i < n; i++)
		if (p[i].dropped && p[i - 1].dropped && is_trampoline(r, &p[i]))
			p[i - 1].dropped = false;
}

/* Drop compiled frames whose caller is the interpreted frame of that method. */
static void
drop_twins(const struct simple_file *r, struct code_place *p, uint64_t n)
{
	struct code_place *last = NULL;

	for (uint64_t i = 0; i < n; i++) {
		if (p[i].dropped)
			continue;
		if (last != NULL && art_object(r, last)->java && art_object(r, last)->type != OBJECT_DEX &&
		    art_object(r, &p[i])->type == OBJECT_DEX && art_name(r, last).n > 0 &&
		    str_eq(art_name(r, last), art_name(r, &p[i])))
			last->dropped = true;
		last = &p[i];
	}
}

void
art_frames_drop(struct simple_file *r, struct code_place *p, uint64_t n)
{
	drop_beside(r, p, n);
	drop_twins(r, p, n);
	for (uint64_t i = 0; i < n; i++)
		r->p->count[SIMPLE_ART] += p[i].dropped;
}
