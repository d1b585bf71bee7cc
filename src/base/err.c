/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * err: a failure is a kind, a place and one line of text.
 */
#include "config.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "icecore/base.h"

static void err_set(struct err *, enum err_kind, uint64_t, const char *, va_list)
    __attribute__((format(printf, 4, 0)));

/* The text is made aside, so that an old text may be an argument of the new one. */
static void
err_set(struct err *err, enum err_kind kind, uint64_t at, const char *fmt,
    va_list ap)
{
	char text[sizeof err->text];

	if (err == NULL)
		return;
	vsnprintf(text, sizeof text, fmt, ap);
	err->kind = kind;
	err->reason = REASON_NONE;
	err->at = at;
	err->named = 0;
	memcpy(err->text, text, sizeof text);
}

/* "PATH: " in front of the text from what on. */
static void
put_path(struct err *err, const char *path, const char *what)
{
	char text[sizeof err->text];
	size_t n = strlen(what), most = sizeof text - 3, room = n < most ? most - n : 0;
	int named = snprintf(text, sizeof text, "%.*s: ", (int)room, path);

	assert(named >= 2 && (size_t)named < sizeof text);
	snprintf(text + named, sizeof text - (size_t)named, "%s", what);
	err->named = (size_t)named;
	memcpy(err->text, text, sizeof text);
}

bool
fail_for(struct err *err, enum err_reason reason, enum err_kind kind, uint64_t at, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	err_set(err, kind, at, fmt, ap);
	va_end(ap);
	if (err != NULL)
		err->reason = reason;
	return false;
}

bool
fail_file(struct err *err, enum err_kind kind, const char *path, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	err_set(err, kind, ERR_NOWHERE, fmt, ap);
	va_end(ap);
	if (err != NULL)
		put_path(err, path, err->text);
	return false;
}

bool
fail_path(struct err *err, const char *path)
{
	char reason[ERRNO_TEXT];
	int error = errno;

	(void)fail_file(err, E_SYSTEM, path, "%s", errno_text(reason, error));
	if (err != NULL && errno_crowded(error))
		err->reason = REASON_FILES;
	return false;
}

bool
fail_about(struct err *err, const char *path, const struct err *why)
{
	if (err == NULL)
		return false;
	*err = *why;
	if (path != NULL && err->named == 0)
		put_path(err, path, why->text);
	return false;
}

void
err_rename(struct err *err, const char *path)
{
	if (err->named > 0)
		put_path(err, path, err->text + err->named);
}

bool
err_names(const struct err *err, const char *path)
{
	return err->named > 0 && str_eq((struct str){ err->text, err->named - 2 }, (struct str){ path, strlen(path) });
}

bool
errno_crowded(int error)
{
	return error == EMFILE || error == ENFILE;
}

const char *
errno_text(char text[ERRNO_TEXT], int error)
{
	if (error == EMFILE)
		snprintf(text, ERRNO_TEXT, "too many open files (limit: %ld); raise it with 'ulimit -n'",
		    sysconf(_SC_OPEN_MAX));
	else
		snprintf(text, ERRNO_TEXT, "%s", error == ENFILE ? "too many open files in all programs" :
		    strerror(error));
	return text;
}

bool
fail_errno(struct err *err, const char *fmt, ...)
{
	char reason[ERRNO_TEXT + 2] = ": ";
	int error = errno;
	va_list ap;

	(void)errno_text(reason + 2, error);
	va_start(ap, fmt);
	err_set(err, E_SYSTEM, ERR_NOWHERE, fmt, ap);
	va_end(ap);
	if (err != NULL) {
		size_t n = strlen(err->text);
		size_t room = sizeof err->text - strlen(reason) - 1;

		/* A long path loses its end, never the reason. */
		strcpy(err->text + (n < room ? n : room), reason);
		err->reason = errno_crowded(error) ? REASON_FILES : REASON_NONE;
	}
	return false;
}
