/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * masks: many bytes of a text examined in one step.
 *
 * No implementation reads a byte before or after the text, which may be the whole of a mapped file: the remainder of
 * the last 64 bytes is copied first.
 */
#include "config.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__) && defined(__ARM_NEON)
#include <arm_neon.h>
#endif

#include "icecore/masks.h"

static bool
always(void)
{
	return true;
}

static bool
masks_is_plain(char c)
{
	return c > 0 && (unsigned char)c < 0x80;
}

static void
find_bytes(const char *s, size_t masks, const char any[3], uint64_t *mask)
{
	uint64_t word;

	for (; masks > 0; masks--, s += MASK_BYTES) {
		word = 0;
		for (unsigned i = 0; i < MASK_BYTES; i++)
			word |= (uint64_t)(s[i] == any[0] || s[i] == any[1] || s[i] == any[2]) << i;
		*mask++ = word;
	}
}

static size_t
plain_bytes(const char *s, size_t masks)
{
	const uint64_t high = 0x8080808080808080u, low = 0x0101010101010101u;
	uint64_t word, odd;
	size_t at;

	for (at = 0; at < masks * MASK_BYTES; at += MASK_BYTES) {
		odd = 0;
		for (unsigned i = 0; i < MASK_BYTES; i += (unsigned)sizeof word) {
			memcpy(&word, s + at + i, sizeof word);
			odd |= word | (word - low);
		}
		if ((odd & high) != 0)
			break;
	}
	return at;
}

/* ---- x86-64 ------------------------------------------------------------------------ */

#if defined(__x86_64__)
static void
find_sse2(const char *s, size_t masks, const char any[3], uint64_t *mask)
{
	const __m128i a = _mm_set1_epi8(any[0]), b = _mm_set1_epi8(any[1]), c = _mm_set1_epi8(any[2]);
	uint64_t word;
	__m128i x;

	for (; masks > 0; masks--, s += MASK_BYTES) {
		word = 0;
		for (unsigned i = 0; i < MASK_BYTES; i += (unsigned)sizeof x) {
			x = _mm_loadu_si128((const void *)(s + i));
			x = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(x, a), _mm_cmpeq_epi8(x, b)),
			    _mm_cmpeq_epi8(x, c));
			word |= (uint64_t)(unsigned)_mm_movemask_epi8(x) << i;
		}
		*mask++ = word;
	}
}

static size_t
plain_sse2(const char *s, size_t masks)
{
	const __m128i zero = _mm_setzero_si128();
	__m128i x, odd;
	size_t at;

	for (at = 0; at < masks * MASK_BYTES; at += MASK_BYTES) {
		odd = zero;
		for (unsigned i = 0; i < MASK_BYTES; i += (unsigned)sizeof x) {
			x = _mm_loadu_si128((const void *)(s + at + i));
			odd = _mm_or_si128(odd, _mm_or_si128(x, _mm_cmpeq_epi8(x, zero)));
		}
		if (_mm_movemask_epi8(odd) != 0)
			break;
	}
	return at;
}

__attribute__((target("avx2"))) static void
find_avx2(const char *s, size_t masks, const char any[3], uint64_t *mask)
{
	const __m256i a = _mm256_set1_epi8(any[0]), b = _mm256_set1_epi8(any[1]), c = _mm256_set1_epi8(any[2]);
	__m256i x, y;

	for (; masks > 0; masks--, s += MASK_BYTES) {
		x = _mm256_loadu_si256((const void *)s);
		y = _mm256_loadu_si256((const void *)(s + sizeof x));
		x = _mm256_or_si256(_mm256_or_si256(_mm256_cmpeq_epi8(x, a), _mm256_cmpeq_epi8(x, b)),
		    _mm256_cmpeq_epi8(x, c));
		y = _mm256_or_si256(_mm256_or_si256(_mm256_cmpeq_epi8(y, a), _mm256_cmpeq_epi8(y, b)),
		    _mm256_cmpeq_epi8(y, c));
		*mask++ = (uint32_t)_mm256_movemask_epi8(x) | (uint64_t)(uint32_t)_mm256_movemask_epi8(y) << sizeof x;
	}
}

