/*
 * Calls in time order: spans.c replays from mark to mark, window.c answers
 * for a window of time.
 */
#ifndef PASS_SPANS_H
#define PASS_SPANS_H

#include "calls.h"

/* Appends a stored long call or crowd. */
bool	spans_add_stored(const struct marks *, uint64_t row, struct spans *, struct err *);
/* Appends the calls that start in chunk k. */
bool	spans_replay(const struct marks *, uint64_t k, struct spans *, struct err *);

#endif
