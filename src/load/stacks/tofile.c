/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Thread.dump_to_file of HotSpot, as text: '#21 "name" virtual RUNNABLE 2026-11-25T04:14:46Z'.
 */
#include "config.h"

#include "java.h"
#include "readers.h"
#include "text.h"

/* The state and the time of a thread follow its name; JDK 21 has neither. */
static bool
tofile_head(struct dumps_in *in, struct str line)
{
	struct str s = line, id, name, rest, word;

	if (!str_take(&s, STR("#")))
		return false;
	id = str_head(s, str_digits(s));
	s = str_behind(s, id.n);
	if (id.n == 0 || !str_take(&s, STR(" \"")) || !str_divide_last(s, '"', &name, &rest))
		return false;
	dumps_thread(in, name, line.s);
	dumps_id(in, id);
	if (str_take(&rest, STR(" virtual")))
		in->t.flags |= DUMP_VIRTUAL;
	rest = str_skip_blanks(rest);
	text_take_word(&rest, &word);
	if (word.n > 0 && !is_digit(word.s[0])) {
		dumps_raw(in, word);
		in->t.state = (uint8_t)java_state(word);
	}
	return true;
}

void
tofile_read(struct dumps_in *in)
{
	struct str line, pid = STR(""), time = STR("");
	bool relock = false;
	uint64_t v;

	in->marks = java_marks;
	in->finish = java_finish;
	dumps_line(in, &pid);
	dumps_line(in, &time);
	dumps_tell_words(in, pid);
	dumps_begin(in, DUMP_HOTSPOT_FILE, text_trim(time));
	if (str_number(&pid, &v))
		dumps_dump(in)->pid = v;
	while (dumps_line(in, &line)) {
		if (tofile_head(in, line) || (line = text_trim(line)).n == 0)
			continue;
		if (!in->in_thread) {
			if (in->version.n == 0 && is_digit(line.s[0])) {
				dumps_dump(in)->program = dumps_text(in, line).ref;
				dumps_tell_words(in, line);
				in->version = str_until(str_until(line, '-'), '+');
			} else
				dumps_other(in);
		} else if (str_has_prefix(line, STR("- "))) {
			in->count[DROP_LOCKS] += !java_lock_line(in, line, &relock);
		} else {
			str_take(&line, STR("at "));
			java_frame(in, line);
		}
	}
	dumps_end(in);
}
