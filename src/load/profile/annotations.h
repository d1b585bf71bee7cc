/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * annotations: args of the track events of Perfetto, read from their places when they are asked for.
 * Damaged ones are left out.
 */
#ifndef LOAD_ANNOTATIONS_H
#define LOAD_ANNOTATIONS_H

#include "icecore/event_args.h"

/*
 * The args of a begin and an end, rows of args.place, 0: none. Those of the end override those of the
 * begin. False: truncated at the limit.
 */
bool	annotations_tell(const struct store *, uint64_t begin, uint64_t end,
    void (*tell)(void *, const struct event_arg *), void *);
/* Appends "name=value name.member=value". */
void	annotations_detail(const struct store *, uint64_t begin, uint64_t end, struct buf *);

#endif
