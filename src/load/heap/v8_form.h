/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * v8_form: references and texts of a snapshot of V8, read on demand by the columns v8.*.
 */
#ifndef LOAD_HEAP_V8_FORM_H
#define LOAD_HEAP_V8_FORM_H

#include "icecore/edges.h"
#include "v8_in.h"

extern const struct heap_form v8_form;

/* ---- nodes and references: v8_refs.c ---- */

/* NULL: a damaged index. */
const struct v8_meta *v8_refs_meta(const struct store *);
bool	v8_refs_node(const struct store *, const struct v8_meta *, uint32_t object, uint64_t row[V8_FIELDS]);
/* Type and name of an object; name may be NULL. */
enum v8_type v8_refs_read(const struct store *, uint32_t object, struct str *name);
/* Members of struct heap_form. */
bool	v8_refs_begin(struct edge_walk *);
bool	v8_refs_next(struct edge_walk *, struct heap_edge *);
void	v8_refs_decode(struct str name, struct buf *);

/* v8_titles.c */
extern const struct heap_language v8_language;
void	v8_title(const struct store *, uint32_t object, uint32_t by, struct buf *);

#endif
