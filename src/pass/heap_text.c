/*
 * heap_text: what a java.lang.String says, in each of the forms virtual machines gave it.
 */
#include "config.h"

#include "slots.h"

static bool
string_field(const struct heap *h, uint32_t object, struct str name, struct heap_slot *slot)
{
	return heap_field(h, object, name, h->string_class, slot) && slot->type != 0;
}

/* The part of the array that a String of old machines takes; offset and count may say anything. */
static void
take_part(struct heap_text *t, const struct heap_slot *offset, const struct heap_slot *count)
{
	uint32_t first = (uint32_t)offset->bits, n = (uint32_t)count->bits;

	if (first > t->length)
		first = t->length;
	if (n > t->length - first)
		n = t->length - first;
	t->first = first;
	t->length = n;
}

/* The characters of an array; of bytes, coder says what they are. */
static bool
text_of_array(const struct heap *h, uint32_t array, bool utf16, struct heap_text *t)
{
	struct heap_record r;

	*t = (struct heap_text){ .array = array };
	if (array == 0 || !heap_read(h, array, &r) ||
	    (r.tag != TAG_PRIMS && r.tag != TAG_NODATA) ||
	    (r.type != HEAP_CHAR && r.type != HEAP_BYTE))
		return false;
	t->coder = r.type == HEAP_CHAR ? 2 : utf16;
	t->length = t->coder == 1 ? r.length / 2 : r.length;
	return true;
}

bool
heap_text(const struct heap *h, uint32_t object, struct heap_text *t)
{
	struct heap_slot value, coder, offset, count;

	*t = (struct heap_text){ .array = 0 };
	if (h->string_class == 0 || object == 0 || heap_class(h, object) != h->string_class ||
	    heap_kind(h, object) != HEAP_INSTANCE)
		return false;
	if (!string_field(h, object, STR("value"), &value) || value.type != HEAP_OBJECT)
		return true;
	if (!string_field(h, object, STR("coder"), &coder))
		coder.bits = 0;
	if (!text_of_array(h, value.object, coder.bits == 1, t)) {
		t->array = 0;
		return true;
	}
	if (t->coder == 2 && string_field(h, object, STR("offset"), &offset) &&
	    string_field(h, object, STR("count"), &count))
		take_part(t, &offset, &count);
	return true;
}

/* ---- decoding ------------------------------------------------------------------ */

void
code_add(uint32_t c, struct buf *b)
{
	char utf8[4];
	size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4, i;
	static const uint8_t lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };

	for (i = n; i-- > 1; c >>= 6)
		utf8[i] = (char)(0x80 | (c & 0x3f));
	utf8[0] = (char)(lead[n] | c);
	buf_add(b, utf8, n);
}

/* char[] is big-endian as all of the file; the bytes of a String are those of the machine, a little-endian one. */
static uint32_t
unit(const uint8_t *p, uint8_t coder)
{
	switch (coder) {
	case 0:
		return p[0];
	case 1:
		return (uint32_t)p[1] << 8 | p[0];
	default:
		return be16(p);
	}
}

/* Appends the characters of a text, at most max. */
static void
text_add(const struct heap *h, const struct heap_text *t, size_t max, struct buf *b)
{
	struct heap_record r;
	unsigned width = t->coder == 0 ? 1 : 2;
	uint64_t i, end = (uint64_t)t->first + t->length;
	const uint8_t *p;
	uint32_t c, low;

	if (t->array == 0 || !heap_read(h, t->array, &r))
		return;
	if (end > r.bytes / width)
		end = r.bytes / width;
	p = h->data + r.data;
	for (i = t->first; i < end && max > 0 && !b->bad; i++, max--) {
		c = unit(p + i * width, t->coder);
		if (width == 2 && c >= 0xd800 && c < 0xe000) {
			low = i + 1 < end ? unit(p + (i + 1) * width, t->coder) : 0;
			if (c < 0xdc00 && low >= 0xdc00 && low < 0xe000) {
				c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
				i++;
			} else {
				c = 0xfffd;
			}
		}
		code_add(c, b);
	}
}

bool
heap_string(const struct heap *h, uint32_t object, size_t max, struct buf *b)
{
	struct heap_text t;

	if (!heap_text(h, object, &t))
		return false;
	text_add(h, &t, max, b);
	return true;
}

bool
heap_chars(const struct heap *h, uint32_t object, size_t max, struct buf *b)
{
	struct heap_text t;

	if (!text_of_array(h, object, false, &t) || t.coder != 2)
		return false;
	text_add(h, &t, max, b);
	return true;
}
