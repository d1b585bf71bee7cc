/*
 * colours: what the terminal has of them; between screen.c and curses.
 */
#ifndef UI_COLOURS_H
#define UI_COLOURS_H

#include "term.h"

void	colours_start(void);		/* after the terminal was opened */
void	colours_end(void);
int	colours_many(void);		/* 256, 8, or 0 */
void	colours_role(enum role, unsigned look);	/* what is drawn from here on */
/* The same, with two colours by their numbers, -1: as the terminal has it; false: there are no more pairs. */
bool	colours_set(int fg, int bg);
void	colours_settle(void);		/* between two frames: pairs may be given to other colours */

#endif
