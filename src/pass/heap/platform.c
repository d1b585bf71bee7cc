/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * platform: classes of the platform, one list per question so that the lists can be compared.
 */
#include "config.h"

#include <string.h>

#include "icecore/name.h"
#include "icecore/runtime.h"
#include "icecore/values.h"

#define BIT(question) (1u << (question))
#define BLAME BIT(PLATFORM_BLAME)
#define OWNER BIT(PLATFORM_OWNER)
#define SITE BIT(PLATFORM_SITE)

/*
 * The answers differ on purpose:
 *
 * BLAME  Code that the developer cannot fix: all of the JDK and of Android, including their tools.  A library
 *        shipped with the program, including Kotlin's, belongs to the program.
 * OWNER  Implementation details: collections, their nodes, drawing classes.  Developers look for a View or an
 *        Activity, so Android as a whole is not included.
 * SITE   Frames that allocate on behalf of their callers.  Only dumps of a JVM have such frames: no Android
 *        classes.
 * RUNS   Frames that say little about the work of a thread: those of libraries, as runtime.h has them.
 */
static const struct {
	const char	*glob;
	unsigned	 asked;
} platform[] = {
	{ "java.*",			BLAME | OWNER | SITE },
	{ "javax.*",			BLAME | OWNER | SITE },
	{ "sun.*",			BLAME | OWNER | SITE },
	{ "jdk.*",			BLAME | OWNER | SITE },
	{ "com.sun.*",			BLAME | SITE },
	{ "com.oracle.svm.*",		BLAME | SITE },
	{ "com.oracle.graal.*",		BLAME | SITE },
	{ "com.ibm.oti.*",		BLAME | SITE },
	{ "com.ibm.jvm.*",		BLAME | SITE },
	{ "openj9.*",			BLAME | SITE },
	{ "libcore.*",			BLAME | OWNER },
	{ "dalvik.*",			BLAME },
	{ "android.*",			BLAME },
	{ "android.graphics.*",		OWNER },
	{ "android.util.*",		OWNER },
	{ "android.support.v4.util.*",	OWNER },
	{ "androidx.collection.*",	OWNER },
	{ "com.android.*",		BLAME },
	{ "com.android.internal.util.*", OWNER },
	{ "kotlin.*",			OWNER },
	{ "kotlinx.*",			OWNER },
	{ "com.google.common.cache.*",	OWNER },
	{ "com.google.common.collect.*", OWNER },
	{ "*$Node",			OWNER },
	{ "*$*Node",			OWNER },
	{ "*$Entry",			OWNER },
	{ "*$*Entry",			OWNER },
	{ "*$Link",			OWNER },
	{ "*$Itr",			OWNER }
};

bool
platform_named(enum platform_question question, struct str name)
{
	if (question == PLATFORM_RUNS)
		return runtime_is(name, RUNTIME_LIBRARY);
	for (size_t i = 0; i < NELEM(platform); i++)
		if ((platform[i].asked & BIT(question)) != 0 && str_glob(str_of(platform[i].glob), name))
			return true;
	return false;
}

char
frame_tone(char kind, struct str name)
{
	bool compiled = kind == 'j' || kind == '0' || kind == '1';

	if (kind == 'a')
		return 'p';
	if (compiled && (name_parts(name).scope.n == 0 || memchr(name.s, '.', name.n) == NULL))
		return 'j';
	if (!compiled && kind != ' ' && kind != '\0')
		return kind;
	return platform_named(PLATFORM_RUNS, name) ? 'p' : ' ';
}

bool
heap_is_platform(const struct heap *h, uint32_t class, enum platform_question question)
{
	OWN_BUF b = BUF_INIT;
	bool is;

	heap_class_name(h, class, &b);
	is = platform_named(question, buf_view(&b));
	return is;
}

size_t
heap_owner(const struct heap *h, const struct heap_path *path)
{
	size_t nearest = 0;
	uint32_t class;

	for (size_t i = 1; i < path->n; i++) {
		if (heap_is_array(h, path->object[i]))
			continue;
		class = heap_class_of_object(h, path->object[i]);
		if (!heap_is_platform(h, class != 0 ? class : heap_class(h, path->object[i]), PLATFORM_OWNER))
			return i;
		if (nearest == 0)
			nearest = i;
	}
	return nearest;
}
