/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * contents: what an object holds, in a few words: texts, arrays, collections, first fields.
 */
#include "config.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_heap.h"
#include "collections.h"
#include "contents.h"

#define ARRAY_FIRST 8u		/* elements of an array that are shown */
#define ARRAY_TEXT 64u		/* bytes inspected to recognise a text */
#define ARRAY_COUNTED 65536u	/* elements that are counted */
#define FIELDS_FIRST 3u
#define ELEMENTS_FIRST 2u

/* ---- references ------------------------------------------------------------------------ */

static const struct content_rule *
content_rule(struct contents *c, uint32_t class)
{
	const struct heap *h = &c->h;
	uint32_t up = class, hops;
	size_t i = 0;

	if (class > h->classes)
		class = 0;
	if (c->rule[class] != 0)
		return &content_rules[c->rule[class] - 1];
	/* Superclasses of a hostile file may go round. */
	for (hops = 0; up != 0 && hops < h->classes; hops++) {
		for (i = 0; content_rules[i].class != NULL; i++)
			if (class_is(h, up, content_rules[i].class))
				break;
		if (content_rules[i].class != NULL)
			break;
		up = (uint32_t)store_cell(h->st, COL_CLASS_SUPER, up);
	}
	while (up == 0 && content_rules[i].class != NULL)
		i++;
	assert(i < UINT8_MAX);
	c->rule[class] = (uint8_t)(i + 1);
	return &content_rules[i];
}

static bool
add_by_rule(struct contents *c, const struct content_rule *rule, uint32_t object, struct buf *b)
{
	size_t from = b->n;

	if (rule->add == NULL)
		return false;
	c->object = object;
	c->in = class_named(&c->h, heap_class(&c->h, object), rule->class);
	if (rule->add(c, object, rule->field, b))
		return true;
	b->n = from;
	return false;
}

/*
 * Add how a reference to an object is shown: its text or value, otherwise its class; number: and its number.
 */
static void
content_refer(struct contents *c, uint32_t object, bool number, struct buf *b)
{
	const struct heap *h = &c->h;
	uint32_t class = heap_class_of_object(h, object);
	const struct content_rule *rule;

	if (class != 0) {
		buf_text(b, "class ");
		class_simple_add(h, class, b);
		return;
	}
	class = heap_class(h, object);
	if (c->left > 0 && class == h->string_class) {
		c->left--;
		if (content_text(c, object, CONTENT_PART, b))
			return;
	}
	rule = content_rule(c, class);
	if (c->left > 0 && rule->brief) {
		c->left--;
		if (add_by_rule(c, rule, object, b))
			return;
	}
	class_simple_add(h, class, b);
	if (heap_is_array(h, object) && b->n > 1 && b->s[b->n - 1] == ']') {
		b->n--;
		buf_printf(b, "%u]", heap_length(h, object));
	}
	if (number)
		buf_printf(b, " @%u", object);
}

/* ---- arrays ---------------------------------------------------------------------------- */

/* At least nine of ten characters are letters or similar. */
static bool
contents_is_printable(const uint8_t *p, uint64_t n)
{
	uint64_t good = 0;

	n = n < ARRAY_TEXT ? n : ARRAY_TEXT;
	for (uint64_t i = 0; i < n; i++)
		good += (p[i] >= ' ' && p[i] < 0x7f) || p[i] == '\n' || p[i] == '\r' || p[i] == '\t';
	return n >= 4 && good * 10 >= n * 9;
}

static void
contents_add_bytes(const struct heap *h, const struct heap_record *r, struct buf *b)
{
	uint64_t n = r->bytes < r->length ? r->bytes : r->length, most = n < CONTENT_TEXT ? n : CONTENT_TEXT;
	const uint8_t *p = h->data + r->data;

	if (contents_is_printable(p, n)) {
		content_quote((struct str){ (const char *)p, most }, n > most, b);
		return;
	}
	buf_printf(b, "byte[%u]", r->length);
	for (uint64_t i = 0; i < n && i < ARRAY_FIRST; i++)
		buf_printf(b, " %02x", p[i]);
	if (r->length > ARRAY_FIRST)
		buf_text(b, " \xe2\x80\xa6");
}

static void
contents_add_numbers(const struct heap *h, const struct heap_record *r, struct buf *b)
{
	unsigned width = heap_width(r->type, h->id_size);
	uint64_t n = width == 0 ? 0 : r->bytes / width < r->length ? r->bytes / width : r->length;
	const char *type = heap_type_name(r->type);

	buf_printf(b, "%s[%u]", type == NULL ? "?" : type, r->length);
	for (uint64_t i = 0; i < n && i < ARRAY_FIRST; i++) {
		buf_chr(b, ' ');
		content_value(r->type, heap_bits(h->data + r->data + i * width, width), b);
	}
	if (r->length > ARRAY_FIRST)
		buf_text(b, " \xe2\x80\xa6");
}

