/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * past: history of the prompt. Queries have a history in a file; searches have one in memory.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <readline/history.h>

#include "icecore/directory.h"
#include "icecore/home.h"
#include "icecore/named.h"
#include "menu.h"

enum { PAST_MAX = 500 };

/* Readline has only one current history. */
static struct {
	char		*path;		/* path of the file, or NULL */
	HISTORY_STATE	*other;
	bool		 in_other;
	char		**line;		/* entered in this session, to be saved */
	size_t		 n, cap;
} past;

/* Add a line at the end; remove earlier copies. */
static void
past_add_once(const char *line)
{
	HIST_ENTRY	**list = history_list();

	for (int i = history_length - 1; list != NULL && i >= 0; i--)
		if (strcmp(list[i]->line, line) == 0) {
			free_history_entry(remove_history(i));
			list = history_list();
		}
	add_history(line);
}

static bool
past_read_file(void)
{
	struct buf	 all = BUF_INIT;
	struct str	 rest, line;
	bool		 ok = past.path == NULL || home_read(past.path, &all, NULL);

	for (rest = buf_view(&all); ok && str_split(&rest, '\n', &line);)
		if (line.n > 0) {
			/* The end of the line, or of the buffer. */
			all.s[line.s + line.n - all.s] = '\0';
			past_add_once(line.s);
		}
	buf_free(&all);
	return ok;
}

void
past_open(bool keep)
{
	using_history();
	stifle_history(PAST_MAX);
	if (keep)
		past.path = home_path("XDG_STATE_HOME", ".local/state", "history");
	(void)past_read_file();
	using_history();
}

void
past_choose(bool other)
{
	static HISTORY_STATE	 empty;
	HISTORY_STATE		*now;

	if (past.in_other == other)
		return;
	now = history_get_history_state();
	history_set_history_state(past.other != NULL ? past.other : &empty);
	free(past.other);
	past.other = now;
	past.in_other = other;
	stifle_history(PAST_MAX);
}

/*
 * Drop the undo lists of history lines when a prompt is closed:
 * after vi commands readline frees parts of them and still refers to them.
 */
void
past_settle(void)
{
	HIST_ENTRY	**list = history_list();

	for (; list != NULL && *list != NULL; list++)
		(*list)->data = NULL;
}

void
past_add(const char *line)
{
	char	*copy;

	if (*line == '\0')
		return;
	using_history();
	past_add_once(line);
	using_history();
	if (past.in_other || past.path == NULL)
		return;
	copy = mem_copy(str_of(line));
	if (copy != NULL && MEM_ROOM(past.line, past.cap, past.n))
		past.line[past.n++] = copy;
	else
		free(copy);
}

/* Read the file again before writing it, to keep lines that other sessions added. What cannot be read stays. */
static void
past_write_file(void)
{
	struct file	 file;
	struct err	 err;
	HIST_ENTRY	*entry;
	bool		 ok = true;

	clear_history();
	if (!past_read_file())
		return;
	for (size_t k = 0; k < past.n; k++)
		past_add_once(past.line[k]);
	if (!named_directories(past.path) || !file_begin(&file, past.path, &err))
		return;
	for (int i = 0; i < history_length && ok; i++) {
		entry = history_get(history_base + i);
		ok = entry == NULL || (file_write(&file, entry->line, strlen(entry->line), &err) &&
		    file_write(&file, "\n", 1, &err));
	}
	if (!ok || !file_commit(&file, true, &err))
		file_abandon(&file);
}

void
past_end(void)
{
	past_choose(false);
	if (past.n > 0)
		past_write_file();
	clear_history();
	past_choose(true);
	clear_history();
	/* Readline owns one list, this file frees the other. */
	free(past.other->entries);
	free(past.other);
	while (past.n > 0)
		free(past.line[--past.n]);
	free(past.line);
	free(past.path);
	memset(&past, 0, sizeof past);
}
