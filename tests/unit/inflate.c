/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * inflate: data in memory, up to a limit, cut and damaged at each byte.
 */
#include "config.h"

#include <lz4frame.h>
#include <stdlib.h>
#include <zlib.h>
#ifdef USE_ZSTD
#include <zstd.h>
#endif
#ifdef USE_XZ
#include <lzma.h>
#endif
#ifdef USE_BZIP2
#include <bzlib.h>
#endif

#include "check.h"
#include "icecore/inflate.h"

#define BYTES 300000u
#define FEW 3000u

static unsigned char text[BYTES], room[3 * BYTES];

static size_t
pack_deflate(enum inflate_form form, size_t n)
{
	z_stream z = { .next_in = text, .avail_in = (uInt)n, .next_out = room, .avail_out = sizeof room };
	int bits = form == INFLATE_RAW ? -15 : form == INFLATE_ZLIB ? 15 : 31;

	assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY), Z_OK);
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	deflateEnd(&z);
	return z.total_out;
}

static size_t
pack_lz4(size_t n)
{
	const LZ4F_preferences_t how = { .frameInfo = { .contentChecksumFlag = LZ4F_contentChecksumEnabled } };

	return LZ4F_compressFrame(room, sizeof room, text, n, &how);
}

#ifdef USE_ZSTD
static size_t
pack_zstd(size_t n)
{
	ZSTD_CCtx *c = ZSTD_createCCtx();
	size_t packed;

	ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
	packed = ZSTD_compress2(c, room, sizeof room, text, n);
	ZSTD_freeCCtx(c);
	return packed;
}
#endif

/* Pack the first n bytes of a text with several blocks; empty: this build lacks the library. */
static struct str
packed_of(enum inflate_form form, size_t n)
{
	uint32_t random = 1;
	size_t packed = 0;

	for (size_t i = 0; i < BYTES; i++) {
		random = random * 1664525u + 1013904223u;
		text[i] = (unsigned char)(random >> 28);
	}
	if (form == INFLATE_LZ4)
		packed = pack_lz4(n);
	else if (form == INFLATE_GZIP || form >= INFLATE_ZLIB)
		packed = pack_deflate(form, n);
#ifdef USE_ZSTD
	if (form == INFLATE_ZSTD)
		packed = pack_zstd(n);
#endif
#ifdef USE_XZ
	if (form == INFLATE_XZ)
		assert_int_equal(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, text, n, room, &packed, sizeof room), LZMA_OK);
#endif
#ifdef USE_BZIP2
	unsigned most = sizeof room;

	if (form == INFLATE_BZIP2) {
		assert_int_equal(BZ2_bzBuffToBuffCompress((char *)room, &most, (char *)text, (unsigned)n, 1, 0, 0), BZ_OK);
		packed = most;
	}
#endif
	assert_true(packed > 0 || inflate_lacks(form) != NULL);
	return (struct str){ (const char *)room, packed };
}

static bool
is_start(const struct inflated *out)
{
	return out->n == 0 || memcmp(out->data, text, out->n) == 0;
}

