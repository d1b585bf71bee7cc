/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * name_classes: what each class is to the tree of names, and its fields that refer.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "icecore/columns_frames.h"
#include "icecore/columns_heap.h"
#include "fold.h"

#define SUPERS 256u		/* superclasses whose fields are looked at: more has no program */

/* ---- whose a class is ----------------------------------------------------------------------- */

/*
 * Libraries that programs are made with: they hold objects for a program, which is named first.  All classes
 * without one of these names belong to the program, so a library missing here is treated as program.
 */
static const char *const libraries[] = {
	"com.google.common", "com.google.protobuf", "com.github.benmanes", "io.netty", "org.jctools",
	    "reactor",
	"io.reactivex", "rx", "org.reactivestreams", "scala", "kotlin", "kotlinx", "groovy", "clojure",
	    "akka", "play",
	"org.apache", "org.springframework", "org.hibernate", "org.eclipse", "org.h2", "com.fasterxml",
	    "org.slf4j",
	"ch.qos", "it.unimi.dsi", "gnu.trove", "org.agrona", "com.carrotsearch", "io.vavr",
	    "org.roaringbitmap", "okhttp3",
	"okio", "retrofit2", "dagger", "com.squareup", "com.bumptech", "org.codehaus", "net.bytebuddy",
	    "com.zaxxer",
	"jakarta", "org.jboss", "org.w3c", "com.mchange", "org.postgresql", "com.mysql", "org.mariadb",
	    "oracle",
	"io.micrometer", "io.grpc", "org.joda", "org.aspectj", "org.yaml", "io.undertow", "io.vertx",
	    "io.quarkus",
	"io.lettuce", "redis", "net.sf", "org.ehcache", "org.jetbrains", "leakcanary", "shark", "androidx",
	    "android",
	"dalvik", "libcore", "com.android", "com.google.gson", "com.google.inject", "com.google.firebase",
	"com.google.android", "com.google.api", "com.google.cloud", "io.prometheus", "io.opentelemetry",
	    "io.opencensus",
	"io.opentracing", "io.jaegertracing", "io.dropwizard", "com.codahale", "io.ktor", "io.micronaut",
	    "io.smallrye",
	"io.helidon", "io.github.resilience4j", "io.swagger", "io.jsonwebtoken", "io.fabric8",
	    "io.kubernetes", "io.sentry",
	"io.realm", "io.objectbox", "com.amazonaws", "software.amazon", "com.azure",
	    "com.microsoft.sqlserver",
	"com.mongodb", "org.bson", "com.datastax", "com.couchbase", "com.aerospike", "org.neo4j",
	    "org.elasticsearch",
	"co.elastic", "org.opensearch", "com.rabbitmq", "com.hazelcast", "org.infinispan", "org.redisson",
	    "org.mybatis",
	"com.baomidou", "org.jooq", "org.flywaydb", "liquibase", "org.thymeleaf", "freemarker",
	    "org.glassfish",
	"org.quartz", "org.xerial", "org.sqlite", "org.hsqldb", "org.duckdb", "org.rocksdb", "com.clickhouse",
	"com.influxdb", "io.minio", "org.bouncycastle", "com.nimbusds", "org.objectweb", "org.json",
	    "net.minidev",
	"com.jayway", "com.alibaba", "brave", "zipkin2", "com.newrelic", "datadog", "com.dynatrace",
	    "com.appdynamics",
	"org.threeten", "org.mockito", "org.junit", "org.testng", "coil", "com.airbnb", "org.koin",
	    "javassist",
	"org.javassist", "cn.hutool", "com.esotericsoftware", "org.xnio", "org.wildfly", "org.osgi",
	    "org.antlr", "weblogic",
	"com.ibm.ws", "org.keycloak", "com.lmax", "net.openhft", "org.asynchttpclient", "com.vaadin",
	    "org.primefaces",
	"com.atomikos", "org.tinylog", "org.graalvm", "com.oracle.truffle"
};

