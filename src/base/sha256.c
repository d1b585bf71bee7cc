/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sha256: the digest of FIPS 180-4, for names that other programs can compute, too.
 */
#include "config.h"

#include <nettle/sha2.h>

#include "icecore/base.h"

void
sha256(struct str s, unsigned char digest[SHA256_BYTES])
{
	struct sha256_ctx context;

	sha256_init(&context);
	sha256_update(&context, s.n, (const uint8_t *)s.s);
	sha256_digest(&context, SHA256_BYTES, digest);
}

uint64_t
sha256_head(struct str s)
{
	unsigned char digest[SHA256_BYTES];
	uint64_t head = 0;

	sha256(s, digest);
	for (unsigned i = 0; i < 8; i++)
		head = head << 8 | digest[i];
	return head;
}
