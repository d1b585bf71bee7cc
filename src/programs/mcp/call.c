/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * call: run one tool and answer.  A failure of a tool is also an answer, which the caller's model reads.
 */
#include "config.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "icecore/calendar.h"
#include "icecore/limits.h"
#include "mcp.h"

/* ---- results ----------------------------------------------------------------------------- */

void
server_info(struct buf *b, const char *version)
{
	buf_printf(b, "{\"name\":\"icecore\",\"title\":\"icecore: heap dumps, traces and profiles\","
	    "\"version\":\"%s\"}", version);
}

void
result_begin(struct buf *b, struct str id, bool modern, const char *version)
{
	buf_printf(b, "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"result\":{", (int)id.n, id.s);
	if (!modern)
		return;
	buf_str(b, STR("\"resultType\":\"complete\",\"_meta\":{\"io.modelcontextprotocol/serverInfo\":"));
	server_info(b, version);
	buf_chr(b, '}');
}

void
result_member(struct buf *b, const char *name)
{
	buf_printf(b, "%s\"%s\":", b->n > 0 && b->s[b->n - 1] == '{' ? "" : ",", name);
}

void
call_answer(struct call *c, const struct mcp_options *o, struct buf *to)
{
	if (c->cancelled)
		return;
	result_begin(to, buf_view(&c->id), c->modern, o->version);
	result_member(to, "content");
	buf_str(to, STR("[{\"type\":\"text\",\"text\":"));
	message_text(to, buf_view(&c->out));
	buf_str(to, STR("}]"));
	if (c->object.n > 0 && !c->failed && !c->plain) {
		result_member(to, "structuredContent");
		buf_str(to, buf_view(&c->object));
	}
	buf_printf(to, ",\"isError\":%s}}\n", c->failed ? "true" : "false");
	to->bad |= c->id.bad || c->out.bad || c->object.bad;
}

/* ---- failures ---------------------------------------------------------------------------- */

/* Errors of the system name files of this machine: of their paths the last part is enough. */
static void
put_without_paths(struct buf *b, struct str text)
{
	struct str word;
	const char *slash;
	int blank;

	do {
		blank = str_split_any(&text, " ':;,", &word);
		slash = word.n > 0 && word.s[0] == '/' ? memrchr(word.s, '/', word.n) : NULL;
		if (slash != NULL)
			word = str_after(word, (size_t)(slash - word.s));
		text_fit_buf(b, word);
		if (blank >= 0)
			buf_chr(b, " ':;,"[blank]);
	} while (blank >= 0);
}

/* Answer with an error in the words of -e, with the line that points to the mistake. */
void
call_fail(struct call *c, const struct err *err)
{
	struct str query = c->text[CALL_QUERY];

	c->failed = true;
	buf_clear(&c->out);
	if (err->kind == E_SYSTEM)
		put_without_paths(&c->out, str_of(err->text));
	else if (query.s != NULL && err->at != ERR_NOWHERE)
		query_show_error(query, err, &c->out);
	else
		text_fit_buf(&c->out, str_of(err->text));
}

/* Passes that came to their end are in the index. */
static bool
fail_late(const struct call *c, struct work *w, struct err *err)
{
	struct buf b = BUF_INIT;
	char time[NUM_TEXT];

	work_text(w, false, &b);
	num_show_duration(time, sizeof time, c->o->timeout);
	fail(err, E_USAGE, "out of time after %s at %s; finished work is kept, so repeat the call", time,
	    b.bad ? "work" : b.s);
	buf_free(&b);
	return false;
}

bool
call_run(void *arg, struct work *w, struct err *err)
{
	struct call *c = arg;
	uint64_t refused = mem_refused();
	bool ok;

	*err = (struct err){ .at = ERR_NOWHERE };
	ok = c->tool->run(c, w, err) && mem_whole(refused, err);
	if (!ok && !atomic_load(&w->cancel) && os_now() - c->began >= c->o->timeout)
		return fail_late(c, w, err);
	return ok;
}

/* ---- log --------------------------------------------------------------------------------- */

/* Do not block if nobody reads the log: drop lines that do not fit into the pipe. */
void
call_log(const struct call *c, size_t bytes)
{
	struct pollfd p = { .fd = STDERR_FILENO, .events = POLLOUT };
	struct buf b = BUF_INIT;
	char stamp[CALENDAR_TEXT];

	if (!c->o->log)
		return;
	(void)calendar_text((uint64_t)time(NULL), true, stamp);
	buf_printf(&b, "%s %s %llu ms %zu bytes %s%s", stamp, c->tool->name,
	    (unsigned long long)((os_now() - c->began) / 1000000u),
	    bytes, c->cancelled ? "cancelled" : c->failed ? "failed" : "ok",
	    c->unsaved ? ", index not kept" : "");
	if (c->o->log_arguments) {
		buf_chr(&b, ' ');
		text_fit_buf(&b, buf_view(&c->arguments));
	}
	buf_chr(&b, '\n');
	if (!b.bad && poll(&p, 1, 0) == 1 && (p.revents & POLLOUT) != 0 &&
	    write(STDERR_FILENO, b.s, b.n < 4096 ? b.n : 4096) < 0)
		p.fd = -1;
	buf_free(&b);
}

void
call_free(struct call *c)
{
	if (c == NULL)
		return;
	for (size_t i = 0; i < CALL_TEXTS; i++)
		buf_free(&c->own[i]);
	buf_free(&c->arguments);
	buf_free(&c->id);
	buf_free(&c->token);
	buf_free(&c->out);
	buf_free(&c->object);
	free(c);
}
