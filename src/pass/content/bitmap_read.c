/*
 * bitmap_read: the pixels of a bitmap, row after row, as R G B A bytes.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "bitmaps.h"

/* ---- one pixel -------------------------------------------------------------------- */

static unsigned
le16(const uint8_t *p)
{
	return p[0] | (unsigned)p[1] << 8;
}

/*
 * Colours that were multiplied with their alpha are at most as large as it: what is larger is cut.  inverse: 2^32
 * divided by each alpha, and one more: the exact quotient of numbers below 2^16 without a division.
 */
static void
undo_multiply(uint8_t *rgba, const uint64_t inverse[256])
{
	unsigned a = rgba[3], i;
	uint64_t c;

	if (a == 0 || a == 255)
		return;
	for (i = 0; i < 3; i++) {
		c = rgba[i] * 255u * inverse[a] >> 32;
		rgba[i] = (uint8_t)(c < 255 ? c : 255);
	}
}

/* A number of 16 bits, of which 0 .. 1 becomes 0 .. 255; what lies outside is cut, and what is no number is 0. */
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
	uint32_t i;

	for (i = 0; i < width; i++, p += 2, rgba += 4) {
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
	unsigned v, k;
	uint32_t i;

	for (i = 0; i < width; i++, p += 2, rgba += 4) {
		v = le16(p);
		for (k = 0; k < 4; k++)
			rgba[k] = (uint8_t)((v >> (12 - 4 * k) & 15) * 17);
	}
}

static void
row_alpha(const uint8_t *p, uint32_t width, uint8_t *rgba)
{
	uint32_t i;

	for (i = 0; i < width; i++, rgba += 4) {
		rgba[0] = rgba[1] = rgba[2] = 0;
		rgba[3] = p[i];
	}
}

static void
row_f16(const uint8_t *p, uint32_t width, uint8_t *rgba)
{
	uint64_t i;

	for (i = 0; i < 4 * (uint64_t)width; i++, p += 2)
		rgba[i] = half_byte(le16(p));
}

static void
read_row(const struct bitmap_reader *r, const uint8_t *pixels, uint8_t *rgba)
{
	static void (*const row[BITMAP_FORMATS])(const uint8_t *, uint32_t, uint8_t *) = {
		[BITMAP_ARGB_8888] = row_8888, [BITMAP_RGB_565] = row_565,
		[BITMAP_ARGB_4444] = row_4444, [BITMAP_ALPHA_8] = row_alpha,
		[BITMAP_RGBA_F16] = row_f16
	};
	const struct bitmap *b = &r->bitmap;
	uint32_t i;

	row[b->format](pixels, b->width, rgba);
	for (i = 0; b->premultiplied && i < b->width; i++)
		undo_multiply(rgba + 4 * (size_t)i, r->inverse);
}

/* ---- the reader ---------------------------------------------------------------------- */

static bool
check(const struct bitmap *b, struct err *err)
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
		return fail(err, E_INPUT, "the format of the pixels is unknown; choose one");
	return true;
}

bool
bitmap_reader_open(struct bitmap_reader **out, const struct bitmap *b, struct err *err)
{
	struct bitmap_reader *r;
	unsigned a;

	*out = NULL;
	if (!check(b, err))
		return false;
	r = mem_array(1, sizeof *r);
	if (r == NULL)
		return fail(err, E_SYSTEM, "no memory for a bitmap");
	r->bitmap = *b;
	for (a = 1; a < NELEM(r->inverse); a++)
		r->inverse[a] = (UINT64_C(1) << 32) / a + 1;
	if (b->image == IMAGE_PNG &&
	    !png_image_open(&r->png, b->data, b->size, b->width, b->height, err)) {
		free(r);
		return false;
	}
	*out = r;
	return true;
}

bool
bitmap_reader_next(struct bitmap_reader *r, uint8_t *rgba, struct err *err)
{
	const struct bitmap *b = &r->bitmap;

	if (r->row >= b->height)
		return fail(err, E_SYSTEM, "the bitmap has no more rows");
	if (r->png != NULL) {
		if (!png_image_next(r->png, rgba, err))
			return false;
	} else {
		read_row(r, b->data + (uint64_t)r->row * b->width * bitmap_pixel(b->format), rgba);
	}
	r->row++;
	return true;
}

void
bitmap_reader_close(struct bitmap_reader *r)
{
	if (r == NULL)
		return;
	png_image_close(r->png);
	free(r);
}
