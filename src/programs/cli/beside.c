/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * beside: tables among the files of a command line are tracks of the other files.
 */
#include "config.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "options.h"

/* By its name and content; a pipe is none, as reading would take its data. */
static bool
is_table_file(const char *path)
{
	const struct loader *l;
	struct stat st;
	int fd = stat(path, &st) == 0 && S_ISREG(st.st_mode) ? open(path, O_RDONLY | O_CLOEXEC) : -1;

	if (fd == -1)
		return false;
	l = load_format_fd(fd, path);
	close(fd);
	return l != NULL && (l->shapes & SHAPE_TABLE) != 0;
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
		else if (!args_add(&o->tables, o->files.arg[i], err) || !options_report(o, "tracks", o->files.arg[i], true, err))
			return false;
	}
	o->files.n = n;
	o->files.arg[n] = NULL;
	return true;
}

bool
options_beside(struct options *o, struct err *err)
{
	bool whole = o->asked.path != NULL || o->ui.store.as != NULL || o->at > 0;

	if (o->files.n > 1 && !whole && beside_any(&o->files, true) && beside_any(&o->files, false) && !beside_move(o, err))
		return false;
	if (o->tables.n == 0 || o->asked.path != NULL)
		return true;
	o->beside = (struct ask_options){ .time = o->asked.time, .sep = o->asked.sep, .decimal = o->asked.decimal, .header = o->asked.header };
	o->asked.time = o->asked.sep = o->asked.decimal = o->asked.header = NULL;
	return true;
}
