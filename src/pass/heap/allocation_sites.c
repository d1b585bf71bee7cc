/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * allocation_sites: read the allocations of a recording: bytes, samples and surviving objects by class and
 * site.
 */
#include "config.h"

#include <assert.h>

#include "icecore/columns_trace.h"
#include "allocations.h"

#define TICK 4096u

/* State of reading one recording: names and sites of its frames and stacks. */
struct made_reading {
	const struct store *st;
	struct work	*work;
	ARRAY(uint32_t)	place;		/* by frame: where its name is in the text; 0: not looked at */
	ARRAY(uint8_t)	platform;	/* by frame: 0: not looked at, 1: the program's, 2: Java's own */
	ARRAY(uint32_t)	site;		/* by stack: the frame that counts */
	struct buf	 name;
};

/* Find the offset of a frame's name in the text; 0: no frame. */
static bool
allocation_sites_place_of(struct made_reading *r, struct made_list *m, uint32_t frame, uint32_t *place,
    struct err *err)
{
	uint32_t *known = &r->place.at[frame];

	if (*known == 0 && frame != 0) {
		buf_clear(&r->name);
		method_name(r->st, frame, &r->name);
		if (!texts_place(&m->text, buf_view(&r->name), known, err))
			return false;
	}
	*place = *known;
	return true;
}

/* ---- sites --------------------------------------------------------------------------------------- */

static bool
allocation_sites_is_platform(struct made_reading *r, uint32_t frame)
{
	uint8_t *known = &r->platform.at[frame];

	if (*known == 0) {
		buf_clear(&r->name);
		method_name(r->st, frame, &r->name);
		*known = platform_named(PLATFORM_SITE, buf_view(&r->name)) ? 2 : 1;
	}
	return *known == 2;
}

/* Better ones are larger. */
enum worth { WORTH_NOTHING, WORTH_NATIVE, WORTH_PLATFORM, WORTH_PROGRAM };

static enum worth
worth_of(struct made_reading *r, uint32_t frame)
{
	char kind = frame == 0 ? 'c' : method_kind(r->st, frame);

	return kind == 'c' ? WORTH_NOTHING : kind != 'j' ? WORTH_NATIVE : allocation_sites_is_platform(r,
	    frame) ? WORTH_PLATFORM : WORTH_PROGRAM;
}

/*
 * Find the site of every stack: the innermost method of the program; otherwise of Java, otherwise the
 * innermost frame.
 */
static bool
find_sites(struct made_reading *r, struct err *err)
{
	const struct column *parents = store_column(r->st, COL_STACK_PARENT),
	    *frames = store_column(r->st, COL_STACK_METHOD);
	uint64_t n = parents == NULL ? 0 : parents->rows, parent,
	    methods = column_rows(store_column(r->st, COL_LISTED_METHOD));
	uint32_t *site, frame;

	if (!array_grow(&r->site, n + 1, err) || !array_grow(&r->place, methods + 1, err) ||
	    !array_grow(&r->platform, methods + 1, err))
		return false;
	site = r->site.at;
	work_start(r->work, "allocation sites", n);
	for (uint64_t i = 1; i <= n; i++) {
		if (!work_each(r->work, i, TICK, err))
			return false;
		parent = column_get(parents, i - 1);
		frame = (uint32_t)column_get(frames, i - 1);
		frame = frame > methods ? 0 : frame;
		parent = parent < i ? site[parent] : 0;
		site[i] = worth_of(r, frame) >= worth_of(r, (uint32_t)parent) &&
		    worth_of(r, frame) > WORTH_NOTHING ? frame : (uint32_t)parent;
		assert(site[i] <= methods);
	}
	return true;
}

/* ---- what was made -------------------------------------------------------------------------------- */

/* A slot for a pair of class and site. */
static struct made_row *
allocation_sites_made_of(struct made_reading *r, struct made_list *m, uint32_t class, uint32_t stack,
    struct err *err)
{
	struct made_row new = { .bytes = 0 };
	uint32_t row;

