/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * target: a process as /proc shows it, and the counters of a JVM.
 *
 * Names, command lines and files of the process are hostile. Its root directory may be that of a container,
 * in which the process controls every name, so directories are opened one by one, without following links.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record.h"

#define PROC_MOST ((size_t)8 << 20)	/* bytes of a file of /proc: maps can be long */
#define COUNTERS_MOST ((size_t)1 << 20)
#define QUIT_BIT ((uint64_t)1 << (SIGQUIT - 1))

/* ---- files of /proc --------------------------------------------------------------------------------- */

bool
read_most(int fd, size_t most, struct buf *b)
{
	char piece[16384];
	ssize_t n = 1;

	while (fd >= 0 && n > 0 && b->n < most && !b->bad) {
		n = read(fd, piece, sizeof piece);
		if (n > 0)
			buf_add(b, piece, (size_t)n);
	}
	if (fd >= 0)
		close(fd);
	return fd >= 0 && n >= 0 && !b->bad;
}

bool
proc_read(pid_t pid, const char *name, struct buf *b)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%ld/%s", (long)pid, name);
	return read_most(open(path, O_RDONLY | O_CLOEXEC), PROC_MOST, b);
}

bool
proc_read_machine(const char *name, struct buf *b)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%s", name);
	return read_most(open(path, O_RDONLY | O_CLOEXEC), PROC_MOST, b);
}

struct str
first_line(struct str text)
{
	struct str line = STR("");

	while (str_trim(line).n == 0 && str_split(&text, '\n', &line))
		;
	return str_trim(line);
}

/* Return the value of a line "Name: value" of the status. */
static struct str
status_value(struct str text, const char *name)
{
	struct str line;

	while (str_split(&text, '\n', &line))
		if (str_take(&line, str_of(name)) && str_take(&line, STR(":\t")))
			return line;
	return STR("");
}

static uint64_t
number_at(struct str words, char sep, size_t i, int base)
{
	struct str word = STR("");
	uint64_t n;

	while (i-- > 0)
		(void)str_split(&words, sep, &word);
	return str_split(&words, sep, &word) && num_u64(str_trim(word), base, &n) ? n : 0;
}

static uint64_t
ticks_ns(uint64_t ticks)
{
	long hz = sysconf(_SC_CLK_TCK);

	return hz > 0 ? ticks / (uint64_t)hz * 1000000000u + ticks % (uint64_t)hz * (1000000000u / (uint64_t)hz) : 0;
}

static bool
read_status(struct process *t, struct str *comm, struct buf *b)
{
	struct str ids, before;
	uint64_t n;

	if (!proc_read(t->pid, "status", b))
		return false;
	*comm = status_value(buf_view(b), "Name");
	t->threads = (unsigned)number_at(status_value(buf_view(b), "Threads"), '\t', 0, 10);
	t->uid = (uint32_t)number_at(status_value(buf_view(b), "Uid"), '\t', 1, 10);
	t->gid = (uint32_t)number_at(status_value(buf_view(b), "Gid"), '\t', 1, 10);
	t->catches = num_u64(status_value(buf_view(b), "SigCgt"), 16, &n) && (n & QUIT_BIT) != 0;
	t->kernel = status_value(buf_view(b), "VmSize").n == 0;
	ids = status_value(buf_view(b), "NSpid");
	if (!str_divide_last(ids, '\t', &before, &ids) && ids.n == 0)
		return true;
	t->nspid = num_u64(ids, 10, &n) && n <= INT32_MAX ? (unsigned)n : t->nspid;
	return true;
}

/* The name of the program, in parentheses, may contain anything. */
static void
read_times(struct process *t)
{
	struct buf b = BUF_INIT;
	struct str before, rest;

	t->ran = t->started = 0;
	if (proc_read(t->pid, "stat", &b) && str_divide_last(buf_view(&b), ')', &before, &rest)) {
		t->ran = ticks_ns(num_add(number_at(rest, ' ', 12, 10), number_at(rest, ' ', 13, 10)));
		t->started = ticks_ns(number_at(rest, ' ', 20, 10));
	}
	buf_free(&b);
}

/* ---- the counters of a JVM ---------------------------------------------------------------------------- */