/* Packages of the JDK, including GraalVM native images and OpenJ9. */
static const char *const jdk[] = { "java", "javax", "jdk", "sun", "com.sun", "com.oracle.svm",
    "com.oracle.graal", "com.ibm.oti",
    "com.ibm.jvm", "openj9" };

static bool
name_classes_is_of(struct str name, const char *const *prefixes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct str prefix;

		if (name.n == 0 || name.s[0] != prefixes[i][0])
			continue;
		prefix = str_of(prefixes[i]);
		if (name.n > prefix.n && name.s[prefix.n] == '.' && str_has_prefix(name, prefix))
			return true;
	}
	return false;
}

/*
 * A library under development counts as the program: find two or three parts of the package of the class in
 * which thread main began.  Launchers do not count: they are not a part of the program that they start.
 */
static bool
find_own(struct folding *f, struct buf *own)
{
	uint32_t thread = heap_thread_named(&f->h, "main");
	uint64_t last = thread == 0 ? 0 :
	    store_cell(f->st, COL_JTHREAD_FRAME, thread) + store_cell(f->st, COL_JTHREAD_FRAMES, thread) - 1;
	struct str package, class;
	unsigned parts = 0;

	buf_clear(&f->name);
	heap_class_name(&f->h, last == 0 ? 0 : (uint32_t)store_cell(f->st, COL_FRAME_CLASS, last), &f->name);
	if (f->name.bad)
		return fail_memory(f->err, "names");
	if (str_glob(STR("*Launcher"), buf_view(&f->name)) ||
	    !str_divide_last(buf_view(&f->name), '.', &package, &class))
		return true;
	for (size_t i = 0; i < package.n && parts < 3; i++)
		if ((parts += package.s[i] == '.') < 3)
			buf_chr(own, package.s[i]);
	if (parts < 1)
		buf_clear(own);
	return !own->bad || fail_memory(f->err, "names");
}

/* ---- collections ------------------------------------------------------------------------------ */

/* Return whether a class is in java.util, except for its subpackages without collections. */
static bool
is_java_util(struct str name)
{
	static const char *const others[] = { "logging", "jar", "zip", "regex", "stream", "function",
	    "prefs" };

	return str_take(&name, STR("java.util.")) && !name_classes_is_of(name, others, NELEM(others));
}

static bool
is_collection(struct str name)
{
	static const char *const ends[] = { "*Map", "*Set", "*List", "*Queue", "*Deque", "*Vector", "*Stack",
	    "*Hashtable",
	    "*Collection", "*Collections", "*Arrays", "*Properties", "*BitSet" },
	    *const makers[] = { "java.util.Collections", "java.util.Arrays", "java.util.ImmutableCollections" };
	struct str outer = name, inner;

	if (!is_java_util(name))
		return false;
	if (str_glob(STR("java.util.concurrent.atomic.Atomic*Array"), name) ||
	    str_is(name, "java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue") ||
	    str_is(name, "java.util.concurrent.ConcurrentHashMap$KeySetView"))
		return true;
	if (str_divide(name, STR("$"), &outer, &inner))
		return str_glob_any(makers, NELEM(makers), outer);
	return str_glob_any(ends, NELEM(ends), outer);
}

/*
 * Return whether a class is an inner part of a collection or a view that it keeps.  Programs make stand-alone
 * entries.
 */
static bool
name_classes_is_inner(struct str name)
{
	static const char *const ends[] = { "*Node", "*Entry", "*Bin", "*Segment", "*Index", "*Link", "*Item",
	    "*Cell", "*Sync",
	    "*Pair", "Values", "KeySet", "EntrySet", "ValuesView", "Itr", "Keys" };
	struct str outer, inner;

	if (!str_has_prefix(name, STR("java.util.")) ||
	    str_has_prefix(name, STR("java.util.AbstractMap$Simple")) ||
	    str_is(name, "java.util.Map$Entry"))
		return false;
	return str_has_prefix(name, STR("java.util.concurrent.locks.")) ||
	    (str_divide(name, STR("$"), &outer, &inner) &&
	    str_glob_any(ends, NELEM(ends), inner));
}

