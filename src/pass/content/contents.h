/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/pass/content: what the files of content.h share.
 */
#ifndef PASS_CONTENTS_H
#define PASS_CONTENTS_H

#include "icecore/bitmap.h"
#include "icecore/content.h"
#include "pass/heap/heap.h"

#define CONTENT_TEXT 200u	/* characters of the text of an object */
#define CONTENT_PART 40u	/* characters of the text of an object that another refers to */
#define CONTENT_FOLLOWED 2u	/* references whose texts are read; of pairs keys and values of as many */

struct contents {
	struct heap		 h;
	struct collections	*collections;
	struct bitmaps		*bitmaps;	/* NULL: none was asked for yet */
	uint8_t			*rule;		/* by class: 1 + the number of its rule; 0: not looked up */
	uint32_t		 object, in;	/* what a rule is about, and the class of the rule in it */
	unsigned		 left;		/* references that may be followed yet */
	/* the dump has the fields of a class in the order opposite to that of its source */
	bool			 backward;
	struct buf		 text;
};

/* How to describe an object of a class or a subclass; add returns false if its fields are not as expected. */
struct content_rule {
	const char	*class;
	bool		(*add)(struct contents *, uint32_t object, const char *field, struct buf *);
	const char	*field;
	bool		 brief;		/* short enough to represent the object at its referrers */
};

extern const struct content_rule content_rules[];	/* ends with class NULL: it has no rule of its own */

/* "text…" in quotes, with escapes; cut: it is longer. */
void	 content_quote(struct str text, bool cut, struct buf *);
/* The text of a String, or of an array of characters, of at most max of them; false: it is neither. */
bool	 content_text(struct contents *, uint32_t object, size_t max, struct buf *);
/* A value as Java prints it, a character in quotes. */
void	 content_value(uint8_t type, uint64_t bits, struct buf *);

#endif
