/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * xml: tags of a text in XML, one after another, without a tree: no DTD, and no entities other than those of
 * characters.
 */
#ifndef LOAD_TRACERS_XML_H
#define LOAD_TRACERS_XML_H

#include "icecore/str.h"

/* A place in a text, which contains the parts of the tag. */
struct xml {
	struct str	rest;
	struct str	tag, attributes;	/* name and attributes of the tag read last */
	struct str	text;			/* between it and the tag before */
	bool		opens, closes;		/* both: <tag/> */
	bool		bad;			/* the text ends inside a tag */
};

/* Read the next tag; comments and instructions are skipped.  False: there is none. */
bool	xml_next(struct xml *);
/*
 * An attribute of the tag; empty: it has none of that name.  The text, or a copy without entities in the
 * buffer.
 */
struct str xml_attribute(const struct xml *, const char *name, struct buf *);
struct str xml_raw(const struct xml *, const char *name);	/* its text, with entities */
struct str xml_text(struct str, struct buf *);			/* a text between tags, without entities */

#endif
