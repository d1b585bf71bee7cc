/*
 * Words of trace events of Chrome, and events of a moment.
 */
#include "config.h"

#include <string.h>

#include "icecore/columns_marks.h"
#include "icecore/columns_sched.h"
#include "icecore/facts.h"
#include "chrome_marks.h"

struct word {
	uint64_t	ref;
	uint32_t	own;
};

struct instant {
	uint64_t	time;		/* first: chrome_in_order */
	uint32_t	name, cat, detail, thread, process;
	char		letter, scope;
};

/* ---- words -------------------------------------------------------------------------- */

struct str
chrome_text(const struct chrome_marks *m, uint32_t word)
{
	const struct word *w;

	if (word == 0)
		return STR("");
	w = &SCRATCH(m->words, struct word)[word - 1];
	return samples_text_at(&m->l->samples, &m->own, w->ref, w->own);
}

bool
chrome_word_of(struct chrome_marks *m, struct str s, uint32_t *word, struct err *err)
{
	struct word new;
	uint64_t key;

	*word = 0;
	s.n = s.n > REF_MAX ? REF_MAX : s.n;
	if (s.n == 0)
		return true;
	for (uint64_t seed = 0; ; seed++) {
		key = hash_bytes(s.s, s.n, idmap_hash(seed));
		if ((*word = idmap_get(&m->by_word, key)) == 0)
			break;
		if (str_eq(chrome_text(m, *word), s))
			return true;
	}
	if (!samples_text(&m->l->samples, &m->own, s, &new.ref, &new.own, err) ||
	    !make_add(&m->words, &m->nwords, &new, sizeof new, MAKE_MOST, "names", err))
		return false;
	*word = (uint32_t)m->nwords;
	return idmap_put(&m->by_word, key, *word, err);
}

bool
chrome_word(struct chrome_marks *m, struct str raw, uint32_t *word, struct err *err)
{
	struct str s = scan_unescape(raw, &m->l->text);

	/* One that is found again by its bytes has none that own text lacks. */
	if (s.s == m->l->text.s)
		for (size_t i = 0; i < s.n; i++)
			if (m->l->text.s[i] == '\0')
				m->l->text.s[i] = '\1';
	return m->l->text.bad ? fail(err, E_SYSTEM, "out of memory (name)") : chrome_word_of(m, s, word, err);
}

/* ---- rows by what they begin with ----------------------------------------------------- */

uint32_t
chrome_set_add(struct chrome_set *s, const void *row, size_t key, size_t size, const char *what, struct err *err)
{
	uint64_t hash;
	uint32_t id;

	for (uint64_t seed = 0; ; seed++) {
		hash = hash_bytes(row, key, idmap_hash(seed));
		if ((id = idmap_get(&s->by_key, hash)) == 0)
			break;
		if (memcmp(s->rows.data + (id - 1) * size, row, key) == 0)
			return id;
	}
	return make_add(&s->rows, &s->n, row, size, MAKE_MOST, what, err) &&
	    idmap_put(&s->by_key, hash, (uint32_t)s->n, err) ? (uint32_t)s->n : 0;
}

void
chrome_set_free(struct chrome_set *s)
{
	scratch_free(&s->rows);
	idmap_free(&s->by_key);
}

bool
chrome_id(struct chrome_marks *m, const struct chrome_event *e, struct json id2, bool local, struct chrome_id *id,
    struct err *err)
{
	static const char *const names[] = { "global", "local", NULL };
	bool told = e->id.at < e->id.size;
	struct json at[2], text = e->id;

	*id = (struct chrome_id){ .kind = told && !local ? ID_ANY : ID_LOCAL };
	if (scan_peek(&id2) == '{') {
		jload_members(m->l, id2, names, at);
		id->kind = at[0].at < at[0].size ? ID_GLOBAL : ID_LOCAL;
		text = at[id->kind == ID_GLOBAL ? 0 : 1];
	}
	id->process = id->kind == ID_LOCAL ? chrome_process(m, e->pid, err) : 0;
	return (id->kind != ID_LOCAL || id->process != 0) && chrome_word(m, jload_word(text), &id->id, err);
}

/* ---- tracks --------------------------------------------------------------------------- */

bool
chrome_series(struct chrome_marks *m, const struct chrome_series *new, uint32_t *series, struct err *err)
{
	*series = (uint32_t)m->nseries;
	return make_add(&m->series, &m->nseries, new, sizeof *new, MAKE_MOST, "tracks", err);
}

bool
chrome_level(struct chrome_marks *m, uint32_t series, uint64_t time, uint64_t value, struct err *err)
{
	struct chrome_level new = { series, time, value };

	return make_add(&m->levels, &m->nlevels, &new, sizeof new, UINT64_MAX, "values", err);
}

static bool
level_columns(struct chrome_marks *m, struct err *err)
{
	static const struct make_column series[] = {
		MAKE(COL_SERIES_KIND, chrome_series, kind), MAKE(COL_SERIES_WORD, chrome_series, name),
		MAKE(COL_SERIES_PROCESS, chrome_series, process), MAKE(COL_SERIES_DECIMALS, chrome_series, decimals),
	}, levels[] = {
		MAKE(COL_LEVEL_TIME, chrome_level, time), MAKE(COL_LEVEL_VALUE, chrome_level, value),
		MAKE_FIT(COL_LEVEL_SERIES, chrome_level, series),
	};
	struct store *st = m->l->st;

	return make_sort(&m->levels, m->nlevels, sizeof(struct chrome_level), m->l->work, err) &&
	    make_columns(st, series, NELEM(series), MAKE_ROWS(SCRATCH(m->series, struct chrome_series), m->nseries), err) &&
	    make_columns(st, levels, NELEM(levels), MAKE_ROWS(SCRATCH(m->levels, struct chrome_level), m->nlevels), err);
}

