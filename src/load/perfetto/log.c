/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * log: lines of the log of Android, and messages of Chrome's log, as instants "tag: message".
 */
#include "config.h"

#include <string.h>

#include "icecore/columns_marks.h"
#include "perfetto.h"

enum { NAME_LOCATION = 4, NAME_LOG_BODY = 20, PRIORITY_INFO = 4 };

#define MESSAGE(F) F(1, location, U64) F(2, body, U64) F(3, priority, U64)
SHAPE(log_packet, "android_log", FIELDS_LOG)
SHAPE(log_event, "android_log.events", FIELDS_LOG_LINE)
SHAPE(log_value, "android_log.events.args", FIELDS_LOG_ARG)
SHAPE(log_message, "LogMessage", MESSAGE)
SHAPE(log_location, "SourceLocation", FIELDS_PLACED)

/* A line at the time of a row; priority: 2 verbose to 7 fatal. */
static bool
log_line(struct perfetto *p, const struct pf_row *r, struct pf_about *a, struct str tag, struct str message,
    uint64_t priority, char scope, struct err *err)
{
	static const char letters[] = "  VDIWEF";

	buf_clear(&p->text);
	buf_str(&p->text, str_head(tag, PF_TEXT_MOST));
	buf_str(&p->text, STR(": "));
	buf_str(&p->text, str_head(message, PF_TEXT_MOST));
	a->priority = priority >= 2 && priority < sizeof letters - 1 ? letters[priority] : '\0';
	p->logged = true;
	return marks_word_of(&p->marks, STR("log"), &a->cat, err) && pf_text_word(p, &a->name, err) &&
	    marks_word_of(&p->marks, str_head(tag, PF_TEXT_MOST), &a->tag, err) &&
	    pf_instant(p, r->time - p->first, a, scope, err);
}

/* An arg of a line of the log of events, behind its message. */
static void
log_arg(struct str m, struct buf *b)
{
	struct log_value arg;
	float real;

	(void)log_value_read(m, &arg, NULL);
	if (b->n > 0)
		buf_chr(b, ' ');
	buf_str(b, str_head(arg.name, PF_TEXT_MOST));
	buf_chr(b, '=');
	if (arg.value.number == 2 && arg.value.wire == PROTO_VARINT)
		buf_printf(b, "%lld", (long long)arg.value.value);
	else if (arg.value.number == 3 && arg.value.in.n == sizeof real) {
		memcpy(&real, arg.value.in.s, sizeof real);
		buf_printf(b, "%f", (double)real);
	} else if (arg.value.number == 4 && arg.value.wire == PROTO_BYTES) {
		buf_chr(b, '"');
		buf_str(b, str_head(arg.value.in, PF_TEXT_MOST));
		buf_chr(b, '"');
	}
}

/* Log lines have times of the wall clock. */
bool
pf_log_rows(struct perfetto *p, const struct pf_now *now, struct str m, struct err *err)
{
	struct log_event line;
	struct log_packet log;

	p->count[PF_BAD_PACKETS] += !log_packet_read(m, &log, &p->unread);
	SHAPE_EACH(m, 1, in) {
		struct pf_row row = { .at = pf_offset(p, in.s), .n = (uint32_t)in.n, .a = now->state,
		    .b = PKT_LOG, .kind = PF_PACKET };

		(void)log_event_read(in, &line, NULL);
		if (!pf_clock_convert(&p->clocks, CLOCK_OF_REALTIME, line.time, &line.time)) {
			p->count[PF_NO_CLOCK]++;
			continue;
		}
		row.time = (uint64_t)line.time;
		if (!pf_row(p, &row, err))
			return false;
	}
	return true;
}

bool
pf_play_logged(struct perfetto *p, const struct pf_row *r, struct str m, struct err *err)
{
	struct buf message = BUF_INIT;
	struct log_event e;
	struct pf_about a;
	bool ok;

	(void)log_event_read(m, &e, &p->unread);
	a = (struct pf_about){ .pid = (uint32_t)e.pid, .tid = (uint32_t)e.tid };
	buf_str(&message, str_head(e.message, PF_TEXT_MOST));
	SHAPE_EACH(m, 9, arg)
		if (message.n < PF_TEXT_MOST)
			log_arg(arg, &message);
	ok = message.bad ? fail(err, E_SYSTEM, "out of memory (log)") :
	    (a.tid == 0 || pf_task_in(p, a.tid, a.pid, err) != NULL) &&
	    log_line(p, r, &a, e.tag, buf_view(&message), e.priority, a.tid != 0 ? 't' : 'p', err);
	buf_free(&message);
	return ok;
}

bool
pf_play_message(struct perfetto *p, const struct pf_row *r, struct str in, uint32_t process, uint32_t task,
    struct err *err)
{
	struct pf_about a = { .process = process, .task = task };
	struct str body = STR("");
	struct log_message m;
	struct log_location l;
	struct buf tag = BUF_INIT;
	bool ok;

	(void)log_message_read(in, &m, NULL);
	pf_interned_text(p, r->a, NAME_LOG_BODY, m.body, &body);
	(void)log_location_read(pf_interned_message(p, r->a, NAME_LOCATION, m.location), &l, NULL);
	buf_str(&tag, str_head(l.file, 512));
	buf_printf(&tag, ":%llu", (unsigned long long)l.line);
	ok = tag.bad ? fail(err, E_SYSTEM, "out of memory (log)") :
	    log_line(p, r, &a, buf_view(&tag), body, m.priority != 0 ? m.priority : PRIORITY_INFO, 't', err);
	buf_free(&tag);
	return ok;
}

bool
pf_log_columns(struct perfetto *p, struct err *err)
{
	static const struct make_column columns[] = { MAKE(COL_INSTANT_TAG, mark_instant, tag),
	    MAKE(COL_INSTANT_PRIORITY, mark_instant, priority) };

	return !p->logged || make_columns(p->l->st, columns, NELEM(columns),
	    MAKE_ROWS(SCRATCH(p->marks.instants, struct mark_instant), p->marks.ninstants), err);
}
