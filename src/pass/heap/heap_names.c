/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heap_names: what classes, objects, threads, frames, slots and roots of a heap dump are called.
 */
#include "config.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "icecore/columns_forms.h"
#include "icecore/columns_frames.h"
#include "icecore/columns_heap.h"
#include "icecore/columns_objects.h"
#include "heap.h"

#define THREAD_NAME_MAX 256u		/* characters of a thread's name that are taken */

/* ---- types and classes -------------------------------------------------------- */

const char *
heap_type_name(unsigned type)
{
	static const char *const names[] = {
		[HEAP_OBJECT] = "object", [HEAP_BOOLEAN] = "boolean", [HEAP_CHAR] = "char",
		[HEAP_FLOAT] = "float", [HEAP_DOUBLE] = "double", [HEAP_BYTE] = "byte",
		[HEAP_SHORT] = "short", [HEAP_INT] = "int", [HEAP_LONG] = "long"
	};

	return type < NELEM(names) ? names[type] : NULL;
}

bool
heap_is_primitive_name(struct str name)
{
	for (unsigned type = HEAP_BOOLEAN; type <= HEAP_LONG; type++)
		if (str_is(name, heap_type_name(type)))
			return true;
	return false;
}

struct str
heap_element_name(struct str name)
{
	while (str_has_suffix(name, STR("[]")))
		name.n -= 2;
	return name;
}

/* "[[Ljava/lang/String;" and "[I", as HotSpot writes arrays. */
static void
heap_names_add_descriptor(struct str raw, struct buf *b)
{
	static const char letters[] = "ZCFDBSIJ";	/* types from HEAP_BOOLEAN on */
	const char *letter;
	size_t depth = 0;

	while (depth < raw.n && raw.s[depth] == '[')
		depth++;
	raw.s += depth;
	raw.n -= depth;
	letter = raw.n == 1 ? memchr(letters, raw.s[0], sizeof letters - 1) : NULL;
	if (letter != NULL)
		raw = str_of(heap_type_name(HEAP_BOOLEAN + (unsigned)(letter - letters)));
	else if (raw.n > 2 && raw.s[0] == 'L' && raw.s[raw.n - 1] == ';')
		raw = (struct str){ raw.s + 1, raw.n - 2 };
	class_name(raw, b);
	while (depth-- > 0)
		buf_text(b, "[]");
}

static void
heap_names_add_nameless(const struct heap *h, uint32_t class, struct buf *b)
{
	unsigned element = (unsigned)store_cell(h->st, COL_CLASS_ELEMENT, class);

	if (element > HEAP_OBJECT && heap_type_name(element) != NULL)
		buf_printf(b, "%s[]", heap_type_name(element));
	else if (class == h->class_class)
		buf_text(b, "java.lang.Class");
	else
		buf_printf(b, "class@%" PRIx64, store_cell(h->st, COL_CLASS_ADDR, class));
}

static void
heap_names_add_raw(struct str raw, struct buf *b)
{
	if (raw.n > 0 && raw.s[0] == '[')
		heap_names_add_descriptor(raw, b);
	else
		class_name(raw, b);
}

void
heap_class_name(const struct heap *h, uint32_t class, struct buf *b)
{
	struct str raw;

	if (class == 0)
		return;
	raw = class_text(h, class);
	if (h->form != NULL)
		buf_str(b, raw);
	else if (raw.n == 0)
		heap_names_add_nameless(h, class, b);
	else
		heap_names_add_raw(raw, b);
}

void
heap_class_package(const struct heap *h, uint32_t class, struct buf *b)
{
	size_t from = b->n, end, dot;
	bool primitive;

	heap_class_name(h, class, b);
	/* End the name at '/', which precedes the number of a hidden class, or at the [] of an array. */
	for (end = from; end < b->n && b->s[end] != '/' && b->s[end] != '['; end++)
		continue;
	for (dot = end; dot > from && b->s[dot - 1] != '.'; dot--)
		continue;
	primitive = end < b->n && b->s[end] == '[' && heap_is_primitive_name((struct str){ b->s + from,
	    end - from });
	b->n = dot > from ? dot - 1 : from;
	if (b->n == from)
		buf_text(b, primitive ? "(primitive)" : "(default package)");
}

void
heap_class_obfuscated(const struct heap *h, uint32_t class, struct buf *b)
{
	if (class != 0)
		heap_names_add_raw(store_text(h->st, store_cell(h->st, COL_RAW_CLASS, class)), b);
}

static bool
is_like(const struct heap *h, uint32_t id, void (*name)(const struct heap *, uint32_t, struct buf *),
    const char *const *globs, size_t n)
{
	OWN_BUF b = BUF_INIT;
	bool fits;

	name(h, id, &b);
	fits = str_glob_any(globs, n, buf_view(&b));
	return fits;
}

