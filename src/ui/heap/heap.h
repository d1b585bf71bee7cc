/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heap: panes of heap dumps, and short summaries of heap passes (contents.c).
 */
#ifndef UI_HEAP_H
#define UI_HEAP_H

#include "ui/core/core.h"

extern const struct pane_kind pane_classes, pane_dominators;
extern const struct pane_kind pane_stacks, pane_strings, pane_bitmaps, pane_findings, pane_growth,
    pane_object;

/* Append a summary of a pass; false: its result is not known yet. */
/* "3 leaks, 1 note", or the largest finding; fitted, appends */
bool	 told_findings(const struct heap *, uint64_t *n, struct buf *);
/* "duplicate strings 88 MiB in 41 022 values"; appends */
bool	 told_strings(const struct heap *, struct buf *);

struct list;
/* Return the role of a severity cell; ROLE_NORMAL in other columns and for notes. */
enum role severity_role(struct list *, uint64_t row, size_t col);

#endif
