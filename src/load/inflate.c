/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * inflate: the libraries that unpack, as one.
 */
#include "config.h"

#include <assert.h>
#include <lz4frame.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>
#ifdef USE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif
#ifdef USE_XZ
#include <lzma.h>
#endif
#ifdef USE_BZIP2
#include <bzlib.h>
#endif

#include "icecore/bytes.h"
#include "icecore/inflate.h"
#include "icecore/mem.h"

#define GZIP_LEAST 18
#define LZ4_MAGIC 0x184d2204u
#define ZSTD_MAGIC 0xfd2fb528u
#define SKIPPED 0x184d2a50u	/* to 0x184d2a5f: frames to be skipped, of LZ4 and zstd */
#define SKIPPED_MOST 64		/* in front of the first other frame */
#define IN_MOST ((size_t)1 << 20)	/* bytes of a step, which may unpack to none */
#define OUT_MOST ((size_t)1 << 30)
#define WINDOW_LOG 27
#define ROOM_MORE 65536u

struct inflating {
	enum inflate_form form;
	bool		 between;	/* behind a stream */
	bool		 full;		/* the last step filled its room */
	size_t		 want;		/* bytes that LZ4 or zstd wants; 0: the magic */
	union {
		z_stream	 zlib;
		LZ4F_dctx	*lz4;
#ifdef USE_ZSTD
		ZSTD_DCtx	*zstd;
#endif
#ifdef USE_XZ
		lzma_stream	 lzma;
#endif
#ifdef USE_BZIP2
		bz_stream	 bzip2;
#endif
	} of;
};

static void
inflate_move(struct inflate_step *io, size_t in, size_t out)
{
	assert(in <= io->left && out <= io->room);
	io->in += in;
	io->left -= in;
	io->to += out;
	io->room -= out;
}

/* ---- libraries ---------------------------------------------------------------------------------- */

static bool
zlib_open(struct inflating *s)
{
	int bits = s->form == INFLATE_RAW ? -15 : s->form == INFLATE_ZLIB ? 15 : 15 + 16;

	return inflateInit2(&s->of.zlib, bits) == Z_OK;
}

static enum inflate_end
zlib_some(struct inflating *s, struct inflate_step *io)
{
	z_stream *z = &s->of.zlib;
	int rc;

	z->next_in = (Bytef *)(uintptr_t)io->in;
	z->avail_in = (uInt)io->left;
	z->next_out = io->to;
	z->avail_out = (uInt)io->room;
	rc = inflate(z, Z_NO_FLUSH);
	inflate_move(io, io->left - z->avail_in, io->room - z->avail_out);
	return rc == Z_STREAM_END ? INFLATE_END : rc == Z_OK || rc == Z_BUF_ERROR ? INFLATE_MORE :
	    rc == Z_MEM_ERROR ? INFLATE_STARVED : INFLATE_DAMAGED;
}

static void
zlib_close(struct inflating *s)
{
	inflateEnd(&s->of.zlib);
}

/*
 * LZ4 and zstd get one block at a time, without the head of the next one, which they want as well, and nothing while
 * there may be output of the last one, because a step that finds damage loses its output. zstd would unpack a small
 * frame in one step if it got more than the magic first.
 */
static size_t
inflate_block(const struct inflating *s, const struct inflate_step *io, size_t head)
{
	size_t want = s->full ? 0 : s->want == 0 ? 4 : s->want > head ? s->want - head : s->want;

	return want < io->left ? want : io->left;
}

static bool
lz4_open(struct inflating *s)
{
	return !LZ4F_isError(LZ4F_createDecompressionContext(&s->of.lz4, LZ4F_VERSION));
}

static enum inflate_end
lz4_some(struct inflating *s, struct inflate_step *io)
{
	size_t in = inflate_block(s, io, 4), out = io->room;

	s->want = LZ4F_decompress(s->of.lz4, io->to, &out, io->in, &in, NULL);
	if (LZ4F_isError(s->want))
		return INFLATE_DAMAGED;
	inflate_move(io, in, out);
	return s->want > 0 ? INFLATE_MORE : INFLATE_END;
}

static void
lz4_close(struct inflating *s)
{
	LZ4F_freeDecompressionContext(s->of.lz4);
}

#ifdef USE_ZSTD
static bool
zstd_open(struct inflating *s)
{
	s->of.zstd = ZSTD_createDCtx();
	return s->of.zstd != NULL &&
	    !ZSTD_isError(ZSTD_DCtx_setParameter(s->of.zstd, ZSTD_d_windowLogMax, WINDOW_LOG));
}

