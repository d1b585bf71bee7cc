/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * raw: bytes that the terminal gets without curses, and whether it shows UTF-8.
 */
#include "config.h"

#include <langinfo.h>
#include <string.h>

#include "screen.h"

static FILE	*raw_out;

void
raw_open(FILE *out)
{
	raw_out = out;
}

void
screen_raw(struct str s)
{
	struct err	err;

	if (raw_out == NULL)
		return;
	fflush(raw_out);
	/* A closed terminal is detected when keys are read. */
	if (fd_write_all(fileno(raw_out), s.s, s.n, &err))
		return;
}

bool
screen_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}