/* How many are not null, unless that takes long. */
static void
add_filled(const struct heap *h, const struct heap_record *r, uint64_t n, struct buf *b)
{
	const uint8_t *p = h->data + r->data;
	uint32_t filled = 0;

	if (n > ARRAY_COUNTED) {
		buf_printf(b, "[%u]", r->length);
		return;
	}
	for (uint64_t i = 0; i < n; i++, p += h->id_size)
		filled += heap_id(p, h->id_size) != 0;
	buf_printf(b, "[%u/%u]", filled, r->length);
}

static void
contents_add_objects(struct contents *c, const struct heap_record *r, struct buf *b)
{
	const struct heap *h = &c->h;
	uint64_t n = r->bytes / h->id_size < r->length ? r->bytes / h->id_size : r->length, addr;
	unsigned shown = 0;
	uint32_t object;

	add_filled(h, r, n, b);
	for (uint64_t i = 0; i < n && i < ARRAY_COUNTED; i++) {
		addr = heap_id(h->data + r->data + i * h->id_size, h->id_size);
		object = addr == 0 ? 0 : heap_find(h, addr);
		if (object == 0)
			continue;
		if (shown++ == ELEMENTS_FIRST) {
			buf_text(b, ", \xe2\x80\xa6");
			break;
		}
		buf_text(b, shown == 1 ? " " : ", ");
		content_refer(c, object, false, b);
	}
}

static void
contents_add_array(struct contents *c, uint32_t object, struct buf *b)
{
	struct heap_record r;

	if (!heap_read(&c->h, object, &r))
		return;
	if (r.tag == TAG_OBJECTS)
		contents_add_objects(c, &r, b);
	else if (r.tag == TAG_NODATA)
		buf_printf(b, "%s[%u], not in the dump", heap_type_name(r.type), r.length);
	else if (r.type == HEAP_BYTE)
		contents_add_bytes(&c->h, &r, b);
	else if (r.type != HEAP_CHAR || r.length == 0 || !content_text(c, object, CONTENT_TEXT, b))
		contents_add_numbers(&c->h, &r, b);
}

/* ---- collections ------------------------------------------------------------------------ */

static void
contents_add_part(struct contents *c, uint8_t type, uint64_t value, struct buf *b)
{
	if (type != HEAP_OBJECT)
		content_value(type, value, b);
	else if (value == 0)
		buf_text(b, "null");
	else
		content_refer(c, (uint32_t)value, false, b);
}

/* "{"user-17" → Session, …}" */
static void
contents_add_elements(struct contents *c, uint32_t object, enum collection_kind kind, uint64_t size,
    struct buf *b)
{
	struct elements walk;
	struct element e;
	unsigned n = 0;

	if (!elements_open(c->collections, object, NULL, 0, &walk))
		return;
	if (kind == COLLECTION_MAP)
		c->left = 2 * CONTENT_FOLLOWED;
	buf_text(b, kind == COLLECTION_LIST ? "  [" : "  {");
	for (; n < ELEMENTS_FIRST && elements_next(&walk, &e); n++) {
		if (n > 0)
			buf_text(b, ", ");
		if (e.key_type != 0) {
			contents_add_part(c, e.key_type, e.key, b);
			buf_text(b, " \xe2\x86\x92 ");
		}
		contents_add_part(c, e.value_type, e.value, b);
	}
	if (size > n)
		buf_text(b, n > 0 ? ", \xe2\x80\xa6" : "\xe2\x80\xa6");
	buf_chr(b, kind == COLLECTION_LIST ? ']' : '}');
}

static bool
add_collection(struct contents *c, uint32_t object, struct buf *b)
{
	enum collection_kind kind = collection_kind(c->collections, heap_class(&c->h, object));
	struct collection size;

	if (kind == COLLECTION_NONE || !collection_size(c->collections, object, &size))
		return false;
	if (size.size == 0 && size.capacity == 0)
		buf_text(b, "empty");
	else if (size.size == 0)
		buf_printf(b, "empty, capacity %" PRIu64, size.capacity);
	else {
		buf_printf(b, "size %" PRIu64, size.size);
		contents_add_elements(c, object, kind, size.size, b);
	}
	return true;
}

/* ---- other objects ------------------------------------------------------------------------- */

/* Not null, not 0, and of a class that a person wrote. */
static bool
says_something(const struct heap *h, const struct heap_slot *slot)
{
	return slot->type != 0 && slot->bits != 0 && (slot->type != HEAP_OBJECT || slot->object != 0) &&
	    store_cell(h->st, COL_CLASS_SUPER, slot->class) != 0;
}

/*
 * The next informative fields of one class, n at most, in source order; slot is the first, then the next one.
 */
static unsigned
take_fields(const struct contents *c, struct heap_slots *slots, struct heap_slot *slot, bool *more,
    struct heap_slot *found, unsigned n)
{
	uint32_t class = slot->class;
	struct heap_slot swap;
	unsigned had = 0;

