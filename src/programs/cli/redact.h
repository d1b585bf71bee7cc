/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/programs/cli: parts of icecore redact.
 */
#ifndef CLI_REDACT_H
#define CLI_REDACT_H

#include "icecore/redact.h"

/*
 * A redacted dump gives the same results as its input: information, classes, roots, dominators and, if names
 * are kept, findings. E_INPUT with the first row that differs. If the input has no heap, *asked is false and
 * the check passes.
 */
bool	redact_same_answers(const struct redact_options *, bool *asked, struct work *, struct err *) MUST_USE;
/* Print a summary of what was masked or checked to standard error. */
void	redact_tell_written(const struct redact_options *, const struct redacted *);
void	redact_tell_passed(const struct redact_options *, const struct redacted *, bool answers);
/* Say which texts of a written file somebody should look at; *said: lines for standard error. */
void	redact_look(const char *path, struct buf *said, struct work *);
/* Print each kept field and text once, by class, to standard output. */
bool	redact_print_kept(struct err *) MUST_USE;
/* Print the texts of a file to standard output. */
bool	redact_print_texts(const char *path, struct work *, struct err *) MUST_USE;

#endif
