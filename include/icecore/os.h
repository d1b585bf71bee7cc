/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* os: services of the operating system: how a program starts, and the headers of files and of memory. */
#ifndef ICECORE_OS_H
#define ICECORE_OS_H

#include "icecore/file.h"
#include "icecore/map.h"
#include "icecore/scratch.h"

/* ---- start: environment of the program at its start ---------------------- */

/*
 * Standard descriptors that are closed can be opened by no file, and signals are as icecore needs them; to
 * be called first.
 */
void	start_clean(void);
/* In a child: ignore the n signals of ignored, reset all others to the default, and unblock every signal. */
void	signals_clean(const int *ignored, size_t n);
enum { DESCRIPTORS_MOST = 8 };
/*
 * In a child: n descriptors, equal ones too, become 0, 1, 2 and so on, and all others are closed.  False:
 * errno.
 */
bool	descriptors_keep(const int *fd, int n);

/* ---- locale: which characters the terminal shows ------------------------- */

/* By the environment.  Where the locale it names is missing, its UTF-8 is kept. */
void	locale_start(void);

#endif
