/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * label_sets: sets of labels being read, and as columns of the store.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_labels.h"
#include "icecore/labels.h"
#include "icecore/make.h"
#include "label_sets.h"

struct of_label {
	uint32_t	key, value;
};

void
label_sets_free(struct label_sets *l)
{
	SCRATCH_FREE(&l->labels, &l->first, &l->list);
	texts_free(&l->keys);
	texts_free(&l->text);
	idmap_free(&l->by_label);
	idmap_free(&l->by_set);
}

uint32_t
label_number(struct label_sets *l, struct str key, struct str value, struct err *err)
{
	struct of_label new;
	uint32_t found, next = (uint32_t)l->nlabels + 1;

	if (!texts_number(&l->keys, key, &new.key, err) || !texts_place(&l->text, value, &new.value, err) ||
	    !idmap_enter(&l->by_label, (uint64_t)new.key << 32 | new.value, next, &found, err))
		return 0;
	return found != next || make_add(&l->labels, &l->nlabels, &new, sizeof new, MAKE_MOST,
	    "different labels", err) ? found : 0;
}

static int
label_by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

bool
label_set(struct label_sets *l, uint32_t *label, uint64_t n, uint32_t *set, struct err *err)
{
	uint32_t next = (uint32_t)l->nsets + 1;
	uint64_t key, kept = 1;

	*set = 0;
	if (n == 0)
		return true;
	qsort(label, n, sizeof *label, label_by_number);
	for (uint64_t i = 1; i < n; i++)
		if (label[i] != label[kept - 1])
			label[kept++] = label[i];
	key = idmap_hash_text((struct str){ (const char *)label, kept * sizeof *label }, 0);
	if (!idmap_enter(&l->by_set, key, next, set, err))
		return false;
	if (*set != next)
		return true;
	if (!make_add(&l->first, &l->nsets, &l->nlist, sizeof l->nlist, MAKE_MOST, "different sets of labels", err))
		return false;
	for (uint64_t i = 0; i < kept; i++)
		if (!scratch_add(&l->list, &l->nlist, &label[i], sizeof label[i], err))
			return false;
	return true;
}

/* ---- columns --------------------------------------------------------------------------------- */

struct named_key {
	struct str	name;
	uint32_t	number, place;
};

static int
label_by_name(const void *a, const void *b)
{
	return str_cmp(((const struct named_key *)a)->name, ((const struct named_key *)b)->name);
}

/* Keys get new numbers, in the order of their names. */
static bool
sort_keys(struct label_sets *l, struct store *st, struct err *err)
{
	OWN_ARRAY(struct named_key) keys = ARRAY_INIT;
	OWN_ARRAY(uint32_t) number = ARRAY_INIT;
	struct of_label *label = SCRATCH(l->labels, struct of_label);
	const struct make_column names[] = { MAKE_FIT(COL_LABEL_NAME, named_key, place) };
	uint32_t n = l->keys.n;

	if (!array_grow(&keys, n, err) || !array_grow(&number, n + 1, err))
		return false;
	for (uint32_t i = 0; i < n; i++)
		keys.at[i] = (struct named_key){ .name = texts_get(&l->keys, i + 1), .number = i + 1 };
	qsort(keys.at, n, sizeof *keys.at, label_by_name);
	for (uint32_t i = 0; i < n; i++) {
		number.at[keys.at[i].number] = i + 1;
		if (!texts_place(&l->text, keys.at[i].name, &keys.at[i].place, err))
			return false;
	}
	for (uint64_t i = 0; i < l->nlabels; i++)
		label[i].key = number.at[label[i].key];
	return make_columns(st, names, NELEM(names), MAKE_ROWS(keys.at, n), err);
}

