/*
 * What the data of a marker says, as a text for people.
 */
#include "config.h"

#include "gecko.h"

#define DETAIL_MOST 200		/* bytes, before the field that does not fit any more */

/* The same number for a field of one kind of marker. */
static uint64_t
key_of(struct str type, struct str field)
{
	return idmap_hash_text(field, idmap_hash_text(type, 0));
}

static bool
read_fields(struct gecko *g, struct str type, struct json array, struct err *err)
{
	static const char *const names[] = { "key", "format", NULL };
	static const char *const of_strings[] = { "unique-string", "flow-id", "terminating-flow-id" };
	struct json at[2];
	struct str format;

	if (!json_open(&array, '['))
		return true;
	while (json_item(&array)) {
		jload_members(g->l, array, names, at);
		format = jload_word(at[1]);
		for (size_t i = 0; i < NELEM(of_strings); i++)
			if (str_eq(format, str_of(of_strings[i])) &&
			    !idmap_put(&g->unique, key_of(type, jload_word(at[0])), 1, err))
				return false;
		if (!json_skip(&array))
			break;
	}
	return true;
}

bool
gecko_schema(struct gecko *g, struct json array, struct err *err)
{
	static const char *const names[] = { "name", "fields", "data", NULL };
	struct json at[3];

	if (!json_open(&array, '['))
		return true;
	while (json_item(&array)) {
		jload_members(g->l, array, names, at);
		for (size_t i = 1; i < NELEM(at); i++)
			if (!read_fields(g, jload_word(at[0]), at[i], err))
				return false;
		if (!json_skip(&array))
			break;
	}
	return true;
}

/* What else stands in columns of its own, or says nothing of this marker. */
static bool
is_shown(struct str field)
{
	static const char *const hidden[] = { "type", "category", "startTime", "endTime", "interval", "stack", "cause", "time" };

	for (size_t i = 0; i < NELEM(hidden); i++)
		if (str_eq(field, str_of(hidden[i])))
			return false;
	return true;
}

static void
put_field(struct gecko *g, struct str type, struct str field, bool is_text, struct str value)
{
	struct buf *b = &g->detail;
	uint64_t row;

	if (!is_text && num_u64(value, 10, &row) && row < g->nstrings && idmap_get(&g->unique, key_of(type, field)) != 0)
		value = gecko_string(g, (uint32_t)row + 1);
	if (b->n > 0)
		buf_str(b, STR(", "));
	buf_str(b, json_unescape(field, &g->l->text));
	buf_chr(b, ' ');
	buf_str(b, json_unescape(value, &g->l->text));
}

/* "eventType click, latency 5": numbers and texts, as they stand; what is deeper is left out. */
static void
put_fields(struct gecko *g, struct json data, struct str type)
{
	struct str field, value;

	json_open(&data, '{');
	while (g->detail.n < DETAIL_MOST && json_member(&data, &field)) {
		char c = json_peek(&data);

		if (c == '{' || c == '[' || c == 'n' || !is_shown(field)) {
			if (!json_skip(&data))
				return;
			continue;
		}
		if (!json_word(&data, &value))
			return;
		put_field(g, type, field, c == '"', value);
	}
}

bool
gecko_detail(struct gecko *g, struct str text, uint32_t *word, struct err *err)
{
	static const char *const names[] = { "name", "type", NULL };
	struct json data = { .base = text.s, .size = text.n }, at[2];
	struct str type;

	*word = 0;
	if (text.n == 0 || text.s[0] != '{')
		return true;
	jload_members(g->l, data, names, at);
	type = jload_word(at[1]);
	if (at[0].at < at[0].size && json_peek(&at[0]) == '"')
		return chrome_word(&g->marks, jload_word(at[0]), word, err);
	buf_clear(&g->detail);
	put_fields(g, data, type);
	if (g->detail.bad || g->l->text.bad)
		return fail(err, E_SYSTEM, "out of memory (marker)");
	for (size_t i = 0; i < g->detail.n; i++)
		if (g->detail.s[i] == '\0')
			g->detail.s[i] = '\1';
	return chrome_word_of(&g->marks, buf_view(&g->detail), word, err);
}
