/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * carry: data that the static program contains for machines without it: terminal descriptions, the UTF-8
 * character set, an empty user database. It answers the library calls that would open files.
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

#include "icecore/bytes.h"
#include "icecore/inflate.h"
#include "icecore/str.h"

/* ---- packed: what is carried is compressed, and has its labels here ---------------------------------- */

/* Hidden, so that no offset table is needed: GNU ld for aarch64 confuses labels of one section there. */
#define CARRY(name, file) \
	__asm__(".section .rodata\n" #name ": .incbin \"" file "\"\n" #name "_end:\n.previous\n"); \
	extern const char name[] __attribute__((visibility("hidden"))), \
	    name##_end[] __attribute__((visibility("hidden")))

CARRY(terminals, "terminals.gz");
CARRY(ctype, "ctype.gz");

/* The data ends with the number of its bytes. */
static struct inflated
unpack_carried(const char *from, const char *end)
{
	size_t n = le32((const uint8_t *)end - 4);
	struct inflated text = { .n = 0 };

	(void)inflate_all((struct str){ from, (size_t)(end - from) }, INFLATE_GZIP, n, n, &text);
	return text;
}

/* ---- terminals: terminals.sh generated the list from those that the build machine knows ------------ */

SCREEN	*__real_newterm(const char *, FILE *, FILE *);
SCREEN	*__wrap_newterm(const char *, FILE *, FILE *);

/* TERMINFO may contain a description instead of a directory. */
SCREEN *
__wrap_newterm(const char *type, FILE *out, FILE *in)
{
	const char *name = type != NULL ? type : getenv("TERM");
	SCREEN *screen = __real_newterm(type, out, in);
	struct str list, entry, known;
	struct inflated text;

	if (screen != NULL || name == NULL)
		return screen;
	text = unpack_carried(terminals, terminals_end);
	list = (struct str){ (const char *)text.data, text.n };
	while (screen == NULL && str_split(&list, '\0', &entry))
		if (str_split(&entry, ' ', &known) && str_eq(known, str_of(name)) &&
		    setenv("TERMINFO", entry.s, 1) == 0)
			screen = __real_newterm(type, out, in);
	free(text.data);
	return screen;
}

/* ---- UTF-8: the C library opens a file of this name for the locale C.UTF-8 -------------------------- */

#define CTYPE_TAIL "/C.utf8/LC_CTYPE"

int	 __real___open_nocancel(const char *, int, ...);
int	 __wrap___open_nocancel(const char *, int, ...);

int
__wrap___open_nocancel(const char *path, int flags, ...)
{
	size_t n = strlen(path), tail = sizeof CTYPE_TAIL - 1;
	bool ours = n >= tail && strcmp(path + n - tail, CTYPE_TAIL) == 0;
	struct inflated text = ours ? unpack_carried(ctype, ctype_end) : (struct inflated){ .n = 0 };
	int fd = text.n > 0 ? memfd_create("ctype", MFD_CLOEXEC) : -1;
	bool written = fd != -1 && write(fd, text.data, text.n) == (ssize_t)text.n;
	mode_t mode;
	va_list ap;

	free(text.data);
	if (written)
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
