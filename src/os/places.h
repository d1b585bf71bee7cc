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
};

/* Add a place; missing paths are ignored. False: out of memory. */
bool	places_add(struct sandbox *, enum sandbox_use, const char *path) MUST_USE;
/* On failure errno has the reason. */
bool	places_allow(const struct sandbox *, const struct file_order *);
/* Return whether a file of SANDBOX_EXPORT may have that name. */
bool	places_export(const char *path, const char *const *endings);
void	places_free(struct sandbox *);

#endif
