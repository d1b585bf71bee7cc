/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bitmap_read: the pixels of a bitmap, row after row, as R G B A bytes; PNG images that a dump carries by
 * libpng.
 */
#include "config.h"

#include <assert.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "bitmaps.h"
#include "icecore/bytes.h"

#define WHOLE_MAX (64u << 20)		/* pixels of an interlaced image, which is decoded as a whole */
#define CHUNK_MAX (8u << 20)		/* bytes that libpng may take for one chunk that is not of the image */

struct bitmap_reader {
	struct bitmap	 bitmap;
	uint32_t	 row;		/* the next one */
	uint64_t	 inverse[256];	/* for each alpha: see undo_multiply */
	png_structp	 png;		/* NULL: plain pixels */
	png_infop	 info;
	uint64_t	 at;		/* offset in the bytes of a PNG */
	struct scratch	 whole;		/* pixels of an interlaced image */
	char		 why[160];
};

/* ---- what libpng calls ------------------------------------------------------------- */

static void
on_read(png_structp png, png_bytep to, png_size_t n)
{
	struct bitmap_reader *r = png_get_io_ptr(png);

	assert(r->at <= r->bitmap.size);
	if (n > r->bitmap.size - r->at)
		png_error(png, "truncated");
	memcpy(to, r->bitmap.data + r->at, n);
	r->at += n;
}

static _Noreturn void
bitmap_read_on_error(png_structp png, png_const_charp text)
{
	struct bitmap_reader *r = png_get_error_ptr(png);
	size_t n = strnlen(text, sizeof r->why - 1);

	memcpy(r->why, text, n);
	r->why[n] = '\0';
	png_longjmp(png, 1);
}

static void
bitmap_read_on_warning(UNUSED png_structp png, UNUSED png_const_charp text)
{
}

/* ---- decoding ------------------------------------------------------------------------- */

static void
bitmap_read_set_limits(struct bitmap_reader *r)
{
	png_set_user_limits(r->png, BITMAP_SIDE, BITMAP_SIDE);
	png_set_chunk_cache_max(r->png, 16);
	png_set_chunk_malloc_max(r->png, CHUNK_MAX);
	png_set_crc_action(r->png, PNG_CRC_ERROR_QUIT, PNG_CRC_WARN_DISCARD);
}

/* Has libpng convert every kind of image to four bytes a pixel. */
static void
set_transforms(png_structp png, png_infop info)
{
	png_set_expand(png);
	png_set_scale_16(png);
	png_set_gray_to_rgb(png);
	png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
	png_set_interlace_handling(png);
	png_read_update_info(png, info);
}

static bool
bitmap_read_read_head(struct bitmap_reader *r)
{
	if (setjmp(png_jmpbuf(r->png)) != 0)
		return false;
	bitmap_read_set_limits(r);
	png_set_read_fn(r->png, r, on_read);
	png_read_info(r->png, r->info);
	if (png_get_image_width(r->png, r->info) != r->bitmap.width ||
	    png_get_image_height(r->png, r->info) != r->bitmap.height)
		png_error(r->png, "different size");
	set_transforms(r->png, r->info);
	if (png_get_rowbytes(r->png, r->info) != 4 * (png_size_t)r->bitmap.width)
		png_error(r->png, "unexpected row size");
	return true;
}

/* Each pass of an interlaced image goes over all rows. */
static bool
bitmap_read_read_whole(struct bitmap_reader *r)
{
	const size_t stride = 4 * (size_t)r->bitmap.width;
	volatile int left = 7;

	if (setjmp(png_jmpbuf(r->png)) != 0)
		return false;
	for (; left > 0; left--)
		for (volatile uint32_t row = 0; row < r->bitmap.height; row++)
			png_read_row(r->png, r->whole.data + row * stride, NULL);
	return true;
}

