/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * meanings: meanings of the texts of a recording, by type and field.
 */
#ifndef LOAD_JFR_MEANINGS_H
#define LOAD_JFR_MEANINGS_H

#include "icecore/base.h"
#include "icecore/meant.h"

struct jfr_meaning {
	const char	*type, *field;	/* field NULL: each text of the type */
	enum meaning	 means;
	bool		(*form)(struct str);	/* whether a text is one of the format's own words; NULL: none is */
};

/* Functions of the platform, and of native code whose library is unknown. */
extern const struct jfr_meaning jfr_meaning_platform, jfr_meaning_native;

/* Return the meaning of texts in that field; never NULL. */
const struct jfr_meaning *jfr_meaning_of(struct str type, struct str field);
/*
 * A known type of the JDK or of async-profiler, or a primitive one. All others are the application's, even
 * if they are named alike.
 */
bool	jfr_is_vendor(struct str type);
/*
 * Words of the metadata: a tag of an element, the name of an attribute, of a field that readers look for, a
 * number or unit.
 */
bool	jfr_word_is_tag(struct str);
bool	jfr_word_is_key(struct str);
bool	jfr_word_is_field(struct str);
bool	jfr_word_is_value(struct str);
/* Names and values of settings. */
bool	jfr_word_is_setting(struct str);
bool	jfr_word_is_set(struct str);

#endif
