/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * settings: the explorer's configuration file; a part of app.h.
 */
#ifndef UI_SETTINGS_H
#define UI_SETTINGS_H

#include "ui/term/term.h"

enum { SETTINGS_COLUMNS = 64 };

/* A key with fixed words stores the word's index; 0: the default. */
struct settings {
	unsigned		 clock, mouse, history, theme, idle;
	char			*event;		/* NULL: none */
	struct pane_columns	 columns[SETTINGS_COLUMNS];
	size_t			 ncolumns;
	short			 fg[ROLES], bg[ROLES];
	bool			 coloured[ROLES];
	char			*path;		/* line in the file */
	struct err		 first;		/* first error; E_NONE: none */
	size_t			 wrong;		/* number of invalid lines */
};

/* Read the text of a file. Invalid lines are ignored; the first one is reported with path and line. */
void	 settings_text(struct settings *, struct str, const char *path);
/*
 * Read the file and set options and session values that the command line did not set; call it before the
 * screen is opened.
 */
void	 settings_begin(struct settings *, struct ui_options *, struct session *);
void	 settings_tell(const struct settings *, struct ui *);	/* report errors of the file */
void	 settings_free(struct settings *);

#endif
