/*
 * menu: what prompt.c, its menu and its history share.
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

/* ---- learn: passes that the names for the menu need ----------------------- */

struct learner {
	struct task	 task;
	struct menu	*menu;
	struct session	*session;
	struct buf	 query;
};

/* True while the worker does what must come before names can be looked through. */
bool	 learn_names(struct learner *, struct menu *, struct ui *);
void	 learn_end(struct learner *);

#endif
