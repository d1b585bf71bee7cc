/*
 * screen: what screen.c shares with colours.c, what the terminal has of them, and with signals.c, the signal handlers.
 */
#ifndef UI_SCREEN_H
#define UI_SCREEN_H

#include <poll.h>
#include <termios.h>

#include "term.h"

/* ---- colours ------------------------------------------------------------- */

void	colours_start(void);		/* after the terminal was opened */
int	colours_many(void);		/* 256, 8, or 0 */
void	colours_role(enum role, unsigned look);	/* what is drawn from here on */
/* The same, with two colours by their numbers, -1: as the terminal has it; false: there are no more pairs. */
bool	colours_set(int fg, int bg);
void	colours_settle(void);		/* between two frames: pairs may be given to other colours */

/* ---- notice -------------------------------------------------------------- */

void	notice_open(bool terminal);	/* on the screen thread; false: screen_notice does nothing */

/* ---- mouse --------------------------------------------------------------- */

void	spots_free(void);

/* ---- signals ------------------------------------------------------------- */

/* What puts the terminal back, by calls that are safe in a signal handler. */
struct restore {
	int		 fd;		/* the terminal */
	int		 drawn;		/* where curses writes to, from then on to: */
	int		 unwritable;
	char		 bytes[256];
	size_t		 n;
	struct termios	 modes;
	bool		 have_modes;
};

/* Call it before curses starts, which leaves these alone then; each writes an enum wake. */
void	signals_catch(int wake_fd);
/* From here on whatever signal ends the program puts the terminal back first. */
void	signals_restore(const struct restore *);
void	signals_before_frame(void);	/* a C-z that came meanwhile counts now */
int	signals_wait(struct pollfd *, nfds_t, int timeout);	/* poll, in which C-z counts */
bool	strings_ready(struct err *);	/* after newterm */
void	strings_restore(int (*put)(int));	/* what puts the terminal back, byte by byte */
void	signals_release(void);

#endif
