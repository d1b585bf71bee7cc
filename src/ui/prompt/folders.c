/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * folders: where the explorer writes files of its user.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/directory.h"
#include "icecore/home.h"
#include "prompt.h"

static void
tell_folder(char *path, void (*each)(void *, const char *), void *to)
{
	char	*directory = path != NULL ? directory_of(path) : NULL;

	if (directory != NULL)
		each(to, directory);
	free(directory);
	free(path);
}

void
ui_directories(const struct ui_options *opt, void (*each)(void *, const char *), void *to)
{
	tell_folder(home_path("XDG_CONFIG_HOME", ".config", "queries"), each, to);
	if (opt->keys == NULL && !opt->no_history)
		tell_folder(home_path("XDG_STATE_HOME", ".local/state", "history"), each, to);
	if (opt->marks != NULL)
		tell_folder(mem_copy(str_of(opt->marks)), each, to);
}