/* ---- instants ------------------------------------------------------------------------- */

static bool
chrome_marks_add_instant(struct chrome_marks *m, const struct chrome_event *e, struct err *err)
{
	static const char *const names[] = { "cat", "s", NULL };
	struct instant new = { .time = e->time, .thread = e->thread, .letter = e->letter };
	struct json at[2];
	struct str scope;

	jload_members(m->l, e->json, names, at);
	scope = jload_word(at[1]);
	new.scope = scope.n == 0 ? 't' : scope.s[0];
	return chrome_word(m, e->name, &new.name, err) && chrome_word(m, jload_word(at[0]), &new.cat, err) &&
	    (new.process = chrome_process(m, e->pid, err)) != 0 &&
	    chrome_detail(m, (uint64_t[2]){ chrome_args(e->args) }, &new.detail, err) &&
	    make_add(&m->instants, &m->ninstants, &new, sizeof new, MAKE_MOST, "instants", err);
}

static bool
chrome_marks_instant_columns(struct chrome_marks *m, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_INSTANT_TIME, instant, time), MAKE(COL_INSTANT_NAME, instant, name),
		MAKE(COL_INSTANT_CAT, instant, cat), MAKE(COL_INSTANT_DETAIL, instant, detail),
		MAKE(COL_INSTANT_SCOPE, instant, scope),
		MAKE(COL_INSTANT_LETTER, instant, letter), MAKE(COL_INSTANT_THREAD, instant, thread),
		MAKE(COL_INSTANT_PROCESS, instant, process),
	};

	for (uint64_t i = 0; i < m->ninstants; i++)
		SCRATCH(m->instants, struct instant)[i].thread = chrome_thread(m, SCRATCH(m->instants, struct instant)[i].thread);
	return chrome_in_order(m, &m->instants, m->ninstants, sizeof(struct instant), err) &&
	    make_columns(m->l->st, columns, NELEM(columns), MAKE_ROWS(SCRATCH(m->instants, struct instant), m->ninstants), err);
}

/* ---- all --------------------------------------------------------------------------------- */

static const struct {
	const char	*letters;
	bool		(*add)(struct chrome_marks *, const struct chrome_event *, struct err *);
} kinds[] = {
	{ "iIR", chrome_marks_add_instant }, { "bneSTpF", chrome_async_add }, { "C", chrome_counter_add },
	{ "stf", chrome_flow_add },
};

bool
chrome_marks_read(char letter)
{
	for (size_t i = 0; i < NELEM(kinds); i++)
		if (strchr(kinds[i].letters, letter) != NULL)
			return true;
	return false;
}

bool
chrome_mark(struct chrome_marks *m, const struct chrome_event *e, struct err *err)
{
	size_t i = 0;

	while (strchr(kinds[i].letters, e->letter) == NULL)
		i++;
	return kinds[i].add(m, e, err);
}

bool
chrome_marks_any(const struct chrome_marks *m)
{
	return m->ninstants > 0 || m->nasyncs > 0 || m->ncounts > 0;
}

bool
chrome_in_order(const struct chrome_marks *m, struct scratch *rows, uint64_t n, size_t size, struct err *err)
{
	for (uint64_t i = 0; i < n; i++) {
		uint64_t *time = (uint64_t *)(void *)(rows->data + i * size);

		*time = chrome_times_shown(m->times, *time) - m->times->first;
	}
	return make_sort(rows, n, size, m->l->work, err);
}

bool
chrome_word_columns(const struct chrome_marks *m, struct err *err)
{
	static const struct make_column words[] = { MAKE(COL_WORD_REF, word, ref), MAKE(COL_WORD_OWN, word, own) };
	struct store *st = m->l->st;

	return make_columns(st, words, NELEM(words), MAKE_ROWS(SCRATCH(m->words, struct word), m->nwords), err) &&
	    make_copy(st, COL_WORD_TEXT, COL_BYTES, m->own.bytes.data, m->own.size, err);
}

static bool
chrome_marks_put_facts(const struct chrome_marks *m, struct err *err)
{
	const struct make_fact facts[] = {
		{ FACT_ASYNC, m->nspans, MAKE_ANY }, { FACT_COUNTERS, m->counters.n, MAKE_ANY }, { FACT_INSTANTS, m->ninstants, MAKE_ANY },
		{ FACT_FLOWS, m->chains.n, MAKE_ANY },
		{ FACT_REPAIR_ASYNC_END, m->no_begin, MAKE_ANY }, { FACT_REPAIR_BELOW_ZERO, m->negative, MAKE_ANY },
	};

	return make_facts(m->l->st, facts, NELEM(facts), err);
}

bool
chrome_marks_columns(struct chrome_marks *m, struct err *err)
{
	return chrome_marks_instant_columns(m, err) && chrome_async_columns(m, err) && chrome_counter_columns(m, err) &&
	    chrome_flow_columns(m, err) && level_columns(m, err) && chrome_name_columns(m, err) && chrome_word_columns(m,
	    err) && chrome_marks_put_facts(m, err);
}

void
chrome_marks_close(struct chrome_marks *m)
{
	texts_free(&m->own);
	SCRATCH_FREE(&m->words, &m->instants, &m->asyncs, &m->spans, &m->counts, &m->flows, &m->series, &m->levels,
	    &m->orders, &m->place, &m->args, &m->frames);
	idmap_free(&m->by_word);
	chrome_set_free(&m->processes);
	chrome_set_free(&m->keys);
	chrome_set_free(&m->names);
	chrome_set_free(&m->operations);
	chrome_set_free(&m->tracks);
	chrome_set_free(&m->counters);
	chrome_set_free(&m->chains);
}
