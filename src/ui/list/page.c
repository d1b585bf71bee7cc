/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * page: memory of the drawn part of a list.
 */
#include "config.h"

#include <stdlib.h>

#include "page.h"

void
list_page_free(struct list_page *p)
{
	for (size_t i = 0; i < 2 * p->nlines; i++)
		buf_free(&p->line[i]);
	free(p->line);
	free(p->alike);
	free(p->look);
	p->line = p->cell = NULL;
	p->alike = NULL;
	p->look = NULL;
	p->nlines = 0;
}

bool
list_page_room(struct list_page *p, size_t h)
{
	struct buf	*line;
	bool		*alike;
	struct cell_look *look;

	if (p->nlines >= h + 1)
		return true;
	/* The lines, then the cells, are in a single allocation. */
	line = mem_array(2 * (h + 1), sizeof *line);
	alike = mem_array(h + 1, sizeof *alike);
	look = mem_array(h + 1, COLUMNS_MAX * sizeof *look);
	if (line == NULL || alike == NULL || look == NULL) {
		free(line);
		free(alike);
		free(look);
		return false;
	}
	list_page_free(p);
	p->line = line;
	p->alike = alike;
	p->look = look;
	p->cell = line + h + 1;
	p->nlines = h + 1;
	return true;
}
