/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tool_record: recordings, which another process makes: this one is in the sandbox.
 */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mcp.h"

#define LOOK_MS 100

/* Wait for the answer.  One who cancels waits until the recording is undone. */
static ssize_t
tool_record_take(const struct call *c, char *answer, struct work *w)
{
	struct pollfd p = { .fd = c->o->recorder, .events = POLLIN };
	bool cancelled = false;
	ssize_t n = -1;

	for (;;) {
		if (poll(&p, 1, LOOK_MS) > 0) {
			n = read(p.fd, answer, MCP_RECORDED);
			if (n >= 0 || errno != EINTR)
				return n;
		}
		if (!cancelled && atomic_load(&w->cancel)) {
			cancelled = true;
			if (write(p.fd, "", 1) != 1)
				return -1;
		}
	}
}

static bool
tool_record_ask(struct call *c, const struct mcp_recording *q, struct work *w, struct err *err)
{
	char *answer = mem_array(MCP_RECORDED, 1);
	struct str text, line;
	ssize_t n;
	bool ok = answer != NULL || fail(err, E_SYSTEM, "out of memory");

	ok = ok && (write(c->o->recorder, q, sizeof *q) == (ssize_t)sizeof *q ||
	    fail_errno(err, "the recorder ended"));
	n = ok ? tool_record_take(c, answer, w) : 0;
	if (ok && n < 1)
		ok = fail(err, E_SYSTEM, "the recorder ended");
	if (ok) {
		text = (struct str){ answer + 1, (size_t)n - 1 };
		if (answer[0] != 0)
			ok = fail(err, E_USAGE, "%.*s", (int)str_head(text, 400).n, text.s);
		while (ok && str_split(&text, '\n', &line) && c->out.n + line.n < c->o->budget) {
			text_fit_data(&c->out, line);
			buf_chr(&c->out, '\n');
		}
	}
	free(answer);
	return ok;
}

bool
tool_processes(struct call *c, struct work *w, struct err *err)
{
	const struct mcp_recording q = { .kind = "ps" };

	return tool_record_ask(c, &q, w, err);
}

bool
tool_record(struct call *c, struct work *w, struct err *err)
{
	struct mcp_recording q = { .pid = (uint32_t)call_number(c, CALL_PID),
	    .seconds = (uint32_t)call_number(c, CALL_SECONDS) };

	memcpy(q.kind, c->text[CALL_KIND].s, str_head(c->text[CALL_KIND], sizeof q.kind - 1).n);
	return tool_record_ask(c, &q, w, err);
}
