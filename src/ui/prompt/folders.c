/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * folders: files that the explorer keeps for its user.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/home.h"
#include "prompt.h"

static void
tell_file(char *path, void (*each)(void *, const char *), void *to)
{
	if (path != NULL)
		each(to, path);
	free(path);
}

void
ui_kept(const struct ui_options *opt, void (*each)(void *, const char *), void *to)
{
	tell_file(home_path("XDG_CONFIG_HOME", ".config", "queries"), each, to);
	if (opt->keys == NULL && !opt->no_history) {
		tell_file(home_path("XDG_STATE_HOME", ".local/state", "history"), each, to);
		tell_file(home_path("XDG_STATE_HOME", ".local/state", "places"), each, to);
	}
	if (opt->marks != NULL)
		tell_file(mem_copy(str_of(opt->marks)), each, to);
}