	assert(n > 0);
	for (; *more && slot->kind == SLOT_FIELD && slot->class == class; *more = heap_slot(slots, slot)) {
		if (!says_something(&c->h, slot) || (had == n && !c->backward))
			continue;
		if (had == n)
			memmove(found, found + 1, --had * sizeof *found);
		found[had++] = *slot;
	}
	for (unsigned i = 0; c->backward && i < had / 2; i++) {
		swap = found[i];
		found[i] = found[had - 1 - i];
		found[had - 1 - i] = swap;
	}
	assert(had <= n);
	return had;
}

static void
contents_add_field(struct contents *c, const struct heap_slot *slot, struct buf *b)
{
	buf_str(b, slot->name);
	buf_chr(b, '=');
	if (slot->type == HEAP_OBJECT)
		content_refer(c, slot->object, true, b);
	else
		content_value(slot->type, slot->bits, b);
}

/* The first fields that hold something, those of the object's own class first. */
static void
contents_add_fields(struct contents *c, uint32_t object, struct buf *b)
{
	struct heap_slot slot, found[FIELDS_FIRST];
	struct heap_slots slots;
	unsigned n = 0, had;
	bool more;

	if (!heap_slots(&c->h, object, &slots))
		return;
	more = heap_slot(&slots, &slot);
	while (more && slot.kind == SLOT_FIELD && n < FIELDS_FIRST) {
		had = take_fields(c, &slots, &slot, &more, found, FIELDS_FIRST - n);
		for (unsigned i = 0; i < had; i++) {
			if (n++ > 0)
				buf_chr(b, ' ');
			contents_add_field(c, &found[i], b);
		}
	}
}

/* A pair of a map, by the object that holds it. */
static bool
contents_add_pair(struct contents *c, uint32_t object, struct buf *b)
{
	uint32_t key, value;
	struct link_node n;

	if (!c->collections->known[heap_class(&c->h, object)].part ||
	    !node_open(c->collections, object, &n) ||
	    n.is->field[NODE_KEY].type == 0 || n.is->field[NODE_VALUE].type == 0)
		return false;
	node_object(c->collections, &n, NODE_KEY, &key);
	node_object(c->collections, &n, NODE_VALUE, &value);
	if (key == 0 && value == 0)
		return false;
	contents_add_part(c, HEAP_OBJECT, key, b);
	buf_text(b, " \xe2\x86\x92 ");
	if (value == 0)
		buf_text(b, "null");
	else
		content_refer(c, value, true, b);
	return true;
}

static void
contents_add_instance(struct contents *c, uint32_t object, struct buf *b)
{
	const struct content_rule *rule = content_rule(c, heap_class(&c->h, object));

	if (!add_by_rule(c, rule, object, b) && !add_collection(c, object, b) &&
	    !contents_add_pair(c, object, b))
		contents_add_fields(c, object, b);
}

/* ---- for everybody --------------------------------------------------------------------------- */

void
content_add(struct contents *c, uint32_t object, struct buf *b)
{
	const struct heap *h = &c->h;
	size_t from = b->n;
	uint32_t class;

	if (object == 0 || object > h->objects)
		return;
	c->left = CONTENT_FOLLOWED;
	class = heap_class_of_object(h, object);
	if (class != 0) {
		heap_class_name(h, class, b);
		return;
	}
	if (heap_is_array(h, object))
		contents_add_array(c, object, b);
	else if (heap_class(h, object) != h->string_class || !content_text(c, object, CONTENT_TEXT, b))
		contents_add_instance(c, object, b);
	mask_text(b, from);
}

/*
 * HotSpot before JDK 21 wrote the fields of a class from the last to the first: that of a String is its
 * value.
 */
static bool
is_backward(const struct heap *h)
{
	const struct column *names = store_column(h->st, COL_FIELD_NAME);
	uint64_t row, n = heap_class_fields(h->st, h->string_class, &row);

	return n > 1 && str_is(store_text(h->st, column_get(names, row + n - 2)), "value");
}

bool
contents_open(struct contents **out, const struct heap *h, struct err *err)
{
	struct contents *c = mem_array(1, sizeof *c);
	uint8_t *rule = mem_array(h->classes + 1ull, sizeof *rule);
	bool ok = c != NULL && rule != NULL;

	*out = NULL;
	if (!ok) {
		free(c);
		free(rule);
		return fail_memory(err, "contents");
	}
	c->h = *h;
	c->rule = rule;
	c->backward = is_backward(h);
	ok = collections_open(&c->collections, h, err);
	if (ok)
		*out = c;
	else
		contents_close(c);
	return ok;
}

void
contents_close(struct contents *c)
{
	if (c == NULL)
		return;
	collections_close(c->collections);
	bitmaps_close(c->bitmaps);
	buf_free(&c->text);
	free(c->rule);
	free(c);
}
