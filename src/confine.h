/*
 * confine: what the sandbox leaves to answers, and what to the explorer.
 */
#ifndef CONFINE_H
#define CONFINE_H

#include "options.h"

/* Answers read what was given to them, and write the index and what queries name; no queries: a page.  False: memory ran out. */
bool	confine_answers(const struct options *, struct err *) MUST_USE;
/* The explorer reads what was given to it, and writes exports where its user works.  For ui_options. */
bool	confine_explorer(const void *options, struct err *) MUST_USE;
/* The server reads beneath the working directory, and what its options name; false: it is confined less than that. */
bool	confine_server(const struct options *, struct err *) MUST_USE;

#endif