bool
heap_class_like(const struct heap *h, uint32_t class, const char *const *globs, size_t n)
{
	return is_like(h, class, heap_class_name, globs, n);
}

void
heap_label(const struct heap *h, uint32_t object, struct buf *b)
{
	uint32_t class = object == 0 ? 0 : heap_class_of_object(h, object);

	if (class != 0)
		buf_text(b, "class ");
	else
		class = object == 0 ? 0 : heap_class(h, object);
	heap_class_name(h, class, b);
	if (object != 0 && h->form != NULL && h->form->tell != NULL)
		h->form->tell(h->st, object, b);
}

bool
heap_label_like(const struct heap *h, uint32_t object, const char *const *globs, size_t n)
{
	return is_like(h, object, heap_label, globs, n);
}

/* ---- threads -------------------------------------------------------------------- */

/* A String, or a char[] in old machines. */
static void
heap_names_add_text(const struct heap *h, uint32_t object, struct buf *b)
{
	if (!heap_string(h, object, THREAD_NAME_MAX, b))
		heap_chars(h, object, THREAD_NAME_MAX, b);
}

/* The name that the object itself has. */
void
heap_own_thread_name(const struct heap *h, uint32_t object, struct buf *b)
{
	uint32_t class = heap_class(h, object), thread;
	struct heap_slot slot;
	size_t before = b->n;

	thread = class_named(h, class, "java.lang.Thread");
	if (thread == 0)
		return;
	if (heap_field(h, object, "name", thread, &slot) && slot.type == HEAP_OBJECT)
		heap_names_add_text(h, slot.object, b);
	if (b->n == before && heap_field(h, object, "tid", thread, &slot) &&
	    class_named(h, class, "java.lang.VirtualThread") != 0) {
		buf_text(b, "VirtualThread #");
		heap_value(&slot, b);
	}
}

void
heap_thread_name(const struct heap *h, uint32_t jthread, struct buf *b)
{
	uint32_t object;
	size_t before = b->n;

	if (jthread == 0)
		return;
	object = (uint32_t)store_cell(h->st, COL_JTHREAD_OBJECT, jthread);
	if (object != 0 && store_column(h->st, COL_OBJECT_CLASS) != NULL)
		heap_own_thread_name(h, object, b);
	if (b->n == before)
		buf_str(b, store_text(h->st, store_cell(h->st, COL_JTHREAD_NAME, jthread)));
	if (b->n == before)
		buf_printf(b, "thread %" PRIu64, store_cell(h->st, COL_JTHREAD_SERIAL, jthread));
}

uint32_t
heap_thread_named(const struct heap *h, const char *name)
{
	uint64_t threads = column_rows(h->jthread_object);
	OWN_BUF b = BUF_INIT;
	uint32_t found = 0;

	for (uint64_t i = 1; i <= threads && i <= UINT32_MAX && found == 0; i++) {
		buf_clear(&b);
		heap_thread_name(h, (uint32_t)i, &b);
		if (str_is(buf_view(&b), name) && store_cell(h->st, COL_JTHREAD_FRAMES, i) > 0)
			found = (uint32_t)i;
	}
	return found;
}

void
heap_frame_name(const struct heap *h, uint32_t frame, struct buf *b)
{
	uint32_t class = frame == 0 ? 0 : (uint32_t)store_cell(h->st, COL_FRAME_CLASS, frame);
	struct str method, file;
	int64_t line;

	if (frame == 0)
		return;
	method = store_text(h->st, store_cell(h->st, COL_FRAME_METHOD, frame));
	file = store_text(h->st, store_cell(h->st, COL_FRAME_FILE, frame));
	line = (int64_t)store_cell(h->st, COL_FRAME_LINE, frame);
	heap_class_name(h, class, b);
	if (class != 0)
		buf_chr(b, '.');
	buf_str(b, method.n > 0 ? method : STR("?"));
	if (line == -3)
		buf_text(b, "(Native Method)");
	else if (file.n == 0)
		buf_text(b, "(Unknown Source)");
	else if (line > 0)
		buf_printf(b, "(%.*s:%" PRId64 ")", (int)file.n, file.s, line);
	else
		buf_printf(b, "(%.*s)", (int)file.n, file.s);
}

void
heap_site_name(const struct heap *h, uint32_t site, struct buf *b)
{
	uint64_t line = store_cell(h->st, COL_SITE_LINE, site);

	buf_str(b, store_text(h->st, store_cell(h->st, COL_SITE_FILE, site)));
	if (line != 0)
		buf_printf(b, ":%" PRIu64, line - 1);
}

/* ---- slots ---------------------------------------------------------------------- */

