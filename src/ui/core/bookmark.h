/*
 * bookmark: places with names, which the user calls marks; a part of core.h.
 *
 * The text of a mark outlives panes, views and the file's ids: a line for each fact, "WORD VALUE\n", in which names are
 * escaped.  It may come from a file that anybody wrote: whoever takes a value back checks it first.
 */
#ifndef UI_BOOKMARK_H
#define UI_BOOKMARK_H

#include "icecore/ui.h"

#define BOOKMARK_LAST "last"		/* the mark that the explorer sets itself: where the last session ended */

enum { BOOKMARK_NAME = 40, BOOKMARK_TEXT = 16384, BOOKMARKS = 64 };

/* Append a line; nothing where the mark becomes too long.  The value is raw. */
void	 note_add(struct buf *, const char *word, struct str value);
void	 note_number(struct buf *, const char *word, uint64_t);
bool	 note_next(struct str *rest, struct str *word, struct buf *value);	/* take the next line; false: there is none */

bool	 bookmark_named(struct str);		/* the text can be a name: letters, digits, _ and - */
/* The i-th mark, in the order of names; NULL: there are not so many. */
const char *bookmark_at(const struct ui *, size_t i);
/* Append what a mark is of, raw: "Icicle, range 2 s to 3 s"; subject: with the name that was selected. */
void	 bookmark_about(const struct ui *, const char *name, bool subject, struct buf *);
bool	 bookmark_set(struct ui *, struct str name, struct err *);	/* the place that is shown */
void	 bookmark_drop(struct ui *, const char *name);
void	 bookmark_go(struct ui *, const char *name);	/* go to a mark, as one undo step, or say why not */
/* Let the pane that a mark leads to take its place, as soon as it is ready; true: it did. */
bool	 bookmark_step(struct ui *);
void	 bookmark_save(const struct ui *, struct buf *);	/* append all marks as text */
void	 bookmark_load(struct ui *, struct str, bool moved);	/* moved: the file has changed since, and its ids with it */
void	 bookmark_free(struct ui *);		/* before ui_stop */

#endif