__attribute__((target("avx2"))) static size_t
plain_avx2(const char *s, size_t masks)
{
	const __m256i zero = _mm256_setzero_si256();
	__m256i x, y, least;
	size_t at;

	for (at = 0; at < masks * MASK_BYTES; at += MASK_BYTES) {
		x = _mm256_loadu_si256((const void *)(s + at));
		y = _mm256_loadu_si256((const void *)(s + at + sizeof x));
		least = _mm256_min_epi8(x, y);
		if (_mm256_movemask_epi8(_mm256_cmpgt_epi8(least, zero)) != -1)
			break;
	}
	return at;
}

static bool
has_avx2(void)
{
	return __builtin_cpu_supports("avx2") != 0;
}
#endif

/* ---- aarch64 ----------------------------------------------------------------------- */

#if defined(__aarch64__) && defined(__ARM_NEON)
static void
find_neon(const char *s, size_t masks, const char any[3], uint64_t *mask)
{
	static const uint8_t bits[16] = { 1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128 };
	const uint8x16_t a = vdupq_n_u8((uint8_t)any[0]), b = vdupq_n_u8((uint8_t)any[1]),
	    c = vdupq_n_u8((uint8_t)any[2]);
	const uint8x16_t bit = vld1q_u8(bits);
	uint8x16_t x[4];

	for (; masks > 0; masks--, s += MASK_BYTES) {
		for (unsigned i = 0; i < 4; i++) {
			x[i] = vld1q_u8((const uint8_t *)s + i * sizeof x[i]);
			x[i] = vandq_u8(vorrq_u8(vorrq_u8(vceqq_u8(x[i], a), vceqq_u8(x[i], b)), vceqq_u8(x[i], c)),
			    bit);
		}
		x[0] = vpaddq_u8(vpaddq_u8(x[0], x[1]), vpaddq_u8(x[2], x[3]));
		*mask++ = vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(x[0], x[0])), 0);
	}
}

static size_t
plain_neon(const char *s, size_t masks)
{
	int8x16_t least;
	size_t at;

	for (at = 0; at < masks * MASK_BYTES; at += MASK_BYTES) {
		least = vld1q_s8((const int8_t *)s + at);
		for (unsigned i = (unsigned)sizeof least; i < MASK_BYTES; i += (unsigned)sizeof least)
			least = vminq_s8(least, vld1q_s8((const int8_t *)s + at + i));
		if (vminvq_s8(least) <= 0)
			break;
	}
	return at;
}
#endif

/* ---- the ways ---------------------------------------------------------------------- */

const struct masks_way masks_ways[] = {
#if defined(__x86_64__)
	{ "AVX2", has_avx2, find_avx2, plain_avx2 },
	{ "SSE2", always, find_sse2, plain_sse2 },
#elif defined(__aarch64__) && defined(__ARM_NEON)
	{ "NEON", always, find_neon, plain_neon },
#endif
	{ "C", always, find_bytes, plain_bytes }
};

static const struct masks_way *way = &masks_ways[NELEM(masks_ways) - 1];

__attribute__((constructor)) static void
choose_way(void)
{
	for (way = masks_ways; !way->runs(); way++)
		;
}

void
masks_find(struct str s, const char any[3], uint64_t *mask)
{
	size_t masks = s.n / MASK_BYTES, left = s.n % MASK_BYTES;
	char last[MASK_BYTES] = { 0 };

	way->find(s.s, masks, any, mask);
	if (left == 0)
		return;
	memcpy(last, s.s + masks * MASK_BYTES, left);
	way->find(last, 1, any, mask + masks);
	mask[masks] &= (UINT64_C(1) << left) - 1;
}

size_t
masks_plain(struct str s)
{
	size_t at = way->plain(s.s, s.n / MASK_BYTES);

	while (at < s.n && masks_is_plain(s.s[at]))
		at++;
	return at;
}
