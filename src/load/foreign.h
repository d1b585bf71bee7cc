/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * foreign: contents that show a format by more than a mark.  Private to src/load/foreign.c.
 */
#ifndef LOAD_FOREIGN_H
#define LOAD_FOREIGN_H

#include "icecore/str.h"

enum { FOREIGN_LINES = 64 };	/* lines of a text that are looked at */

/* All bytes of the first part, of binary data and of text */
bool	looks_swapped_dex(struct str);
bool	looks_dump_part(struct str);
bool	looks_etw(struct str);
bool	looks_go_trace(struct str);
bool	looks_zeros(struct str);

/* Texts, without blanks in front */
bool	looks_json(struct str);		/* logs may begin with a bracket as well */
bool	looks_server_error(struct str);	/* JSON of a few lines, in place of a file */
bool	looks_atrace_cr(struct str);
bool	looks_atrace_empty(struct str);
bool	looks_frames(struct str);

/* Texts whose lines resemble folded stacks */
bool	looks_jfr_print(struct str);
bool	looks_ltrace(struct str);
bool	looks_strace(struct str);
bool	looks_perf_trace(struct str);

/* Bytes that file(1) finds in a text of some encoding: no control characters but blanks, BEL, BS and ESC */
bool	looks_readable(struct str);

#endif
