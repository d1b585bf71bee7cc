/*
 * unpack: what is packed or encoded becomes a file that loaders read, which is kept beside the index: its copy.
 */
#ifndef LOAD_UNPACK_H
#define LOAD_UNPACK_H

#include "decode.h"

/*
 * Unpacks the file of the store, which gets a new source and facts.  The copy is kept where the index is, or at its other place; where
 * neither takes it, it has no name, and no index is kept.
 */
bool	unpack_make(struct store *, const struct intake_check *known, struct work *, struct err *);
/* The copy of an earlier run becomes the source, if every byte of it is what was unpacked. */
bool	unpack_reuse(struct store *, struct work *);
/* Use the copy of the first dump in the file for its other dumps. */
bool	unpack_borrow(struct store *, const struct store_options *, struct work *);
/* Removes the copy of a file that turned out to be none, or was not read to its end. */
void	unpack_drop(const struct store *);
/* Notes that of what --unpacked allows there is only the first part. */
bool	unpack_note_part(struct store *, bool pipe, struct err *);

#endif
