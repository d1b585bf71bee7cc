/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bytes: numbers in the bytes of files, at any alignment.  Belongs to layer base.
 */
#ifndef ICECORE_BYTES_H
#define ICECORE_BYTES_H

#include <stdint.h>

/* ---- low byte first ---------------------------------------------------------------------- */

static inline uint32_t
le16(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8;
}

static inline uint32_t
le24(const uint8_t *p)
{
	return le16(p) | (uint32_t)p[2] << 16;
}

static inline uint32_t
le32(const uint8_t *p)
{
	return le16(p) | le16(p + 2) << 16;
}

static inline uint64_t
le64(const uint8_t *p)
{
	return le32(p) | (uint64_t)le32(p + 4) << 32;
}

/* ---- high byte first --------------------------------------------------------------------- */

static inline uint32_t
be16(const uint8_t *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

static inline uint32_t
be32(const uint8_t *p)
{
	return be16(p) << 16 | be16(p + 2);
}

static inline uint64_t
be64(const uint8_t *p)
{
	return (uint64_t)be32(p) << 32 | be32(p + 4);
}

#endif
