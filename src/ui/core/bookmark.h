/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bookmark: named places, called marks in the interface; a part of core.h.
 *
 * The text of a mark stays valid without panes, views and ids of the file: one line "WORD VALUE\n" per fact, with
 * escaped names. It may come from an untrusted file: check each value before use.
 */
#ifndef UI_BOOKMARK_H
#define UI_BOOKMARK_H

#include "icecore/ui.h"

#define BOOKMARK_LAST "last"		/* mark set by the explorer itself: where the last session ended */

enum { BOOKMARK_NAME = 40, BOOKMARK_TEXT = 16384, BOOKMARKS = 64 };

/* Append a line, unless the mark becomes too long. The value is raw. */
void	 note_add(struct buf *, const char *word, struct str value);
void	 note_number(struct buf *, const char *word, uint64_t);
bool	 note_has(struct str text, struct str word);	/* a line of the text has that word */
bool	 note_next(struct str *rest, struct str *word, struct buf *value);	/* take the next line; false: no more */

bool	 bookmark_named(struct str);		/* the text is a valid name: letters, digits, _ and - */
/* Return the i-th mark by name; NULL: no more. */
const char *bookmark_at(const struct ui *, size_t i);
/* Append a description of a mark, raw: "Icicle, range 2 s to 3 s"; subject: with the name of the selection. */
void	 bookmark_about(const struct ui *, const char *name, bool subject, struct buf *);
bool	 bookmark_set(struct ui *, struct str name, struct err *);	/* set a mark at the current place */
void	 bookmark_drop(struct ui *, const char *name);
void	 bookmark_go(struct ui *, const char *name);	/* go to a mark, as one undo step, or report why not */
/* Restore the place of a mark in its pane as soon as it is ready; true: restored. */
bool	 bookmark_step(struct ui *);
void	 bookmark_save(const struct ui *, struct buf *);	/* append all marks as text */
void	 bookmark_load(struct ui *, struct str, bool moved);	/* moved: the file and its ids have changed since */
void	 bookmark_free(struct ui *);		/* call it before ui_stop */

#endif
