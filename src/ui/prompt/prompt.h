/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * prompt: one line of input at the bottom of the screen, with a history and completion menu; and the user's
 * files, including saved queries.
 *
 * There is one prompt per process, because readline exists only once.
 */
#ifndef UI_PROMPT_H
#define UI_PROMPT_H

#include "ui/term/term.h"
#include "ui/core/core.h"

/* ---- prompt -------------------------------------------------------------- */

/*
 * Kind of input: any line, a query, stages of a view, which are completed like those of a query, the
 * name of a mark, or any of the candidates, of which Enter takes the chosen one or the first.
 */
enum prompt_kind { PROMPT_LINE, PROMPT_QUERY, PROMPT_VIEW, PROMPT_MARK, PROMPT_PALETTE };

/* Call it before the sandbox starts: it reads readline's configuration and the history. */
void	 prompt_start(const struct ui_options *);
/* Read a line; done gets it and asker, unless the user cancels. */
void	 prompt_open(enum prompt_kind, const char *label, const char *text,
	    void (*done)(void *asker, const char *line), void *asker);
/* Tab changes the end of the line to the next one; the list ends with NULL */
void	 prompt_suffixes(const char *const *);
/* put a text into the prompt; typing replaces it, unless it is edited first */
void	 prompt_offer(const char *text);
void	 prompt_list(void);		/* open the menu */
struct candidate_act prompt_chosen(void);	/* on PROMPT_PALETTE: of the candidate that Enter took */
void	 prompt_disown(const void *asker);	/* asker will be freed: do not call done */
bool	 prompt_is_open(void);
void	 prompt_feed(const struct press *);
void	 prompt_insert(struct str);	/* insert pasted text */
void	 prompt_poll(void);		/* call done when a line is complete */
/* Search for candidates until deadline; true: more to do. words adds words that are not part of queries. */
bool	 prompt_step(struct ui *, uint64_t deadline, void (*words)(const struct ui *, enum prompt_kind,
    struct completion *));
void	 prompt_draw(struct area, int above);	/* above: lines above the prompt that the menu may cover */
void	 prompt_end(void);
void	 prompt_forget(void);		/* drop names of the file, before it is closed */

/* ---- saved: named queries ------------------------------------------------ */

void	 saved_read(struct buf *file);		/* read the file of saved queries, as far as possible */
/* take the next query; false: no more */
bool	 saved_next(struct str *rest, struct str *name, struct str *query);
bool	 saved_get(struct str name, struct buf *query);
bool	 saved_put(struct str name, struct str query, bool *replaced, struct err *);

#endif
