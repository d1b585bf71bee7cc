/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * machine: pass "machine": the program that wrote the dump, from its objects: the VM, the system, the command
 * line and the options.
 *
 * Facts: jvm, jvm_options, command, os, collectors, direct_limit, device; each only if it is known.
 */
#include "config.h"

#include <string.h>

#include "icecore/columns_objects.h"
#include "icecore/columns_reach.h"
#include "icecore/content.h"
#include "icecore/facts.h"
#include "icecore/make.h"
#include "pass/heap/heap.h"

#define CHARS 2000u		/* characters of a text that are read */
#define WRAPPERS 4u
#define ENTRIES 65536u		/* entries of a collection that are read */

enum property {
	RUNTIME_VERSION, VM_VERSION, VM_NAME, VM_VENDOR, OS_NAME, OS_VERSION, OS_ARCH, COMMAND, PROPERTIES
};

static const char *const property_names[PROPERTIES] = {
	"java.runtime.version", "java.vm.version", "java.vm.name", "java.vm.vendor", "os.name", "os.version",
	    "os.arch", "sun.java.command"
};

struct machine {
	struct heap		 h;
	struct store		*st;
	struct work		*work;
	struct err		*err;
	struct collections	*known;
	struct scratch		 met;		/* for elements_open */
	uint32_t		 turn;
	uint8_t			 said;		/* facts */
};

static bool
sounds_secret(struct str name)
{
	static const char *const names[] = { "*pass*", "*pwd*", "*secret*", "*token*", "*credential*",
	    "*key*", "*auth*" };

	for (size_t i = 0; i < NELEM(names); i++)
		if (str_glob_nocase(str_of(names[i]), name))
			return true;
	return false;
}

/* A command line goes into reports: no value of what sounds like a secret, "-Dpassword=x" or "--token x". */
static void
add_hiding(struct str text, struct buf *b)
{
	struct str word, name, value;
	bool first = true, next = false, secret;

	for (; str_split(&text, ' ', &word); first = false) {
		value = word;
		(void)str_split(&value, '=', &name);
		secret = name.n < word.n && sounds_secret(name);
		buf_text(b, first ? "" : " ");
		buf_str(b, next ? STR("***") : secret ? name : word);
		buf_text(b, secret && !next ? "=***" : "");
		next = !next && name.n == word.n && str_has_prefix(word, STR("-")) && sounds_secret(word);
	}
}

static bool
machine_say(struct machine *m, enum fact_id id, const struct buf *text)
{
	OWN_BUF told = BUF_INIT;
	bool ok = true;

	add_hiding(buf_view(text), &told);
	if (told.bad || text->bad)
		ok = fail(m->err, E_SYSTEM, "out of memory");
	else if (told.n > 0) {
		m->said++;
		ok = fact_set_text(m->st, id, buf_view(&told), m->err);
	}
	return ok;
}

/* ---- what objects say ----------------------------------------------------------------- */

/* The class of that name of the boot loader, or of the first loader that loaded it; 0: none. */
static uint32_t
machine_find_class(const struct heap *h, const char *name)
{
	for (uint32_t c = 1; c <= h->classes; c++)
		if (class_is(h, c, name))
			return c;
	return 0;
}

static uint32_t
static_object(const struct heap *h, const char *class, const char *name)
{
	uint32_t c = machine_find_class(h, class);
	struct heap_slot slot;

	return c != 0 && heap_static(h, c, str_of(name), &slot) && slot.type == HEAP_OBJECT ? slot.object : 0;
}

/* Appends after the existing text. */
static void
machine_add_string(const struct heap *h, uint32_t object, const char *between, struct buf *b)
{
	size_t at = b->n;

	if (object == 0)
		return;
	if (at > 0)
		buf_text(b, between);
	if (!heap_string(h, object, CHARS, b) && !b->bad)
		b->n = at;
}

