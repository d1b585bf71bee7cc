/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ruby_form: names of references and texts of a heap dump of Ruby, from the lines of its objects.
 *
 * A dump lists references in the order in which the collector marks them, without names, and leaves out what is
 * not an object: small numbers, nil, static symbols.  A reference gets a name only if nothing can be left out.
 */
#include "config.h"

#include <inttypes.h>

#include "icecore/columns_forms.h"
#include "icecore/columns_objects.h"
#include "ruby.h"

/* How the references of an object are named: class of struct edge_walk. */
enum naming { NAME_NONE, NAME_ELEMENT, NAME_PAIR, NAME_VARIABLE, NAME_CONSTANT, NAME_CAPTURED };

/* ---- lines --------------------------------------------------------------------------------------- */

static uint64_t
form_place(const struct store *st, uint32_t object)
{
	return store_cell(st, COL_OBJECT_OFFSET, object) | column_get(store_column(st, COL_OBJECT_HIGH),
	    object - 1ull) << 32;
}

static bool
form_line(const struct store *st, uint32_t object, struct ruby_line *l)
{
	const struct map *m = store_source(st);
	uint64_t at = form_place(st, object);
	struct str rest;

	if (at >= m->size)
		return false;
	rest = (struct str){ (const char *)m->data + at, (size_t)(m->size - at) };
	return ruby_line_read(l, ruby_line_trim(str_until(rest, '\n')), NULL, NULL) <= RUBY_NO_JSON;
}

static enum ruby_type
form_type(const struct store *st, uint32_t object)
{
	uint64_t type = store_cell(st, COL_OBJECT_TYPE, object) & RUBY_TYPE_BITS;

	return type < TYPES ? (enum ruby_type)type : TYPE_OTHER;
}

static bool
is_class_type(enum ruby_type type)
{
	return type == TYPE_CLASS || type == TYPE_MODULE;
}

/* ---- references ------------------------------------------------------------------------------------ */

/* Row of shape.*; 0: unknown. */
static uint32_t
shape_above(const struct store *st, uint32_t row)
{
	uint64_t above = store_cell(st, COL_SHAPE_PARENT, row);

	return above < row ? (uint32_t)above : 0;
}

/* The name that is number n among those of the row and its parents, counted from the last one; none: n is how many. */
static struct str
shape_variable(const struct store *st, uint32_t row, uint64_t *n)
{
	uint64_t count = 0;
	struct str name;

	for (; row != 0; row = shape_above(st, row)) {
		name = store_text(st, store_cell(st, COL_SHAPE_NAME, row));
		if (name.n > 0 && count++ == *n)
			return name;
	}
	*n = count;
	return STR("");
}

static enum naming
naming_of(const struct store *st, const struct ruby_line *l, uint64_t n, uint32_t object, uint32_t *shape)
{
	uint64_t variables = UINT64_MAX;

	switch (form_type(st, object)) {
	case TYPE_ARRAY:
		return RUBY_HAS(l, length) && l->length == n ? NAME_ELEMENT : NAME_NONE;
	case TYPE_HASH:
		return n % 2 == 0 && l->size == n / 2 && l->fallback == 0 ? NAME_PAIR : NAME_NONE;
	case TYPE_OBJECT:
		*shape = RUBY_HAS(l, shape) && l->shape <= UINT32_MAX ?
		    (uint32_t)column_find(store_column(st, COL_SHAPE_ID), l->shape) : 0;
		shape_variable(st, *shape, &variables);
		return *shape != 0 && variables == n ? NAME_VARIABLE : NAME_NONE;
	case TYPE_CLASS:
	case TYPE_MODULE:
		return NAME_CONSTANT;
	case TYPE_IMEMO:
		return str_is(l->imemo, "env") ? NAME_CAPTURED : NAME_NONE;
	default:
		return NAME_NONE;
	}
}

static bool
ruby_form_begin(struct edge_walk *w)
{
	struct ruby_line l;
	struct str list;
	uint64_t addr, n = 0;

	/* An object without a line. */
	if (form_place(w->st, w->object) == store_source(w->st)->size)
		return true;
	if (!form_line(w->st, w->object, &l))
		return false;
	for (list = l.references; ruby_line_next(&list, &addr);)
		n++;
	w->class = naming_of(w->st, &l, n, w->object, &w->row);
	w->left = form_type(w->st, w->object) == TYPE_IMEMO ? 0 : l.class;
	w->special = RUBY_HAS(&l, superclass) ? l.superclass : l.fallback;
	if (l.references.n == 0)
		return true;
	w->at = (uint64_t)(l.references.s - (const char *)store_source(w->st)->data);
	w->end = w->at + l.references.n;
	return true;
}

