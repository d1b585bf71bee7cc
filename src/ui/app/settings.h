/*
 * settings: the configuration file of the explorer; a part of app.h.
 */
#ifndef UI_SETTINGS_H
#define UI_SETTINGS_H

#include "ui/term/term.h"

enum { SETTINGS_COLUMNS = 64 };

/* A key that takes one of some words is the place of the word; 0: the default. */
struct settings {
	unsigned		 clock, mouse, history, theme, idle;
	char			*event;		/* NULL: none */
	struct pane_columns	 columns[SETTINGS_COLUMNS];
	size_t			 ncolumns;
	short			 fg[ROLES], bg[ROLES];
	bool			 coloured[ROLES];
	char			*path;		/* of the file */
	struct err		 first;		/* what is wrong in it; E_NONE: nothing */
	size_t			 wrong;		/* lines that are */
};

/* Read the text of a file.  A line that is wrong changes nothing; the first is told with path and line. */
void	 settings_text(struct settings *, struct str, const char *path);
/* Read the file, and change options and session as far as the command line left them open; before the screen is opened. */
void	 settings_begin(struct settings *, struct ui_options *, struct session *);
void	 settings_tell(const struct settings *, struct ui *);	/* what is wrong in it */
void	 settings_free(struct settings *);

#endif
