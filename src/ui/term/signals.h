/*
 * signals: what the screen and the signal handlers share.
 */
#ifndef UI_SIGNALS_H
#define UI_SIGNALS_H

#include <termios.h>

#include "term.h"

/* What puts the terminal back, by calls that are safe in a signal handler. */
struct restore {
	int		 fd;
	char		 bytes[256];
	size_t		 n;
	struct termios	 modes;
	bool		 have_modes;
};

/* Call it before curses starts, which leaves these alone then; each writes an enum wake. */
void	signals_catch(int wake_fd);
/* From here on a fatal signal puts the terminal back first. */
void	signals_catch_fatal(const struct restore *);
void	signals_release(void);

#endif
