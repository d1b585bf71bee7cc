/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * notice: a line above an unfinished frame: what the frame is waiting for.
 */
#include "config.h"

#include <curses.h>

#include "screen.h"

static _Thread_local bool ours;

void
notice_open(bool terminal)
{
	ours = terminal;
}

void
screen_notice(struct str s)
{
	int	 w, n = (int)text_width(s);
	WINDOW	*line;
	size_t	 used;

	if (!ours)
		return;
	w = getmaxx(stdscr);
	n = n < w ? n : w;
	line = newwin(1, n, 0, w - n);
	if (line == NULL)
		return;
	/* The last cell of a line would wrap to the next line. */
	waddnstr(line, s.s, (int)text_cut(s, (size_t)n, &used));
	wnoutrefresh(line);
	doupdate();
	delwin(line);
	touchline(stdscr, 0, 1);
}