static enum inflate_end
zstd_some(struct inflating *s, struct inflate_step *io)
{
	ZSTD_inBuffer in = { io->in, inflate_block(s, io, 3), 0 };
	ZSTD_outBuffer out = { io->to, io->room, 0 };

	s->want = ZSTD_decompressStream(s->of.zstd, &out, &in);
	switch (ZSTD_getErrorCode(s->want)) {
	case ZSTD_error_no_error: break;
	case ZSTD_error_frameParameter_windowTooLarge: return INFLATE_WIDE;
	case ZSTD_error_memory_allocation: return INFLATE_STARVED;
	default: return INFLATE_DAMAGED;
	}
	inflate_move(io, in.pos, out.pos);
	return s->want > 0 ? INFLATE_MORE : INFLATE_END;
}

static void
zstd_close(struct inflating *s)
{
	ZSTD_freeDCtx(s->of.zstd);
}
#endif

#ifdef USE_XZ
static bool
xz_open(struct inflating *s)
{
	/* Everything but the window takes less than a MiB. */
	return lzma_stream_decoder(&s->of.lzma, ((uint64_t)1 << WINDOW_LOG) + (1u << 20), 0) == LZMA_OK;
}

static enum inflate_end
xz_some(struct inflating *s, struct inflate_step *io)
{
	lzma_stream *z = &s->of.lzma;
	lzma_ret rc;

	z->next_in = io->in;
	z->avail_in = io->left;
	z->next_out = io->to;
	z->avail_out = io->room;
	rc = lzma_code(z, LZMA_RUN);
	inflate_move(io, io->left - z->avail_in, io->room - z->avail_out);
	return rc == LZMA_STREAM_END ? INFLATE_END : rc == LZMA_OK || rc == LZMA_BUF_ERROR ? INFLATE_MORE :
	    rc == LZMA_MEMLIMIT_ERROR ? INFLATE_WIDE :
	    rc == LZMA_MEM_ERROR ? INFLATE_STARVED : INFLATE_DAMAGED;
}

static void
xz_close(struct inflating *s)
{
	lzma_end(&s->of.lzma);
}
#endif

#ifdef USE_BZIP2
static bool
bzip2_open(struct inflating *s)
{
	return BZ2_bzDecompressInit(&s->of.bzip2, 0, 0) == BZ_OK;
}

static enum inflate_end
bzip2_some(struct inflating *s, struct inflate_step *io)
{
	bz_stream *z = &s->of.bzip2;
	int rc;

	z->next_in = (char *)(uintptr_t)io->in;
	z->avail_in = (unsigned)io->left;
	z->next_out = (char *)io->to;
	z->avail_out = (unsigned)io->room;
	rc = BZ2_bzDecompress(z);
	inflate_move(io, io->left - z->avail_in, io->room - z->avail_out);
	return rc == BZ_STREAM_END ? INFLATE_END : rc == BZ_OK ? INFLATE_MORE :
	    rc == BZ_MEM_ERROR ? INFLATE_STARVED : INFLATE_DAMAGED;
}

static void
bzip2_close(struct inflating *s)
{
	BZ2_bzDecompressEnd(&s->of.bzip2);
}
#endif

static const struct unpacker {
	bool		(*open)(struct inflating *);
	enum inflate_end (*some)(struct inflating *, struct inflate_step *);
	void		(*close)(struct inflating *);
} unpackers[INFLATE_FORMS] = {
	[INFLATE_GZIP] = { zlib_open, zlib_some, zlib_close },
	[INFLATE_ZLIB] = { zlib_open, zlib_some, zlib_close },
	[INFLATE_RAW] = { zlib_open, zlib_some, zlib_close },
	[INFLATE_LZ4] = { lz4_open, lz4_some, lz4_close },
#ifdef USE_ZSTD
	[INFLATE_ZSTD] = { zstd_open, zstd_some, zstd_close },
#endif
#ifdef USE_XZ
	[INFLATE_XZ] = { xz_open, xz_some, xz_close },
#endif
#ifdef USE_BZIP2
	[INFLATE_BZIP2] = { bzip2_open, bzip2_some, bzip2_close },
#endif
};

const char *
inflate_lacks(enum inflate_form form)
{
	static const char *const libraries[INFLATE_FORMS] = {
		[INFLATE_ZSTD] = "libzstd", [INFLATE_XZ] = "liblzma", [INFLATE_BZIP2] = "libbz2"
	};

	return unpackers[form].open == NULL ? libraries[form] : NULL;
}

/* ---- forms ---------------------------------------------------------------------------------------- */

static bool
inflate_is_skipped(struct str s)
{
	return s.n >= 8 && (le32((const uint8_t *)s.s) & ~0xfu) == SKIPPED;
}

