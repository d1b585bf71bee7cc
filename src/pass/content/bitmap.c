/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bitmap: the Bitmap objects of an Android heap dump: size, place and kind of the pixels.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/make.h"
#include "bitmaps.h"

/*
 * Images that a dump itself carries, which Debug.dumpHprofData makes of native bitmaps: a static of Bitmap
 * refers to a Bitmap$DumpData, whose array natives has the addresses of bitmaps and buffers, side by side,
 * their images in PNG, JPEG or WebP.
 */

/* An address may be reused while the dump is written: this many images per address are checked. */
#define REUSED_MAX 8

/* ---- the table -------------------------------------------------------------------- */

static uint32_t
bitmap_array_of(const struct heap *h, uint32_t object, const char *name, uint8_t tag, uint8_t type,
    struct heap_record *r)
{
	struct heap_slot slot;

	return heap_field(h, object, name, 0, &slot) && heap_read(h, slot.object, r) &&
	    r->tag == tag && r->type == type ? r->length : 0;
}

/* How many of both arrays count. */
static uint32_t
count_of(const struct heap *h, uint32_t data, uint32_t natives, uint32_t buffers)
{
	uint32_t n = natives < buffers ? natives : buffers;
	struct heap_slot slot;

	if (heap_field(h, data, "count", 0, &slot) && slot.type == HEAP_INT &&
	    slot.bits <= INT32_MAX && slot.bits < n)
		n = (uint32_t)slot.bits;
	return n;
}

static bool
add_images(struct bitmaps *b, uint32_t data, struct err *err)
{
	const struct heap *h = &b->h;
	struct heap_record natives, buffers;
	uint32_t n = count_of(h, data,
	    bitmap_array_of(h, data, "natives", TAG_PRIMS, HEAP_LONG, &natives),
	    bitmap_array_of(h, data, "buffers", TAG_OBJECTS, HEAP_OBJECT, &buffers));
	struct dumped d;

	for (uint64_t i = 0; i < n; i++) {
		d.native = be64(h->data + natives.data + 8 * i);
		d.buffer = heap_find(h, heap_id(h->data + buffers.data + i * h->id_size, h->id_size));
		if (d.native != 0 && d.buffer != 0 &&
		    !array_add(&b->dumped, &b->ndumped, &d, err))
			return false;
	}
	return true;
}

/* Into b->dumped. */
static bool
dumped_open(struct bitmaps *b, struct work *w, struct err *err)
{
	struct heap_slot slot;

	for (uint32_t class = 1; b->n > 0 && class <= b->h.classes; class++)
		if (members_has(&b->members, class) &&
		    heap_static(&b->h, class, STR("dumpData"), &slot) && slot.object != 0 &&
		    !add_images(b, slot.object, err))
			return false;
	return make_sort(&b->dumped.raw, b->ndumped, sizeof(struct dumped), w, err);
}

/* ---- what an image is, and how large ------------------------------------------------- */

struct sides {
	uint32_t width, height;
};

static bool
bitmap_has(const uint8_t *d, uint64_t n, uint64_t at, const char *bytes, size_t len)
{
	return at <= n && n - at >= len && memcmp(d + at, bytes, len) == 0;
}

static uint32_t
le(const uint8_t *p, unsigned bytes)
{
	uint32_t v = 0;

	assert(bytes <= 4);
	while (bytes-- > 0)
		v = v << 8 | p[bytes];
	return v;
}

static bool
png_sides(const uint8_t *d, uint64_t n, struct sides *s)
{
	if (!bitmap_has(d, n, 0, "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", 16) || n < 24)
		return false;
	*s = (struct sides){ be32(d + 16), be32(d + 20) };
	return true;
}

