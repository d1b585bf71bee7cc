/*
 * asks: options of the command line for the loader of a format.  They are facts of the index; other options rebuild it.
 */
#ifndef LOAD_ASKS_H
#define LOAD_ASKS_H

#include "icecore/load.h"

/* False: the format does not take all that is asked. */
bool	asks_fit(const struct ask_options *, const struct loader *, struct err *);
/* The facts. */
bool	asks_put(struct store *, const struct ask_options *, struct err *);
/* Whether an index was made of a file that was asked for in the same way. */
bool	asks_same(const struct store *, const struct ask_options *, unsigned shapes);

#endif
