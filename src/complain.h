/*
 * complain: messages on standard error.  Each gives the exit code that goes with it.
 */
#ifndef COMPLAIN_H
#define COMPLAIN_H

#include "icecore/base.h"

struct ask;

/* One line through the gate; file: what it is about, named unless the message names a file, or NULL. */
int	complain(const char *file, const struct err *);
/* What is said of a file although nothing failed. */
void	remark(const char *file, struct str text);
/* The same with the place in the query. */
int	complain_ask(const struct ask *, const struct err *);
/* Where memory was refused an answer may lack something, and another error may only come of it: E_SYSTEM instead of status. */
int	check_memory(int status);

#endif
