/*
 * menu: what prompt.c, its menu, its history and the saved queries share.
 */
#ifndef UI_MENU_H
#define UI_MENU_H

#include "prompt.h"

/* ---- past: the history of the prompt ------------------------------------- */

void	 past_open(bool keep);		/* keep: in a file */
void	 past_choose(bool other);	/* other: of what is no query */
void	 past_add(const char *line);
void	 past_settle(void);		/* a prompt was closed */
void	 past_end(void);

/* ---- menu: candidates for the cursor of the prompt ------------------------ */

#define MENU_NONE SIZE_MAX

struct menu {
	struct task		 task;		/* passes that the names for it need */
	struct session		*session;	/* for these */
	struct buf		 query;		/* that they were run for last */
	struct completion	 c;
	bool			 begun;		/* c is of the line as it stands */
	bool			 open;		/* it is shown */
	bool			 asked;		/* Tab was pressed: what is sure is taken at once */
	size_t			 sel, top;
};

void	 menu_begin(struct menu *, struct str line, size_t point, struct session *);
void	 menu_begin_view(struct menu *, struct str line, size_t point, struct session *);
void	 menu_clear(struct menu *);	/* the line changed */
void	 menu_close(struct menu *);
void	 menu_move(struct menu *, int by);
const struct candidate *menu_chosen(const struct menu *);	/* or NULL */
size_t	 menu_common(const struct menu *);
void	 menu_draw(struct menu *, struct area above);
/* True while the worker does what must come before names can be looked through. */
bool	 menu_learns(struct menu *, struct ui *);
void	 menu_end(struct menu *);

/* ---- homes: the files a user keeps --------------------------------------- */

/* name in the folder icecore of $variable, or of otherwise below $HOME; NULL: there is none.  The caller frees. */
char	*home_path(const char *variable, const char *otherwise, const char *name);

#endif
