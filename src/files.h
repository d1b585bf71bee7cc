/*
 * files: the files of a command line, and what is said of them on standard error.
 */
#ifndef FILES_H
#define FILES_H

#include "options.h"

/* Open all files. *failed: the file that err is about. The session owns the opened files, also on failure. */
bool	files_open_all(struct session *, const struct options *, struct work *, int *status, size_t *failed, struct err *);
/* Return whether file i is a recording opened with a heap dump; queries read the dump. */
bool	file_is_beside(const struct session *, size_t i);
/* Open heap dumps one by one for session->growth; the latest stays open. *status: file_losses of the others. */
bool	files_open_series(struct session *, const struct options *, struct work *, int *status, size_t *failed, struct err *);
/* Print remarks about a file: the default event, dropped lines. */
void	file_told(const struct options *, const struct store *);
/* Save computed columns in the index, also if the answer failed or was cancelled. */
void	file_keep(struct store *);
/* Report what could not be read. The answer is printed nevertheless. */
int	file_losses(const struct store *, int status);

#endif
