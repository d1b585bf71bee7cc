/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bookmarks: keys for marks (bookmarks.c), and the file that stores marks (shelf.c); a part of app.h.
 */
#ifndef UI_BOOKMARKS_H
#define UI_BOOKMARKS_H

#include "icecore/ui.h"

struct app;

/* Detects whether a file has changed. */
struct shelf_stamp {
	uint64_t	size, mtime;	/* bytes; ns since 1970 */
};

/* The file that stores marks, and the file they belong to. */
struct bookmark_file {
	char			*path;		/* NULL: marks are not saved */
	char			*about;		/* absolute path of the first file; NULL: none */
	struct shelf_stamp	 stamp;		/* of that file when it was opened */
};

/* bookmarks.c */
void	 bookmarks_act(struct app *, enum verb);	/* ask for the name of a mark, to set it or to go there */
void	 bookmarks_set(struct app *, struct str name);
void	 bookmarks_offer(const struct ui *, struct completion *);
void	 bookmarks_begin(struct app *);		/* before the sandbox is entered */
void	 bookmarks_load(struct app *);		/* call it when the first file is shown */
void	 bookmarks_end(struct app *);		/* call it while the panes are open */

/* shelf.c: find the marks of a file in the text of the whole file; false: none. */
bool	 shelf_find(struct str all, const char *path, struct str *marks, struct shelf_stamp *);
/* Append the paths of the files used last, the last one at the end; a NUL ends each. */
void	 shelf_paths(struct str all, struct buf *);
/* Append the text of the file with new marks, or none, for one file, moved to the end. */
void	 shelf_put(struct str all, const char *path, const struct shelf_stamp *, struct str marks, struct buf *);

#endif
