/*
 * Scheduler events in order of time: most files have that, some of several buffers do not.
 */
#include "config.h"

#include <string.h>

#include "sched.h"

#define DIGIT 65536u

struct order {
	struct scratch	key, other;	/* struct key */
	struct scratch	counts;
	uint64_t	n;
};

struct key {
	uint64_t	time;
	uint32_t	row;
};

/* One pass of a counting sort by 16 bits of the time. */
static void
sort_digit(struct order *o, unsigned shift)
{
	struct key *from = SCRATCH(o->key, struct key), *to = SCRATCH(o->other, struct key);
	uint32_t *count = SCRATCH(o->counts, uint32_t), sum = 0, n;
	struct scratch swap = o->key;
	uint64_t i;

	memset(count, 0, DIGIT * sizeof *count);
	for (i = 0; i < o->n; i++)
		count[from[i].time >> shift & (DIGIT - 1)]++;
	for (i = 0; i < DIGIT; i++) {
		n = count[i];
		count[i] = sum;
		sum += n;
	}
	for (i = 0; i < o->n; i++)
		to[count[from[i].time >> shift & (DIGIT - 1)]++] = from[i];
	o->key = o->other;
	o->other = swap;
}

/* The rows of size bytes, whose first member is their time, in order; key then says which row came from where. */
static bool
sort_rows(struct order *o, struct scratch *rows, uint64_t n, size_t size, struct work *w, struct err *err)
{
	struct scratch sorted = SCRATCH_INIT;
	uint64_t i, all = 0;
	struct key *k;
	unsigned shift;

	o->n = n;
	if (!scratch_array(&o->key, n, sizeof *k, err) || !scratch_array(&o->other, n, sizeof *k, err) ||
	    !scratch_array(&o->counts, DIGIT, sizeof(uint32_t), err) || !scratch_array(&sorted, n, size, err))
		return false;
	k = SCRATCH(o->key, struct key);
	for (i = 0; i < n; i++) {
		memcpy(&k[i].time, rows->data + i * size, sizeof k[i].time);
		k[i].row = (uint32_t)i;
		all |= k[i].time;
	}
	for (shift = 0; shift < 64 && all >> shift != 0; shift += 16) {
		if (!work_tick(w, shift)) {
			scratch_free(&sorted);
			return fail_cancel(err);
		}
		sort_digit(o, shift);
	}
	k = SCRATCH(o->key, struct key);
	for (i = 0; i < n; i++)
		memcpy(sorted.data + i * size, rows->data + k[i].row * size, size);
	scratch_free(rows);
	*rows = sorted;
	return true;
}

/* How many switches stand before each wakeup now, from how many did in the file. */
static void
place_wakes(const struct order *o, const struct sched_row *row, uint64_t nrows, struct sched_woken *w,
    uint64_t nwakes)
{
	const struct key *k = SCRATCH(o->key, struct key);
	uint64_t i, at = 0;

	for (i = 0; i < nwakes; i++) {
		while (at < nrows && (row[at].time < w[i].time ||
		    (row[at].time == w[i].time && k[at].row < w[i].before)))
			at++;
		w[i].before = (uint32_t)at;
	}
}

bool
sched_sort(struct scratch *rows, uint64_t nrows, struct scratch *wakes, uint64_t nwakes, struct work *w,
    struct err *err)
{
	struct order r = { SCRATCH_INIT, SCRATCH_INIT, SCRATCH_INIT, 0 }, k = r;
	bool ok;

	work_start(w, "sorting", 64);
	ok = sort_rows(&k, wakes, nwakes, sizeof(struct sched_woken), w, err) &&
	    sort_rows(&r, rows, nrows, sizeof(struct sched_row), w, err);
	if (ok)
		place_wakes(&r, SCRATCH(*rows, struct sched_row), nrows,
		    SCRATCH(*wakes, struct sched_woken), nwakes);
	scratch_free(&r.key);
	scratch_free(&r.other);
	scratch_free(&r.counts);
	scratch_free(&k.key);
	scratch_free(&k.other);
	scratch_free(&k.counts);
	return ok;
}
