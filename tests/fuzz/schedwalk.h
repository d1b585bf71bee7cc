/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * schedwalk: scheduler text as a file and as a live stream, which have to agree.  Shared by the fuzz target and the
 * unit tests.
 */
#ifndef TESTS_SCHEDWALK_H
#define TESTS_SCHEDWALK_H

#include <stddef.h>
#include <stdint.h>

#include "icecore/pass.h"

/* The bytes as a file without a name; the store must be closed.  False: refused. */
bool	schedwalk_file(const uint8_t *, size_t, struct store **, struct err *);
/* Opens it through a socket, in pieces of at most that many bytes; NULL with true: it is not scheduler text. */
bool	schedwalk_live(const uint8_t *, size_t, size_t piece, struct store **, struct err *);
/* All of it; aborts on an answer that contradicts itself or another one. */
void	schedwalk_bytes(const uint8_t *, size_t);

#endif
