/*
 * complain: messages on standard error.  Each gives the exit code that goes with it.
 */
#ifndef COMPLAIN_H
#define COMPLAIN_H

#include "icecore/base.h"

struct ask;

/* Print an error as one printable line. file: prefix, unless the message names a file itself; or NULL. */
int	complain(const char *file, const struct err *);
/* Print a remark about a file although nothing failed. */
void	remark(const char *file, struct str text);
/* Like complain, with the place in the query. */
int	complain_ask(const struct ask *, const struct err *);
/* Return E_SYSTEM if memory ran out, because answers may be incomplete then; otherwise status. */
int	check_memory(int status);

#endif