/* Read the sides from the frame header, segment by segment; without a frame header they stay unchanged. */
static bool
jpeg_sides(const uint8_t *d, uint64_t n, struct sides *s)
{
	uint64_t p = 2;
	uint8_t m;

	if (!bitmap_has(d, n, 0, "\xff\xd8\xff", 3))
		return false;
	for (unsigned hops = 0; hops < 64 && n - p >= 9 && d[p] == 0xff; hops++) {
		m = d[p + 1];
		if (m >= 0xc0 && m <= 0xcf && m != 0xc4 && m != 0xc8 && m != 0xcc) {
			*s = (struct sides){ be16(d + p + 7), be16(d + p + 5) };
			break;
		}
		if (2u + be16(d + p + 2) > n - p)
			break;
		p += 2u + be16(d + p + 2);
	}
	return true;
}

static bool
webp_sides(const uint8_t *d, uint64_t n, struct sides *s)
{
	if (!bitmap_has(d, n, 0, "RIFF", 4) || !bitmap_has(d, n, 8, "WEBP", 4))
		return false;
	if (n < 30)
		return true;
	if (bitmap_has(d, n, 12, "VP8X", 4))
		*s = (struct sides){ 1 + le(d + 24, 3), 1 + le(d + 27, 3) };
	else if (bitmap_has(d, n, 12, "VP8L", 4) && d[20] == 0x2f)
		*s = (struct sides){ 1 + (le(d + 21, 4) & 0x3fff), 1 + (le(d + 21, 4) >> 14 & 0x3fff) };
	else if (bitmap_has(d, n, 12, "VP8 ", 4) && bitmap_has(d, n, 23, "\x9d\x01\x2a", 3))
		*s = (struct sides){ le(d + 26, 2) & 0x3fff, le(d + 28, 2) & 0x3fff };
	return true;
}

/* IMAGE_NONE: none of the three. */
static enum bitmap_image
image_of(const uint8_t *d, uint64_t n, struct sides *s)
{
	if (png_sides(d, n, s))
		return IMAGE_PNG;
	if (jpeg_sides(d, n, s))
		return IMAGE_JPEG;
	return webp_sides(d, n, s) ? IMAGE_WEBP : IMAGE_NONE;
}

/* ---- the image of a bitmap --------------------------------------------------------------- */

static bool
bitmap_take(const struct heap *h, uint32_t buffer, struct bitmap *b)
{
	struct sides s = { b->width, b->height };
	struct heap_record r;
	enum bitmap_image image;

	if (!heap_read(h, buffer, &r) || r.tag != TAG_PRIMS || r.type != HEAP_BYTE || r.bytes == 0)
		return false;
	image = image_of(h->data + r.data, r.bytes, &s);
	/* If the address was reused, the image belongs to another bitmap. */
	if (s.width != b->width || s.height != b->height || s.width == 0 || s.height == 0)
		return false;
	b->image = image;
	b->data = h->data + r.data;
	b->size = r.bytes;
	b->buffer = buffer;
	b->lack = image == IMAGE_NONE ? "embedded image is not PNG, JPEG or WebP" :
	    image == IMAGE_JPEG ? "JPEG: no preview; png saves it unchanged" :
	    image == IMAGE_WEBP ? "WebP: no preview; png saves it unchanged" : NULL;
	return true;
}

/*
 * Fills image, data, size, buffer and lack from the image that is really of this bitmap; false: there is
 * none.
 */
static bool
dumped_find(const struct bitmaps *all, struct bitmap *b)
{
	const struct dumped *d = all->dumped.at;
	uint64_t low = make_place(d, all->ndumped, sizeof *d, b->native);
	uint64_t end = all->ndumped - low < REUSED_MAX ? all->ndumped : low + REUSED_MAX;
	bool found = false;

	assert(low <= all->ndumped);
	/* Other data is only taken if there is no image. */
	for (; low < end && d[low].native == b->native && b->image == IMAGE_NONE; low++)
		found = bitmap_take(&all->h, d[low].buffer, b) || found;
	return found;
}

const char *const bitmap_format_names[BITMAP_FORMATS] = {
	"unknown", "ARGB_8888", "RGB_565", "ARGB_4444", "ALPHA_8", "RGBA_F16"
};
const char *const bitmap_place_names[BITMAP_PLACES] = { "none", "java", "dump", "native" };

