/*
 * view_texts: names that views make, each kept once.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "views.h"

struct str
texts_get(const struct texts *t, uint32_t number)
{
	const uint64_t *at = SCRATCH(t->piece, uint64_t) + number - 1;

	assert(number > 0 && number <= t->n);
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
	char *text = store_make(st, COL_VIEW_TEXT, COL_BYTES, t->bytes.n, err);

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
