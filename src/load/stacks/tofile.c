/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Thread.dump_to_file of HotSpot, as text: '#21 "name" virtual RUNNABLE 2026-11-25T04:14:46Z'.
 */
#include "config.h"

#include "icecore/scan.h"
#include "java.h"
#include "readers.h"
#include "text.h"

/* The state and the time of a thread follow its name; JDK 21 has neither. */
static bool
tofile_head(struct dumps_in *in, struct str line)
{
	struct str s = line, id, name, word;
	bool virtual;

	if (!scan(&s, "#%d \"%l\"{ virtual}?%_", &id, &name, &virtual))
		return false;
	dumps_thread(in, name, line.s);
	dumps_id(in, id);
	in->t.flags |= virtual ? DUMP_VIRTUAL : 0;
	word = str_until(s, ' ');
	if (word.n > 0 && !is_digit(word.s[0])) {
		dumps_raw(in, word);
		in->t.state = java_state(word);
	}
	return true;
}

void
tofile_read(struct dumps_in *in)
{
	struct str line, pid = STR(""), time = STR("");
	bool relock = false;

	in->reader = (struct in_reader){ java_finish, NULL };
	dumps_line(in, &pid);
	dumps_line(in, &time);
	dumps_tell_words(in, pid);
	dumps_begin(in, DUMP_HOTSPOT_FILE);
	dumps_when(in, text_trim(time));
	str_number(&pid, &dumps_dump(in)->pid);
	while (dumps_line(in, &line)) {
		if (tofile_head(in, line) || (line = text_trim(line)).n == 0)
			continue;
		if (!in->in_thread) {
			if (in->version.n == 0 && is_digit(line.s[0])) {
				dumps_program(in, line);
				dumps_tell_words(in, line);
				in->version = str_until(str_until(line, '-'), '+');
			} else
				dumps_other(in);
		} else if (str_begins(line, "- ")) {
			in->count[DROP_LOCKS] += !java_lock_line(in, line, &relock);
		} else {
			bool marked = scan(&line, "at ");

			if (!java_frame(in, line, marked))
				dumps_other(in);
		}
	}
	dumps_end(in);
}
