/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perfdata: perf recordings, which perf itself converts to text (perf.c).
 *
 * perf is started before the sandbox, and only for files named by the user: a recording may be crafted to attack
 * perf.
 */
#ifndef LOAD_PERFDATA_H
#define LOAD_PERFDATA_H

#include "icecore/load.h"

bool	perfdata_is(const struct map *);
/* Make the text of the store's recording its source; its index is not kept. */
bool	perfdata_open(struct store *, struct work *, struct err *);
/* perfdata_records.c: count what perf script does not print of the store's recording. */
bool	perfdata_records(struct store *, struct work *, struct err *);

#endif
