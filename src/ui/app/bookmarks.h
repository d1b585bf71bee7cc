/*
 * bookmarks: marks, as keys set them and go to them (bookmarks.c), and the file that keeps them (shelf.c); a part of app.h.
 */
#ifndef UI_BOOKMARKS_H
#define UI_BOOKMARKS_H

#include "icecore/ui.h"

struct app;

/* What tells whether a file has changed. */
struct shelf_stamp {
	uint64_t	size, mtime;	/* bytes; ns since 1970 */
};

/* The file that keeps the marks of files, and the file that these are of. */
struct bookmark_file {
	char			*path;		/* NULL: none is kept */
	char			*about;		/* absolute path of the first file; NULL: it has none */
	struct shelf_stamp	 stamp;		/* of that file when it was opened */
};

/* bookmarks.c */
void	 bookmarks_act(struct app *, enum verb);	/* ask for the name of a mark, to set it or to go there */
void	 bookmarks_set(struct app *, struct str name);
void	 bookmarks_offer(const struct ui *, struct completion *);
void	 bookmarks_begin(struct app *);		/* before the sandbox is entered */
void	 bookmarks_load(struct app *);		/* the first file is shown */
void	 bookmarks_end(struct app *);		/* while the panes are open */

/* shelf.c: find the marks of a file in the text of all; false: it has none. */
bool	 shelf_find(struct str all, const char *path, struct str *marks, struct shelf_stamp *);
/* Append the text of all with other marks of a file, which becomes the last one.  Without any it is left out. */
void	 shelf_put(struct str all, const char *path, const struct shelf_stamp *, struct str marks, struct buf *);

#endif
