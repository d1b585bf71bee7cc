/*
 * prompt: one line of input at the bottom of the screen, with a history and a menu of what may stand at the cursor; and
 * the queries that a user saved.
 *
 * There is one prompt to a process, as readline is one thing.
 */
#ifndef UI_PROMPT_H
#define UI_PROMPT_H

#include "ui/term/term.h"
#include "ui/core/core.h"

/* ---- prompt -------------------------------------------------------------- */

/* What is asked for; stages of a view are completed as those of a query are. */
enum prompt_kind { PROMPT_LINE, PROMPT_QUERY, PROMPT_VIEW };

/* Before the sandbox: what readline is configured by is read, and the history. */
void	 prompt_start(const struct ui_options *);
/* Asks for a line; done gets it with what it is for, unless the user gives up. */
void	 prompt_open(enum prompt_kind, const char *label, const char *text,
	    void (*done)(void *asker, const char *line), void *asker);
void	 prompt_offer(const char *text);	/* in the prompt: it goes when something is typed, unless it is edited first */
void	 prompt_disown(const void *asker);	/* that goes: no line is for it any more */
bool	 prompt_is_open(void);
void	 prompt_feed(const struct press *);
void	 prompt_insert(struct str);	/* pasted */
void	 prompt_poll(void);		/* runs done when a line is complete */
/* True: there is more to look through.  words adds what is known here beside queries. */
bool	 prompt_step(struct ui *, uint64_t deadline, void (*words)(struct completion *));
void	 prompt_draw(struct area, int above);	/* so many lines above it may be drawn over */
void	 prompt_end(void);
void	 prompt_forget(void);		/* the file that names came from */

/* ---- saved: queries with names ------------------------------------------- */

void	 saved_read(struct buf *file);		/* all of them, as far as they can be read */
bool	 saved_next(struct str *rest, struct str *name, struct str *query);	/* takes one out of the file; false: it was the last */
bool	 saved_get(struct str name, struct buf *query);
bool	 saved_put(struct str name, struct str query, bool *replaced, struct err *);

#endif
