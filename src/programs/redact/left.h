/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * left: the texts that a file has, each once.
 */
#ifndef REDACT_LEFT_H
#define REDACT_LEFT_H

#include "redact.h"

struct left_text {
	/* place: of the first one in the file, with n bytes; UINT64_MAX: a copy */
	uint64_t	count, place, n;
	size_t		at;			/* in the room: the field, then a copy of the text */
	uint32_t	field, copied;		/* bytes of them */
	bool		letters, wide;		/* wide: characters of two bytes */
};

/* Starts from zeros. */
struct left {
	const struct map *in;
	struct buf	 room;
	struct left_text *row;
	size_t		 n, cap;
	struct idmap	 by_text;	/* 1 + row */
	uint64_t	 omitted;	/* texts beyond the limit */
};

/* Values that redact replaced by zeros and x are ignored. */
bool	left_add(struct left *, struct str field, struct str text, struct err *);
/* kind: NULL: a heap dump. */
bool	left_list(const struct map *, const struct redact_kind *, redact_text_take, void *arg,
    uint64_t *omitted, struct work *, struct err *);
bool	trace_left(const struct redaction *, struct left *);

#endif
