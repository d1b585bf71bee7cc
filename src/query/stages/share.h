/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/query/stages: share(EXPRESSION [per COLUMN ...]), an item of select.
 */
#ifndef ICECORE_QUERY_SHARE_H
#define ICECORE_QUERY_SHARE_H

#include "query/lang/lang.h"

struct share {
	struct operand		 of;
	struct column_ref	*per;		/* rows that are equal in these have one total */
	size_t			 nper;
	struct keys		 keys;
	struct scratch		 total;		/* struct share_total for each of them, */
	struct scratch		 group;		/* u32: number of a row's group, if there are several */
};

/* Return true if argument i is "share" with a parenthesis. */
bool	share_begins(const struct stage *, size_t i);
/* Parse a share; *i becomes the next argument, *name its text, which the caller frees. */
bool	share_read(struct share *, const struct stage *, size_t *i, struct rows *in, char **name,
    struct err *);
void	share_free(struct share *);
uint64_t share_touches(const struct share *);
/* Add a row.  All rows are added in order before the first cell is read. */
bool	share_count(struct share *, struct rows *in, uint64_t row, struct err *);
void	share_cell(const struct share *, struct rows *in, uint64_t row, struct cell *);

#endif
