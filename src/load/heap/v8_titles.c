/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * v8_titles: classes of JavaScript as a person sees them, and titles of functions and of variables they capture.
 */
#include "config.h"

#include "v8_form.h"

#define SCOPES 8u		/* contexts of blocks up to that of their function */

/* ---- references by name ------------------------------------------------------------------------ */

/* The target of the first reference with one of the names, which end with NULL; 0: none. */
static uint32_t
v8_titles_to(const struct store *st, uint32_t object, const char *const *names)
{
	struct edge_walk w = { .st = st, .object = object };
	struct heap_edge e;

	assert(names[0] != NULL);
	if (object == 0 || !v8_refs_begin(&w))
		return 0;
	while (v8_refs_next(&w, &e))
		for (const char *const *name = names; e.object != 0 && *name != NULL; name++)
			if (str_eq(str_of(*name), e.name))
				return e.object;
	return 0;
}

static uint32_t
v8_titles_one(const struct store *st, uint32_t object, const char *name)
{
	return v8_titles_to(st, object, (const char *const []){ name, NULL });
}

/* ---- scripts ------------------------------------------------------------------------------------- */

/* The folder of a library is a part of its name; other scripts are known by their file. */
static struct str
v8_titles_file(struct str s)
{
	struct str rest = s, before, after;
	bool library = false;

	while (str_divide(rest, STR("node_modules/"), &before, &after)) {
		s = str_after(s, (size_t)(after.s - s.s));
		rest = after;
		library = true;
	}
	if (library)
		return (struct str){ s.s - strlen("node_modules/"), s.n + strlen("node_modules/") };
	if (!str_has_prefix(s, STR("node:")) &&
	    (str_divide_last(s, '/', &before, &after) || str_divide_last(s, '\\', &before, &after)))
		return after;
	return s;
}

/*
 * The script of a function, or of a generator, which has one.  Before version 16 those of Node.js have neither a
 * scheme nor a root.  Nothing: unknown.
 */
static void
v8_titles_script(const struct store *st, uint32_t object, struct buf *b)
{
	uint32_t code = v8_titles_one(st, object, "shared"), script;
	OWN_BUF text = BUF_INIT;
	struct str s;

	if (code == 0)
		code = v8_titles_one(st, v8_titles_one(st, object, "function"), "shared");
	if (code == 0)
		return;
	script = v8_titles_to(st, code, (const char *const []){ "script_or_debug_info", "script", NULL });
	if (script == 0 || v8_refs_read(st, script, &s) != V8_CODE || s.n == 0 || str_has_prefix(s, STR("system / "))) {
		buf_text(b, "native code");
		return;
	}
	v8_refs_decode(s, &text);
	s = buf_view(&text);
	if (str_has_suffix(s, STR(".js")) && memchr(s.s, ':', s.n) == NULL && s.s[0] != '/' && s.s[0] != '\\')
		buf_text(b, "node:");
	buf_str(b, v8_titles_file(s));
}

/* ---- titles ----------------------------------------------------------------------------------------- */

/*
 * The name of the function that a context is of: its scope lists the variables, then that name, after which it skips
 * a number.  False: a scope in a function.
 */
static bool
v8_titles_scope(const struct store *st, uint32_t context, struct str *name)
{
	struct edge_walk w = { .st = st, .object = v8_titles_one(st, context, "scope_info") };
	uint64_t last = 0, at;
	struct heap_edge e;
	enum v8_type type;
	struct str s;
	bool found = false;

	if (w.object == 0 || !v8_refs_begin(&w))
		return false;
	while (v8_refs_next(&w, &e)) {
		if (e.object == 0 || e.kind != EDGE_INTERNAL || (e.name.n > 0 && !num_u64(e.name, 10, &e.index)))
			continue;
		type = v8_refs_read(st, e.object, &s);
		at = e.index;
		if (type == V8_STRING) {
			*name = s;
			last = at;
			found = true;
		} else if (found && (type == V8_CODE || type == V8_ARRAY))
			return at > last + 1;
	}
	return found;
}

static void
v8_titles_context(const struct store *st, uint32_t object, struct str script, struct buf *b)
{
	struct str name = STR(""), kind = STR("");
	uint32_t up = object, above;

	if (str_is(script, "native code")) {
		buf_text(b, "variables in native code");
		return;
	}
	for (unsigned i = 0; i < SCOPES && !v8_titles_scope(st, up, &name); i++) {
		above = v8_titles_one(st, up, "previous");
		if (above == 0 || v8_refs_read(st, above, &kind) != V8_OBJECT)
			break;
		up = above;
	}
	above = v8_titles_one(st, up, "previous");
	if (name.n == 0 && (above == 0 || v8_refs_read(st, above, &kind) == V8_HIDDEN)) {
		buf_text(b, "module ");
		buf_str(b, script.n > 0 ? script : STR("?"));
		return;
	}
	buf_text(b, "context of ");
	v8_refs_decode(name.n > 0 ? name : STR("(anonymous)"), b);
	buf_text(b, "()");
	if (script.n == 0 || name.n == 0 || str_has_prefix(script, STR("node"))) {
		buf_text(b, " in ");
		buf_str(b, script.n > 0 ? script : STR("unknown code"));
	}
}

/* A module of Node.js has the name of its file. */
static void
v8_titles_module(const struct store *st, uint32_t object, struct buf *b)
{
	uint32_t file = v8_titles_one(st, object, "filename");
	OWN_BUF text = BUF_INIT;
	struct str s;

	if (file == 0 || v8_refs_read(st, file, &s) != V8_STRING)
		return;
	v8_refs_decode(s, &text);
	buf_text(b, "module ");
	buf_str(b, v8_titles_file(buf_view(&text)));
}

