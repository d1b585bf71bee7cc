/*
 * blocked: why a task slept, as its kernel tells.
 */
#ifndef QUERY_BLOCKED_H
#define QUERY_BLOCKED_H

#include "query/trace/trace.h"

/* The row (from 1) of blocked.* of a thread that left its CPU at a time; 0: it is not told. */
uint64_t blocked_row(const struct store *, uint32_t thread, uint64_t time);
void	blocked_in(const struct store *, uint64_t row, struct cell *);
void	blocked_io(const struct store *, uint64_t row, struct cell *);

#endif
