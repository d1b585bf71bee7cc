/*
 * redact_answers: a redacted dump answers as the one that it was made from.
 */
#ifndef REDACT_ANSWERS_H
#define REDACT_ANSWERS_H

#include "icecore/redact.h"

/*
 * Information, classes, roots, dominators, and findings where names stay: E_INPUT with the first row that differs.
 * *asked is false, and all is well, for an input that has no heap.
 */
bool	redact_same_answers(const struct redact_options *, bool *asked, struct work *, struct err *) MUST_USE;

#endif
