/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * system: services that each kind of operating system offers in its own way.
 *
 * Only the layer os asks which system this is.  Linux has all services.  Elsewhere a function reports that
 * it cannot do its work, and its caller continues without it.
 */
#ifndef ICECORE_SYSTEM_H
#define ICECORE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "icecore/base.h"

/* ---- processes ------------------------------------------------------------------------- */

/*
 * In a child: the signal comes when parent ends, where the system can do that.  False: parent has ended, or
 * it cannot be asked.
 */
bool	system_end_with(pid_t parent, int sig);
/* In a child: programs that it starts gain no rights.  Where the system does not have that, true. */
bool	system_no_new_rights(void);
void	system_name_process(const char *);	/* name for lists of processes */
/* Replace this process by this program with other words; it returns only if that fails. */
void	system_run_again(char *const *argv);
/* A handle of a process, because a later process can have the same number; -1: the system has no handles. */
int	system_hold(pid_t);
bool	system_signal(int held, pid_t, int sig);	/* held: -1, or the handle.  False: errno */
/* Whether the other end of a local socket is that process of that user. */
bool	system_is_peer(int socket, pid_t, uid_t);
/* Whether other processes can be inspected and recorded; otherwise the reason. */
bool	system_records(struct err *);
uint64_t system_uptime(void);		/* ns since the start of the machine; 0: unknown */
uint64_t system_memory(void);		/* bytes that new processes can have; 0: unknown */
/* The processors that this process may use. */
unsigned system_processors(void);
/*
 * Bytes of this process in memory; 0: unknown.  system_resident_open lets it work after files cannot be
 * opened any more.
 */
uint64_t system_resident(void);
void	system_resident_open(void);

/* ---- files ----------------------------------------------------------------------------- */

/*
 * Rename, but never replace: errno EEXIST.  ENOSYS or EINVAL: the system or the file system cannot promise
 * that.
 */
bool	system_rename_new(int from_dir, const char *from, int to_dir, const char *to);
/* Free the space of a part in the middle of a file, which then reads as zeros.  Only a hint. */
void	system_punch(int fd, uint64_t from, uint64_t bytes);
/* Whether somebody has a file, open here for reading, open for writing; false: no, or unknown. */
bool	system_is_written(int fd);
bool	system_in_memory(const char *directory);	/* files there need no disk */
/* A file in memory, without a name, that cannot grow beyond that size; -1: the system has none. */
int	system_memory_file(size_t bytes);

/* ---- memory ---------------------------------------------------------------------------- */

/*
 * A private or shared map with another size, maybe elsewhere; fd: its file, or -1.  MAP_FAILED: errno, and
 * it is as before.
 */
void	*system_resize(void *data, size_t was, size_t size, int fd);
/*
 * Put pages of memory in the place of others in one step; they leave their old place.  False: nothing
 * changed.
 */
bool	system_put_pages(void *at, void *pages, size_t bytes);

/* ---- arrivals: files that appear in a directory ------------------------------------------ */

struct arrivals {
	int	fd, directory;	/* poll fd for news; directory is for systems that watch an open one */
};

#define ARRIVALS_NONE ((struct arrivals){ -1, -1 })

/* All that came since the last call. */
struct arrival {
	bool		gone;		/* the directory was removed or renamed */
	bool		list;		/* names are missing: list the directory */
};

bool	arrivals_begin(struct arrivals *, const char *directory);	/* false: errno */
/* each: a name, and whether the file came complete, by a rename. */
bool	arrivals_take(struct arrivals *, struct arrival *,
    bool (*each)(void *to, const char *name, bool whole, struct err *), void *to, struct err *) MUST_USE;
void	arrivals_end(struct arrivals *);

#endif
