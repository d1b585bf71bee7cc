/*
 * Private to src/cli: parts of icecore redact.
 */
#ifndef CLI_REDACT_H
#define CLI_REDACT_H

#include "icecore/redact.h"

/*
 * A redacted dump answers as the one that it was made from: information, classes, roots, dominators, and findings where
 * names stay.  E_INPUT with the first row that differs.  *asked is false, and all is well, for an input that has no heap.
 */
bool	redact_same_answers(const struct redact_options *, bool *asked, struct work *, struct err *) MUST_USE;
/* Say at the end what was masked, or what was checked; on standard error. */
void	redact_tell_written(const struct redact_options *, const struct redacted *);
void	redact_tell_passed(const struct redact_options *, const struct redacted *, bool answers);
/* The fields and texts that stay, each once, by class; on standard output. */
bool	redact_print_kept(struct err *) MUST_USE;

#endif
