/*
 * bitmap: the Bitmap objects of an Android heap dump: sides, where the pixels are, what they are.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "bitmaps.h"
#include "pass/heap/heap.h"

const char *const bitmap_format_names[BITMAP_FORMATS] = {
	"unknown", "ARGB_8888", "RGB_565", "ARGB_4444", "ALPHA_8", "RGBA_F16"
};
const char *const bitmap_place_names[BITMAP_PLACES] = { "none", "java", "dump", "native" };

/* ---- all of them ------------------------------------------------------------------ */

static bool
list_all(struct bitmaps *b, struct work *w, struct err *err)
{
	uint32_t object;

	work_start(w, "bitmaps", b->h.objects);
	for (;;) {
		if (!members_next(&b->members, &object, w, err))
			return false;
		if (object == 0)
			return true;
		if (!scratch_array(&b->list, b->n + 1ull, sizeof object, err))
			return false;
		SCRATCH(b->list, uint32_t)[b->n++] = object;
	}
}

bool
bitmaps_open(struct bitmaps **out, const struct heap *h, struct work *w, struct err *err)
{
	struct bitmaps *b = mem_array(1, sizeof *b);

	*out = NULL;
	if (b == NULL)
		return fail(err, E_SYSTEM, "no memory for bitmaps");
	b->h = *h;
	b->list = b->dumped = b->twins = SCRATCH_INIT;
	if (!members_open(&b->members, &b->h, STR("android.graphics.Bitmap"), err) ||
	    !list_all(b, w, err) || !dumped_open(b, err)) {
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
	scratch_free(&b->list);
	scratch_free(&b->dumped);
	scratch_free(&b->twins);
	free(b);
}

uint32_t
bitmaps_count(const struct bitmaps *b)
{
	return b->n;
}

uint32_t
bitmaps_object(const struct bitmaps *b, uint32_t i)
{
	return i < b->n ? SCRATCH(b->list, uint32_t)[i] : 0;
}

uint32_t
bitmaps_row(const struct bitmaps *b, uint32_t object)
{
	uint32_t low = 0, high = b->n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (bitmaps_object(b, middle) < object)
			low = middle + 1;
		else
			high = middle;
	}
	return bitmaps_object(b, low) == object ? low : b->n;
}

/* ---- fields --------------------------------------------------------------------------- */

/* The fields of one bitmap as they stand; type 0: it has no such field. */
struct fields {
	struct heap_slot buffer, native, width, height, recycled, premultiplied;
};

/* A field has had several names: the first that is there counts. */
static void
read_fields(const struct heap *h, uint32_t object, struct fields *f)
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
	uint32_t in = class_named(h, heap_class(h, object), STR("android.graphics.Bitmap"));
	struct heap_slots slots;
	struct heap_slot slot;
	size_t i;

	memset(f, 0, sizeof *f);
	if (!heap_slots(h, object, &slots))
		return;
	while (heap_slot(&slots, &slot) && slot.kind == SLOT_FIELD)
		for (i = 0; i < NELEM(rows) && slot.class == in; i++)
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

	return bytes[f];
}

/* Why the array cannot be the pixels; NULL: it can. */
static const char *
lack_of_pixels(const struct bitmap *b, const struct heap_record *r)
{
	if (b->recycled)
		return "recycled";
	if (r->tag == TAG_NODATA)
		return "the dump has the array without its bytes";
	if (b->width == 0 || b->height == 0)
		return "its width and height are unknown or absurd";
	if ((uint64_t)b->width * b->height > BITMAP_PIXELS)
		return "it is too large to be shown";
	if (b->bytes < (uint64_t)b->width * b->height)
		return "the array is too short for its width and height";
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
}

/* ---- pixels elsewhere ------------------------------------------------------------------------ */

static void
get_native(const struct bitmaps *all, struct bitmap *b)
{
	b->place = BITMAP_NATIVE;
	b->lack = "the pixels are native memory, which is not in the dump";
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
		b->lack = "its mBuffer is no byte[]";
	else if (f->buffer.bits != 0)
		b->lack = "the array of its pixels is not in the dump";
	else
		b->lack = "it has no pixels";
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
	read_fields(h, object, &f);
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
