/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * oom: what to set up so that a JVM or an Android app that runs out of memory leaves a heap dump, and the
 * dump is found.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "record.h"

#define DIGITS "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
/* Words of oom_android.java. */
#define PACKAGE "com.example.app"
#define UPLOAD "https://dumps.example.com/inbox/"

#define OPTIONS "-XX:+HeapDumpOnOutOfMemoryError -XX:HeapDumpPath=%s -XX:+ExitOnOutOfMemoryError"

/* The path becomes part of shell words, of unit files and of YAML. */
static bool
oom_fits(const char *dir, struct err *err)
{
	return (dir[0] == '/' && dir[1] != '\0' && dir[strspn(dir, LETTERS DIGITS "/._-+")] == '\0' &&
	    strlen(dir) < 400) ||
	    fail(err, E_USAGE, "--on-oom: '%s' is not an absolute path of letters, digits and /._-+", dir);
}

/* A name of Java with dots in it. */
static bool
package_fits(const char *package)
{
	size_t n = 0;

	for (const char *p = package; ; p += n + 1) {
		n = strspn(p, LETTERS DIGITS "_");
		if (n == 0 || is_one_of(p[0], DIGITS) || (p[n] != '.' && p[n] != '\0'))
			return false;
		if (p[n] == '\0')
			return p > package;
	}
}

/* An address becomes a text of Java. */
static bool
url_fits(const char *url)
{
	return (strncmp(url, "https://", 8) == 0 || strncmp(url, "http://", 7) == 0) &&
	    url[strspn(url, LETTERS DIGITS ":/._-~%@[]")] == '\0';
}

/* Print a class for the app; package and url may be NULL. */
static bool
oom_android(const char *package, const char *url, struct err *err)
{
	struct str head, middle, rest = str_of(record_oom_android_java);
	bool whole;

	package = package == NULL ? PACKAGE : package;
	url = url == NULL ? UPLOAD : url;
	if (!package_fits(package))
		return fail(err, E_USAGE, "--on-oom android: '%s' is not the name of a package, such as " PACKAGE,
		    package);
	if (!url_fits(url))
		return fail(err, E_USAGE, "--on-oom android: '%s' is not a URL, such as " UPLOAD, url);
	whole = str_divide(rest, STR(PACKAGE), &head, &rest) && str_divide(rest, STR(UPLOAD), &middle, &rest);
	assert(whole);
	printf("%.*s%s%.*s%s%s%s", (int)head.n, head.s, package, (int)middle.n, middle.s, url,
	    url[strlen(url) - 1] == '/' ? "" : "/", rest.s);
	return true;
}

bool
record_oom(const struct record_options *o, struct err *err)
{
	const char *dir = o->on_oom;

	if (strcmp(dir, OOM_ANDROID) == 0)
		return oom_android(o->operand[0], o->operand[1], err);
	if (!oom_fits(dir, err))
		return false;
	printf("# Options of the JVM: on OutOfMemoryError, dump the heap to %s, then exit.\n" OPTIONS "\n", dir, dir);
	printf("\n# systemd, for the service APP: 'systemctl edit APP', then restart it.  The user of APP must be able "
	    "to write to %s.\n"
	    "[Service]\n"
	    "Environment=\"JAVA_TOOL_OPTIONS=" OPTIONS "\"\n"
	    "Restart=on-failure\n", dir, dir);
	printf("\n# /etc/systemd/system/icecore-watch.service: finds the leak in each dump, and writes pages to "
	    "%s/found.\n"
	    "[Service]\n"
	    "ExecStart=icecore watch %s %s/found\n"
	    "[Install]\n"
	    "WantedBy=multi-user.target\n", dir, dir, dir);
	printf("\n# Kubernetes, in the container of the JVM.  contrib/kubernetes/heap-dumps.yaml also compresses, "
	    "uploads and reads the dumps.\n"
	    "env:\n"
	    "  - name: JAVA_TOOL_OPTIONS\n"
	    "    value: \"" OPTIONS "\"\n"
	    "volumeMounts:\n"
	    "  - name: dumps\n"
	    "    mountPath: %s\n"
	    "# and in the pod:\n"
	    "volumes:\n"
	    "  - name: dumps\n"
	    "    emptyDir: {}\n", dir, dir);
	return true;
}
