/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * carry: data that the static program contains for machines without it: terminal descriptions, the UTF-8 character
 * set, an empty user database. It answers the library calls that would open files.
 */
#include "config.h"

#include <sys/mman.h>

#include <curses.h>
#include <fcntl.h>
#include <locale.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "icecore/base.h"

/* ---- terminals: terminals.sh generated the list from those that the build machine knows ------------ */

static const struct { const char *name, *entry; } terminals[] = {
#include "terminals.h"
};

SCREEN	*__real_newterm(const char *, FILE *, FILE *);
SCREEN	*__wrap_newterm(const char *, FILE *, FILE *);

/* TERMINFO may contain a description instead of a directory. */
SCREEN *
__wrap_newterm(const char *type, FILE *out, FILE *in)
{
	const char *name = type != NULL ? type : getenv("TERM");
	SCREEN *screen = __real_newterm(type, out, in);

	for (size_t i = 0; screen == NULL && name != NULL && i < NELEM(terminals); i++)
		if (strcmp(terminals[i].name, name) == 0 && setenv("TERMINFO", terminals[i].entry, 1) == 0)
			screen = __real_newterm(type, out, in);
	return screen;
}

/* ---- UTF-8: the C library opens a file of this name for the locale C.UTF-8 -------------------------- */

#define CTYPE_TAIL "/C.utf8/LC_CTYPE"

__asm__(".section .rodata\n.balign 64\nctype: .incbin \"" UTF8_CTYPE "\"\nctype_end:\n.previous\n");
/* Hidden, so that no offset table is needed: GNU ld for aarch64 confuses labels of one section there. */
extern const char ctype[] __attribute__((visibility("hidden"))), ctype_end[] __attribute__((visibility("hidden")));

int	 __real___open_nocancel(const char *, int, ...);
int	 __wrap___open_nocancel(const char *, int, ...);

int
__wrap___open_nocancel(const char *path, int flags, ...)
{
	size_t n = strlen(path), tail = sizeof CTYPE_TAIL - 1, size = (size_t)(ctype_end - ctype);
	bool ours = n >= tail && strcmp(path + n - tail, CTYPE_TAIL) == 0;
	int fd = ours ? memfd_create("ctype", MFD_CLOEXEC) : -1;
	mode_t mode;
	va_list ap;

	if (fd != -1 && write(fd, ctype, size) == (ssize_t)size)
		return fd;
	if (fd != -1)
		close(fd);
	va_start(ap, flags);
	mode = va_arg(ap, mode_t);
	va_end(ap);
	return __real___open_nocancel(path, flags, mode);
}

char	*__real_setlocale(int, const char *);
char	*__wrap_setlocale(int, const char *);

/* Other locales are files and modules for the machine's own C library. */
char *
__wrap_setlocale(int category, const char *name)
{
	if (name != NULL && strcmp(name, "C") != 0 && strcmp(name, "C.UTF-8") != 0)
		return NULL;
	return __real_setlocale(category, name);
}

/* ---- users: the C library would load modules to look them up; readline asks for HOME ---------------- */

struct passwd *
getpwnam(const char *name)
{
	(void)name;
	return NULL;
}

struct passwd *
getpwuid(uid_t uid)
{
	(void)uid;
	return NULL;
}

struct passwd *
getpwent(void)
{
	return NULL;
}

void
setpwent(void)
{
}

void
endpwent(void)
{
}
