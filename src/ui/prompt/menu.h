/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * menu: declarations shared by prompt.c, its menu, its history and the saved queries.
 */
#ifndef UI_MENU_H
#define UI_MENU_H

#include "prompt.h"

/* ---- past: history of the prompt ----------------------------------------- */

void	 past_open(bool keep);		/* keep: read and write a file */
void	 past_choose(bool other);	/* other: the history of lines that are not queries */
void	 past_add(const char *line);
void	 past_settle(void);		/* a prompt was closed */
void	 past_end(void);

/* ---- menu: candidates at the cursor --------------------------------------- */

#define MENU_NONE SIZE_MAX

struct menu {
	struct task		 task;		/* runs passes that compute candidate names */
	struct session		*session;	/* session of the passes */
	struct buf		 query;		/* query of the last passes */
	struct completion	 c;
	bool			 begun;		/* c belongs to the current line */
	bool			 open;		/* the menu is shown */
	bool			 asked;		/* Tab was pressed: insert the common prefix when it is known */
	size_t			 sel, top;
};

void	 menu_begin(struct menu *, struct str line, size_t point, struct session *);
void	 menu_begin_view(struct menu *, struct str line, size_t point, struct session *);
void	 menu_begin_name(struct menu *, struct str line, size_t point);
void	 menu_clear(struct menu *);	/* the line changed */
void	 menu_close(struct menu *);
void	 menu_move(struct menu *, int by);
const struct candidate *menu_chosen(const struct menu *);	/* or NULL */
size_t	 menu_common(const struct menu *);
void	 menu_draw(struct menu *, struct area above);
/* True while the worker runs passes that names need. */
bool	 menu_learns(struct menu *, struct ui *);
void	 menu_end(struct menu *);

/* Return the index of the line's suffix in a list that ends with NULL; the index of NULL if it has none of them. */
size_t	 menu_suffix(const char *const *suffixes, struct str line);
/* append the other suffixes: "(Tab: .svg .dot)" */
void	 menu_draw_suffixes(const char *const *suffixes, struct str line, struct area);

#endif