/* Calls each with the elements of a collection. */
static bool
each_element(struct machine *m, uint32_t object, void (*each)(struct machine *, const struct element *,
    void *), void *arg)
{
	struct elements walk;
	struct element e;

	if (object == 0 || !elements_open(m->known, object, &m->met, ++m->turn, &walk))
		return true;
	for (unsigned n = 0; n < ENTRIES && elements_next(&walk, &e); n++) {
		if (!work_each(m->work, n, 64, m->err))
			return false;
		each(m, &e, arg);
	}
	return true;
}

static uint32_t
machine_object_of(uint8_t type, uint64_t bits)
{
	return type == HEAP_OBJECT ? (uint32_t)bits : 0;
}

/* ---- system properties ------------------------------------------------------------------- */

static void
take_property(struct machine *m, const struct element *e, void *values)
{
	struct buf *value = values, key = BUF_INIT;

	if (heap_string(&m->h, machine_object_of(e->key_type, e->key), CHARS, &key))
		for (size_t i = 0; i < PROPERTIES; i++)
			if (str_is(buf_view(&key), property_names[i]) && value[i].n == 0)
				machine_add_string(&m->h, machine_object_of(e->value_type, e->value), "",
				    &value[i]);
	buf_free(&key);
}

static void
machine_join(struct buf *to, const struct buf *part, const char *between)
{
	if (to->n > 0 && part->n > 0)
		buf_text(to, between);
	buf_str(to, buf_view(part));
}

/* Android's runtime version is not informative. */
static bool
say_properties(struct machine *m)
{
	struct buf value[PROPERTIES] = { BUF_INIT }, jvm = BUF_INIT, os = BUF_INIT;
	bool ok = each_element(m, static_object(&m->h, "java.lang.System", "props"), take_property, value),
	    android;

	android = str_is(buf_view(&value[VM_NAME]), "Dalvik");
	machine_join(&jvm, &value[VM_NAME], "");
	machine_join(&jvm, &value[android || value[RUNTIME_VERSION].n == 0 ? VM_VERSION : RUNTIME_VERSION],
	    " ");
	machine_join(&jvm, &value[VM_VENDOR], ", ");
	machine_join(&os, &value[OS_NAME], "");
	machine_join(&os, &value[OS_VERSION], " ");
	machine_join(&os, &value[OS_ARCH], " ");
	ok = ok && machine_say(m, FACT_JVM, &jvm) && machine_say(m, FACT_COMMAND, &value[COMMAND]) &&
	    machine_say(m, FACT_OS, &os);
	for (size_t i = 0; i < PROPERTIES; i++)
		buf_free(&value[i]);
	buf_free(&jvm);
	buf_free(&os);
	return ok;
}

/* ---- options ------------------------------------------------------------------------------- */

static void
take_option(struct machine *m, const struct element *e, void *text)
{
	machine_add_string(&m->h, machine_object_of(e->value_type, e->value), " ", text);
}

/* A variable of the environment that has options. */
static void
take_variable(struct machine *m, const struct element *e, void *text)
{
	static const char *const names[] = { "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS",
	    "OPENJ9_JAVA_OPTIONS" };
	uint32_t value = heap_field_object(&m->h, machine_object_of(e->value_type, e->value), "str");
	OWN_BUF name = BUF_INIT;

	if (heap_string(&m->h, heap_field_object(&m->h, machine_object_of(e->key_type, e->key), "str"), CHARS,
	    &name))
		for (size_t i = 0; i < NELEM(names); i++)
			if (str_is(buf_view(&name), names[i]))
				machine_add_string(&m->h, value, " ", text);
}

/* The list inside wrappers of java.util.Collections. */
static uint32_t
unwrapped(const struct heap *h, uint32_t list)
{
	uint32_t inner;

	for (unsigned n = 0; n < WRAPPERS && (inner = heap_field_object(h, list, "c")) != 0; n++)
		list = inner;
	return list;
}

/*
 * The list that the program requested from the VM, if it has beans; otherwise that of the environment, if it
 * was read.
 */
