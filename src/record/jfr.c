/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * jfr: a flight recording of a JVM: one of our own for some time, or what an active one has so far.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "record.h"

/* Send one request of jcmd, "JFR.check". */
static bool
jfr_ask(const struct recording *r, const char *text, struct buf *answer, struct err *err)
{
	const char *const request[] = { "jcmd", text, NULL };

	buf_clear(answer);
	return attach_ask(&r->target, request, answer, err);
}

/* Return the number of an active recording of the answer to JFR.check: "Recording 1: name=x (running)" or "recording=1". */
bool
jfr_running(struct str answer, uint64_t *number)
{
	struct str line, before, rest;

	while (str_split(&answer, '\n', &line)) {
		if (line.n == 0 || memmem(line.s, line.n, "running", 7) == NULL)
			continue;
		if (!str_divide(line, STR("recording="), &before, &rest) && !str_divide(line, STR("Recording "), &before, &rest))
			continue;
		for (before = rest; rest.n > 0 && is_digit(rest.s[0]); rest = str_behind(rest, 1))
			;
		if (num_u64(str_head(before, before.n - rest.n), 10, number))
			return true;
	}
	return false;
}

static bool
jfr_dump(const struct recording *r, const char *name, struct err *err)
{
	struct jvm_file f = JVM_FILE_NONE;
	struct buf request = BUF_INIT, answer = BUF_INIT;
	bool ok = jvm_file_begin(&f, r, err);

	if (ok)
		buf_printf(&request, "JFR.dump name=%s filename=\"%s\"", name, f.path.s);
	ok = ok && (!request.bad || fail(err, E_SYSTEM, "out of memory")) && jfr_ask(r, request.s, &answer, err) && jvm_file_take(&f, r, err);
	jvm_file_end(&f);
	buf_free(&request);
	buf_free(&answer);
	return ok;
}

/* Our recording is stopped whatever happens. An interrupt ends it early. */
static bool
jfr_own(struct recording *r, struct err *err)
{
	char name[48], request[512];
	struct buf answer = BUF_INIT;
	struct err ignored;
	struct str said;
	bool ok;

	snprintf(name, sizeof name, "icecore-%ld", (long)getpid());
	snprintf(request, sizeof request, "JFR.start name=%s settings=%s", name, r->o->settings);
	ok = jfr_ask(r, request, &answer, err);
	said = first_line(buf_view(&answer));
	if (ok && (answer.n == 0 || memmem(answer.s, answer.n, "Started recording", 17) == NULL))
		ok = fail(err, E_SYSTEM, "the JVM %ld (%s) starts no recording: %.*s", (long)r->target.pid, r->target.name,
		    (int)str_head(said, 300).n, said.n > 0 ? said.s : "");
	if (ok)
		(void)stop_wait(os_now() + r->o->time);
	ok = stop_keeps(r, ok ? err : NULL) && ok && jfr_dump(r, name, err);
	snprintf(request, sizeof request, "JFR.stop name=%s", name);
	record_stop = 0;
	(void)jfr_ask(r, request, &answer, &ignored);
	buf_free(&answer);
	return ok;
}

/* Dump the active recording, which continues. */
static bool
jfr_other(struct recording *r, struct err *err)
{
	struct buf answer = BUF_INIT;
	char name[32];
	uint64_t number;
	bool ok = jfr_ask(r, "JFR.check", &answer, err);

	if (ok && !jfr_running(buf_view(&answer), &number))
		ok = fail(err, E_USAGE, "the JVM %ld (%s) has no active recording; give a TIME to make one: icecore record jfr %ld 30s",
		    (long)r->target.pid, r->target.name, (long)r->target.pid);
	if (ok) {
		snprintf(name, sizeof name, "%llu", (unsigned long long)number);
		ok = jfr_dump(r, name, err);
	}
	buf_free(&answer);
	return ok;
}

/* The settings are part of a request. */
static bool
jfr_settings(const char *s, struct err *err)
{
	return (s[0] != '\0' && strlen(s) < 300 && strpbrk(s, " \t\n\"'\\,=") == NULL) ||
	    fail(err, E_USAGE, "'%s' does not name settings; use profile, default or the path of a .jfc file", s);
}

bool
record_jfr(struct recording *r, struct err *err)
{
	char time[NUM_TEXT];

	if (!target_takes(&r->target, err) || !jfr_settings(r->o->settings, err) || !result_name(r, r->target.name, ".jfr", err))
		return false;
	num_show_duration(time, sizeof time, r->o->time);
	if (r->o->time > 0)
		record_say("flight recording of %ld (%s) for %s: costs the JVM about 1 to 2 %% CPU; writes %s", (long)r->target.pid, r->target.name,
		    time, r->path.s);
	else
		record_say("the active flight recording of %ld (%s) so far: it continues; writes %s", (long)r->target.pid, r->target.name, r->path.s);
	return r->o->dry_run || (r->o->time > 0 ? jfr_own(r, err) : jfr_other(r, err));
}