static void
limits(void **state)
{
	struct inflated out = { .n = 0 };
	struct str packed, more;

	(void)state;
	for (enum inflate_form form = INFLATE_GZIP; form < INFLATE_FORMS; form++) {
		if ((packed = packed_of(form, BYTES)).n == 0)
			continue;
		assert_int_equal(inflate_form(packed), form < INFLATE_ZLIB ? form : INFLATE_NONE);
		assert_true(inflate_all(packed, form, 0, BYTES, &out));
		assert_true(out.n == BYTES && is_start(&out) && out.used == packed.n);
		assert_true(inflate_all(packed, form, BYTES, 8 * BYTES, &out) && out.n == BYTES);
		assert_false(inflate_all(packed, form, BYTES, BYTES - 1, &out));
		assert_true(out.n == BYTES - 1 && is_start(&out));
		assert_false(inflate_all(str_head(packed, packed.n / 4 * 3), form, 100, BYTES, &out));
		assert_true(out.n > BYTES / 3 && out.n < BYTES && is_start(&out));
		assert_false(inflate_all(STR(""), form, 100, BYTES, &out));
		assert_int_equal(out.n, 0);
		/* Behind it: zeros, something else, the same once more. */
		more = (struct str){ packed.s, packed.n + 4 };
		memset(room + packed.n, 0, 4);
		assert_true(inflate_all(more, form, 0, BYTES, &out) && out.n == BYTES);
		room[packed.n + 2] = 'x';
		assert_int_equal(inflate_all(more, form, 0, BYTES, &out), form >= INFLATE_ZLIB);
		assert_true(out.n == BYTES && is_start(&out));
		if (form >= INFLATE_ZLIB)
			continue;
		memcpy(room + packed.n, room, packed.n);
		more.n = 2 * packed.n;
		assert_true(inflate_all(more, form, 0, 2 * BYTES, &out) && out.n == 2 * BYTES && out.used == more.n);
		assert_memory_equal(out.data + BYTES, text, BYTES);
	}
	free(out.data);
}

static void
cut_and_damaged(void **state)
{
	struct inflated out = { .n = 0 };
	struct str packed;

	(void)state;
	for (enum inflate_form form = INFLATE_GZIP; form < INFLATE_FORMS; form++) {
		packed = packed_of(form, FEW);
		for (size_t i = 0; i < packed.n; i++) {
			assert_false(inflate_all(str_head(packed, i), form, 0, BYTES, &out));
			assert_true(out.n <= FEW && is_start(&out));
			for (unsigned bit = 1; bit < 256; bit *= 2) {
				room[i] ^= (unsigned char)bit;
				/* Deflate alone has no checksum, zlib a weak one. */
				if (inflate_all(packed, form, 0, BYTES, &out) && form < INFLATE_ZLIB)
					assert_true(out.n == FEW && is_start(&out));
				room[i] ^= (unsigned char)bit;
			}
		}
	}
	free(out.data);
}

/* A block that is whole is unpacked, although the one behind it in the same small frame is damaged. */
static void
whole_blocks(void **state)
{
#ifdef USE_ZSTD
	struct inflated out = { .n = 0 };
	struct str packed = packed_of(INFLATE_ZSTD, 200000);

	room[packed.n - 20] ^= 0x55;
	assert_false(inflate_all(packed, INFLATE_ZSTD, BYTES, BYTES, &out));
	assert_true(out.n >= 128 << 10 && is_start(&out));
	free(out.data);
#endif
	(void)state;
}

static void
skipped_frames(void **state)
{
#ifdef USE_ZSTD
	const struct str skipped = STR("\x5e\x2a\x4d\x18\4\0\0\0size");
	struct inflated out = { .n = 0 };
	struct str packed = packed_of(INFLATE_ZSTD, FEW);
	struct buf b = BUF_INIT;

	buf_str(&b, skipped);
	buf_str(&b, skipped);
	buf_str(&b, packed);
	buf_str(&b, skipped);
	buf_str(&b, packed);
	buf_str(&b, skipped);
	assert_int_equal(inflate_form(buf_view(&b)), INFLATE_ZSTD);
	assert_true(inflate_all(buf_view(&b), INFLATE_ZSTD, 0, BYTES, &out) && out.n == 2 * FEW && out.used == b.n);
	assert_false(inflate_all(str_head(buf_view(&b), b.n - 1), INFLATE_ZSTD, 0, BYTES, &out));
	assert_int_equal(out.n, 2 * FEW);
	buf_free(&b);
	free(out.data);
#endif
	(void)state;
}

TOOL(unit, inflate)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(limits),
		cmocka_unit_test(cut_and_damaged),
		cmocka_unit_test(whole_blocks),
		cmocka_unit_test(skipped_frames),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
