/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * strings: strings of the terminal, by the macros of term.h: tigetstr allocates at its first use.
 */
#include "config.h"

#include <curses.h>
#include <term.h>

#include "screen.h"

/*
 * Use all parameterised strings once: curses allocates memory at the first use of each, and could not
 * report in the middle of a frame that there is none.
 */
bool
strings_ready(struct err *err)
{
	const char *const caps[] = {
		cursor_address, cursor_up, parm_up_cursor, parm_down_cursor, parm_right_cursor,
		    parm_left_cursor, column_address,
		row_address, change_scroll_region, parm_insert_line, parm_delete_line, parm_ich, parm_dch,
		    erase_chars, parm_index,
		parm_rindex, repeat_char, set_attributes, set_a_foreground, set_a_background,
		    set_foreground, set_background,
		initialize_color
	};

	for (size_t i = 0; i < NELEM(caps); i++) {
		if (caps[i] == NULL || caps[i] == (char *)-1 ||
		    tparm(caps[i], 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L) != NULL)
			continue;
		mem_refuse();
		return fail(err, E_SYSTEM, "out of memory (terminal)");
	}
	return true;
}

void
strings_restore(int (*put)(int))
{
	const char *const caps[] = { keypad_local, exit_attribute_mode, cursor_normal, exit_ca_mode };

	for (size_t i = 0; i < NELEM(caps); i++)
		if (caps[i] != NULL && caps[i] != (char *)-1)
			tputs(caps[i], 1, put);
}
