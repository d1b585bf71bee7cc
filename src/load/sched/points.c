/*
 * points: tracks while they are made.
 */
#include "config.h"

#include <string.h>

#include "icecore/points.h"

struct track_row {
	uint64_t	first;		/* of its points */
	uint32_t	name, unit, thread, cpu;
	uint32_t	kind;
};

void
points_open(struct points *p)
{
	memset(p, 0, sizeof *p);
	p->track = p->time = p->value = p->state = SCRATCH_INIT;
	p->text = BUF_INIT;
	p->names = IDMAP_INIT;
	/* Offset 0 is the empty name. */
	buf_chr(&p->text, '\0');
}

void
points_close(struct points *p)
{
	scratch_free(&p->track);
	scratch_free(&p->time);
	scratch_free(&p->value);
	scratch_free(&p->state);
	buf_free(&p->text);
	idmap_free(&p->names);
}

/* The offset of a name in text, where it stands once; false: no memory. */
static bool
keep_name(struct points *p, const char *name, uint32_t *at, struct err *err)
{
	size_t n = strlen(name) + 1;
	uint64_t key = hash_bytes(name, n, 0);
	uint32_t known = idmap_get(&p->names, key);

	*at = n == 1 ? 0 : known - 1;
	if (n == 1 || (known != 0 && strcmp(p->text.s + known - 1, name) == 0))
		return true;
	if (p->text.n > UINT32_MAX - n)
		return fail(err, E_INPUT, "too many names of tracks");
	*at = (uint32_t)p->text.n;
	buf_add(&p->text, name, n);
	if (p->text.bad)
		return fail(err, E_SYSTEM, "no memory for names of tracks");
	return idmap_put(&p->names, key, *at + 1, err);
}

bool
points_track(struct points *p, enum track_kind kind, const char *name, const char *unit, uint32_t thread,
    uint32_t cpu, struct err *err)
{
	struct track_row row = { .first = p->n, .thread = thread, .cpu = cpu, .kind = kind };

	if (!keep_name(p, name, &row.name, err) || !keep_name(p, unit, &row.unit, err) ||
	    !scratch_array(&p->track, (uint64_t)p->ntracks + 1, sizeof row, err))
		return false;
	SCRATCH(p->track, struct track_row)[p->ntracks++] = row;
	return true;
}

uint32_t
points_state(struct points *p, const char *name, struct err *err)
{
	uint32_t at, i;

	if (!keep_name(p, name, &at, err))
		return STATE_NONE;
	for (i = 0; i < p->nstates; i++)
		if (SCRATCH(p->state, uint32_t)[i] == at)
			return i;
	if (!scratch_array(&p->state, (uint64_t)p->nstates + 1, sizeof at, err))
		return STATE_NONE;
	SCRATCH(p->state, uint32_t)[p->nstates] = at;
	return p->nstates++;
}

bool
points_add(struct points *p, uint64_t time, uint64_t value, struct err *err)
{
	const struct track_row *t = &SCRATCH(p->track, struct track_row)[p->ntracks - 1];
	uint64_t n = p->n;

	if (n + 1 > p->time.size / sizeof time &&
	    (!scratch_array(&p->time, n + 1, sizeof time, err) ||
	    !scratch_array(&p->value, n + 1, sizeof value, err)))
		return false;
	if (n > t->first && time < SCRATCH(p->time, uint64_t)[n - 1])
		time = SCRATCH(p->time, uint64_t)[n - 1];
	SCRATCH(p->time, uint64_t)[n] = time;
	SCRATCH(p->value, uint64_t)[n] = value;
	p->n++;
	return true;
}

/* ---- columns -------------------------------------------------------------------- */

static bool
copy_column(struct store *st, enum col col, enum column_type type, const void *data, uint64_t rows,
    struct err *err)
{
	void *to = store_make(st, col, type, rows, err);

	if (to != NULL && rows > 0)
		memcpy(to, data, (size_t)rows * column_width(type));
	return to != NULL;
}

static bool
track_columns(const struct points *p, struct store *st, struct err *err)
{
	const struct track_row *t = SCRATCH(p->track, struct track_row);
	uint8_t *kind = store_make(st, COL_TRACK_KIND, COL_U8, p->ntracks, err);
	uint32_t *name = store_make(st, COL_TRACK_NAME, COL_U32, p->ntracks, err);
	uint32_t *unit = store_make(st, COL_TRACK_UNIT, COL_U32, p->ntracks, err);
	uint32_t *thread = store_make(st, COL_TRACK_THREAD, COL_U32, p->ntracks, err);
	uint32_t *cpu = store_make(st, COL_TRACK_CPU, COL_U32, p->ntracks, err);
	uint64_t *first = store_make(st, COL_TRACK_FIRST, COL_U64, p->ntracks + 1ull, err);
	uint32_t i;

	if (kind == NULL || name == NULL || unit == NULL || thread == NULL || cpu == NULL ||
	    first == NULL)
		return false;
	for (i = 0; i < p->ntracks; i++) {
		kind[i] = (uint8_t)t[i].kind;
		name[i] = t[i].name;
		unit[i] = t[i].unit;
		thread[i] = t[i].thread;
		cpu[i] = t[i].cpu;
		first[i] = t[i].first;
	}
	first[p->ntracks] = p->n;
	return true;
}

bool
points_columns(const struct points *p, struct store *st, struct err *err)
{
	return track_columns(p, st, err) &&
	    copy_column(st, COL_TRACK_TEXT, COL_BYTES, p->text.s, p->text.n, err) &&
	    copy_column(st, COL_POINT_TIME, COL_U64, p->time.data, p->n, err) &&
	    copy_column(st, COL_POINT_VALUE, COL_U64, p->value.data, p->n, err) &&
	    copy_column(st, COL_STATE_NAME, COL_U32, p->state.data, p->nstates, err);
}
