/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * places: orders that a helper accepts.
 */
#ifndef PLACES_H
#define PLACES_H

#include "icecore/sandbox.h"
#include "orders.h"

struct sandbox_place {
	enum sandbox_use	 use;
	char			*path, *given;	/* without symbolic links; as given */
	char			*index;		/* name of the index for SANDBOX_INDEX; NULL: any */
};

/* Add a place; missing paths are ignored. index: see struct sandbox_place. False: out of memory. */
bool	places_add(struct sandbox *, enum sandbox_use, const char *path, const char *index) MUST_USE;
/* The user entered that directory for pictures. A path that is none takes back the one before. */
void	places_enter(const char *path);
/* Whether path, without links, is a file directly in the directory that the user entered last. */
bool	places_entered(const char *path);
/* On failure errno has the reason. */
bool	places_allow(const struct sandbox *, const struct file_order *);
/* Return whether a file of SANDBOX_EXPORT may have that name. */
bool	places_export(const char *path, const char *const *endings);
/*
 * Resolve a path. A file that does not exist, and without links a link, resolves to its name in the
 * directory. False: no such directory, or no name.
 */
bool	places_real_of(const char *path, bool links, char real[PATH_MAX]);
/* Return the use of the place that lets path, a file or a directory, be written; SANDBOX_USES: none. */
enum sandbox_use places_writes(const struct sandbox *, const char *path, bool directory);
void	places_free(struct sandbox *);

#endif
