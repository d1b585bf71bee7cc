/*
 * progress: the work of the process: how far it is, on a terminal, and what an interrupt does to it.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "icecore/work.h"

extern struct work progress_work;

/* Interrupts cancel progress_work from now on, a second one ends the process. */
void	progress_begin(bool show);
/* Only on a terminal. */
void	progress_show(bool show);
/* Clears what was shown, before anything else is printed. */
void	progress_end(void);

#endif
