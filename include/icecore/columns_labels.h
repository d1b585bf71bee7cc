/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * columns of labels: keys and values, and the sets of them that samples and threads have.  Read through
 * labels.h.
 */
#ifndef ICECORE_COLUMNS_LABELS_H
#define ICECORE_COLUMNS_LABELS_H

#include "icecore/columns.h"

#define COLUMNS_LABELS(ROW) \
	/* Loaders: u32, by key: place of its name in label.text, from 1; in the order of the names. */ \
	ROW(LABEL_NAME, "label.name") \
	/* Rows of label.name, from 1, and places of values, by label. */ \
	ROW(LABEL_KEY, "label.key")			/* u32 */ \
	ROW(LABEL_VALUE, "label.value")			/* u32 */ \
	/* u64, by set: its first row of labels.label, from 0; one more row than sets. */ \
	ROW(LABELS_FIRST, "labels.first") \
	ROW(LABELS_LABEL, "labels.label")		/* u32: row of label.key, from 1; those of a set by key */ \
	ROW(LABEL_TEXT, "label.text")			/* bytes, texts end with NUL */

COLUMN_FAMILY(LABELS, COL_NUMBER, COL_OF_DERIVED);

#endif
