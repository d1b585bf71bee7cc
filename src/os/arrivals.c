/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * arrivals: files that appear in a directory, by inotify or kqueue.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/inotify.h>
#elif defined(__APPLE__) || defined(__FreeBSD__)
#include <sys/types.h>
#include <sys/event.h>
#include <sys/time.h>
#endif

#include "icecore/system.h"

#if defined(__linux__)

#define EVENTS (IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

bool
arrivals_begin(struct arrivals *a, const char *directory)
{
	a->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	return a->fd >= 0 && inotify_add_watch(a->fd, directory, EVENTS) >= 0;
}

bool
arrivals_take(struct arrivals *a, struct arrival *all, bool (*each)(void *to, const char *name, bool whole,
    struct err *), void *to, struct err *err)
{
	_Alignas(struct inotify_event) char room[16384];
	const struct inotify_event *e;
	bool ok = true;
	ssize_t n;

	*all = (struct arrival){ 0 };
	while (ok && (n = read(a->fd, room, sizeof room)) > 0)
		for (ssize_t at = 0; ok && at < n; at += (ssize_t)(sizeof *e + e->len)) {
			e = (const struct inotify_event *)(const void *)(room + at);
			all->gone |= (e->mask & (IN_DELETE_SELF | IN_MOVE_SELF)) != 0;
			all->list |= (e->mask & IN_Q_OVERFLOW) != 0;
			if (e->len > 0)
				ok = each(to, e->name, (e->mask & IN_MOVED_TO) != 0, err);
		}
	return ok;
}

#elif defined(__APPLE__) || defined(__FreeBSD__)

/* kqueue reports that the directory has changed, without names. */
bool
arrivals_begin(struct arrivals *a, const char *directory)
{
	struct kevent e;

	a->directory = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	a->fd = a->directory >= 0 ? kqueue() : -1;
	EV_SET(&e, (uintptr_t)a->directory, EVFILT_VNODE, EV_ADD | EV_CLEAR,
	    NOTE_WRITE | NOTE_DELETE | NOTE_RENAME, 0, NULL);
	return a->fd >= 0 && fcntl(a->fd, F_SETFD, FD_CLOEXEC) == 0 &&
	    kevent(a->fd, &e, 1, NULL, 0, NULL) == 0;
}

bool
arrivals_take(struct arrivals *a, struct arrival *all, bool (*each)(void *to, const char *name, bool whole,
    struct err *), void *to, struct err *err)
{
	const struct timespec now = { 0, 0 };
	struct kevent e;

	(void)each, (void)to, (void)err;
	*all = (struct arrival){ 0 };
	while (kevent(a->fd, NULL, 0, &e, 1, &now) > 0) {
		all->gone |= (e.fflags & (NOTE_DELETE | NOTE_RENAME)) != 0;
		all->list = true;
	}
	return true;
}

#else

/* Callers list the directory from time to time. */
bool
arrivals_begin(struct arrivals *a, const char *directory)
{
	*a = ARRIVALS_NONE;
	return access(directory, R_OK | X_OK) == 0;
}

bool
arrivals_take(struct arrivals *a, struct arrival *all, bool (*each)(void *to, const char *name, bool whole,
    struct err *), void *to, struct err *err)
{
	(void)a, (void)each, (void)to, (void)err;
	*all = (struct arrival){ .list = true };
	return true;
}

#endif

void
arrivals_end(struct arrivals *a)
{
	if (a->fd >= 0)
		close(a->fd);
	if (a->directory >= 0)
		close(a->directory);
	*a = ARRIVALS_NONE;
}
