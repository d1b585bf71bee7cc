/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * locale: characters that the terminal can show.
 */
#include "config.h"

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "icecore/os.h"

/*
 * Uses the variables that setlocale reads: ssh passes names from other machines, and macOS sets only "UTF-8".
 */
static bool
wants_utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	const char *value = NULL, *set;

	for (size_t i = 0; i < NELEM(names) && (value == NULL || *value == '\0'); i++)
		value = getenv(names[i]);
	if (value == NULL)
		return false;
	set = strchr(value, '.');
	set = set != NULL ? set + 1 : value;
	return strncasecmp(set, "UTF-8", 5) == 0 || strncasecmp(set, "utf8", 4) == 0;
}

/* False: no such locale. */
static bool
locale_set(const char *name)
{
	errno = 0;
	if (setlocale(LC_CTYPE, name) != NULL)
		return true;
	if (errno == ENOMEM)
		mem_refuse();
	return false;
}

void
locale_start(void)
{
	if (!locale_set("") && wants_utf8())
		locale_set("C.UTF-8");
}
