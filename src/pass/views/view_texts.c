/*
 * view_texts: names that views make, each kept once, and those of events.
 */
#include "config.h"

#include <string.h>

#include "views.h"

struct str
texts_get(const struct texts *t, uint32_t number)
{
	const uint64_t *at = SCRATCH(t->piece, uint64_t) + number - 1;

	return (struct str){ t->bytes.s + at[0], (size_t)(at[1] - at[0]) };
}

static bool
texts_add(struct texts *t, struct str s, uint64_t key, struct err *err)
{
	if (t->n == UINT32_MAX - 1)
		return fail(err, E_INPUT, "more than 2^32 names");
	if (!scratch_array(&t->piece, t->n + 2ull, sizeof(uint64_t), err))
		return false;
	buf_str(&t->bytes, s);
	if (t->bytes.bad)
		return fail(err, E_SYSTEM, "no memory for names");
	SCRATCH(t->piece, uint64_t)[++t->n] = t->bytes.n;
	return idmap_put(&t->by_hash, key, t->n, err);
}

bool
texts_number(struct texts *t, struct str s, uint32_t *number, struct err *err)
{
	uint64_t key = hash_bytes(s.s, s.n, 0);

	for (; (*number = idmap_get(&t->by_hash, key)) != 0; key++)
		if (str_eq(texts_get(t, *number), s))
			return true;
	if (!texts_add(t, s, key, err))
		return false;
	*number = t->n;
	return true;
}

bool
texts_keep(const struct texts *t, struct store *st, struct scratch *refs, struct err *err)
{
	uint64_t from = store_own_at(st);
	struct str s;
	uint32_t i;
	char *text = store_make(st, "view.text", COL_BYTES, t->bytes.n, err);

	if (text == NULL || !scratch_array(refs, t->n + 1ull, sizeof(uint64_t), err))
		return false;
	if (t->bytes.n > 0)
		memcpy(text, t->bytes.s, t->bytes.n);
	for (i = 1; i <= t->n; i++) {
		s = texts_get(t, i);
		SCRATCH(*refs, uint64_t)[i - 1] = s.n == 0 ? 0 :
		    ref_make(from + (uint64_t)(s.s - t->bytes.s), s.n);
	}
	store_own_text(st, (struct str){ text, t->bytes.n });
	return true;
}

void
texts_free(struct texts *t)
{
	buf_free(&t->bytes);
	scratch_free(&t->piece);
	idmap_free(&t->by_hash);
	*t = TEXTS_INIT;
}

/* ---- events -------------------------------------------------------------------------------- */

struct str
event_name(const struct store *st, uint32_t event)
{
	uint64_t own = column_get(store_column(st, "event.own"), event - 1ull);

	return own != 0 ? column_text(store_column(st, "event.text"), own) :
	    store_text(st, column_get(store_column(st, "event.name"), event - 1ull));
}

uint32_t
event_larger(const struct store *st)
{
	const struct column *samples = store_column(st, "event.samples");
	uint64_t event = store_fact_get(st, "event"), most = 0, i, n;
	uint32_t id = 0;

	if (samples == NULL || event == 0)
		return 0;
	for (i = 0; i < samples->rows; i++)
		if ((n = column_get(samples, i)) > most) {
			most = n;
			id = (uint32_t)i + 1;
		}
	return most / 10 >= column_get(samples, event - 1) && id != event ? id : 0;
}
