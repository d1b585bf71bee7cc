/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * oom: what to set up so that a JVM that runs out of memory leaves a heap dump, and the dump is found.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "record.h"

#define OPTIONS "-XX:+HeapDumpOnOutOfMemoryError -XX:HeapDumpPath=%s -XX:+ExitOnOutOfMemoryError"

/* The path becomes part of shell words, of unit files and of YAML. */
static bool
oom_fits(const char *dir, struct err *err)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+";

	return (dir[0] == '/' && dir[1] != '\0' && dir[strspn(dir, plain)] == '\0' && strlen(dir) < 400) ||
	    fail(err, E_USAGE, "--on-oom: '%s' is not an absolute path of letters, digits and /._-+", dir);
}

bool
record_oom(const char *dir, struct err *err)
{
	if (!oom_fits(dir, err))
		return false;
	printf("# Options of the JVM: it leaves a heap dump in %s, and ends.\n" OPTIONS "\n", dir, dir);
	printf("\n# systemd, for the service APP: 'systemctl edit APP', then restart it.  The user of APP must be able to write to %s.\n"
	    "[Service]\n"
	    "Environment=\"JAVA_TOOL_OPTIONS=" OPTIONS "\"\n"
	    "Restart=on-failure\n", dir, dir);
	printf("\n# /etc/systemd/system/icecore-watch.service: finds the leak in each dump, and writes pages to %s/found.\n"
	    "[Service]\n"
	    "ExecStart=icecore watch %s %s/found\n"
	    "[Install]\n"
	    "WantedBy=multi-user.target\n", dir, dir, dir);
	printf("\n# Kubernetes, in the container of the JVM.  contrib/kubernetes/heap-dumps.yaml also compresses, uploads and reads the dumps.\n"
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
