/*
 * phrase: sentences for people, with fields that are filled in.
 *
 *	{NAME}			a field
 *	{NAME:ONE|MANY}		ONE if the field is 1, else MANY: "{n} {n:was|were}"
 *	{NAME ONE|MANY}		the same after the field: "{n page|pages}"
 *	[TEXT]			omitted if a field in it is empty or 0
 *	[NAME?YES|NO]		YES unless the field is empty or 0, else NO; |NO may be missing
 *
 * All texts may have fields and parts again.  Phrases are of this program; what fields say may come from a file.
 */
#ifndef ICECORE_PHRASE_H
#define ICECORE_PHRASE_H

#include "icecore/str.h"

enum amount { AMOUNT_NONE, AMOUNT_ONE, AMOUNT_MANY };	/* empty or 0; 1; anything else */

/* The fields by their names. */
struct phrase_fields {
	enum amount	(*amount)(void *of, struct str name);
	void		(*add)(void *of, struct str name, struct buf *);	/* called only for fields that are shown; appends */
	void		*of;
};

void	phrase_add(struct str phrase, const struct phrase_fields *, struct buf *);	/* appends */

#endif
