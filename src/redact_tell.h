/*
 * redact_tell: what icecore redact says at its end, and what it lists.
 */
#ifndef REDACT_TELL_H
#define REDACT_TELL_H

#include "icecore/redact.h"

/* On standard error. */
void	redact_tell_written(const struct redact_options *, const struct redacted *);
void	redact_tell_passed(const struct redact_options *, const struct redacted *, bool answers);
/* The fields and texts that stay, each once, by class; on standard output. */
bool	redact_print_kept(struct err *) MUST_USE;

#endif