/* ---- all of them ------------------------------------------------------------------ */

static bool
bitmap_list_all(struct bitmaps *b, struct work *w, struct err *err)
{
	uint32_t object;

	work_start(w, "bitmaps", b->h.objects);
	for (;;) {
		if (!members_next(&b->members, &object, w, err))
			return false;
		if (object == 0)
			return true;
		/* bitmaps_row finds them by their numbers. */
		assert(b->n == 0 || b->list.at[b->n - 1] < object);
		if (!array_add(&b->list, &b->n, &object, err))
			return false;
	}
}

bool
bitmaps_open(struct bitmaps **out, const struct heap *h, struct work *w, struct err *err)
{
	struct bitmaps *b = mem_array(1, sizeof *b);

	*out = NULL;
	if (b == NULL)
		return fail_memory(err, "bitmaps");
	b->h = *h;
	if (!members_open(&b->members, &b->h, STR("android.graphics.Bitmap"), err) ||
	    !bitmap_list_all(b, w, err) || !dumped_open(b, w, err)) {
		bitmaps_close(b);
		return false;
	}
	*out = b;
	return true;
}

void
bitmaps_close(struct bitmaps *b)
{
	if (b == NULL)
		return;
	members_close(&b->members);
	SCRATCH_FREE(&b->list, &b->dumped, &b->twins);
	free(b);
}

uint32_t
bitmaps_count(const struct bitmaps *b)
{
	return (uint32_t)b->n;
}

uint32_t
bitmaps_object(const struct bitmaps *b, uint32_t i)
{
	return i < b->n ? b->list.at[i] : 0;
}

uint32_t
bitmaps_row(const struct bitmaps *b, uint32_t object)
{
	const struct column list = { COL_NONE, COL_U32, b->n, b->list.raw.data };
	uint64_t row = column_find(&list, object);

	return (uint32_t)(row == 0 ? b->n : row - 1);
}

/* ---- fields --------------------------------------------------------------------------- */

/* The raw fields of one bitmap; type 0: it has no such field. */
struct fields {
	struct heap_slot buffer, native, width, height, recycled, premultiplied;
};

/* A field has had several names: the first that is there counts. */
static void
bitmap_read_fields(const struct heap *h, uint32_t object, struct fields *f)
{
	const struct {
		struct str	  name;
		struct heap_slot *to;
	} rows[] = {
		{ STR("mBuffer"), &f->buffer }, { STR("mNativePtr"), &f->native },
		{ STR("mNativeBitmap"), &f->native }, { STR("mWidth"), &f->width },
		{ STR("mHeight"), &f->height }, { STR("mRecycled"), &f->recycled },
		{ STR("mRequestPremultiplied"), &f->premultiplied },
		{ STR("mIsPremultiplied"), &f->premultiplied }
	};
	uint32_t in = class_named(h, heap_class(h, object), "android.graphics.Bitmap");
	struct heap_slots slots;
	struct heap_slot slot;

	memset(f, 0, sizeof *f);
	if (!heap_slots(h, object, &slots))
		return;
	while (heap_slot(&slots, &slot) && slot.kind == SLOT_FIELD)
		for (size_t i = 0; i < NELEM(rows) && slot.class == in; i++)
			if (rows[i].to->type == 0 && str_eq(slot.name, rows[i].name))
				*rows[i].to = slot;
}

/* 0: not known, or absurd. */
static uint32_t
side(const struct heap_slot *slot)
{
	return slot->type == HEAP_INT && slot->bits <= BITMAP_SIDE ? (uint32_t)slot->bits : 0;
}

/* ---- pixels in the Java heap -------------------------------------------------------------- */

unsigned
bitmap_pixel(enum bitmap_format f)
{
	static const uint8_t bytes[BITMAP_FORMATS] = {
		[BITMAP_ARGB_8888] = 4, [BITMAP_RGB_565] = 2, [BITMAP_ARGB_4444] = 2,
		[BITMAP_ALPHA_8] = 1, [BITMAP_RGBA_F16] = 8
	};

	assert(f < BITMAP_FORMATS);
	return bytes[f];
}