/* Read the file PID of a directory hsperfdata_USER. */
static bool
read_counters(struct process *t, int tmp, const char *name)
{
	char number[16];
	struct stat st;
	int dir = openat(tmp, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), fd;
	bool ok;

	snprintf(number, sizeof number, "%u", t->nspid);
	fd = dir < 0 ? -1 : openat(dir, number, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (dir >= 0)
		close(dir);
	ok = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == t->uid;
	if (!ok && fd >= 0)
		close(fd);
	buf_clear(&t->bytes);
	return ok && read_most(fd, COUNTERS_MOST, &t->bytes) &&
	    hsperf_read(buf_view(&t->bytes), &t->counters);
}

static bool
find_counters(struct process *t)
{
	DIR *dir = t->tmp < 0 ? NULL : fdopendir(openat(t->tmp, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	struct dirent *e;
	bool found = false;

	while (dir != NULL && !found && (e = readdir(dir)) != NULL)
		found = strncmp(e->d_name, "hsperfdata_", 11) == 0 && read_counters(t, t->tmp, e->d_name);
	if (dir != NULL)
		closedir(dir);
	return found;
}

static enum jvm_kind
jvm_by_maps(pid_t pid)
{
	enum jvm_kind kind = JVM_NONE;
	struct buf b = BUF_INIT;

	if (proc_read(pid, "maps", &b) && b.n > 0) {
		if (memmem(b.s, b.n, "/libj9vm", 8) != NULL)
			kind = JVM_OPENJ9;
		else if (memmem(b.s, b.n, "/libjvm.so", 10) != NULL)
			kind = JVM_HOTSPOT;
	}
	buf_free(&b);
	return kind;
}

/* ---- names ---------------------------------------------------------------------------------------------- */

/* Set the name to the last part of "com.example.Main", "/opt/shop.jar" or "/usr/bin/python3". */
static void
set_name(struct process *t, struct str s, bool class)
{
	struct str before, last;
	size_t n = 0;

	if (str_divide_last(s, '/', &before, &last) && last.n > 0)
		s = last;
	if (class) {
		if (str_has_suffix(s, STR(".jar")))
			s.n -= 4;
		else if (str_divide_last(s, '.', &before, &last) && last.n > 0)
			s = last;
	}
	for (; n < s.n && n + 1 < sizeof t->name; n++)
		t->name[n] = is_word(s.s[n]) || (s.s[n] == '-' && n > 0) ? s.s[n] : '_';
	t->name[n] = '\0';
	if (n == 0)
		snprintf(t->name, sizeof t->name, "process");
}

static void
read_command(struct process *t)
{
	(void)proc_read(t->pid, "cmdline", &t->command);
	for (size_t i = 0; i < t->command.n; i++)
		if (t->command.s[i] == '\0')
			t->command.s[i] = ' ';
}

void
user_name(uint32_t uid, char *name, size_t size)
{
	const struct passwd *user = getpwuid(uid);

	if (user != NULL)
		snprintf(name, size, "%s", user->pw_name);
	else
		snprintf(name, size, "%u", uid);
}

/* ---- the process ------------------------------------------------------------------------------------------ */

static void
open_tmp(struct process *t)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%ld/root", (long)t->pid);
	t->root = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (t->root >= 0)
		t->tmp = openat(t->root, "tmp", O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

bool
target_look(struct process *t, pid_t pid, struct err *err)
{
	struct buf status = BUF_INIT;
	struct str comm, first;

	*t = TARGET_NONE;
	t->pid = pid;
	t->nspid = (unsigned)pid;
	if (!read_status(t, &comm, &status)) {
		buf_free(&status);
		return fail(err, E_USAGE, "no process %ld; 'icecore ps' lists processes", (long)pid);
	}
	read_times(t);
	set_name(t, comm, false);
	buf_free(&status);
	if (t->kernel)
		return true;
	read_command(t);
	open_tmp(t);
	if (find_counters(t))
		t->jvm = JVM_HOTSPOT;
	/* Without counters, or with those of another process of that number. */
	if (t->catches && (t->jvm == JVM_NONE || t->counters.command.n == 0))
		t->jvm = jvm_by_maps(pid);
	first = t->counters.command;
	if (t->jvm == JVM_HOTSPOT && str_split(&first, ' ', &comm) && comm.n > 0)
		set_name(t, comm, true);
	return true;
}

uint64_t
target_ran(pid_t pid)
{
	struct process t = { .pid = pid };

	read_times(&t);
	return t.ran;
}

void
target_leave(struct process *t)
{
	bool hidden = t->root < 0;

	if (t->root >= 0)
		close(t->root);
	if (t->tmp >= 0)
		close(t->tmp);
	t->root = -1;
	t->tmp = hidden ? TARGET_HIDDEN : -1;
}

void
target_close(struct process *t)
{
	target_leave(t);
	buf_free(&t->command);
	buf_free(&t->bytes);
	*t = TARGET_NONE;
}

/* SIGQUIT ends a process that does not handle it, so all conditions must hold. */
bool
target_takes(const struct process *t, struct err *err)
{
	const struct str args = t->counters.arguments;
	char user[64];

	user_name(t->uid, user, sizeof user);
	if (geteuid() != 0 && geteuid() != t->uid)
		return fail(err, E_SYSTEM,
		    "process %ld belongs to %s; run this as that user: sudo -u %s icecore record ...", (long)t->pid,
		    user, user);
	if (t->jvm == JVM_OPENJ9)
		return fail(err, E_USAGE, "process %ld is an OpenJ9 JVM, which needs its own tools: jcmd %ld Dump.heap",
		    (long)t->pid, (long)t->pid);
	if (t->jvm == JVM_NONE)
		return fail(err, E_USAGE, "process %ld (%s) is not a JVM; 'icecore ps' lists JVMs",
		    (long)t->pid, t->name);
	if (!t->catches)
		return fail(err, E_USAGE, "process %ld (%s) does not handle SIGQUIT (java -Xrs?), so a request would "
		    "end it", (long)t->pid, t->name);
	if (args.n > 0 && memmem(args.s, args.n, "+DisableAttachMechanism", 23) != NULL)
		return fail(err, E_USAGE, "process %ld (%s) was started with -XX:+DisableAttachMechanism; restart it "
		    "without", (long)t->pid, t->name);
	return t->tmp >= 0 || fail(err, E_SYSTEM, "cannot open /tmp of process %ld", (long)t->pid);
}

bool
target_shares_files(const struct process *t)
{
	struct stat here, there;
	char path[64];

	snprintf(path, sizeof path, "/proc/%ld/ns/mnt", (long)t->pid);
	if (stat("/proc/self/ns/mnt", &here) != 0 || stat(path, &there) != 0 || here.st_ino != there.st_ino ||
	    here.st_dev != there.st_dev)
		return false;
	return stat("/", &here) == 0 && t->root >= 0 && fstat(t->root, &there) == 0 &&
	    here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}
