/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * beside: tables among the files of a command line are tracks of the other files; a thread dump that icecore record
 * wrote beside samples has the names of their threads.
 */
#include "config.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "options.h"

/* Shapes of a file by its name and content; a pipe has none, as reading would take its data. */
static unsigned
beside_shapes(const char *path)
{
	const struct loader *l;
	struct stat st;
	int fd = stat(path, &st) == 0 && S_ISREG(st.st_mode) ? open(path, O_RDONLY | O_CLOEXEC) : -1;

	if (fd == -1)
		return 0;
	l = load_format_fd(fd, path, false);
	close(fd);
	return l != NULL ? l->shapes : 0;
}

static bool
is_table_file(const char *path)
{
	return (beside_shapes(path) & SHAPE_TABLE) != 0;
}

static bool
beside_any(const struct args_list *files, bool tables)
{
	for (size_t i = 0; i < files->n; i++)
		if (is_table_file(files->arg[i]) == tables)
			return true;
	return false;
}

/* Move the tables to those of --tracks. */
static bool
beside_move(struct options *o, struct err *err)
{
	size_t n = 0;

	for (size_t i = 0; i < o->files.n; i++) {
		if (!is_table_file(o->files.arg[i]))
			o->files.arg[n++] = o->files.arg[i];
		else if (!args_add(&o->sides.tables, o->files.arg[i], err))
			return false;
	}
	o->files.n = n;
	o->files.arg[n] = NULL;
	return true;
}

/* The thread dump of icecore record cpu: FILE.threads.txt. */
static bool
beside_names(struct options *o, struct err *err)
{
	const char *path = o->files.n == 1 ? o->files.arg[0] : NULL;

	if (path == NULL || o->sides.threads.n > 0)
		return true;
	buf_printf(&o->sides.names, "%s.threads.txt", path);
	if (o->sides.names.bad)
		return fail(err, E_SYSTEM, "out of memory");
	if ((beside_shapes(o->sides.names.s) & SHAPE_DUMPS) == 0 || (beside_shapes(path) & SHAPE_SAMPLES) == 0)
		return true;
	return args_add(&o->sides.threads, o->sides.names.s, err);
}

bool
options_beside(struct options *o, struct err *err)
{
	bool whole = o->asked.path != NULL || o->ui.store.as != NULL || o->at > 0;

	if (o->files.n > 1 && !whole && beside_any(&o->files, true) && beside_any(&o->files, false) &&
	    !beside_move(o, err))
		return false;
	if (!beside_names(o, err))
		return false;
	if (o->sides.tables.n == 0 || o->asked.path != NULL)
		return true;
	o->beside = (struct ask_options){ .time = o->asked.time, .sep = o->asked.sep,
	    .decimal = o->asked.decimal, .header = o->asked.header };
	o->asked.time = o->asked.sep = o->asked.decimal = o->asked.header = NULL;
	return true;
}
