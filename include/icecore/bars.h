/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bars: a picture of values with error bars.  Belongs to layer query.
 */
#ifndef ICECORE_BARS_H
#define ICECORE_BARS_H

#include "icecore/query.h"

enum bar_number { BAR_VALUE, BAR_LOW, BAR_HIGH, BAR_OTHER_LOW, BAR_OTHER_HIGH, BAR_NUMBERS };

/* A value with two error bars. */
struct mean_bar {
	struct str	 name, told;	/* raw bytes */
	double		 at[BAR_NUMBERS];	/* NAN: none */
};

struct mean_bars {
	const struct mean_bar *bar;
	size_t		 n;
	struct str	 title, lead;	/* fitted */
};

/* Append bars: svg a picture, otherwise a page with the picture and the table. */
bool	draw_error_bars(const struct mean_bars *, struct rows *table, enum format, struct buf *,
    struct err *) MUST_USE;

#endif
