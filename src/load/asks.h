/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * asks: command-line options for the loader of a format. They are facts of the index; other options rebuild it.
 */
#ifndef LOAD_ASKS_H
#define LOAD_ASKS_H

#include "icecore/load.h"

/* False: the format does not support all given options. */
bool	asks_fit(const struct ask_options *, const struct loader *, struct err *);
/* Store the options as facts. */
bool	asks_put(struct store *, const struct ask_options *, struct err *);
/* Return whether an index was made with the same options. */
bool	asks_same(const struct store *, const struct ask_options *, unsigned shapes);

#endif
