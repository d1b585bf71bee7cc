/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * apart: files of fuzz targets, and a place where an input may write: whatever path an input names, it harms no other file.
 */
#ifndef TESTS_APART_H
#define TESTS_APART_H

#include "icecore/base.h"

/* Appends the content of a kept input: "heap/two".  It is in the sources, or beside the program. */
void	kept_input(const char *name, struct buf *);

/*
 * The working directory is an empty one, and if root runs this, nobody is who opens files, in this thread and those that it
 * starts.  Returns the directory without symbolic links.  apart_end is the reverse and removes all below the directory.
 */
const char *apart_begin(void);
void	apart_end(void);

#endif
