/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sheet: items as lines: names in a column, descriptions next to them or, on narrow screens, below.
 */
#ifndef UI_SHEET_H
#define UI_SHEET_H

#include "ui/core/core.h"

struct spread {
	int	w;
	int	left, text, note;	/* widths; left 0: no item has a name, note 0: no item has a note */
	bool	below;			/* texts are drawn below the names */
};

/* Highlighting of an item. */
enum { SHEET_CHOSEN = 1, SHEET_HIT = 2 };

/* left: the width of names, 0: as needed. */
void	 sheet_fit(struct spread *, const struct items *, int w, int left, bool below);
int	 sheet_height(const struct spread *, const struct remark *);
/* Draw an item from line y on; lines outside of the area are skipped. */
void	 sheet_draw(const struct spread *, const struct remark *, int y, struct area, unsigned marks);

#endif