/* "Outer" of "Outer::Inner": the constant is "Inner". */
static struct str
constant_name(const struct store *st, uint32_t holder, uint32_t object)
{
	struct ruby_line outer, inner;

	if (!is_class_type(form_type(st, object)) || !form_line(st, holder, &outer) || !form_line(st, object, &inner) ||
	    outer.name.n == 0 || inner.name.n == 0)
		return STR("");
	if (str_has_prefix(inner.name, outer.name) && str_take(&inner.name, outer.name) &&
	    str_take(&inner.name, STR("::")))
		return inner.name;
	return str_is(outer.name, "Object") && !str_has(inner.name, STR("::")) ? inner.name : STR("");
}

static void
edge_name(const struct edge_walk *w, uint64_t i, uint64_t n, uint64_t addr, struct heap_edge *e)
{
	enum ruby_type to = form_type(w->st, e->object);
	uint64_t from_last = n;

	e->index = i;
	if (addr == w->special) {
		e->kind = EDGE_INTERNAL;
		e->name = form_type(w->st, w->object) == TYPE_HASH ? STR("default") : STR("superclass");
		return;
	}
	switch ((enum naming)w->class) {
	case NAME_NONE:
		break;
	case NAME_ELEMENT:
		e->kind = EDGE_ELEMENT;
		break;
	case NAME_PAIR:
		e->kind = EDGE_INTERNAL;
		e->name = i % 2 == 0 ? STR("key") : STR("value");
		break;
	case NAME_VARIABLE:
		e->kind = EDGE_FIELD;
		e->name = shape_variable(w->st, w->row, &from_last);
		break;
	case NAME_CONSTANT:
		e->name = constant_name(w->st, w->object, e->object);
		e->kind = e->name.n > 0 ? EDGE_FIELD : EDGE_PLAIN;
		if (e->name.n == 0 && to != TYPE_IMEMO && to != TYPE_ICLASS && !is_class_type(to) && e->object != 0) {
			e->kind = EDGE_INTERNAL;
			e->name = STR("constant or variable");
		}
		break;
	case NAME_CAPTURED:
		e->kind = to == TYPE_IMEMO ? EDGE_PLAIN : EDGE_INTERNAL;
		e->name = to == TYPE_IMEMO ? STR("") : STR("captured variable");
		break;
	}
}

/* The class comes last: the collector marks it, but the file does not list it. */
static bool
ruby_form_next(struct edge_walk *w, struct heap_edge *e)
{
	const char *data = (const char *)store_source(w->st)->data;
	struct str list = { data + w->at, (size_t)(w->end - w->at) };
	uint64_t addr, n;

	*e = (struct heap_edge){ .kind = EDGE_PLAIN, .name = STR("") };
	if (!ruby_line_next(&list, &addr)) {
		addr = w->left;
		w->left = 0;
		e->kind = EDGE_INTERNAL;
		e->name = STR("class");
		e->object = addr == 0 ? 0 : heap_ids_find(w->ids, addr);
		return addr != 0;
	}
	e->at = w->at;
	e->object = heap_ids_find(w->ids, addr);
	w->at = (uint64_t)(list.s - data);
	for (n = 0; w->class == NAME_VARIABLE && ruby_line_next(&list, &(uint64_t){ 0 });)
		n++;
	edge_name(w, w->index++, n, addr, e);
	return true;
}

/* ---- texts -------------------------------------------------------------------------------------------- */

static bool
form_text(const struct store *st, uint32_t object, size_t max, struct buf *to, uint64_t *chars)
{
	OWN_BUF buf = BUF_INIT;
	enum ruby_type type = form_type(st, object);
	struct ruby_line l;
	struct str text;
	uint32_t cp;
	size_t n;

	if ((type != TYPE_STRING && type != TYPE_SYMBOL) || !form_line(st, object, &l) || !RUBY_HAS(&l, value))
		return false;
	*chars = RUBY_HAS(&l, bytesize) ? l.bytesize : l.value.n;
	/* An escape has up to six bytes. */
	text = ruby_line_text(str_head(l.value, max < SIZE_MAX / 6 ? 6 * max : SIZE_MAX), !l.salvaged, &buf);
	for (; max > 0 && text.n > 0; max--, text = str_after(text, n)) {
		n = text_decode(text, &cp);
		buf_str(to, str_head(text, n));
	}
	return !to->bad;
}

static struct str
form_raw(const struct store *st, uint32_t object)
{
	struct ruby_line l;

	return form_type(st, object) == TYPE_STRING && form_line(st, object, &l) && RUBY_HAS(&l, value) ? l.value :
	    (struct str){ NULL, 0 };
}

static void
tell_class(const struct ruby_line *l, struct buf *to)
{
	OWN_BUF text = BUF_INIT;
	struct str name = l->singleton ? l->real_name : l->name;

	if (name.n > 0) {
		buf_text(to, l->singleton ? " of " : " ");
		buf_str(to, ruby_line_text(name, !l->salvaged, &text));
	} else
		buf_printf(to, " 0x%" PRIx64, l->address);
}

