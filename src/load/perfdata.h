/*
 * perfdata: recordings of perf, of which perf itself makes the text that is read (perf.c).
 *
 * It is started before the sandbox is, and only for files that the user named: a recording may be made to attack perf.
 */
#ifndef LOAD_PERFDATA_H
#define LOAD_PERFDATA_H

#include "icecore/load.h"

bool	perfdata_is(const struct map *);
/* The text of the recording that the store is of becomes its source; no index of it is kept. */
bool	perfdata_open(struct store *, struct work *, struct err *);

#endif
