/*
 * A Nanoscope trace and the files that lie beside it: nano.c reads the trace, nano_side.c the others.
 */
#ifndef LOAD_NANO_H
#define LOAD_NANO_H

#include "icecore/load.h"

/* Files with samples or states lie beside the trace of this store. */
bool	nano_has_sides(const struct store *);
/*
 * Their tracks (track.*, point.*, state.name) and facts, into a store over that of the trace; nothing is published.
 * What cannot be read of them is counted, and no failure.
 */
bool	nano_sides(struct store *, struct work *, struct err *);

#endif
