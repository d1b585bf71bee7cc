/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * jfr: a flight recording of a JVM: one of our own for some time, or what an active one has so far.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "icecore/ending.h"
#include "record.h"

#define STOP_NS 1000000000u	/* for a JVM that is known not to answer */
#define OWN "icecore-"	/* at the start of the names of own recordings */

/* Send one request of jcmd, "JFR.check". */
static bool
jfr_ask(const struct recording *r, const char *text, struct buf *answer, struct err *err)
{
	const char *const request[] = { "jcmd", text, NULL };

	buf_clear(answer);
	return attach_ask(&r->target, request, answer, err);
}

/*
 * Return the number of an active recording of the answer to JFR.check: "Recording 1: name=x (running)" or
 * "recording=1".
 */
bool
jfr_running(struct str answer, uint64_t *number)
{
	struct str line, before, rest;

	while (str_split(&answer, '\n', &line)) {
		if (line.n == 0 || memmem(line.s, line.n, "running", 7) == NULL)
			continue;
		if (!str_divide(line, STR("recording="), &before, &rest) &&
		    !str_divide(line, STR("Recording "), &before, &rest))
			continue;
		for (before = rest; rest.n > 0 && is_digit(rest.s[0]); rest = str_after(rest, 1))
			;
		if (num_u64(str_head(before, before.n - rest.n), 10, number))
			return true;
	}
	return false;
}

/* ---- recordings that a killed icecore left -------------------------------------------------------------------- */

/* The namespace in which the number of this process is valid; 0: unknown. */
static uint64_t
jfr_space(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) == 0 ? (uint64_t)st.st_ino : 0;
}

static uint64_t
jfr_started(uint64_t pid)
{
	struct process p = TARGET_NONE;
	uint64_t started = !process_ended((pid_t)pid) && target_look(&p, (pid_t)pid, NULL) ? p.started : 0;

	target_close(&p);
	return started;
}

/* "Recording 1: name=icecore-PID-STARTED-SPACE (running)"; JDK 8 has quotes. */
bool
jfr_owned(struct str *rest, struct jfr_owned *o)
{
	struct str line, before, name, number[2];

	while (str_split(rest, '\n', &line)) {
		if (memmem(line.s, line.n, "(running)", 9) == NULL ||
		    !str_divide(line, STR("name="), &before, &name))
			continue;
		(void)str_take(&name, STR("\""));
		if (str_split_any(&name, " \"", &line) < 0)
			continue;
		snprintf(o->name, sizeof o->name, "%.*s", (int)line.n, line.s);
		if (line.n < sizeof o->name && str_take(&line, STR(OWN)) &&
		    str_split(&line, '-', &number[0]) && str_split(&line, '-', &number[1]) &&
		    num_u64(number[0], 10, &o->pid) && o->pid <= INT32_MAX &&
		    num_u64(number[1], 10, &o->started) && num_u64(line, 10, &o->space))
			return true;
	}
	return false;
}

/* End them.  *answer gets the recordings of the JVM after that. */
static bool
jfr_sweep(const struct recording *r, struct buf *answer, struct err *err)
{
	struct buf all = BUF_INIT, stop = BUF_INIT;
	uint64_t space = jfr_space();
	struct jfr_owned o;
	struct str rest;
	bool ok = jfr_ask(r, "JFR.check", answer, err);

	buf_str(&all, buf_view(answer));
	for (rest = buf_view(&all); ok && jfr_owned(&rest, &o);) {
		if (o.space != space || jfr_started(o.pid) == o.started)
			continue;
		record_say("ends a flight recording that a killed icecore left: %s", o.name);
		buf_clear(&stop);
		buf_printf(&stop, "JFR.stop name=%s", o.name);
		ok = (!stop.bad || fail(err, E_SYSTEM, "out of memory")) && jfr_ask(r, stop.s, answer, err) &&
		    jfr_ask(r, "JFR.check", answer, err);
	}
	buf_free(&all);
	buf_free(&stop);
	return ok;
}

/* ---- the recording --------------------------------------------------------------------------------------------- */

/* fd NULL: it becomes the result; otherwise it is opened, and has no name. */
static bool
jfr_dump(const struct recording *r, const char *name, int *fd, struct err *err)
{
	struct jvm_file f = JVM_FILE_NONE;
	struct buf request = BUF_INIT, answer = BUF_INIT;
	bool ok = jvm_file_begin(&f, r, err);

	if (ok)
		buf_printf(&request, "JFR.dump name=%s filename=\"%s\"", name, f.path.s);
	ok = ok && (!request.bad || fail(err, E_SYSTEM, "out of memory")) &&
	    jfr_ask(r, request.s, &answer, err) && (fd == NULL ? jvm_file_take(&f, r, err) :
	    (*fd = jvm_file_open(&f, r, err)) >= 0);
	jvm_file_end(&f);
	buf_free(&request);
	buf_free(&answer);
	return ok;
}

