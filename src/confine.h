/*
 * confine: what the sandbox leaves to answers, and what to the explorer.
 */
#ifndef CONFINE_H
#define CONFINE_H

#include "options.h"

/* Answers read what was given to them, and write the index and what queries name; no queries: a page. */
void	confine_answers(const struct options *);
/* The explorer reads whatever the user may, and writes where its user works.  For ui_options. */
void	confine_explorer(const void *options);

#endif
