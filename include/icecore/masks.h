/*
 * masks: many bytes of a text looked at in one step, with the vector instructions of the processor it runs on.
 */
#ifndef ICECORE_MASKS_H
#define ICECORE_MASKS_H

#include "icecore/base.h"

#define MASK_BYTES 64u	/* a mask is about so many bytes: the lowest bit is that of the first one */

/* A mask for each 64 bytes of a text, the last one of what is left: a bit is set where the byte is one of any. */
void	masks_find(struct str, const char any[3], uint64_t *mask);
/* Bytes in front of the first one that is a NUL or not ASCII. */
size_t	masks_plain(struct str);

/* One way to do that. */
struct masks_way {
	const char	*name;
	bool		(*runs)(void);	/* this processor has the instructions */
	void		(*find)(const char *, size_t masks, const char any[3], uint64_t *mask);
	/* Does what masks_plain does, but may stop earlier, at a multiple of 64 bytes. */
	size_t		(*plain)(const char *, size_t masks);
};

/* Those that were built: the fastest first, then others; the last one is plain C. */
extern const struct masks_way masks_ways[];
extern const size_t masks_nways;

#endif