static bool
jfr_so_far(struct recording *r, int *fd, struct err *err)
{
	attach_begin(&r->target);
	return jfr_dump(r, r->made, fd, err);
}

/* Our recording is stopped whatever happens. An interrupt ends it early. */
static bool
jfr_own(struct recording *r, struct err *err)
{
	char name[JFR_NAME], request[512];
	struct buf answer = BUF_INIT;
	struct err why;
	struct str said;
	bool ok, silent;

	if (!jfr_sweep(r, &answer, err)) {
		buf_free(&answer);
		return false;
	}
	snprintf(name, sizeof name, OWN "%ld-%llu-%llu", (long)getpid(),
	    (unsigned long long)jfr_started((uint64_t)getpid()), (unsigned long long)jfr_space());
	snprintf(request, sizeof request, "JFR.start name=%s settings=%s", name, r->o->settings);
	ok = jfr_ask(r, request, &answer, err);
	said = first_line(buf_view(&answer));
	said = said.n > 0 ? str_head(said, 300) : STR("it gives no reason");
	if (ok && (answer.n == 0 || memmem(answer.s, answer.n, "Started recording", 17) == NULL))
		ok = fail(err, E_SYSTEM, "the JVM %ld (%s) starts no recording: %.*s", (long)r->target.pid,
		    r->target.name, (int)said.n, said.s);
	ok = ok && follow_begin(r, jfr_so_far, name, err);
	if (ok)
		(void)follow_wait(r, os_now() + r->o->time);
	follow_end(r);
	silent = !ok && err->reason == REASON_TIME;
	attach_begin(&r->target);
	ok = stop_keeps(r, ok ? err : NULL) && ok && jfr_dump(r, name, NULL, err);
	silent |= !ok && err->reason == REASON_TIME;
	attach_begin(&r->target);
	if (silent && r->target.patience > STOP_NS)
		r->target.until = os_now() + STOP_NS;
	snprintf(request, sizeof request, "JFR.stop name=%s", name);
	record_stop = 0;
	if (!jfr_ask(r, request, &answer, &why))
		record_say("the flight recording %s may still run; the next 'record jfr' ends it", name);
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
	bool ok = jfr_sweep(r, &answer, err);

	if (ok && !jfr_running(buf_view(&answer), &number))
		ok = fail(err, E_USAGE, "the JVM %ld (%s) has no active recording; give a TIME to make one: icecore "
		    "record jfr %ld 30s",
		    (long)r->target.pid, r->target.name, (long)r->target.pid);
	if (ok) {
		snprintf(name, sizeof name, "%llu", (unsigned long long)number);
		if (r->o->live && (ok = follow_begin(r, jfr_so_far, name, err)))
			(void)follow_wait(r, UINT64_MAX);
		follow_end(r);
		if (r->o->live)
			attach_begin(&r->target);
		ok = ok && stop_keeps(r, err) && jfr_dump(r, name, NULL, err);
	}
	buf_free(&answer);
	return ok;
}

/* The settings are part of a request. */
static bool
jfr_settings(const char *s, struct err *err)
{
	return (s[0] != '\0' && strlen(s) < 300 && strpbrk(s, " \t\n\"'\\,=") == NULL) ||
	    fail(err, E_USAGE, "'%s' does not name settings; use profile, default or the path of a .jfc file",
	    s);
}

bool
record_jfr(struct recording *r, struct err *err)
{
	char time[NUM_TEXT];

	if (!target_takes(&r->target, err) || !jfr_settings(r->o->settings, err) ||
	    !result_name(r, r->target.name, ".jfr", err))
		return false;
	num_show_duration(time, sizeof time, r->o->time);
	if (r->o->time > 0)
		record_say("flight recording of %ld (%s) for %s: costs the JVM about 1 to 2 %% CPU; writes %s",
		    (long)r->target.pid, r->target.name,
		    time, r->path.s);
	else
		record_say("the active flight recording of %ld (%s) so far: it continues; writes %s",
		    (long)r->target.pid, r->target.name, r->path.s);
	attach_begin(&r->target);
	return r->o->dry_run || (r->o->time > 0 ? jfr_own(r, err) : jfr_other(r, err));
}
