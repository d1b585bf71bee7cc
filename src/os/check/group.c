/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * group: who writes where a group may.
 *
 * Read from the files of users: the C library would ask other services, whose list of users may be
 * incomplete, and load modules, which the static program cannot.
 */
#include "config.h"

#include <string.h>
#include <sys/stat.h>
#ifdef __linux__
#include <sys/xattr.h>
#endif
#include <unistd.h>

#include "icecore/directory.h"
#include "icecore/os.h"

#define FIELDS 4u

/* The first fields of a line of passwd or group, and two of them as numbers. */
struct entry {
	struct str	field[FIELDS];
	uint64_t	third, fourth;	/* UINT64_MAX: no number */
};

static bool
next_entry(struct str *text, struct entry *e)
{
	struct str line;

	if (!str_split(text, '\n', &line))
		return false;
	for (size_t i = 0; i < FIELDS; i++)
		str_split(&line, ':', &e->field[i]);
	if (!num_u64(e->field[2], 10, &e->third))
		e->third = UINT64_MAX;
	if (!num_u64(e->field[3], 10, &e->fourth))
		e->fourth = UINT64_MAX;
	return true;
}

/* The user has that group, and no other user has it; "+" would be users that a server has. */
static bool
has_alone(struct str passwd, uint64_t user, uint64_t group, struct str *name)
{
	struct entry e;
	bool found = false;

	while (next_entry(&passwd, &e)) {
		if (str_has_prefix(e.field[0], STR("+")) || (e.fourth == group && e.third != user))
			return false;
		if (e.fourth != group)
			continue;
		*name = e.field[0];
		found = true;
	}
	return found;
}

bool
group_of_one(struct str passwd, struct str groups, uint64_t user, uint64_t group)
{
	struct str name = STR("");
	struct entry e;
	bool found = false;

	if (!has_alone(passwd, user, group, &name))
		return false;
	while (next_entry(&groups, &e)) {
		if (e.third != group)
			continue;
		if (!str_eq(e.field[0], name) || (e.field[3].n > 0 && !str_eq(e.field[3], name)))
			return false;
		found = true;
	}
	return found;
}

/* With an access list the bits of the group are those of other users and groups too. */
static bool
has_access_list(int fd)
{
#ifdef __linux__
	return fgetxattr(fd, "system.posix_acl_access", NULL, 0) > 0;
#else
	(void)fd;
	return true;
#endif
}

bool
group_is_private(int fd, const struct stat *st)
{
	struct map passwd, groups;
	struct err err;
	bool ok;

	if (has_access_list(fd) || !map_open(&passwd, "/etc/passwd", NULL, &err))
		return false;
	ok = map_open(&groups, "/etc/group", NULL, &err);
	if (ok) {
		ok = group_of_one((struct str){ (const char *)passwd.data, passwd.size },
		    (struct str){ (const char *)groups.data, groups.size }, geteuid(), st->st_gid);
		map_close(&groups);
	}
	map_close(&passwd);
	return ok;
}
