/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stacks: samples with their stacks, of all kinds of packets, as they are read and played.
 */
#ifndef LOAD_PERFETTO_STACKS_H
#define LOAD_PERFETTO_STACKS_H

#include "perfetto.h"

/* samples.c: in order of time; then, when spans are calls, as samples of threads in their places. */
bool	pf_play_perf(struct perfetto *, const struct pf_row *, struct str, struct err *);
bool	pf_play_streaming(struct perfetto *, const struct pf_row *, struct str, struct err *);
bool	pf_play_stack(struct perfetto *, const struct pf_row *, struct str, struct err *);
bool	pf_samples_load(struct perfetto *, const uint32_t *place, struct err *);
bool	pf_sample(struct perfetto *, const struct pf_sample *, struct err *);
/* Set the task of a sample. */
bool	pf_sample_of(struct perfetto *, struct pf_sample *, uint32_t tid, uint32_t pid, struct err *);
/* The samples of a packet of Chrome become rows. */
bool	pf_streaming_rows(struct perfetto *, struct str, uint32_t state, uint32_t sequence, struct err *);
/* stacks.c: the stack of a callstack; 0 without err: it cannot be read.  content: a hash of its frames, 0: none. */
uint32_t pf_stack(struct perfetto *, uint32_t state, uint64_t iid, struct err *);
uint32_t pf_stack_inline(struct perfetto *, struct str, struct err *);
uint64_t pf_stack_content(struct perfetto *, uint32_t state, uint64_t iid);
/* symbols.c */
bool	pf_symbols_told(struct perfetto *, unsigned packet, struct str, struct err *);
bool	pf_symbols_read(struct perfetto *, struct err *);	/* once, after the last packet */
void	pf_symbols_close(struct pf_symbols *);
/* The lines of an address, innermost first: {1 function, 2 file, 3 line}; false: none are known. */
bool	pf_symbols_find(const struct perfetto *, struct str path, struct str build, uint64_t address, struct str *lines);
/* The name of a method that was renamed; itself where it was not.  In the buffer, if it is another one. */
struct str pf_deobfuscated(struct perfetto *, struct str name, struct str path, struct buf *);
/* heapprofd.c: packets become rows when all clocks are known, and unreleased memory samples when all was played. */
bool	pf_heap_told(struct perfetto *, struct str, uint32_t state, uint32_t sequence, struct err *);
bool	pf_heap_rows(struct perfetto *, struct err *);
bool	pf_play_heap(struct perfetto *, const struct pf_row *, struct str, struct err *);	/* the row names a dump; the message is empty */
bool	pf_heap_unreleased(struct perfetto *, struct err *);
void	pf_heaps_close(struct pf_heaps *);

#endif
