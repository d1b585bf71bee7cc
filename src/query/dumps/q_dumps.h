/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/query/dumps: cells that all sources of stack dumps have.
 */
#ifndef QUERY_DUMPS_H
#define QUERY_DUMPS_H

#include "icecore/dumps.h"
#include "query/trace/trace.h"

/* A source of stack dumps with a row for each row of a column of the store. */
#define DUMP_TABLE(name, says, query, table, ...) TABLE_SOURCE(name, says, query, SHAPE_DUMPS, table, __VA_ARGS__)

/* Texts of the number n, a row of dumped.*, lock.* or exact.*; false: empty. */
bool	dumped_text(struct item_rows *, uint64_t n, struct buf *);	/* the name of a thread */
bool	dumped_state_text(struct item_rows *, uint64_t n, struct buf *);
bool	runtime_id_text(struct item_rows *, uint64_t n, struct buf *);
bool	raw_text(struct item_rows *, uint64_t n, struct buf *);
/* who holds what the thread wants; "?": the dump does not say */
bool	held_by_text(struct item_rows *, uint64_t n, struct buf *);
bool	lock_key_text(struct item_rows *, uint64_t n, struct buf *);	/* "?": the dump does not name it */
bool	lock_class_text(struct item_rows *, uint64_t n, struct buf *);
bool	top_text(struct item_rows *, uint64_t n, struct buf *);	/* innermost frame of a stack */
bool	exact_own_text(struct item_rows *, uint64_t n, struct buf *);	/* innermost frame of no runtime or library */
bool	doing_text(struct item_rows *, uint64_t n, struct buf *);	/* the same without its place */
bool	pool_text(struct item_rows *, uint64_t n, struct buf *);	/* the name of a thread, each number as * */
/* Append the threads of a row of circle.*: "a -> b". */
bool	circle_text(struct item_rows *, uint64_t n, struct buf *);
const char *dump_state_word(unsigned state);
void	latest_cell(struct item_rows *, uint64_t n, struct cell *);	/* whether dump n is the last one */
void	known_time(struct item_rows *, uint64_t n, struct cell *);	/* n ns; UINT64_MAX: empty */
/*
 * Append "in 3 of 5 dumps; free in the last dump": how many, the last of them, and what the last dump of the process
 * shows otherwise. Nothing if there is one dump.
 */
void	of_dumps_text(const struct store *, uint64_t dumps, uint64_t dump, const char *otherwise, struct buf *);
/* Column "latest", by the column that has the number of the dump. */
#define LATEST(col) "latest", CELL_BOOL, "of the last dump", .more = true, COMPUTED(latest_cell, .by = (col))
/* A column of doing_text or exact_own_text. */
#define OWN(...) TEXT(__VA_ARGS__), .function = true, .needs = own_needs
extern const column_id wait_needs[], alike_needs[], own_needs[], move_needs[];

#endif
