/*
 * view_texts: names that views make, each kept once, and what frames are called in groups.
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

/* ---- groups -------------------------------------------------------------------------------- */

/* What stands before the arguments of a frame. */
static struct str
without_arguments(struct str s)
{
	const char *open = s.n < 2 ? NULL : memchr(s.s + 1, '(', s.n - 1);

	if (open != NULL)
		s.n = (size_t)(open - s.s);
	return s;
}

/* What stands before the last separator: a point, a slash or two colons; empty: there is none. */
static struct str
before_last(struct str s)
{
	const char *angle = s.n < 2 ? NULL : memchr(s.s + 1, '<', s.n - 1);
	size_t i = angle == NULL ? s.n : (size_t)(angle - s.s);

	while (i > 1) {
		i--;
		if (s.s[i] == '.' || s.s[i] == '/')
			return (struct str){ s.s, i };
		if (i > 1 && s.s[i] == ':' && s.s[i - 1] == ':')
			return (struct str){ s.s, i - 1 };
	}
	return STR("");
}

static void
group_file(const struct store *st, uint32_t method, struct buf *b)
{
	struct str s = store_text(st, column_get(store_column(st, "listed.file"), method - 1));

	buf_str(b, s.n > 0 ? s : STR("(no file)"));
}

void
view_group_name(const struct store *st, uint32_t method, enum view_group group, struct buf *b)
{
	struct str s;

	if (group == VIEW_FILE) {
		group_file(st, method, b);
		return;
	}
	method_name(st, method, b);
	if (group == VIEW_METHOD)
		return;
	s = buf_view(b);
	if (s.n == 0)
		return;
	if (method_kind(st, method) == 'k')
		s = STR("(kernel)");
	else if (s.s[0] != '[' && s.s[0] != '<') {
		s = before_last(without_arguments(s));
		if (group == VIEW_PACKAGE)
			s = before_last(s);
		if (s.n == 0)
			s = group == VIEW_CLASS ? STR("(no class)") : STR("(no package)");
	}
	/* It may be the front of what is in the buffer. */
	if (s.n > 0 && s.s == b->s)
		b->n = s.n;
	else if (s.s != b->s) {
		buf_clear(b);
		buf_str(b, s);
	}
}

/* ---- events -------------------------------------------------------------------------------- */

struct str
event_name(const struct store *st, uint32_t event)
{
	const struct column *text = store_column(st, "event.text");
	uint64_t own = column_get(store_column(st, "event.own"), event - 1ull);
	struct str s;

	if (own == 0 || text == NULL || own > text->rows)
		return store_text(st, column_get(store_column(st, "event.name"), event - 1ull));
	s = (struct str){ (const char *)text->data + own - 1, (size_t)(text->rows - own + 1) };
	s.n = strnlen(s.s, s.n);
	return s;
}