static bool
say_options(struct machine *m)
{
	OWN_BUF text = BUF_INIT;
	struct members beans;
	uint32_t bean = 0;
	bool ok = members_open(&beans, &m->h, STR("sun.management.VMManagementImpl"), m->err);

	while (ok && text.n == 0 && (ok = members_next(&beans, &bean, m->work, m->err)) && bean != 0)
		ok = each_element(m, unwrapped(&m->h, heap_field_object(&m->h, bean, "vmArgs")), take_option,
		    &text);
	members_close(&beans);
	if (ok && text.n == 0)
		ok = each_element(m, static_object(&m->h, "java.lang.ProcessEnvironment", "theEnvironment"),
		    take_variable, &text);
	return ok && machine_say(m, FACT_JVM_OPTIONS, &text);
}

/* The beans of garbage collectors have names. */
static bool
say_collectors(struct machine *m)
{
	OWN_BUF text = BUF_INIT;
	struct members beans;
	uint32_t bean = 0;
	bool ok = members_open(&beans, &m->h, STR("sun.management.GarbageCollectorImpl"), m->err);

	while (ok && (ok = members_next(&beans, &bean, m->work, m->err)) && bean != 0)
		machine_add_string(&m->h, heap_field_object(&m->h, bean, "name"), ", ", &text);
	members_close(&beans);
	return ok && machine_say(m, FACT_COLLECTORS, &text);
}

static bool
say_limit(struct machine *m)
{
	static const char *const classes[] = { "jdk.internal.misc.VM", "sun.misc.VM" };
	struct heap_slot slot;
	uint32_t class = 0;

	for (size_t i = 0; i < NELEM(classes) && class == 0; i++)
		class = machine_find_class(&m->h, classes[i]);
	if (class == 0 || !heap_static(&m->h, class, STR("directMemory"), &slot) || slot.type != HEAP_LONG ||
	    slot.bits > INT64_MAX)
		return true;
	m->said++;
	return fact_set(m->st, FACT_DIRECT_LIMIT, slot.bits, m->err);
}

/* Set the device of an Android dump: "Google Pixel 6, Android 14 (API 34)". */
static bool
say_device(struct machine *m)
{
	uint32_t version = machine_find_class(&m->h, "android.os.Build$VERSION");
	OWN_BUF text = BUF_INIT;
	struct heap_slot api;

	if (version == 0)
		return true;
	machine_add_string(&m->h, static_object(&m->h, "android.os.Build", "MANUFACTURER"), "", &text);
	machine_add_string(&m->h, static_object(&m->h, "android.os.Build", "MODEL"), " ", &text);
	machine_add_string(&m->h, static_object(&m->h, "android.os.Build$VERSION", "RELEASE"), ", Android ",
	    &text);
	if (text.n > 0 && heap_static(&m->h, version, STR("SDK_INT"), &api) && api.type == HEAP_INT)
		buf_printf(&text, " (API %u)", (unsigned)api.bits);
	return machine_say(m, FACT_DEVICE, &text);
}

static bool
machine_run(struct store *st, struct work *w, struct err *err)
{
	struct machine m = { .st = st, .work = w, .err = err };
	bool ok = heap_open(&m.h, st, REFS_SOFT, SIZES_VM, err);

	if (ok)
		work_start(w, "facts about the recorded program", m.h.objects);
	ok = ok && collections_open(&m.known, &m.h, err) &&
	    scratch_array(&m.met, m.h.objects + 1ull, sizeof(uint32_t), err) &&
	    say_properties(&m) && say_options(&m) && say_collectors(&m) && say_limit(&m) && say_device(&m) &&
	    make_copy(st, COL_MACHINE_SAID, COL_U8, &m.said, 1, err);
	collections_close(m.known);
	scratch_free(&m.met);
	return ok;
}

const struct pass pass_machine = {
	.name = "machine", .what = "the program that wrote the dump", .run = machine_run,
	.needs = PASS_COLUMNS(COL_OBJECT_OFFSET),
	.makes = PASS_COLUMNS(COL_MACHINE_SAID)
};
