/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pprof_labels: threads of samples from their labels; other labels are counted by key.
 */
#include "config.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "pprof.h"

#define KEYS_SHOWN 32u

/* An entry of keys, one for each string: number of labels with this key, and its meaning. */
#define KEY_OF(v) ((enum pprof_key)((v) & 15))
#define KEY_COUNT(v) ((v) >> 4)
#define KEY_ONE 16u

/* The first key in a range that a sample has wins. */
static const char *const keys[KEYS_END] = {
	[KEY_THREAD] = "thread",
	[KEY_NAME] = "thread_name", "thread name", "thread.name", "comm",
	[KEY_ID] = "thread_id", "thread id", "thread.id", "tid", "thread native id"
};

struct pprof_label {
	struct str	text;
	uint64_t	number;		/* if text is empty */
};

bool
pprof_open_labels(struct pprof *p, struct err *err)
{
	uint64_t *key;

	if (!scratch_array(&p->keys, p->nstrings, sizeof *key, err))
		return false;
	key = SCRATCH(p->keys, uint64_t);
	for (uint64_t i = 0; i < p->nstrings; i++) {
		struct str s = pprof_string(p, (uint32_t)i);

		for (unsigned k = KEY_NONE + 1; k < KEYS_END && s.n > 2 && s.n < 17; k++)
			if (str_eq(s, str_of(keys[k])))
				key[i] = k;
	}
	return true;
}

void
pprof_labels_unread(struct pprof *p)
{
	const uint64_t *key = SCRATCH(p->keys, uint64_t);

	for (uint64_t i = 0; i < p->nstrings; i++)
		if (KEY_COUNT(key[i]) > 0 && KEY_OF(key[i]) == KEY_NONE)
			unread_add(&p->unread, UNREAD_KEY, pprof_string(p, (uint32_t)i), KEY_COUNT(key[i]));
}

void
pprof_label_keys(struct pprof *p, struct buf *b)
{
	const uint64_t *key = SCRATCH(p->keys, uint64_t);
	unsigned n = 0;

	for (uint64_t i = 0; i < p->nstrings; i++)
		if (KEY_COUNT(key[i]) > 0 && n++ < KEYS_SHOWN) {
			buf_str(b, n > 1 ? STR(" ") : STR(""));
			buf_str(b, pprof_string(p, (uint32_t)i));
			buf_printf(b, ":%" PRIu64, KEY_COUNT(key[i]));
		}
	if (n > KEYS_SHOWN)
		buf_printf(b, " and %u others", n - KEYS_SHOWN);
}

/* ---- single labels ------------------------------------------------------------------------ */

/* Read a label, count its key, and return what the key means. */
static enum pprof_key
pprof_labels_read_label(struct pprof *p, struct str in, struct pprof_label *l)
{
	uint64_t *key;
	struct label m;

	p->bad_messages += !label_read(in, &m, &p->unread);
	*l = (struct pprof_label){ STR(""), m.number };
	if (m.key >= p->nstrings) {
		p->bad_strings++;
		return KEY_NONE;
	}
	key = &SCRATCH(p->keys, uint64_t)[m.key];
	*key += KEY_ONE;
	if (KEY_OF(*key) != KEY_NONE && m.text != 0)
		l->text = pprof_string(p, m.text);
	return KEY_OF(*key);
}

/* ---- labels of a sample ----------------------------------------------------------------------- */

/* True if the number looks like an operating system's thread id. */
static bool
is_tid(struct str s, uint32_t *tid)
{
	uint64_t v;

	if (s.n == 0 || s.n > 10 || s.s[0] == '0' || !str_number(&s, &v) || s.n > 0 || v > UINT32_MAX)
		return false;
	*tid = (uint32_t)v;
	return true;
}

/* Make a thread. An id that is not an operating system number is appended to the name. */
static uint32_t
pprof_labels_make_thread(struct pprof *p, struct str name, struct str id, struct err *err)
{
	uint32_t tid = 0;

	if (id.n == 0 || is_tid(id, &tid))
		return samples_thread(&p->s, 0, tid, name, err);
	buf_clear(&p->text);
	buf_str(&p->text, name);
	buf_str(&p->text, name.n > 0 ? STR("/") : STR(""));
	buf_str(&p->text, id);
	if (!p->text.bad)
		return samples_thread(&p->s, 0, 0, buf_view(&p->text), err);
	fail(err, E_SYSTEM, "out of memory (names)");
	return 0;
}

/* Return the most important label seen with a key in [first, end); NULL: none. text: it must have a text. */
static const struct pprof_label *
best(const struct pprof_label *label, unsigned first, unsigned end, unsigned seen, bool text)
{
	for (unsigned k = first; k < end; k++)
		if ((seen >> k & 1) != 0 && (!text || label[k].text.n > 0))
			return &label[k];
	return NULL;
}

static uint32_t
pprof_labels_find_thread(struct pprof *p, const struct pprof_label *label, unsigned seen, struct err *err)
{
	const struct pprof_label *name = best(label, KEY_NAME, KEY_ID, seen, true);
	const struct pprof_label *id = best(label, KEY_ID, KEYS_END, seen, false), *both = &label[KEY_THREAD];
	char digits[24];

	if ((seen >> KEY_THREAD & 1) != 0 && both->text.n > 0)
		name = name == NULL ? both : name;
	else if ((seen >> KEY_THREAD & 1) != 0)
		id = id == NULL ? both : id;
	if (id != NULL && id->text.n == 0)
		snprintf(digits, sizeof digits, "%" PRId64, (int64_t)id->number);
	return pprof_labels_make_thread(p, name == NULL ? STR("") : name->text,
	    id == NULL ? STR("") : id->text.n > 0 ? id->text : str_of(digits), err);
}

bool
pprof_labels(struct pprof *p, struct str sample, uint32_t *thread, struct err *err)
{
	struct pprof_label label[KEYS_END] = { { STR(""), 0 } }, l;
	struct str labels = STR("");
	enum pprof_key key;
	unsigned seen = 0;

	SHAPE_EACH(sample, 3, in) {
		labels = (struct str){ labels.n > 0 ? labels.s : in.s, 0 };
		labels.n = (size_t)(in.s - labels.s) + in.n;
		key = pprof_labels_read_label(p, in, &l);
		if (key == KEY_NONE || ((seen >> key & 1) != 0 && label[key].text.n > 0))
			continue;
		assert(key < KEYS_END);
		label[key] = l;
		seen |= 1u << key;
	}
	if (seen == 0)
		labels = STR("");
	/* Samples of a thread often follow each other. */
	if (p->last_thread == 0 || !str_eq(labels, p->last_labels)) {
		p->last_thread = pprof_labels_find_thread(p, label, seen, err);
		p->last_labels = labels;
	}
	*thread = p->last_thread;
	return *thread != 0;
}