static int
label_by_key(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Sort the labels of each set by their keys. */
static bool
sort_sets(struct label_sets *l, struct work *w, struct err *err)
{
	const struct of_label *label = SCRATCH(l->labels, struct of_label);
	const uint64_t *first = SCRATCH(l->first, uint64_t);
	uint32_t *list = SCRATCH(l->list, uint32_t);
	OWN_ARRAY(uint64_t) sorted = ARRAY_INIT;
	uint64_t n;

	for (uint64_t set = 0; set < l->nsets; set++, list += n) {
		n = first[set + 1] - first[set];
		if (!work_each(w, set, 1024, err) || !array_grow(&sorted, n, err))
			return false;
		for (uint64_t i = 0; i < n; i++)
			sorted.at[i] = (uint64_t)label[list[i] - 1].key << 32 | list[i];
		qsort(sorted.at, n, sizeof *sorted.at, label_by_key);
		for (uint64_t i = 0; i < n; i++)
			list[i] = (uint32_t)sorted.at[i];
	}
	return true;
}

bool
label_sets_columns(struct label_sets *l, struct store *st, struct work *w, struct err *err)
{
	static const struct make_column labels[] = { MAKE_FIT(COL_LABEL_KEY, of_label, key),
	    MAKE_FIT(COL_LABEL_VALUE, of_label, value) };
	uint64_t sets = l->nsets;

	return make_add(&l->first, &sets, &l->nlist, sizeof l->nlist, UINT64_MAX, "", err) &&
	    sort_keys(l, st, err) && sort_sets(l, w, err) &&
	    make_columns(st, labels, NELEM(labels), MAKE_ROWS(SCRATCH(l->labels, struct of_label), l->nlabels),
	    err) && make_copy(st, COL_LABELS_FIRST, COL_U64, l->first.data, sets, err) &&
	    make_copy(st, COL_LABELS_LABEL, COL_U32, l->list.data, l->nlist, err) &&
	    make_copy(st, COL_LABEL_TEXT, COL_BYTES, l->text.bytes.data, l->text.size, err);
}

/* ---- for other layers --------------------------------------------------------------------------- */

uint64_t
labels_sets(const struct store *st)
{
	uint64_t rows = column_rows(store_column(st, COL_LABELS_FIRST));

	return rows == 0 ? 0 : rows - 1;
}

struct str
labels_text(const struct store *st, uint64_t place)
{
	const struct column *text = store_column(st, COL_LABEL_TEXT);

	return place == 0 || text == NULL ? STR("") : column_text(text, place);
}

struct str
labels_key_name(const struct store *st, uint64_t key)
{
	return labels_text(st, store_cell(st, COL_LABEL_NAME, key));
}

uint32_t
labels_key(const struct store *st, struct str name)
{
	uint32_t low = 0, high = (uint32_t)column_rows(store_column(st, COL_LABEL_NAME)), mid;
	int is;

	while (low < high) {
		mid = low + (high - low) / 2;
		is = str_cmp(labels_key_name(st, mid + 1), name);
		if (is == 0)
			return mid + 1;
		if (is < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return 0;
}

/* The labels of a set: rows of labels.label from 0, to end. */
static uint64_t
label_rows(const struct store *st, uint64_t set, uint64_t *end)
{
	uint64_t most = column_rows(store_column(st, COL_LABELS_LABEL));

	*end = set == 0 ? 0 : store_cell(st, COL_LABELS_FIRST, set + 1);
	*end = *end < most ? *end : most;
	return set == 0 ? 0 : store_cell(st, COL_LABELS_FIRST, set);
}

static uint64_t
label_key_at(const struct store *st, uint64_t row)
{
	return store_cell(st, COL_LABEL_KEY, store_cell(st, COL_LABELS_LABEL, row + 1));
}

uint32_t
labels_value(const struct store *st, uint64_t set, uint64_t key)
{
	uint64_t end, high, low = label_rows(st, set, &end), mid;

	for (high = end; low < high; ) {
		mid = low + (high - low) / 2;
		if (label_key_at(st, mid) < key)
			low = mid + 1;
		else
			high = mid;
	}
	return low < end && key != 0 && label_key_at(st, low) == key ?
	    (uint32_t)store_cell(st, COL_LABEL_VALUE, store_cell(st, COL_LABELS_LABEL, low + 1)) : 0;
}

void
labels_show(const struct store *st, uint64_t set, struct buf *b)
{
	uint64_t end, first = label_rows(st, set, &end), label;

	for (uint64_t i = first; i < end; i++) {
		label = store_cell(st, COL_LABELS_LABEL, i + 1);
		buf_str(b, i > first ? STR(", ") : STR(""));
		buf_str(b, labels_key_name(st, store_cell(st, COL_LABEL_KEY, label)));
		buf_chr(b, '=');
		buf_str(b, labels_text(st, store_cell(st, COL_LABEL_VALUE, label)));
	}
}
