/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * screen: shared by screen.c, colours.c (colours of the terminal) and signals.c (signal handlers).
 */
#ifndef UI_SCREEN_H
#define UI_SCREEN_H

#include <poll.h>
#include <termios.h>

#include "term.h"

/* ---- colours ------------------------------------------------------------- */

void	colours_start(void);		/* after the terminal was opened */
int	colours_many(void);		/* 256, 8, or 0 */
void	colours_role(enum role, unsigned look);	/* set the look of the following output */
/* Set two colours by number for the following output; -1: the terminal's default.  False: no colour pair is left. */
bool	colours_set(int fg, int bg);
void	colours_settle(void);		/* call between frames: colour pairs may be reassigned */

/* ---- pictures ------------------------------------------------------------ */

void	graphics_open(bool headless, enum graphics, int fd);	/* fd: of the terminal */
void	graphics_erased(bool all);	/* a frame begins; all: the contents of the terminal are lost */
/* drawn, but not yet passed to curses: remove a picture that is no longer shown */
void	graphics_before(void);
void	graphics_between(void);		/* passed to curses, but not yet on the terminal */
void	graphics_after(void);		/* on the terminal: draw the picture */
int	graphics_wait(int timeout_ms);	/* the timeout, shortened while answers for screen_pictures are pending */

/* ---- raw bytes ----------------------------------------------------------- */

void	raw_open(FILE *terminal);	/* NULL: screen_raw does nothing */

/* ---- notice -------------------------------------------------------------- */

void	notice_open(bool terminal);	/* on the screen thread; false: screen_notice does nothing */

/* ---- mouse --------------------------------------------------------------- */

void	spots_free(void);

/* ---- signals ------------------------------------------------------------- */

/* Data to restore the terminal with async-signal-safe calls. */
struct restore {
	int		 fd;		/* the terminal */
	int		 drawn;		/* descriptor that curses writes to; redirected to: */
	int		 unwritable;
	char		 bytes[256];
	size_t		 n;
	struct termios	 modes;
	bool		 have_modes;
};

/* Catch signals; each writes an enum wake to wake_fd.  Call it before curses starts, which then does not catch them. */
void	signals_catch(int wake_fd);
void	signals_leave(bool leave);	/* another process uses the terminal, and has C-z */
/* From here on, a signal that ends the program restores the terminal first. */
void	signals_restore(const struct restore *);
void	signals_before_frame(void);	/* handle a C-z that arrived meanwhile */
int	signals_wait(struct pollfd *, nfds_t, int timeout);	/* poll that allows C-z */
bool	strings_ready(struct err *);	/* after newterm */
void	strings_restore(int (*put)(int));	/* output the bytes that restore the terminal */
void	signals_release(void);

#endif
