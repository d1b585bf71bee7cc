/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * unpack: decode compressed or encoded files for loaders; the decoded copy is kept with the index.
 */
#ifndef LOAD_UNPACK_H
#define LOAD_UNPACK_H

#include "decode.h"

/*
 * Decode the file of the store, which gets a new source and facts. The copy is kept with the index, or at its
 * alternative place. If neither is writable, the copy has no name, and no index is kept. log: also the text of logs.
 */
bool	unpack_make(struct store *, const struct intake_check *known, bool log, struct work *, struct err *);
/* Use the copy of an earlier run as the source, if all its bytes match the checksum. */
bool	unpack_reuse(struct store *, struct work *);
/* Use the copy of the first dump in the file for its other dumps. */
bool	unpack_borrow(struct store *, const struct store_options *, struct work *);
/* Remove the copy of a file that is unsupported or was not completely read. */
void	unpack_drop(const struct store *);
/* Record that --unpacked limited the file to its first part. */
bool	unpack_note_part(struct store *, bool pipe, struct err *);

#endif
