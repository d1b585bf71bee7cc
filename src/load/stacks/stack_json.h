/*
 * stack_json: members of JSON objects, for readers of stack dumps.  A missing value is at the end of the text.
 */
#ifndef LOAD_STACKS_STACK_JSON_H
#define LOAD_STACKS_STACK_JSON_H

#include "icecore/json.h"

/* A string or a number; empty: null, missing, or another value.  Text in the buffer if it had escapes. */
struct str member_text(const struct json *, struct buf *);
bool	member_true(const struct json *);
/* The values of these members, names ending with NULL, of the object at j, which is skipped; false: it is none, or cut. */
bool	members_of(struct json *, const char *const *names, struct json *values);
bool	items_of(struct json *);		/* into an array; false: it is none */

#endif
