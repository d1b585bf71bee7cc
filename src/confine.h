/*
 * confine: what the sandbox leaves to answers, and what to the explorer.
 */
#ifndef CONFINE_H
#define CONFINE_H

#include "options.h"

/* How much this process confines itself; none: --no-sandbox. */
bool	confine_level(bool none, enum sandbox_level *, struct err *);
/* Allows writing in the directory of path. */
void	confine_beside(const struct sandbox *, const char *path);
/* Answers read what was given to them, and write the index and what queries name; no queries: a page. */
void	confine_answers(const struct options *);
/* The explorer reads whatever the user may, and writes where its user works.  For ui_options. */
void	confine_explorer(const void *options);
/* The server reads beneath the working directory, and what its options name; false: it is confined less than that. */
bool	confine_server(const struct options *, struct err *);

#endif