static void
v8_titles_function(const struct store *st, uint32_t object, struct buf *b)
{
	uint32_t bound = v8_titles_one(st, object, "bound_function");
	OWN_BUF script = BUF_INIT;
	struct str name;

	object = bound != 0 ? bound : object;
	v8_refs_read(st, object, &name);
	v8_titles_script(st, object, &script);
	v8_refs_decode(name.n > 0 ? name : STR("(anonymous)"), b);
	buf_text(b, "()");
	if (script.n > 0) {
		buf_text(b, " in ");
		buf_str(b, buf_view(&script));
	}
}

void
v8_title(const struct store *st, uint32_t object, uint32_t by, struct buf *b)
{
	OWN_BUF script = BUF_INIT;
	struct str name;
	enum v8_type type = v8_refs_read(st, object, &name);
	uint32_t function;

	assert(object != 0 && by != object);
	if (type == V8_CLOSURE)
		v8_titles_function(st, object, b);
	else if (type == V8_OBJECT && str_is(name, "Module"))
		v8_titles_module(st, object, b);
	else if (type == V8_OBJECT && str_begins(name, "system / ")) {
		v8_titles_script(st, by, &script);
		v8_titles_context(st, object, buf_view(&script), b);
	} else if (type == V8_OBJECT && (function = v8_titles_one(st, object, "function")) != 0) {
		buf_text(b, "suspended ");
		v8_titles_function(st, function, b);
	}
}

/* ---- classes ------------------------------------------------------------------------------------------ */

static const char *const runtime[] = { "(*", "* in node:*", "* in native code", "module node:*", "Loader",
    "* in unknown code", "module ?", "variables in *",
    "global", "global / *", "Window*", "GlobalObject", "Object", "{*", "Array", "Map", "Set", "WeakMap", "WeakSet",
    "WeakRef", "FinalizationRegistry", "Function", "Promise", "Proxy", "Symbol", "String", "Number", "Boolean",
    "BigInt", "Date", "RegExp", "*Error", "Array Iterator", "Map Iterator", "Set Iterator", "*Iterator", "*Generator",
    "AsyncFunction", "*ArrayBuffer", "DataView", "*Array", "Buffer", "Atomics", "Math", "JSON", "Intl*", "Reflect",
    "Arguments", "Module", "NativeModule", "BuiltinModule", "ModuleWrap", "ContextifyScript", "process", "console",
    "EventEmitter", "AsyncResource", "AsyncHook", "Timeout", "Immediate", "TimersList", "ImmediateList",
    "PriorityQueue", "Socket", "Server", "Agent", "IncomingMessage", "ServerResponse", "ClientRequest",
    "OutgoingMessage", "HTTPParser", "FreeList", "*Stream", "*Wrap", "ReadableState", "WritableState", "BufferList",
    "AbortController", "AbortSignal", "EventTarget", "Event", "URL*", "Performance*", "Histogram*", "Worker",
    "MessagePort", "MessageChannel", "Hash", "Hmac", "*Cipher", "Stats", "Dirent", "Console", "ESMLoader",
    "ModuleLoader", "ModuleMap", "ModuleJob", "LoadCache", "ResolveCache", "SafeMap", "SafeSet", "SafeWeakMap",
    "SafePromise", "FixedQueue", "FixedCircularBuffer", "system / *", "Node / *", "Blink*", "V8*", "<*", "HTML*Element",
    "HTMLDocument", "HTMLCollection", "SVG*Element", "Detached *", "Text", "Comment", "Attr", "NodeList", "Document*",
    "CSS*", "InternalNode", "Element", "ShadowRoot", "EventListener", "DOM*", "NamedNodeMap", NULL };
static const char *const libraries[] = { "* in node_modules/*", "module node_modules/*", NULL };
static const char *const collections[] = { "Array", "Map", "Set", "WeakMap", "WeakSet", "SafeMap", "SafeSet",
    "Map Iterator",
    "Set Iterator", NULL };
static const char *const parts[] = { "(array)", "(object shape)", "(compiled code)", "(code)", "(system)", "(hidden)",
    "(synthetic)", "(number)", "(heap number)", "(object elements)", "system / *", "Node / *", NULL };
static const char *const texts[] = { "(string)", "(concatenated string)", "(sliced string)", NULL };
static const char *const titled[] = { "Function", "system / Context", "Module", "Generator", "AsyncGenerator",
    "AsyncFunction", NULL };
static const char *const plain[] = { "Object", "{*", NULL };
static const char *const globals[] = { "global", "global / *", "Window*", "GlobalObject", NULL };
static const char *const known[] = { "global*", "process", "console", "Atomics", "Intl", "JSON", "Math", "Reflect",
    "WebAssembly",
    "performance", "navigator", "crypto", "window", "self", "document", "__proto__", "<*", NULL };
static const char *const listeners[] = { "*._events", "*._events.*", "*kEvents>", "EventListener", "V8EventListener",
    NULL };
static const char *const timers[] = { "Timeout", "TimersList", "Immediate", "ImmediateList", "DOMTimer",
    "ScheduledAction", NULL };
static const char *const promises[] = { "Promise", NULL };
static const char *const detached[] = { "Detached <*", "Detached HTML*", "Detached SVG*", "Detached Text*",
    "Detached Document*",
    "Detached ShadowRoot*", "Detached Element*", "Detached Window*", NULL };
const struct heap_language v8_language = { runtime, libraries, collections, parts, texts, titled, plain, globals, known,
    listeners, timers, promises, detached };
