/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * groups: findings with the same signature in all dumps.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "triage.h"

/* Sort by signature, then retained size (largest first), then path (dumps are numbered by path). */
static int
by_sig(const void *x, const void *y)
{
	const struct found_row *a = x, *b = y;
	int same = num_order(a->dump, b->dump, num_order((uint64_t)a->rank, (uint64_t)b->rank, 0));

	return num_order(a->sig, b->sig,
	    num_order((uint64_t)b->retained + 1, (uint64_t)a->retained + 1, same));
}

static int
groups_by_number(const void *x, const void *y)
{
	return num_order(*(const uint32_t *)x, *(const uint32_t *)y, 0);
}

static int
by_dumps(const void *x, const void *y)
{
	const struct group_row *a = x, *b = y;

	return num_order(b->dumps, a->dumps,
	    num_order((uint64_t)b->most + 1, (uint64_t)a->most + 1, strcmp(a->name, b->name)));
}

/* Count distinct values except 0. */
static uint32_t
count_different(uint32_t *v, uint64_t n)
{
	uint32_t count = 0;

	qsort(v, n, sizeof *v, groups_by_number);
	for (uint64_t i = 0; i < n; i++)
		count += v[i] != 0 && (i == 0 || v[i] != v[i - 1]);
	return count;
}

/* Times as text sort correctly. */
static void
take_time(const struct triage *t, struct group_row *g, uint32_t at)
{
	if (at == 0)
		return;
	if (g->first == 0 || strcmp(triage_word_text(t, at), triage_word_text(t, g->first)) < 0)
		g->first = at;
	if (g->last == 0 || strcmp(triage_word_text(t, at), triage_word_text(t, g->last)) > 0)
		g->last = at;
}

static void
groups_fill(const struct triage *t, struct group_row *g, const struct found_row *f, uint64_t n,
    uint32_t *room)
{
	const struct dump_row *dumps = SCRATCH(t->dumps, struct dump_row);

	*g = (struct group_row){ .sig = f->sig, .kind = f->kind, .holder = f->holder, .content = f->content,
	    .signature = f->signature, .exemplar = f->path, .most = f->retained, .median = f[n / 2].retained,
	    .name = triage_word_text(t, f->sig) };
	for (uint64_t i = 0; i < n; i++)
		take_time(t, g, dumps[f[i].dump - 1].dumped_at);
	for (uint64_t i = 0; i < n; i++)
		room[i] = f[i].dump;
	g->dumps = count_different(room, n);
	for (uint64_t i = 0; i < n; i++)
		room[i] = dumps[f[i].dump - 1].app;
	g->apps = count_different(room, n);
	for (uint64_t i = 0; i < n; i++)
		room[i] = dumps[f[i].dump - 1].build;
	g->builds = count_different(room, n);
}

/* Return the row of the exemplary finding, if rows are in the order of dumps. */
static uint32_t
groups_place_of(const struct triage *t, const struct found_row *f)
{
	return (uint32_t)(SCRATCH(t->dumps, struct dump_row)[f->dump - 1].first + (uint64_t)f->rank);
}

bool
triage_groups(struct triage *t, struct err *err)
{
	struct scratch sorted = SCRATCH_INIT, room = SCRATCH_INIT;
	struct found_row *f;
	uint64_t end;
	struct group_row *g;
	bool ok = scratch_array(&sorted, t->nfound, sizeof *f, err) &&
	    scratch_array(&room, t->nfound, sizeof(uint32_t), err);

	f = SCRATCH(sorted, struct found_row);
	if (ok && t->nfound > 0) {
		memcpy(f, t->found.data, t->nfound * sizeof *f);
		qsort(f, t->nfound, sizeof *f, by_sig);
	}
	for (uint64_t i = 0; ok && i < t->nfound; i = end) {
		for (end = i + 1; end < t->nfound && f[end].sig == f[i].sig; )
			end++;
		g = make_row(&t->groups, t->ngroups, sizeof *g, MAKE_MOST, "groups", err);
		ok = g != NULL;
		if (!ok)
			break;
		groups_fill(t, g, f + i, end - i, SCRATCH(room, uint32_t));
		g->finding = groups_place_of(t, f + i);
		t->ngroups++;
	}
	if (ok && t->ngroups > 0)
		qsort(t->groups.data, t->ngroups, sizeof *g, by_dumps);
	SCRATCH_FREE(&sorted, &room);
	return ok;
}