enum inflate_form
inflate_form(struct str s)
{
	uint32_t magic;

	if (s.n >= GZIP_LEAST && str_begins(s, "\x1f\x8b"))
		return INFLATE_GZIP;
	if (str_begins(s, "\xfd" "7zXZ\0"))
		return INFLATE_XZ;
	/* A block, or none. */
	if (str_begins(s, "BZh") && s.n > 10 && s.s[3] >= '1' && s.s[3] <= '9' &&
	    (memcmp(s.s + 4, "1AY&SY", 6) == 0 || memcmp(s.s + 4, "\x17\x72\x45\x38\x50\x90", 6) == 0))
		return INFLATE_BZIP2;
	for (unsigned i = 0; i < SKIPPED_MOST && inflate_is_skipped(s); i++)
		s = str_after(s, (size_t)le32((const uint8_t *)s.s + 4) + 8);
	magic = s.n >= 4 ? le32((const uint8_t *)s.s) : 0;
	return magic == LZ4_MAGIC ? INFLATE_LZ4 : magic == ZSTD_MAGIC ? INFLATE_ZSTD : INFLATE_NONE;
}

struct str
inflate_stem(struct str name)
{
	static const char *const ends[] = { ".gz", ".lz4", ".zst", ".xz", ".bz2" };
	size_t n;

	for (size_t i = 0; i < NELEM(ends); i++)
		if ((n = strlen(ends[i])) < name.n && strncasecmp(name.s + name.n - n, ends[i], n) == 0)
			return (struct str){ name.s, name.n - n };
	return name;
}

/* ---- streams -------------------------------------------------------------------------------------- */

static enum inflate_end
inflate_begin(struct inflating *s)
{
	assert(s->form > INFLATE_NONE && s->form < INFLATE_FORMS);
	memset(&s->of, 0, sizeof s->of);
	s->between = s->full = false;
	s->want = 0;
	if (unpackers[s->form].open(s))
		return INFLATE_MORE;
	mem_refuse();
	return INFLATE_STARVED;
}

struct inflating *
inflate_open(enum inflate_form form)
{
	struct inflating *s = unpackers[form].open != NULL ? mem_array(1, sizeof *s) : NULL;

	if (s == NULL)
		return NULL;
	s->form = form;
	if (inflate_begin(s) == INFLATE_MORE)
		return s;
	inflate_close(s);
	return NULL;
}

void
inflate_close(struct inflating *s)
{
	if (s != NULL)
		unpackers[s->form].close(s);
	free(s);
}

/* Other bytes than zeros behind a stream must be another one. */
static enum inflate_end
inflate_behind(struct inflating *s, struct inflate_step *io)
{
	size_t n = 0, most = io->left < IN_MOST ? io->left : IN_MOST;
	struct str rest;

	assert(s->form < INFLATE_ZLIB);
	while (n < most && io->in[n] == 0)
		n++;
	inflate_move(io, n, 0);
	if (io->left == 0)
		return INFLATE_END;
	if (n == most)
		return INFLATE_MORE;
	rest = (struct str){ (const char *)io->in, io->left };
	if (inflate_form(rest) != s->form &&
	    !((s->form == INFLATE_LZ4 || s->form == INFLATE_ZSTD) && inflate_is_skipped(rest)))
		return INFLATE_DAMAGED;
	unpackers[s->form].close(s);
	return inflate_begin(s);
}

enum inflate_end
inflate_some(struct inflating *s, struct inflate_step *io)
{
	struct inflate_step now = { io->in, io->left < IN_MOST ? io->left : IN_MOST, io->to,
	    io->room < OUT_MOST ? io->room : OUT_MOST };
	enum inflate_end end;

	assert(io->room > 0);
	if (s->between)
		return inflate_behind(s, io);
	end = unpackers[s->form].some(s, &now);
	inflate_move(io, (size_t)(now.in - io->in), (size_t)(now.to - io->to));
	s->full = now.room == 0;
	if (end == INFLATE_STARVED)
		mem_refuse();
	s->between = end == INFLATE_END && s->form < INFLATE_ZLIB;
	if (s->between)
		return INFLATE_MORE;
	return end == INFLATE_MORE && io->left == 0 && now.room > 0 ? INFLATE_DAMAGED : end;
}

/* ---- in memory ------------------------------------------------------------------------------------ */

bool
inflate_all(struct str packed, enum inflate_form form, size_t guess, size_t most, struct inflated *out)
{
	struct inflate_step io = { .in = (const uint8_t *)packed.s, .left = packed.n };
	struct inflating *s = inflate_open(form);
	enum inflate_end end = INFLATE_MORE;

	out->n = 0;
	while (s != NULL && end == INFLATE_MORE && out->n <= most) {
		size_t need = out->n == 0 ? guess + 1 : out->n + ROOM_MORE;

		if (out->n == out->cap && !mem_grow(&out->data, &out->cap, need, 1))
			break;
		io.to = out->data + out->n;
		io.room = out->cap - out->n;
		end = inflate_some(s, &io);
		out->n = (size_t)(io.to - out->data);
	}
	inflate_close(s);
	out->used = packed.n - io.left;
	if (out->n <= most)
		return end == INFLATE_END;
	out->n = most;
	return false;
}
