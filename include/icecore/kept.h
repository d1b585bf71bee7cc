/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kept: the numeric fields of objects that the analysis reads by name.  A dump without them would have
 * other findings, and other sizes of collections and bitmaps.  They reveal nothing about the data of the
 * program.  Belongs to layer pass.
 */
#ifndef ICECORE_KEPT_H
#define ICECORE_KEPT_H

#include <stdbool.h>
#include <stddef.h>

/* A numeric or flag field, static or not, that a class (name with dots) or a superclass declares. */
struct kept_field {
	const char	*class, *name;
	/* Read only in objects to which this field refers; NULL: in any object. */
	const char	*of_class, *of_name;
};

/* Get the ith field; false: no more.  Some occur twice. */
bool	kept_field(size_t i, struct kept_field *);
/* The ith string that is compared with names of threads and enum constants; NULL: no more. */
const char *kept_word(size_t i);

#endif
