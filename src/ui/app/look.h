/*
 * look: what the view (look.c) and its keys (lkeys.c) share.  Stages are text, each ends with a newline.
 */
#ifndef UI_LOOK_H
#define UI_LOOK_H

#include "room.h"

void	look_join(const char *stages, const char *mark, struct buf *);	/* all of them with mark between them */
/* The stage that begins with a word; n 0: there is none. */
struct str look_stage(const char *stages, const char *word);
/* A line as it was typed: a stage ends where behind a bar another one begins. */
void	look_split(const char *line, struct buf *stages);
/* What is wanted from here on; keep: U comes back to what was. */
void	look_set(struct ui *, const char *stages, bool keep);
/* One more stage; one that begins with drop goes (NULL: none). */
void	look_add(struct ui *, const char *drop, struct str stage);
void	look_make(struct ui *);		/* what is wanted */

#endif
