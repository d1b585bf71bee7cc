/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * leftover: remove files with temporary names when the program ends, or when the next program finds them.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "icecore/ending.h"
#include "icecore/os.h"

#define PREFIX ".icecore-"
#define NAMES 8u
#define TRIES 20	/* 1 ms apart: as long as it takes to create a file */
#define HELPER_MS 1000

enum { FREE, TAKEN, NAMED };

/* Copies: a slot stays readable when the caller frees its name. */
static struct note {
	atomic_int	 state;
	char		 name[PATH_MAX];
} notes[NAMES];

static atomic_bool ends;
static atomic_int helper = -1;		/* socket of the helper, which may have more such files */
static atomic_int helper_pid;

/* ---- names ---------------------------------------------------------------------- */

char *
leftover_name(const char *directory)
{
	static atomic_uint count;
	struct buf b = BUF_INIT;

	buf_printf(&b, "%s/" PREFIX "%ld-%llx-%x", directory, (long)getpid(), (unsigned long long)os_now(),
	    atomic_fetch_add(&count, 1));
	if (!b.bad)
		return b.s;
	buf_free(&b);
	errno = ENOMEM;
	return NULL;
}

void
leftover_note(const char *name)
{
	size_t n = strlen(name) + 1;
	int unused;

	for (size_t i = 0; n <= PATH_MAX && i < NAMES; i++) {
		unused = FREE;
		if (!atomic_compare_exchange_strong(&notes[i].state, &unused, TAKEN))
			continue;
		memcpy(notes[i].name, name, n);
		atomic_store(&notes[i].state, NAMED);
		/* The program is ending and its files were removed: create no more. */
		while (atomic_load(&ends))
			pause();
		return;
	}
}

void
leftover_forget(const char *name)
{
	for (size_t i = 0; i < NAMES; i++)
		if (atomic_load(&notes[i].state) == NAMED && strcmp(notes[i].name, name) == 0)
			atomic_store(&notes[i].state, FREE);
}

/* ---- files without a live owner ---------------------------------------------------- */

/* True if a named file is missing: another thread may just be creating it. */
static bool
remove_noted(void)
{
	bool missing = false;

	for (size_t i = 0; i < NAMES; i++)
		if (atomic_load(&notes[i].state) == NAMED && unlink(notes[i].name) != 0)
			missing |= errno == ENOENT;
	return missing;
}

/*
 * The helper removes its own files when this process ends, and then ends itself. In a container without an
 * init process it would remain as a zombie.
 */
static void
wait_for_helper(void)
{
	struct pollfd p = { .fd = atomic_exchange(&helper, -1), .events = POLLIN };
	char answer[64];
	int tries = 0;

	if (p.fd < 0 || shutdown(p.fd, SHUT_WR) != 0)
		return;
	/* An answer for another thread may arrive first. */
	while (tries++ < TRIES && poll(&p, 1, HELPER_MS) > 0)
		if (read(p.fd, answer, sizeof answer) <= 0) {
			(void)waitpid(atomic_load(&helper_pid), NULL, 0);
			return;
		}
}

void
leftovers_elsewhere(int socket, int pid)
{
	atomic_store(&helper_pid, pid);
	atomic_store(&helper, socket);
	(void)atexit(wait_for_helper);
}

void
leftovers_end(void)
{
	atomic_store(&ends, true);
	wait_for_helper();
	for (int tries = 0; remove_noted() && tries < TRIES; tries++)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
}

/* The letter of proc(5); 0: no such process, or /proc does not show it. */
static char
process_state(pid_t pid)
{
	char path[32], text[512], *state;
	ssize_t n;
	int fd;

	snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, text, sizeof text);
	if (fd >= 0)
		close(fd);
	/* The name in front of the state is in parentheses, and may have some. */
	state = n > 0 ? memrchr(text, ')', (size_t)n) : NULL;
	return state != NULL && state + 2 < text + n ? state[2] : '\0';
}

bool
process_stopped(pid_t pid)
{
	char state = process_state(pid);

	return state == 'T' || state == 't';
}

bool
process_ended(pid_t pid)
{
	char state = process_state(pid);

	return state == 'Z' || state == 'X' || (state == '\0' && kill(pid, 0) != 0 && errno == ESRCH);
}

static bool
is_leftover(int dir, const char *name)
{
	struct str rest = str_of(name), pid;
	struct stat st;
	int64_t id;
	int fd;
	bool dead;

	if (!str_has_prefix(rest, STR(PREFIX)))
		return false;
	rest.s += sizeof PREFIX - 1;
	rest.n -= sizeof PREFIX - 1;
	if (!str_split(&rest, '-', &pid) || !num_i64(pid, 10, &id) ||
	    id <= 0 || id > INT32_MAX)
		return false;
	if (!process_ended((pid_t)id))
		return false;
	fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	dead = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    st.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0;
	close(fd);
	return dead;
}

bool
leftovers_sweep(const char *directory)
{
	DIR *dir = opendir(directory);
	struct dirent *entry;

	if (dir == NULL)
		return false;
	while ((entry = readdir(dir)) != NULL)
		if (is_leftover(dirfd(dir), entry->d_name))
			unlinkat(dirfd(dir), entry->d_name, 0);
	closedir(dir);
	return true;
}
