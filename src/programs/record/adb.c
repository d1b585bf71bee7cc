/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * adb: commands on an Android device, by the program adb.
 *
 * All answers are hostile: the device may be anybody's.
 */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "icecore/program.h"
#include "adb.h"

#define WORDS 16
#define ANSWER_MOST 65536u
/* a command may take this long to end after a signal, or without an answer at the end */
#define CANCEL_NS 5000000000u
#define LOOK_NS 20000000u
#define SIZE_NS 250000000u	/* between two looks at a file that is being written */
#define SIZES_SAME 4u
#define SIZES_MOST 2400u	/* looks: ten minutes */

/* ---- commands ---------------------------------------------------------------------------------------------- */

/* Wait for its end.  A copy ends at once by a signal. */
static bool
adb_wait(const struct adb *a, struct other_program *p, bool copies, int *status, struct err *err)
{
	uint64_t now = os_now(), until = a->patience > 0 ? now + a->patience : UINT64_MAX;
	bool stopped = false;

	for (; other_runs(p, status) && now < until; now = os_now()) {
		if (!stopped && record_stop != 0) {
			stopped = true;
			until = copies ? now : now + CANCEL_NS;
		}
		if (!stop_wait(now + LOOK_NS))
			(void)usleep(LOOK_NS / 1000);
	}
	if (p->pid == 0)
		return true;
	other_stop(p, SIGINT, status);
	return stopped ? fail_cancel(err) : fail(err, E_SYSTEM, "adb does not answer");
}

bool
adb_try(struct adb *a, int in, int out, int *status, const char *const *words, struct err *err)
{
	const char *argv[WORDS + 4] = { "adb" };
	struct other_program p = OTHER_NONE;
	size_t n = 1;
	int answer = -1, how = 0;
	bool ok;

	buf_clear(&a->answer);
	if (a->serial.n > 0) {
		argv[n++] = "-s";
		argv[n++] = a->serial.s;
	}
	while (*words != NULL && n < NELEM(argv) - 1)
		argv[n++] = *words++;
	ok = (out >= 0 || fd_temporary(&answer, NULL, err)) &&
	    other_start(&p, a->path.s, argv, in, out >= 0 ? out : answer, err) &&
	    adb_wait(a, &p, out >= 0, &how, err);
	*status = WIFEXITED(how) ? WEXITSTATUS(how) : -1;
	if (ok && answer >= 0 && lseek(answer, 0, SEEK_SET) == 0)
		(void)read_most(dup(answer), ANSWER_MOST, &a->answer);
	if (ok)
		other_said(&p, ANSWER_MOST, &a->answer);
	if (answer >= 0)
		close(answer);
	other_end(&p);
	return ok && (!a->answer.bad || fail(err, E_SYSTEM, "out of memory (answer)"));
}

static bool
adb_says(const struct adb *a, const char *text)
{
	return a->answer.n > 0 && memmem(a->answer.s, a->answer.n, text, strlen(text)) != NULL;
}

bool
adb_failed(const struct adb *a, const char *what, struct err *err)
{
	struct str line = first_line(buf_view(&a->answer)), rest = buf_view(&a->answer), next;

	if (adb_says(a, "not debuggable") || adb_says(a, "not profileable"))
		return fail(err, E_SYSTEM,
		    "%s is not debuggable: install a debug build, or use an emulator without Google Play; "
		    "record --adb %s perfetto works without", a->r->o->package, a->r->o->package);
	/* The first line of a Java exception says only that there is one. */
	while (str_split(&rest, '\n', &next))
		if (memmem(next.s, next.n, "Exception: ", 11) != NULL) {
			line = str_trim(next);
			break;
		}
	line = line.n > 0 ? str_head(line, 300) : STR("no message");
	return fail(err, E_SYSTEM, "%s failed: %.*s", what, (int)line.n, line.s);
}

bool
adb_ask(struct adb *a, const char *const *words, struct err *err)
{
	char what[64];
	int status;

	if (!adb_try(a, -1, -1, &status, words, err))
		return false;
	/* am of old devices fails with status 0. */
	if (status == 0 && !adb_says(a, "Exception") && !str_has_prefix(buf_view(&a->answer), STR("Error")))
		return true;
	snprintf(what, sizeof what, "adb %s %s", words[0], words[1]);
	return adb_failed(a, what, err);
}

/* ---- the device -------------------------------------------------------------------------------------------- */

/*
 * Return the state of the wanted device, or of the only one.  *some gets the serial numbers of all, *n their
 * number.
 */
static struct str
adb_choose(struct adb *a, const char *wanted, struct buf *some, size_t *n)
{
	struct str rest = buf_view(&a->answer), line, serial, state, chosen = STR("");

	*n = 0;
	while (str_split(&rest, '\n', &line)) {
		if (!str_divide(line, STR("\t"), &serial, &state) || serial.n == 0 || line.s[0] == '*')
			continue;
		buf_printf(some, "%s%.*s", ++*n > 1 ? ", " : "", (int)str_head(serial, 64).n, serial.s);
		if (wanted != NULL ? !str_eq(serial, str_of(wanted)) : *n > 1)
			continue;
		buf_clear(&a->serial);
		buf_str(&a->serial, serial);
		chosen = str_trim(state);
		if (chosen.n > 0 && chosen.s[chosen.n - 1] == '\r')
			chosen.n--;
	}
	return chosen;
}

