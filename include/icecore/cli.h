/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cli: the programs that the first word of a command line chooses, and their messages on standard error.
 */
#ifndef ICECORE_CLI_H
#define ICECORE_CLI_H

#include "icecore/base.h"

struct ask;

/* Programs: argv[0] is the word that names one.  False: err says why; else *status is the exit code. */

/* The explorer, answers to queries, or a page, as the options say. */
bool	cli_icecore(int argc, char **argv, int *status, struct err *) MUST_USE;
/* Serves until the client leaves. */
bool	cli_mcp(int argc, char **argv, int *status, struct err *) MUST_USE;
/* Writes a page of HTML about one file, or two. */
bool	cli_page(int argc, char **argv, int *status, struct err *) MUST_USE;
bool	cli_redact(int argc, char **argv, int *status, struct err *) MUST_USE;
bool	cli_slice(int argc, char **argv, int *status, struct err *) MUST_USE;

/* Messages give the exit code that goes with them. */

/* Print an error as one printable line. file: prefix, unless the message names a file itself; or NULL. */
int	complain(const char *file, const struct err *);
/* Print a remark about a file although nothing failed. */
void	remark(const char *file, struct str text);
/* Like complain, with the place in the query. */
int	complain_ask(const struct ask *, const struct err *);
/* Return E_SYSTEM if memory ran out, because answers may be incomplete then; otherwise status. */
int	check_memory(int status);

#endif
