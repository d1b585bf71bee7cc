/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by the readers of side files: rows of threads and kept texts.
 */
#include "config.h"

#include "side.h"

uint64_t
side_text(struct sides *s, struct str text)
{
	uint64_t at = store_own_at(s->over) + s->text.n;

	buf_str(&s->text, text);
	return ref_make(at, text.n);
}

struct side_row *
side_row(struct sides *s, struct err *err)
{
	struct side_row *row = make_row(&s->rows, s->nrows, sizeof *row, UINT32_MAX, "threads", err);

	if (row == NULL)
		return NULL;
	*row = (struct side_row){ .tid = SIDE_NO_TID, .dump = s->dump, .seq = (uint32_t)s->nrows };
	s->nrows++;
	return row;
}