static bool
fit_device(const struct adb *a, const char *wanted, struct str state, const char *some, size_t n,
    struct err *err)
{
	if (n == 0)
		return fail(err, E_SYSTEM, "adb sees no device: connect one with USB debugging, or start an emulator");
	if (wanted == NULL && n > 1)
		return fail(err, E_USAGE, "several devices: %.300s; choose one with -s SERIAL or ANDROID_SERIAL", some);
	if (state.n == 0)
		return fail(err, E_USAGE, "no device '%.64s'; adb sees %.300s", wanted, some);
	if (str_eq(state, STR("device")))
		return !a->serial.bad || fail(err, E_SYSTEM, "out of memory");
	if (str_eq(state, STR("unauthorized")))
		return fail(err, E_SYSTEM, "device %s: unauthorized; allow USB debugging on its screen",
		    a->serial.s);
	return fail(err, E_SYSTEM, "device %s: %.*s; connect it again, or: adb reconnect", a->serial.s,
	    (int)str_head(state, 80).n, state.s);
}

static bool
adb_device(struct adb *a, struct err *err)
{
	static const char *const devices[] = { "devices", NULL };
	const char *wanted = a->r->o->serial != NULL ? a->r->o->serial : getenv("ANDROID_SERIAL");
	struct buf some = BUF_INIT;
	struct str state;
	size_t n;
	int status;
	bool ok;

	if (!adb_try(a, -1, -1, &status, devices, err))
		return false;
	if (status != 0)
		return adb_failed(a, "adb devices", err);
	if (wanted != NULL && wanted[0] == '\0')
		wanted = NULL;
	state = adb_choose(a, wanted, &some, &n);
	ok = fit_device(a, wanted, state, some.bad || some.n == 0 ? "" : some.s, n, err);
	buf_free(&some);
	return ok;
}

/* ---- the app ------------------------------------------------------------------------------------------------- */

static bool
fit_package(const char *s, struct err *err)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._:";

	return (s[0] != '\0' && s[strspn(s, plain)] == '\0' && strlen(s) < 200 && !is_one_of(s[0], ".:")) ||
	    fail(err, E_USAGE, "--adb: '%s' is not the name of an app, such as com.example.shop", s);
}

static bool
adb_app(struct adb *a, struct err *err)
{
	const char *const pidof[] = { "shell", "pidof", a->r->o->package, NULL };
	struct str line, word;
	uint64_t pid;
	int status;

	if (!adb_try(a, -1, -1, &status, pidof, err))
		return false;
	line = first_line(buf_view(&a->answer));
	(void)str_split_any(&line, " \r", &word);
	if (status > 1 || (status == 0 && (!num_u64(word, 10, &pid) || pid == 0 || pid > INT32_MAX)))
		return adb_failed(a, "adb shell pidof", err);
	if (status != 0)
		return fail(err, E_USAGE, "%s does not run on device %s: start it there first",
		    a->r->o->package, a->serial.s);
	snprintf(a->pid, sizeof a->pid, "%llu", (unsigned long long)pid);
	return true;
}

bool
adb_begin(struct adb *a, bool app, struct err *err)
{
	return fit_package(a->r->o->package, err) && policy_run("adb", err) &&
	    (program_find("adb", &a->path) || fail(err, E_SYSTEM,
	    "adb is not installed (Debian: adb; elsewhere: Android SDK Platform-Tools)")) &&
	    adb_device(a, err) && (!app || adb_app(a, err));
}

/* ---- the file on the device ------------------------------------------------------------------------------------ */

static bool
adb_size(struct adb *a, uint64_t *size, struct err *err)
{
	const char *const words[] = { "shell", "stat", "-c", "%s", a->file, NULL };

	*size = 0;
	if (!adb_ask(a, words, err))
		return false;
	return num_u64(first_line(buf_view(&a->answer)), 10, size) || adb_failed(a, "adb shell stat", err);
}

bool
adb_settle(struct adb *a, struct err *err)
{
	uint64_t size, last = 0;
	unsigned same = 0;

	for (unsigned i = 0; i < SIZES_MOST && same < SIZES_SAME; i++) {
		if (i > 0 && !stop_wait(os_now() + SIZE_NS))
			return fail_cancel(err);
		if (!adb_size(a, &size, err))
			return false;
		same = size > 0 && size == last ? same + 1 : 0;
		last = size;
	}
	return same == SIZES_SAME || fail(err, E_SYSTEM, "the device wrote no recording: %s", a->file);
}

/* exec-out has no exit status, so the size must be right. */
bool
adb_copy(struct adb *a, int to, struct err *err)
{
	const char *const cat[] = { "exec-out", "cat", a->file, NULL };
	uint64_t size, free_bytes;
	struct stat st;
	int status;

	if (!adb_size(a, &size, err) || !result_fits(a->r, size, &free_bytes, err) ||
	    !adb_try(a, -1, to, &status, cat, err))
		return false;
	if (status != 0)
		return adb_failed(a, "adb exec-out cat", err);
	return (size > 0 && fstat(to, &st) == 0 && (uint64_t)st.st_size == size) ||
	    fail(err, E_SYSTEM, "%s could not be copied from device %s", a->file, a->serial.s);
}

void
adb_end(struct adb *a)
{
	const char *const rm[] = { "shell", "rm", "-f", a->file, NULL };
	struct err err;

	(void)stop_keeps(a->r, NULL);
	a->patience = CANCEL_NS;
	if (a->file[0] != '\0' && !adb_ask(a, rm, &err))
		record_say("%s is still on device %s: %s", a->file, a->serial.s, err.text);
	buf_free(&a->path);
	buf_free(&a->serial);
	buf_free(&a->answer);
}
