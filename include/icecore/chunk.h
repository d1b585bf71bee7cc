/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chunk: how many bytes or rows are processed at once.
 *
 * A build for fuzz targets (configure --enable-fuzz) divides these numbers, so that small inputs have
 * several chunks too.  No answer may depend on them.
 */
#ifndef ICECORE_CHUNK_H
#define ICECORE_CHUNK_H

#ifdef SMALL_CHUNKS
#define CHUNK_OF(n) ((n) / SMALL_CHUNKS)
#else
#define CHUNK_OF(n) (n)
#endif

#endif
