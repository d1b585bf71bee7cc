/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/programs/fleet: removal of old files, and of what OUT has about them.
 */
#ifndef RETAIN_H
#define RETAIN_H

#include "fleet.h"

/* Whether a file is being written, or waits to be read. */
typedef bool busy_fn(const void *of, const char *path);

/* Remove the files of INBOX beyond the limits of the options, except busy ones, with their rows and pages. */
bool	retain_apply(struct row_file *, const struct fleet_options *, const char *inbox, busy_fn *,
    const void *of, bool *removed, struct err *)
    MUST_USE;
/* Rewrite the rows without those whose rows_path_id is in the map, and remove their pieces. */
bool	out_forget(struct row_file *, const struct fleet_options *, const struct idmap *,
    struct err *) MUST_USE;
uint64_t rows_path_id(struct str path);	/* path as in rows */
void	piece_forget(const struct out_dir *, struct str key);

#endif
