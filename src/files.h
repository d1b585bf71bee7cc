/*
 * files: the files of a command line, and what is said of them on standard error.
 */
#ifndef FILES_H
#define FILES_H

#include "options.h"

/* All of them at once; *failed: the file that err is about.  What was opened is the session's, also on failure. */
bool	files_open_all(struct session *, const struct options *, struct work *, int *status, size_t *failed, struct err *);
/* A recording beside a heap dump, which is what queries are about. */
bool	file_is_beside(const struct session *, size_t i);
/* Heap dumps one after the other: session->growth gets them all, the last by time stays open alone.  status: file_losses of others. */
bool	files_open_series(struct session *, const struct options *, struct work *, int *status, size_t *failed, struct err *);
/* Which event counts, and lines that were dropped. */
void	file_told(const struct options *, const struct store *);
/* What was computed is kept, also when the answer failed or was cancelled. */
void	file_keep(struct store *);
/* Says what could not be read; the answer stands all the same. */
int	file_losses(const struct store *, int status);

#endif
