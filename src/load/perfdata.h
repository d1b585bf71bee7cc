/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perfdata: recordings of perf and trace-cmd, which these programs themselves convert to text.
 *
 * They are started before the sandbox, and only for files named by the user: a recording may be crafted to attack
 * them.
 */
#ifndef LOAD_PERFDATA_H
#define LOAD_PERFDATA_H

#include "icecore/load.h"

bool	perfdata_is(const struct map *);
/* Make the text of the store's recording its source; its index is not kept. */
bool	perfdata_open(struct store *, struct work *, struct err *);
/* Why perf reads nothing of the recording, with "; " behind it, or "" (perfdata_records.c). */
enum { PERFDATA_WHY = 128 };
const char *perfdata_why_none(const struct map *, char text[PERFDATA_WHY]);
/* perfdata_records.c: count what perf script does not print of the store's recording. */
bool	perfdata_records(struct store *, struct work *, struct err *);

#endif
