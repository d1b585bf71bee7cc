/*
 * bitmap_png: PNG images that a dump carries, decoded by libpng to R G B A bytes.
 */
#include "config.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "bitmaps.h"

#define WHOLE_MAX (64u << 20)		/* pixels of an interlaced image, which is decoded as a whole */
#define CHUNK_MAX (8u << 20)		/* bytes that libpng may take for one chunk that is not of the image */

struct png_image {
	png_structp	 png;
	png_infop	 info;
	const uint8_t	*data;
	uint64_t	 size, at;
	uint32_t	 width, height, row;
	struct scratch	 whole;		/* of an interlaced image */
	char		 why[160];
};

/* ---- what libpng calls ------------------------------------------------------------- */

static void
on_read(png_structp png, png_bytep to, png_size_t n)
{
	struct png_image *p = png_get_io_ptr(png);

	if (n > p->size - p->at)
		png_error(png, "it ends early");
	memcpy(to, p->data + p->at, n);
	p->at += n;
}

static _Noreturn void
on_error(png_structp png, png_const_charp text)
{
	struct png_image *p = png_get_error_ptr(png);
	size_t n = strnlen(text, sizeof p->why - 1);

	memcpy(p->why, text, n);
	p->why[n] = '\0';
	png_longjmp(png, 1);
}

static void
on_warning(png_structp png, png_const_charp text)
{
	(void)png;
	(void)text;
}

/* ---- decoding ------------------------------------------------------------------------- */

static void
set_limits(struct png_image *p)
{
	png_set_user_limits(p->png, BITMAP_SIDE, BITMAP_SIDE);
	png_set_chunk_cache_max(p->png, 16);
	png_set_chunk_malloc_max(p->png, CHUNK_MAX);
	png_set_crc_action(p->png, PNG_CRC_ERROR_QUIT, PNG_CRC_WARN_DISCARD);
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
read_head(struct png_image *p)
{
	if (setjmp(png_jmpbuf(p->png)) != 0)
		return false;
	set_limits(p);
	png_set_read_fn(p->png, p, on_read);
	png_read_info(p->png, p->info);
	if (png_get_image_width(p->png, p->info) != p->width ||
	    png_get_image_height(p->png, p->info) != p->height)
		png_error(p->png, "it has another size");
	set_transforms(p->png, p->info);
	if (png_get_rowbytes(p->png, p->info) != 4 * (png_size_t)p->width)
		png_error(p->png, "it has rows of an odd size");
	return true;
}

/* Each pass of an interlaced image goes over all rows. */
static bool
read_whole(struct png_image *p)
{
	const size_t stride = 4 * (size_t)p->width;
	volatile int left = 7;
	volatile uint32_t row;

	if (setjmp(png_jmpbuf(p->png)) != 0)
		return false;
	for (; left > 0; left--)
		for (row = 0; row < p->height; row++)
			png_read_row(p->png, p->whole.data + row * stride, NULL);
	return true;
}

static bool
begin_whole(struct png_image *p, struct err *err)
{
	uint64_t n = (uint64_t)p->width * p->height;

	if (png_get_interlace_type(p->png, p->info) == PNG_INTERLACE_NONE)
		return true;
	if (n > WHOLE_MAX)
		return fail(err, E_INPUT, "the PNG in the dump is interlaced and too large");
	if (!scratch_array(&p->whole, n, 4, err))
		return false;
	return read_whole(p) || fail(err, E_INPUT, "the PNG in the dump is damaged: %s", p->why);
}

bool
png_image_open(struct png_image **out, const uint8_t *data, uint64_t size, uint32_t width,
    uint32_t height, struct err *err)
{
	struct png_image *p = mem_array(1, sizeof *p);

	*out = NULL;
	if (p == NULL)
		return fail(err, E_SYSTEM, "no memory for an image");
	p->data = data;
	p->size = size;
	p->width = width;
	p->height = height;
	p->whole = SCRATCH_INIT;
	p->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, p, on_error, on_warning);
	p->info = p->png == NULL ? NULL : png_create_info_struct(p->png);
	if (p->info == NULL)
		fail(err, E_SYSTEM, "no memory for an image");
	else if (!read_head(p))
		fail(err, E_INPUT, "the PNG in the dump is damaged: %s", p->why);
	else if (begin_whole(p, err)) {
		*out = p;
		return true;
	}
	png_image_close(p);
	return false;
}

static bool
read_row(struct png_image *p, uint8_t *rgba)
{
	if (setjmp(png_jmpbuf(p->png)) != 0)
		return false;
	png_read_row(p->png, rgba, NULL);
	return true;
}

bool
png_image_next(struct png_image *p, uint8_t *rgba, struct err *err)
{
	const size_t stride = 4 * (size_t)p->width;

	if (p->whole.data != NULL)
		memcpy(rgba, p->whole.data + p->row * stride, stride);
	else if (!read_row(p, rgba))
		return fail(err, E_INPUT, "the PNG in the dump is damaged in row %u: %s",
		    (unsigned)p->row, p->why);
	p->row++;
	return true;
}

void
png_image_close(struct png_image *p)
{
	if (p == NULL)
		return;
	png_destroy_read_struct(&p->png, &p->info, NULL);
	scratch_free(&p->whole);
	free(p);
}