static void
form_tell(const struct store *st, uint32_t object, struct buf *to)
{
	OWN_BUF text = BUF_INIT;
	enum ruby_type type = form_type(st, object);
	struct ruby_line l;

	if ((!is_class_type(type) && type != TYPE_STRING) ||
	    (store_cell(st, COL_OBJECT_TYPE, object) & RUBY_IS_CLASS) != 0 ||
	    !form_line(st, object, &l))
		return;
	if (is_class_type(type))
		tell_class(&l, to);
	else if (!RUBY_HAS(&l, value) && RUBY_HAS(&l, bytesize)) {
		buf_text(to, " (");
		if (l.encoding.n > 0)
			buf_str(to, ruby_line_text(l.encoding, false, &text));
		buf_printf(to, ", %" PRIu64 " bytes)", l.bytesize);
	}
}

static struct str
form_kind(const struct store *st, uint32_t object)
{
	enum ruby_type type = form_type(st, object);
	struct ruby_line l;

	return type != TYPE_OTHER ? str_of(ruby_types[type]) : form_line(st, object, &l) ? l.type : STR("");
}

/* Rows of part.*: old and young. */
static uint64_t
ruby_form_part(const struct store *st, uint32_t object)
{
	return (store_cell(st, COL_OBJECT_TYPE, object) & RUBY_IS_OLD) != 0 ? 1 : 2;
}

/* ---- classes ----------------------------------------------------------------------------------------------- */

static const char *const runtime[] = { "(*", "RubyVM*", "BasicObject", "Object", "Kernel", "Class", "Module",
    "Refinement",
    "String", "Symbol", "Array", "Hash", "Set", "Integer", "Float", "Rational", "Complex", "BigDecimal", "Range",
    "Regexp", "MatchData", "Struct", "Data", "Proc", "Method", "UnboundMethod", "Binding", "Thread*", "Fiber*",
    "Ractor*", "Mutex", "Monitor*", "Queue", "SizedQueue", "ConditionVariable", "IO*", "File*", "Dir", "StringIO",
    "StringScanner", "Tempfile", "Pathname", "Time", "Date", "DateTime", "Random*", "Encoding*", "Enumerator*",
    "ObjectSpace*", "GC*", "Process*", "Errno::*", "Exception", "*Error", "NoMethodError*", "URI*", "Socket*",
    "*Socket", "OpenSSL*", "Zlib*", "Digest*", "WeakRef", "Gem*", "RbConfig*", "DidYouMean*", "ErrorHighlight*",
    "SyntaxSuggest*", "Warning*", "Signal*", "Etc*", "Comparable", "Enumerable", "TracePoint", "Delegator",
    "SimpleDelegator", "Logger*", "Psych*", "JSON*", "ERB*", NULL };
static const char *const libraries[] = { "ActiveRecord*", "ActiveSupport*", "ActiveModel*", "ActiveJob*",
    "ActiveStorage*",
    "ActionDispatch*", "ActionController*", "ActionView*", "ActionMailer*", "ActionCable*", "AbstractController*",
    "Rails*", "Arel*", "Rack*", "Sinatra*", "Hanami*", "Roda*", "Grape*", "Sidekiq*", "Resque*", "GoodJob*", "Puma*",
    "Unicorn*", "Falcon*", "Async*", "Concurrent*", "Zeitwerk*", "I18n*", "Mail*", "Nokogiri*", "Redis*",
    "RedisClient*", "PG*", "Mysql2*", "SQLite3*", "Mongo*", "Mongoid*", "Sequel*", "Dalli*", "Faraday*", "Excon*",
    "HTTP*", "Net::*", "GraphQL*", "Dry::*", "ROM*", "Thor*", "Bundler*", "Bootsnap*", "RSpec*", "Minitest*",
    "Sprockets*", "Tilt*", "Addressable*", "TZInfo*", "Aws*", "Google*", "OpenTelemetry*", "Sentry*", "Datadog*",
    "NewRelic*", "Sorbet*", "T::*", "Nio4r*", "NIO*", "Liquid*", NULL };
static const char *const collections[] = { "Array", "Hash", "Set", "Queue", "SizedQueue", "Thread::Queue",
    "Thread::SizedQueue", "(array)", "(hash)", "Concurrent::Map", "Concurrent::Array", "Concurrent::Hash", NULL };
static const char *const parts[] = { "(array)", "(hash)", "(string)", "(imemo env)", "(imemo ment)", "(imemo ?)",
    "(imemo svar)",
    "(imemo ifunc)", "(imemo fields)", NULL };
static const char *const texts[] = { "String", NULL };
static const struct heap_language ruby = { runtime, libraries, collections, parts, texts };

const struct heap_form ruby_form = {
	.begin = ruby_form_begin, .next = ruby_form_next, .text = form_text, .raw = form_raw,
	.tell = form_tell, .kind = form_kind, .part = ruby_form_part,
	.lacks = "a Ruby heap dump has no values of fields", .own_classes = true, .language = &ruby
};
