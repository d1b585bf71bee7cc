/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pprof_tables: tables of the file, by id.
 */
#include "config.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "pprof.h"

#define TICK 4096u		/* fields between two clock reads */

void
pprof_close_tables(struct pprof *p)
{
	SCRATCH_FREE(&p->types, &p->strings, &p->functions, &p->locations, &p->mappings, &p->comments);
	idmap_free(&p->by_function.map);
	idmap_free(&p->by_location.map);
	idmap_free(&p->by_mapping.map);
}

/* ---- ids --------------------------------------------------------------------------- */

uint32_t
pprof_row(const struct pprof_ids *ids, uint64_t id)
{
	if (ids->odd)
		return idmap_get(&ids->map, id);
	return id <= ids->n ? (uint32_t)id : 0;
}

/* Called at the first id that is not the next number: add all earlier ids to the map. */
static bool
make_odd(struct pprof_ids *ids, struct err *err)
{
	ids->odd = true;
	for (uint64_t i = 1; i <= ids->n; i++)
		if (!idmap_put(&ids->map, i, (uint32_t)i, err))
			return false;
	return true;
}

/*
 * Add a row for an id. If the id exists, keep the old row and set *row to NULL. This is not a failure. Id 0
 * means none and is not a failure either.
 */
static bool
pprof_tables_add_row(struct pprof *p, struct pprof_ids *ids, struct scratch *table, uint64_t id,
    const void *new, size_t size, struct err *err)
{
	uint64_t n = ids->n;

	if (id == 0 || pprof_row(ids, id) != 0) {
		p->bad_ids++;
		return true;
	}
	if (id != n + 1 && !ids->odd && !make_odd(ids, err))
		return false;
	if (!make_add(table, &ids->n, new, size, MAKE_MOST, "ids", err))
		return false;
	assert(ids->odd || id == ids->n);
	return !ids->odd || idmap_put(&ids->map, id, (uint32_t)ids->n, err);
}

/* ---- strings ----------------------------------------------------------------------- */

struct str
pprof_string(struct pprof *p, uint32_t number)
{
	if (number < p->nstrings)
		return store_text(p->s.st, SCRATCH(p->strings, uint64_t)[number]);
	/* String 0 is empty even if the string table is truncated. */
	p->bad_strings += number != 0;
	return STR("");
}

struct str
pprof_name(struct pprof *p, uint32_t number)
{
	struct str name = pprof_string(p, number);

	if (number < p->nstrings || number == 0)
		return name;
	name.s = p->lost;
	name.n = (size_t)snprintf(p->lost, sizeof p->lost, "[string %" PRIu32 "]", number);
	return name;
}

static bool
add_string(struct pprof *p, struct str text, struct err *err)
{
	uint64_t ref = make_ref(p->source.s, text);

	p->empty += text.n == 0 && p->nstrings > 0;
	return make_add(&p->strings, &p->nstrings, &ref, sizeof ref, MAKE_MOST, "strings", err);
}

/* ---- messages ------------------------------------------------------------------------ */

static bool
is_bad(struct pprof *p, bool read)
{
	p->bad_messages += !read;
	return !read;
}

static bool
read_type(struct pprof *p, struct str in, struct pprof_type *t)
{
	struct value_type m;
	bool bad = is_bad(p, value_type_read(in, &m, &p->unread));

	*t = (struct pprof_type){ .type = m.type, .unit = m.unit };
	return !bad;
}

static bool
add_type(struct pprof *p, struct str in, struct err *err)
{
	struct pprof_type t;

	return !read_type(p, in, &t) || make_add(&p->types, &p->ntypes, &t, sizeof t, MAKE_MOST,
	    "sample types", err);
}

static bool
add_function(struct pprof *p, struct str in, struct err *err)
{
	struct function m;

	return is_bad(p, function_read(in, &m, &p->unread)) ||
	    pprof_tables_add_row(p, &p->by_function, &p->functions, m.id,
	    &(struct pprof_function){ .name = m.name, .system = m.system, .file = m.file, .line = m.line },
	    sizeof(struct pprof_function), err);
}

static bool
add_mapping(struct pprof *p, struct str in, struct err *err)
{
	struct mapping m;

	return is_bad(p, mapping_read(in, &m, &p->unread)) ||
	    pprof_tables_add_row(p, &p->by_mapping, &p->mappings, m.id,
	    &(struct pprof_mapping){ .file = m.file }, sizeof(struct pprof_mapping), err);
}

static bool
add_location(struct pprof *p, struct str in, struct err *err)
{
	struct location m;

	return is_bad(p, location_read(in, &m, &p->unread)) ||
	    pprof_tables_add_row(p, &p->by_location, &p->locations, m.id,
	    &(struct pprof_location){ .in = in }, sizeof(struct pprof_location), err);
}

static bool
add_comments(struct pprof *p, const struct proto_walk *w, struct err *err)
{
	uint64_t v;

	SHAPE_NUMBERS(w->raw, 13, v) {
		uint32_t number = pprof_number(v);

		if (!make_add(&p->comments, &p->ncomments, &number, sizeof number, MAKE_MOST, "comments",
		    err))
			return false;
	}
	return true;
}

bool
pprof_fail_two(struct err *err)
{
	return fail(err, E_UNREADABLE, "two concatenated pprof profiles have separate strings; merge the profiles with "
	    "go tool "
	    "pprof -proto FILE FILE");
}

/* A second time means that the file has two profiles. */
static bool
profile_field(struct pprof *p, const struct proto_walk *w, struct err *err)
{
	struct str in = w->f.in;

	if (w->f.number == 9 && p->is.time != 0)
		return pprof_fail_two(err);
	if (w->f.wire != PROTO_VARINT && w->f.wire != PROTO_BYTES)
		return true;
	profile_take(&w->f, &p->is, &p->unread);
	if (w->f.number == 13)
		return add_comments(p, w, err);
	if (w->f.wire != PROTO_BYTES)
		return true;
	switch (w->f.number) {
	case 1: return add_type(p, in, err);
	case 2: p->nsamples++; return true;
	case 3: return add_mapping(p, in, err);
	case 4: return add_location(p, in, err);
	case 5: return add_function(p, in, err);
	case 6: return add_string(p, in, err);
	case 11: (void)read_type(p, in, &p->period_type); return true;
	default: return true;
	}
}

/* ---- file ------------------------------------------------------------------------------ */

bool
pprof_read_tables(struct pprof *p, struct err *err)
{
	struct proto_walk w = { .rest = p->source };

	work_start_bytes(p->s.work, "pprof tables", p->source.n);
	p->whole = (struct str){ p->source.s, 0 };
	for (uint64_t n = 0; proto_step(&w); n++) {
		p->whole.n = p->source.n - w.rest.n;
		if ((n % TICK == 0 && !work_go(p->s.work, p->whole.n, err)) || !profile_field(p, &w, err))
			return false;
	}
	assert(p->whole.n <= p->source.n && w.bad == (p->whole.n < p->source.n));
	return true;
}