static const char *
local_name(uint64_t kind)
{
	switch (kind) {
	case ROOT_JNI_LOCAL:
		return "<JNI Local>";
	case ROOT_NATIVE_STACK:
		return "<Native Stack>";
	case ROOT_THREAD_BLOCK:
		return "<Thread Block>";
	case ROOT_JNI_MONITOR:
		return "<JNI Monitor>";
	default:
		return "<Java Local>";
	}
}

/* Append a local variable with its frame, if the frame is known. */
static void
add_local(const struct heap *h, uint32_t root, struct buf *b)
{
	uint64_t kind = store_cell(h->st, COL_ROOT_KIND, root);
	uint64_t frame = store_cell(h->st, COL_ROOT_FRAME, root);

	buf_text(b, local_name(kind));
	if (frame == 0)
		return;
	buf_chr(b, ' ');
	heap_frame_name(h, (uint32_t)frame, b);
}

void
heap_slot_text(const struct heap *h, struct str name, struct buf *b)
{
	if (h->form != NULL && h->form->decode != NULL)
		h->form->decode(name, b);
	else
		buf_str(b, name);
}

void
heap_slot_name(const struct heap *h, const struct heap_slot *slot, struct buf *b)
{
	static const char *const names[] = {
		[SLOT_CLASS] = "<class>", [SLOT_SUPER] = "<super>",
		[SLOT_LOADER] = "<classloader>", [SLOT_SIGNERS] = "<signers>",
		[SLOT_DOMAIN] = "<protectiondomain>"
	};

	switch (slot->kind) {
	case SLOT_FIELD:
		buf_chr(b, '.');
		heap_slot_text(h, slot->name, b);
		break;
	case SLOT_VARIABLE:
		buf_text(b, "->");
		heap_slot_text(h, slot->name, b);
		break;
	case SLOT_INTERNAL:
		buf_chr(b, '{');
		if (slot->name.n > 0)
			heap_slot_text(h, slot->name, b);
		else
			buf_printf(b, "%" PRIu32, slot->index);
		buf_chr(b, '}');
		break;
	case SLOT_PLAIN:
		buf_text(b, "(no name)");
		break;
	case SLOT_ELEMENT:
		buf_printf(b, "[%" PRIu32 "]", slot->index);
		break;
	case SLOT_STATIC:
		buf_text(b, "static ");
		buf_str(b, slot->name);
		break;
	case SLOT_CLASS:
	case SLOT_SUPER:
	case SLOT_LOADER:
	case SLOT_SIGNERS:
	case SLOT_DOMAIN:
		buf_text(b, names[slot->kind]);
		break;
	case SLOT_LOCAL:
		add_local(h, slot->index, b);
		break;
	}
}

/* ---- kinds ----------------------------------------------------------------------- */

const char *
heap_root_name(unsigned kind)
{
	static const struct {
		enum heap_root	 kind;
		const char	*name;
	} names[] = {
		{ ROOT_UNKNOWN, "unknown" }, { ROOT_JNI_GLOBAL, "JNI global" },
		{ ROOT_JNI_LOCAL, "JNI local" }, { ROOT_JAVA_FRAME, "Java local" },
		{ ROOT_NATIVE_STACK, "native stack" }, { ROOT_STICKY_CLASS, "system class" },
		{ ROOT_THREAD_BLOCK, "thread block" }, { ROOT_MONITOR, "monitor" },
		{ ROOT_THREAD, "thread" }, { ROOT_INTERNED, "interned string" },
		{ ROOT_FINALIZING, "finalizing" }, { ROOT_DEBUGGER, "debugger" },
		{ ROOT_CLEANUP, "reference cleanup" }, { ROOT_VM, "VM internal" },
		{ ROOT_JNI_MONITOR, "JNI monitor" }, { ROOT_BOOT_CLASS, "boot class" },
		{ ROOT_CLASS_VALUES, "values of a class" },
#define RUBY_ROOT(name, word) { ROOT_RUBY_##name, word },
		RUBY_ROOTS(RUBY_ROOT)
		{ ROOT_PSEUDO, "unreferenced" }, { ROOT_V8_GLOBAL, "global" }, { ROOT_V8_NATIVE, "native" },
		{ ROOT_V8_SYSTEM, "system" }, { ROOT_V8_PART, "part of system" }
	};

	for (size_t i = 0; i < NELEM(names); i++)
		if (names[i].kind == kind)
			return names[i].name;
	return "unknown";
}

const char *
heap_strength_name(enum heap_strength strength)
{
	static const char *const names[] = {
		[HEAP_STRONG] = "strong", [HEAP_SOFT] = "soft",
		[HEAP_FINALIZER] = "finalizer", [HEAP_WEAK] = "weak",
		[HEAP_PHANTOM] = "phantom", [HEAP_CHAINED] = "discovered", [HEAP_STRENGTHS] = "unreachable"
	};

	assert(strength < NELEM(names));
	return names[strength];
}
