/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * folder_table: a list of files as the text of a table, of a directory or an archive; private to load.
 */
#ifndef LOAD_FOLDER_TABLE_H
#define LOAD_FOLDER_TABLE_H

#include "icecore/load.h"

struct folder_row {
	struct str	 name, kind, path;
	uint64_t	 size;
	int64_t		 age;		/* ns */
	bool		 sized, aged, recent;
};

/* How the table is read. */
extern const struct ask_options folder_asks;

void	folder_head(struct buf *);
void	folder_row(struct buf *, const struct folder_row *);

#endif