static bool
begin_whole(struct bitmap_reader *r, struct err *err)
{
	uint64_t n = (uint64_t)r->bitmap.width * r->bitmap.height;

	if (png_get_interlace_type(r->png, r->info) == PNG_INTERLACE_NONE)
		return true;
	if (n > WHOLE_MAX)
		return fail(err, E_INPUT, "the PNG in the dump is interlaced and too large");
	if (!scratch_array(&r->whole, n, 4, err))
		return false;
	return bitmap_read_read_whole(r) || fail(err, E_INPUT, "the PNG in the dump is damaged: %s", r->why);
}

static bool
open_png(struct bitmap_reader *r, struct err *err)
{
	r->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, r, bitmap_read_on_error,
	    bitmap_read_on_warning);
	r->info = r->png == NULL ? NULL : png_create_info_struct(r->png);
	if (r->info == NULL)
		return fail_memory(err, "image");
	return (bitmap_read_read_head(r) || fail(err, E_INPUT, "the PNG in the dump is damaged: %s",
	    r->why)) &&
	    begin_whole(r, err);
}

static bool
png_row(struct bitmap_reader *r, uint8_t *rgba)
{
	if (setjmp(png_jmpbuf(r->png)) != 0)
		return false;
	png_read_row(r->png, rgba, NULL);
	return true;
}

/* ---- one pixel -------------------------------------------------------------------- */

/*
 * Colours multiplied with their alpha do not exceed it: larger ones are clipped.  inverse: 2^32 divided by
 * each alpha, and one more: the exact quotient of numbers below 2^16 without a division.
 */
static void
undo_multiply(uint8_t *rgba, const uint64_t inverse[256])
{
	unsigned a = rgba[3];
	uint64_t c;

	if (a == 0 || a == 255)
		return;
	for (unsigned i = 0; i < 3; i++) {
		c = rgba[i] * 255u * inverse[a] >> 32;
		rgba[i] = (uint8_t)(c < 255 ? c : 255);
	}
}

/* A 16-bit float; 0 .. 1 becomes 0 .. 255, values outside are clipped, NaN is 0. */
static uint8_t
half_byte(unsigned bits)
{
	unsigned exponent = bits >> 10 & 31, part = bits & 1023, shift;
	uint64_t v;

	if (bits >> 15 != 0 || (exponent == 31 && part != 0))
		return 0;
	if (exponent >= 15)
		return 255;
	/* In units of 2^-24, times 255, rounded. */
	shift = exponent == 0 ? 0 : exponent - 1;
	v = (uint64_t)(exponent == 0 ? part : part + 1024) << shift;
	return (uint8_t)((v * 255 + (1u << 23)) >> 24);
}

static void
row_8888(const uint8_t *p, uint32_t width, uint8_t *rgba)
{
	memcpy(rgba, p, 4 * (size_t)width);
}

static void
row_565(const uint8_t *p, uint32_t width, uint8_t *rgba)
{
	unsigned v, r, g, b;

	for (uint32_t i = 0; i < width; i++, p += 2, rgba += 4) {
		v = le16(p);
		r = v >> 11;
		g = v >> 5 & 63;
		b = v & 31;
		rgba[0] = (uint8_t)(r << 3 | r >> 2);
		rgba[1] = (uint8_t)(g << 2 | g >> 4);
		rgba[2] = (uint8_t)(b << 3 | b >> 2);
		rgba[3] = 255;
	}
}

static void
row_4444(const uint8_t *p, uint32_t width, uint8_t *rgba)
{
	unsigned v;

	for (uint32_t i = 0; i < width; i++, p += 2, rgba += 4) {
		v = le16(p);
		for (unsigned k = 0; k < 4; k++)
			rgba[k] = (uint8_t)((v >> (12 - 4 * k) & 15) * 17);
	}
}

static void
row_alpha(const uint8_t *p, uint32_t width, uint8_t *rgba)
{
	for (uint32_t i = 0; i < width; i++, rgba += 4) {
		rgba[0] = rgba[1] = rgba[2] = 0;
		rgba[3] = p[i];
	}
}