	if (!allocation_sites_place_of(r, m, class, &new.name, err) ||
	    !allocation_sites_place_of(r, m, r->site.at[stack], &new.site, err) ||
	    !idmap_enter(&m->by_pair, (uint64_t)new.name << 32 | new.site, (uint32_t)m->n + 1, &row, err) ||
	    (row > m->n && !make_add(&m->rows.raw, &m->n, &new, sizeof new, MAKE_MOST, "allocation sites",
	    err)))
		return NULL;
	assert(row > 0 && row <= m->n);
	return &m->rows.at[row - 1];
}

/*
 * Return which events count as allocations: TLAB events only if there are no allocation samples, which are
 * better.
 */
static enum event_role
role_of_allocations(const struct store *st)
{
	const struct column *role = store_column(st, COL_EVENT_ROLE);

	for (uint64_t i = 0; role != NULL && i < role->rows; i++)
		if (column_get(role, i) == EVENT_ALLOCATES && store_cell(st, COL_EVENT_SAMPLES, i + 1) > 0)
			return EVENT_ALLOCATES;
	return EVENT_ALLOCATES_BUFFER;
}

/* Count the samples whose innermost frame is the class of the allocated object. */
static bool
allocation_sites_read_samples(struct made_reading *r, struct made_list *m, struct err *err)
{
	const struct column *stacks = store_column(r->st, COL_SAMPLE_STACK),
	    *events = store_column(r->st, COL_SAMPLE_EVENT);
	const struct column *weights = store_column(r->st, COL_SAMPLE_WEIGHT),
	    *role = store_column(r->st, COL_EVENT_ROLE);
	uint64_t n = role == NULL ? 0 : column_rows(stacks),
	    most = column_rows(store_column(r->st, COL_STACK_METHOD)), stack;
	enum event_role counts = role_of_allocations(r->st);
	struct made_row *made;
	uint32_t class;

	work_start(r->work, "allocations", n);
	for (uint64_t i = 0; i < n; i++) {
		if (!work_each(r->work, i, TICK, err))
			return false;
		stack = column_get(stacks, i);
		if (column_get(role, column_get(events, i) - 1) != counts || stack == 0 || stack > most)
			continue;
		class = (uint32_t)store_cell(r->st, COL_STACK_METHOD, stack);
		if (class == 0 || method_kind(r->st, class) != 'c')
			continue;
		if ((made = allocation_sites_made_of(r, m, class, (uint32_t)stack, err)) == NULL)
			return false;
		made->bytes = num_add(made->bytes, column_get(weights, i));
		made->samples++;
	}
	return true;
}

static bool
allocation_sites_read_old(struct made_reading *r, struct made_list *m, struct err *err)
{
	const struct column *classes = store_column(r->st, COL_OLD_CLASS),
	    *stacks = store_column(r->st, COL_OLD_STACK);
	uint64_t stack, class, most = column_rows(store_column(r->st, COL_STACK_METHOD));
	uint64_t methods = column_rows(store_column(r->st, COL_LISTED_METHOD));
	struct made_row *made;

	for (uint64_t i = 0; i < column_rows(classes); i++) {
		class = column_get(classes, i);
		stack = column_get(stacks, i);
		if (class == 0 || class > methods)
			continue;
		if ((made = allocation_sites_made_of(r, m, (uint32_t)class,
		    stack > most ? 0 : (uint32_t)stack, err)) == NULL)
			return false;
		made->old++;
	}
	return true;
}

bool
made_read(struct made_list *m, const struct store *recording, struct work *w, struct err *err)
{
	struct made_reading r = { .st = recording, .work = w };
	bool ok = find_sites(&r, err) && allocation_sites_read_samples(&r, m, err) &&
	    allocation_sites_read_old(&r, m, err);

	SCRATCH_FREE(&r.place, &r.platform, &r.site);
	buf_free(&r.name);
	return ok;
}

void
made_close(struct made_list *m)
{
	SCRATCH_FREE(&m->rows);
	idmap_free(&m->by_pair);
	texts_free(&m->text);
}
