/*
 * bitmap_dumped: the images that a dump itself carries, which Debug.dumpHprofData makes of native bitmaps.
 *
 * A static of Bitmap refers to a Bitmap$DumpData, whose array natives has the addresses of bitmaps and
 * buffers, side by side, their images in PNG, JPEG or WebP.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "bitmaps.h"
#include "pass/heap/heap.h"

/* An address may be used again, while the dump is written: so many images for one are looked at. */
#define REUSED_MAX 8

/* ---- the table -------------------------------------------------------------------- */

static int
by_native(const void *a, const void *b)
{
	const struct dumped *p = a, *q = b;

	return num_order(p->native, q->native, num_order(p->order, q->order, 0));
}

static uint32_t
array_of(const struct heap *h, uint32_t object, struct str name, uint8_t tag, uint8_t type,
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

	if (heap_field(h, data, STR("count"), 0, &slot) && slot.type == HEAP_INT &&
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
	    array_of(h, data, STR("natives"), TAG_PRIMS, HEAP_LONG, &natives),
	    array_of(h, data, STR("buffers"), TAG_OBJECTS, HEAP_OBJECT, &buffers)), i, buffer;
	uint64_t native;

	for (i = 0; i < n; i++) {
		native = be64(h->data + natives.data + i * UINT64_C(8));
		buffer = heap_find(h, heap_id(h->data + buffers.data + (uint64_t)i * h->id_size,
		    h->id_size));
		if (native == 0 || buffer == 0)
			continue;
		if (!scratch_array(&b->dumped, b->ndumped + 1, sizeof(struct dumped), err))
			return false;
		SCRATCH(b->dumped, struct dumped)[b->ndumped] =
		    (struct dumped){ native, buffer, (uint32_t)b->ndumped };
		b->ndumped++;
	}
	return true;
}

bool
dumped_open(struct bitmaps *b, struct err *err)
{
	struct heap_slot slot;
	uint32_t class;

	for (class = 1; b->n > 0 && class <= b->h.classes; class++)
		if (members_has(&b->members, class) &&
		    heap_static(&b->h, class, STR("dumpData"), &slot) && slot.object != 0 &&
		    !add_images(b, slot.object, err))
			return false;
	if (b->ndumped > 1)
		qsort(b->dumped.data, b->ndumped, sizeof(struct dumped), by_native);
	return true;
}

/* ---- what an image is, and how large ------------------------------------------------- */

struct sides {
	uint32_t width, height;
};

static bool
has(const uint8_t *d, uint64_t n, uint64_t at, const char *bytes, size_t len)
{
	return at <= n && n - at >= len && memcmp(d + at, bytes, len) == 0;
}

static uint32_t
le(const uint8_t *p, unsigned bytes)
{
	uint32_t v = 0;

	while (bytes-- > 0)
		v = v << 8 | p[bytes];
	return v;
}

static bool
png_sides(const uint8_t *d, uint64_t n, struct sides *s)
{
	if (!has(d, n, 0, "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", 16) || n < 24)
		return false;
	*s = (struct sides){ be32(d + 16), be32(d + 20) };
	return true;
}

/* From segment to segment up to the frame header; where that is not found, the sides stay as they are. */
static bool
jpeg_sides(const uint8_t *d, uint64_t n, struct sides *s)
{
	uint64_t p = 2;
	unsigned hops;
	uint8_t m;

	if (!has(d, n, 0, "\xff\xd8\xff", 3))
		return false;
	for (hops = 0; hops < 64 && n - p >= 9 && d[p] == 0xff; hops++) {
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
	if (!has(d, n, 0, "RIFF", 4) || !has(d, n, 8, "WEBP", 4))
		return false;
	if (n < 30)
		return true;
	if (has(d, n, 12, "VP8X", 4))
		*s = (struct sides){ 1 + le(d + 24, 3), 1 + le(d + 27, 3) };
	else if (has(d, n, 12, "VP8L", 4) && d[20] == 0x2f)
		*s = (struct sides){ 1 + (le(d + 21, 4) & 0x3fff), 1 + (le(d + 21, 4) >> 14 & 0x3fff) };
	else if (has(d, n, 12, "VP8 ", 4) && has(d, n, 23, "\x9d\x01\x2a", 3))
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
take(const struct heap *h, uint32_t buffer, struct bitmap *b)
{
	struct sides s = { b->width, b->height };
	struct heap_record r;
	enum bitmap_image image;

	if (!heap_read(h, buffer, &r) || r.tag != TAG_PRIMS || r.type != HEAP_BYTE || r.bytes == 0)
		return false;
	image = image_of(h->data + r.data, r.bytes, &s);
	/* Where the address was used again, the image is of another bitmap. */
	if (s.width != b->width || s.height != b->height || s.width == 0 || s.height == 0)
		return false;
	b->image = image;
	b->data = h->data + r.data;
	b->size = r.bytes;
	b->buffer = buffer;
	b->lack = image == IMAGE_NONE ? "the image in the dump is no PNG, JPEG or WebP" :
	    image == IMAGE_JPEG ? "it is a JPEG, which is not decoded; png writes it as it is" :
	    image == IMAGE_WEBP ? "it is a WebP, which is not decoded; png writes it as it is" : NULL;
	return true;
}

bool
dumped_find(const struct bitmaps *all, struct bitmap *b)
{
	const struct dumped *d = SCRATCH(all->dumped, struct dumped);
	uint64_t low = 0, high = all->ndumped, middle, end;
	bool found = false;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (d[middle].native < b->native)
			low = middle + 1;
		else
			high = middle;
	}
	end = all->ndumped - low < REUSED_MAX ? all->ndumped : low + REUSED_MAX;
	/* One that is no image is only taken when there is no better. */
	for (; low < end && d[low].native == b->native && b->image == IMAGE_NONE; low++)
		found = take(&all->h, d[low].buffer, b) || found;
	return found;
}
