/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * log: lines of the log of Android, and messages of Chrome's log, as instants "tag: message".
 */
#include "config.h"

#include <string.h>

#include "icecore/columns_marks.h"
#include "perfetto.h"

enum { NAME_LOCATION = 4, NAME_LOG_BODY = 20, PRIORITY_INFO = 4 };

/* A line at the time of a row; priority: 2 verbose to 7 fatal. */
static bool
log_line(struct perfetto *p, const struct pf_row *r, struct pf_about *a, struct str tag, struct str message, uint64_t priority,
    char scope, struct err *err)
{
	static const char letters[] = "  VDIWEF";

	buf_clear(&p->text);
	buf_str(&p->text, str_head(tag, PF_TEXT_MOST));
	buf_str(&p->text, STR(": "));
	buf_str(&p->text, str_head(message, PF_TEXT_MOST));
	if (p->text.bad)
		return fail(err, E_SYSTEM, "out of memory (log)");
	a->priority = priority >= 2 && priority < sizeof letters - 1 ? letters[priority] : '\0';
	p->logged = true;
	return marks_word_of(&p->marks, STR("log"), &a->cat, err) && marks_word_of(&p->marks, buf_view(&p->text), &a->name, err) &&
	    marks_word_of(&p->marks, str_head(tag, PF_TEXT_MOST), &a->tag, err) && pf_instant(p, r->time - p->first, a, scope, err);
}

/* {1 name, 2 integer, 3 float, 4 text}: an arg of a line of the log of events, behind its message. */
static void
log_arg(struct str m, struct buf *b)
{
	struct str name = STR("");
	struct proto_field f, value = { .number = 0 };
	bool bad = false;
	float real;

	while (proto_next_whole(&m, &f, &bad)) {
		name = f.number == 1 ? f.in : name;
		if (f.number == 2 || f.number == 3 || f.number == 4)
			value = f;
	}
	if (b->n > 0)
		buf_chr(b, ' ');
	buf_str(b, str_head(name, PF_TEXT_MOST));
	buf_chr(b, '=');
	if (value.number == 2 && value.wire == PROTO_VARINT)
		buf_printf(b, "%lld", (long long)value.value);
	else if (value.number == 3 && value.in.n == sizeof real) {
		memcpy(&real, value.in.s, sizeof real);
		buf_printf(b, "%g", (double)real);
	} else
		buf_str(b, str_head(value.in, PF_TEXT_MOST));
}

/* {2 pid, 3 tid, 6 tag, 7 priority, 8 message, 9 args} */
bool
pf_play_logged(struct perfetto *p, const struct pf_row *r, struct err *err)
{
	struct str m = pf_bytes(p, r->at, r->n), tag = STR("");
	struct pf_about a = { .pid = 0 };
	struct buf message = BUF_INIT;
	struct proto_field f;
	uint64_t priority = 0;
	bool bad = false, ok;

	while (proto_next_whole(&m, &f, &bad)) {
		switch (f.number) {
		case 2: a.pid = (uint32_t)f.value; break;
		case 3: a.tid = (uint32_t)f.value; break;
		case 6: tag = f.in; break;
		case 7: priority = f.value; break;
		case 8: buf_str(&message, str_head(f.in, PF_TEXT_MOST)); break;
		case 9:
			if (message.n < PF_TEXT_MOST)
				log_arg(f.in, &message);
			break;
		case 5: break;
		default: pf_unread_field(p, PKT_LOG, 1, f.number); break;
		}
	}
	ok = message.bad ? fail(err, E_SYSTEM, "out of memory (log)") : (a.tid == 0 || pf_task_in(p, a.tid, a.pid, err) != NULL) &&
	    log_line(p, r, &a, tag, buf_view(&message), priority, a.tid != 0 ? 't' : 'p', err);
	buf_free(&message);
	return ok;
}

/* {1 location {2 file, 4 line}, 2 text, 3 priority} */
bool
pf_play_message(struct perfetto *p, const struct pf_row *r, struct str m, uint32_t process, uint32_t task, struct err *err)
{
	struct pf_about a = { .process = process, .task = task };
	const struct pf_interned *location;
	struct str file = STR(""), body = STR("");
	struct proto_field f, l;
	uint64_t line = 0, priority = PRIORITY_INFO;
	struct buf tag = BUF_INIT;
	bool bad = false, ok;

	while (proto_next_whole(&m, &f, &bad)) {
		priority = f.number == 3 && f.value != 0 ? f.value : priority;
		if (f.number == 2)
			pf_interned_text(p, r->a, NAME_LOG_BODY, f.value, &body);
		if (f.number != 1 || (location = pf_interned(p, r->a, NAME_LOCATION, f.value)) == NULL)
			continue;
		for (struct str in = pf_bytes(p, location->at, location->n); proto_next_whole(&in, &l, &bad); ) {
			file = l.number == 2 ? l.in : file;
			line = l.number == 4 ? l.value : line;
		}
	}
	buf_str(&tag, str_head(file, 512));
	buf_printf(&tag, ":%llu", (unsigned long long)line);
	ok = tag.bad ? fail(err, E_SYSTEM, "out of memory (log)") : log_line(p, r, &a, buf_view(&tag), body, priority, 't', err);
	buf_free(&tag);
	return ok;
}

bool
pf_log_columns(struct perfetto *p, struct err *err)
{
	static const struct make_column columns[] = { MAKE(COL_INSTANT_TAG, mark_instant, tag), MAKE(COL_INSTANT_PRIORITY, mark_instant, priority) };

	return !p->logged || make_columns(p->l->st, columns, NELEM(columns),
	    MAKE_ROWS(SCRATCH(p->marks.instants, struct mark_instant), p->marks.ninstants), err);
}