/* Why the array cannot be the pixels; NULL: it can. */
static const char *
lack_of_pixels(const struct bitmap *b, const struct heap_record *r)
{
	if (b->recycled)
		return "recycled";
	if (r->tag == TAG_NODATA)
		return "pixel array has no data in the dump";
	if (b->width == 0 || b->height == 0)
		return "unknown or implausible width and height";
	if ((uint64_t)b->width * b->height > BITMAP_PIXELS)
		return "too large to show";
	if (b->bytes < (uint64_t)b->width * b->height)
		return "pixel array shorter than width x height";
	return NULL;
}

static bool
is_buffer(const struct heap *h, uint32_t object, struct heap_record *r)
{
	return heap_read(h, object, r) && (r->tag == TAG_PRIMS || r->tag == TAG_NODATA) &&
	    r->type == HEAP_BYTE;
}

static void
get_java(const struct bitmaps *all, const struct fields *f, const struct heap_record *r,
    struct bitmap *b)
{
	b->place = BITMAP_JAVA;
	b->buffer = f->buffer.object;
	b->bytes = r->length;
	b->lack = lack_of_pixels(b, r);
	if (b->lack != NULL)
		return;
	b->data = all->h.data + r->data;
	b->image = IMAGE_PIXELS;
	b->format = bitmap_guess(b, f->premultiplied.type != 0, &b->sure);
	b->stride = b->width * bitmap_pixel(b->format);
	b->size = (uint64_t)b->stride * b->height;
	/* A format is guessed among those that the array has room for. */
	assert(b->size <= b->bytes);
}

/* ---- pixels elsewhere ------------------------------------------------------------------------ */

static void
get_native(const struct bitmaps *all, struct bitmap *b)
{
	b->place = BITMAP_NATIVE;
	b->lack = "native pixels: not in the dump";
	b->bytes = heap_native(&all->h, b->object);
	if (b->bytes == 0) {
		b->bytes = (uint64_t)b->width * b->height * 4;
		b->estimated = b->bytes > 0;
	}
	if (dumped_find(all, b))
		b->place = BITMAP_DUMPED;
}

static void
get_nothing(const struct fields *f, struct bitmap *b)
{
	b->place = BITMAP_NOWHERE;
	if (b->recycled)
		b->lack = "recycled";
	else if (f->buffer.object != 0)
		b->lack = "mBuffer is not a byte[]";
	else if (f->buffer.bits != 0)
		b->lack = "pixel array not in the dump";
	else
		b->lack = "no pixels";
}

bool
bitmap_get(const struct bitmaps *all, uint32_t object, struct bitmap *b)
{
	const struct heap *h = &all->h;
	struct heap_record r;
	struct fields f;

	memset(b, 0, sizeof *b);
	if (object == 0 || object > h->objects || !members_has(&all->members, heap_class(h, object)))
		return false;
	bitmap_read_fields(h, object, &f);
	b->object = object;
	b->width = side(&f.width);
	b->height = side(&f.height);
	b->native = f.native.bits;
	b->recycled = f.recycled.bits != 0;
	b->premultiplied = f.premultiplied.type == 0 || f.premultiplied.bits != 0;
	if (f.buffer.object != 0 && is_buffer(h, f.buffer.object, &r))
		get_java(all, &f, &r, b);
	else if (b->native != 0 && f.buffer.bits == 0 && !b->recycled)
		get_native(all, b);
	else
		get_nothing(&f, b);
	return true;
}

bool
bitmap_choose(struct bitmap *b, enum bitmap_format format)
{
	uint64_t n = (uint64_t)b->width * b->height;
	unsigned each = format < BITMAP_FORMATS ? bitmap_pixel(format) : 0;

	if (b->image != IMAGE_PIXELS || b->data == NULL || each == 0 || n == 0 ||
	    b->bytes / n < each)
		return false;
	b->format = format;
	b->size = n * each;
	b->stride = b->width * each;
	b->sure = 100;
	b->lack = NULL;
	return true;
}
