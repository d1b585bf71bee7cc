/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/query/tracks: the data or args of instants and async slices, as text.
 */
#ifndef ICECORE_QUERY_MARKS_H
#define ICECORE_QUERY_MARKS_H

#include "query/trace/trace.h"

bool	instant_detail(struct item_rows *, uint64_t row, struct buf *);
bool	async_detail(struct item_rows *, uint64_t row, struct buf *);

#endif