static void
row_f16(const uint8_t *p, uint32_t width, uint8_t *rgba)
{
	for (uint64_t i = 0; i < 4 * (uint64_t)width; i++, p += 2)
		rgba[i] = half_byte(le16(p));
}

static void
bitmap_read_read_row(const struct bitmap_reader *r, const uint8_t *pixels, uint8_t *rgba)
{
	static void (*const row[BITMAP_FORMATS])(const uint8_t *, uint32_t, uint8_t *) = {
		[BITMAP_ARGB_8888] = row_8888, [BITMAP_RGB_565] = row_565,
		[BITMAP_ARGB_4444] = row_4444, [BITMAP_ALPHA_8] = row_alpha,
		[BITMAP_RGBA_F16] = row_f16
	};
	const struct bitmap *b = &r->bitmap;

	/* bitmap_read_check has seen that it has a format. */
	assert(row[b->format] != NULL);
	row[b->format](pixels, b->width, rgba);
	for (uint32_t i = 0; b->premultiplied && i < b->width; i++)
		undo_multiply(rgba + 4 * (size_t)i, r->inverse);
}

/* ---- the reader ---------------------------------------------------------------------- */

static bool
bitmap_read_check(const struct bitmap *b, struct err *err)
{
	uint64_t n = (uint64_t)b->width * b->height;

	if (b->lack != NULL)
		return fail(err, E_INPUT, "the bitmap cannot be shown: %s", b->lack);
	if (b->data == NULL || (b->image != IMAGE_PIXELS && b->image != IMAGE_PNG))
		return fail(err, E_INPUT, "the bitmap has no pixels in the dump");
	if (n == 0 || b->width > BITMAP_SIDE || b->height > BITMAP_SIDE || n > BITMAP_PIXELS)
		return fail(err, E_INPUT, "a bitmap of %u x %u pixels cannot be shown",
		    (unsigned)b->width, (unsigned)b->height);
	if (b->image == IMAGE_PIXELS && (b->format == BITMAP_UNKNOWN ||
	    b->format >= BITMAP_FORMATS || b->size < n * bitmap_pixel(b->format)))
		return fail(err, E_INPUT, "unknown pixel format; f selects one");
	return true;
}

bool
bitmap_reader_open(struct bitmap_reader **out, const struct bitmap *b, struct err *err)
{
	struct bitmap_reader *r;

	*out = NULL;
	if (!bitmap_read_check(b, err))
		return false;
	r = mem_array(1, sizeof *r);
	if (r == NULL)
		return fail_memory(err, "bitmap");
	r->bitmap = *b;
	r->whole = SCRATCH_INIT;
	for (unsigned a = 1; a < NELEM(r->inverse); a++)
		r->inverse[a] = (UINT64_C(1) << 32) / a + 1;
	if (b->image == IMAGE_PNG && !open_png(r, err)) {
		bitmap_reader_close(r);
		return false;
	}
	*out = r;
	return true;
}

bool
bitmap_reader_next(struct bitmap_reader *r, uint8_t *rgba, struct err *err)
{
	const struct bitmap *b = &r->bitmap;
	const size_t stride = 4 * (size_t)b->width;

	if (r->row >= b->height)
		return fail(err, E_SYSTEM, "the bitmap has no more rows");
	if (r->png == NULL)
		bitmap_read_read_row(r, b->data + (uint64_t)r->row * b->width * bitmap_pixel(b->format),
		    rgba);
	else if (r->whole.data != NULL)
		memcpy(rgba, r->whole.data + r->row * stride, stride);
	else if (!png_row(r, rgba))
		return fail(err, E_INPUT, "the PNG in the dump is damaged in row %u: %s", (unsigned)r->row,
		    r->why);
	r->row++;
	return true;
}

void
bitmap_reader_close(struct bitmap_reader *r)
{
	if (r == NULL)
		return;
	png_destroy_read_struct(&r->png, &r->info, NULL);
	scratch_free(&r->whole);
	free(r);
}