static uint32_t
name_classes_parts_of(struct str name, struct str own)
{
	struct str base = heap_element_name(name), rest = base;
	bool is_own = own.n > 0 && str_take(&rest, own) && (rest.n == 0 || rest.s[0] == '.');
	uint32_t parts = heap_is_primitive_name(base) ||
	    name_classes_is_of(base, jdk, NELEM(jdk)) ? CLASS_JDK :
	    name_classes_is_of(base, libraries, NELEM(libraries)) && !is_own ? CLASS_LIBRARY : CLASS_PROGRAM;

	if (is_collection(name))
		parts |= PART_COLLECTION;
	if (name_classes_is_inner(name))
		parts |= PART_INNER;
	if (name.n > base.n && (name.n > base.n + 2 || !heap_is_primitive_name(base)))
		parts |= name_classes_is_inner(base) ? PART_ARRAY | PART_TABLE : PART_ARRAY;
	if (str_is(name, "java.lang.String"))
		parts |= PART_STRING;
	if (str_is(name, "java.lang.ref.Reference") ||
	    str_glob(STR("kotlin.coroutines.jvm.internal.*ContinuationImpl"), name))
		parts |= PART_LINKS;
	if (str_glob(STR("*netty.util.internal.InternalThreadLocalMap"), name))
		parts |= PART_LOCALS | PART_FAST;
	if (str_has_prefix(name, STR("java.lang.ThreadLocal$ThreadLocalMap")))
		parts |= str_is(name, "java.lang.ThreadLocal$ThreadLocalMap$Entry") ? PART_LOCALS | PART_ENTRY :
		    PART_LOCALS;
	if (str_has_prefix(name, STR("java.lang.ClassValue$")))
		parts |= PART_LOCALS;
	if (str_is(name, "java.lang.ClassValue$Entry"))
		parts |= PART_ENTRY | PART_VALUE;
	if (str_is(name, "java.lang.ClassValue$ClassValueMap"))
		parts |= PART_COLLECTION;
	return parts;
}

/* A subclass of a collection of java.util is a collection: inherited fields hold its elements. */
static bool
inherit_collections(struct folding *f)
{
	struct name_class *c = f->classes.at;
	OWN_SCRATCH marks = SCRATCH_INIT;

	if (!scratch_array(&marks, f->h.classes + 1ull, 1, f->err))
		return false;
	for (uint32_t class = 1; class <= f->h.classes; class++)
		if (c[class].parts & PART_COLLECTION)
			marks.data[class] = MARK_YES;
	class_inherit(&f->h, marks.data);
	for (uint32_t class = 1; class <= f->h.classes; class++)
		if (marks.data[class] == MARK_YES && (c[class].parts & (CLASS_PROGRAM | CLASS_LIBRARY)))
			c[class].parts |= PART_COLLECTION;
	return true;
}

static bool
name_classes_mark_members(struct folding *f, struct str name, uint32_t part)
{
	struct members m;
	bool ok = members_open(&m, &f->h, name, f->err);

	for (uint32_t class = 1; ok && class <= f->h.classes; class++)
		if (members_has(&m, class))
			f->classes.at[class].parts |= part;
	members_close(&m);
	return ok;
}

static bool
list_classes(struct folding *f, struct str own)
{
	const struct heap_language *language = heap_language_of(&f->h);
	struct name_class *c;

	if (!array_grow(&f->classes, f->h.classes + 1ull, f->err))
		return false;
	c = f->classes.at;
	for (uint32_t class = 1; class <= f->h.classes; class++) {
		if (!work_go(f->work, class, f->err))
			return false;
		buf_clear(&f->name);
		heap_class_name(&f->h, class, &f->name);
		c[class].parts = language != NULL ? title_parts(language, buf_view(&f->name)) :
		    name_classes_parts_of(buf_view(&f->name), own);
		buf_clear(&f->name);
		heap_stable_name(&f->h, class, &f->name);
		if (f->name.bad)
			return fail_memory(f->err, "names");
		if (!name_text(f, buf_view(&f->name), &c[class].text))
			return false;
	}
	return inherit_collections(f);
}

