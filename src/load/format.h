/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * format: the loader that recognises the content of a file, or its name; private to load.
 */
#ifndef LOAD_FORMAT_H
#define LOAD_FORMAT_H

#include "decode.h"

/* The loader that recognises unpacked data; path may mark a table; NULL: none does. */
const struct loader *format_loader(const char *path, const struct map *);
/* For struct intake_check: the same may still find one when more of the data is there; name: the path. */
bool	format_known(const struct map *, const void *name, struct err *);

#endif
