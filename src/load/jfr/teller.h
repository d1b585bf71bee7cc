/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * teller: state of jfr_meant, which reports the bytes of a recording in the order of the file.
 */
#ifndef LOAD_JFR_TELLER_H
#define LOAD_JFR_TELLER_H

#include "jfr.h"
#include "meanings.h"

struct teller {
	struct jfr_chunk c;
	meant_take	 take;
	void		*arg;
	struct into	 to;
	uint64_t	 at, lost;	/* at: bytes reported */
	const uint8_t	*good;		/* end of what a checkpoint was read up to */
	struct scratch	 fields, words;	/* struct told_field; uint8_t: uses of the words of a metadata event */
	uint64_t	 nfields, nwords;
	struct buf	 paths, text;
	struct jfr_telling telling;
	const struct jfr_meaning *use;	/* meaning of the current constant, if it is a text; or NULL */
	bool		 learning;
	bool		 vendor;	/* the class in the metadata is not the application's */
};

/* Report bytes; those before them that were not reported are form. */
void	jfr_tell_part(struct teller *, uint64_t at, uint64_t end, enum meaning, bool packed, const char *path);
void	jfr_tell_lost(struct teller *, const uint8_t *from, const uint8_t *end);
void	jfr_tell_text(struct teller *, const struct jfr_text *, const struct jfr_meaning *, const char *path);
/* Return the name of a type by its row; UINT32_MAX: empty. */
struct str jfr_told_type(const struct teller *, uint32_t row);
/* jfr_words.c */
void	jfr_tell_metadata(struct teller *, const struct jfr_event *);

#endif