/* Libraries have copies of Netty under names of their own: io.grpc.netty.shaded.io.netty. */
static bool
mark_fast_keys(struct folding *f)
{
	struct str name;
	bool ok = true;

	for (uint32_t class = 1; ok && class <= f->h.classes; class++) {
		name = texts_get(&f->texts, f->classes.at[class].text);
		if (str_glob(STR("*netty.util.concurrent.FastThreadLocal"), name))
			ok = name_classes_mark_members(f, name, PART_FAST_KEY);
	}
	return ok;
}

bool
name_classes(struct folding *f)
{
	OWN_BUF own = BUF_INIT;
	bool ok = find_own(f, &own) && list_classes(f, buf_view(&own));

	return ok && name_classes_mark_members(f, STR("java.lang.Thread"), PART_THREAD) &&
	    name_classes_mark_members(f, STR("java.lang.ClassLoader"), PART_LOADER) &&
	    mark_fast_keys(f);
}
/* ---- fields -------------------------------------------------------------------------------------- */

/* Add the fields that class declares; their values begin at offset *at. */
static bool
name_classes_add_fields(struct folding *f, uint32_t class, uint32_t of, uint64_t *at)
{
	const struct store *st = f->st;
	uint64_t row, n = heap_class_fields(st, class, &row);
	uint8_t weak = (uint8_t)store_cell(st, COL_CLASS_STRENGTH, of);

	for (; n > 0; n--, row++) {
		unsigned type = (unsigned)store_cell(st, COL_FIELD_TYPE, row);
		struct str name = store_text(st, store_cell(st, COL_FIELD_NAME, row));
		struct name_field field = { .at = (uint32_t)*at, .class = class };

		*at += heap_width(type, f->h.id_size);
		if (type == 0 || type > HEAP_OBJECT || *at > UINT32_MAX || field_idle(&f->h, class, name))
			continue;
		if (str_is(name, "referent") && weak < HEAP_STRENGTHS &&
		    class_is(&f->h, class, "java.lang.ref.Reference"))
			field.strength = weak;
		if (!name_text(f, name.n > 0 ? name : STR("?"), &field.label) ||
		    !array_add(&f->fields, &f->nfields, &field, f->err))
			return false;
	}
	return true;
}

static bool
list_fields(struct folding *f, uint32_t class, struct name_class *c)
{
	uint64_t at = 0, first = f->nfields;
	uint32_t up = class;

	for (uint32_t n = 0; up != 0 && up <= f->h.classes && n < SUPERS; n++) {
		if (!name_classes_add_fields(f, up, class, &at))
			return false;
		up = (uint32_t)store_cell(f->st, COL_CLASS_SUPER, up);
	}
	if (f->nfields > UINT32_MAX)
		return fail(f->err, E_SYSTEM, "too many fields (limit: 2^32)");
	assert(first <= f->nfields);
	c->field = (uint32_t)first;
	c->fields = (uint32_t)(f->nfields - first);
	c->known = true;
	return true;
}

/* Inherit the fields of the nearest superclass that declares any, or is known.  n guards against cycles. */
static bool
find_fields(struct folding *f, struct name_class *c, uint32_t class)
{
	uint32_t top = class, up;

	for (uint32_t n = 0; !c[top].known && n <= f->h.classes &&
	    (up = class_same_fields(&f->h, top)) != 0; n++)
		top = up;
	if (!c[top].known && !list_fields(f, top, &c[top]))
		return false;
	for (; class != top; class = class_same_fields(&f->h, class)) {
		c[class].field = c[top].field;
		c[class].fields = c[top].fields;
		c[class].known = true;
	}
	return true;
}

bool
name_fields(struct folding *f, uint32_t class, const struct name_field **list, uint32_t *n)
{
	struct name_class *c = f->classes.at;

	if (!c[class].known && !find_fields(f, c, class))
		return false;
	assert(c[class].known && (uint64_t)c[class].field + c[class].fields <= f->nfields);
	*n = c[class].fields;
	*list = *n == 0 ? NULL : f->fields.at + c[class].field;
	return true;
}
