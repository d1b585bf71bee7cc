/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * users: names of users in paths and in addresses.
 *
 * A user follows the directories that systems have for users, "/home/alice", or a group of users in
 * these, "/home/users/alice", "/home/a/alice"; and in front of the host, "https://alice:secret@host/".
 */
#include "config.h"

#include <string.h>

#include "icecore/make.h"
#include "icecore/telling.h"

static bool
users_is_slash(char c)
{
	return c == '/' || c == '\\';
}

/* Directories of users; a path with '/' in front begins with them.  '*' is any name. */
static const char *const users_homes[] = {
	"home", "homes", "Users", "Documents and Settings", "/users", "/u", "run/user", "run/media", "/media",
	"var/mail", "spool/mail", "spool/cron/crontabs", "usr/people", "/afs/*/user", "/afs/*/users", "/afs/*/home",
	"/afs/*/usr"
};

/* Directories in these with users of their own. */
static const char *const users_groups[] =
    { "users", "user", "homes", "home", "staff", "students", "student", "people", "local", "members", ".ecryptfs" };

/* The name up to a slash, or to the end of a path. */
static struct str
users_name(struct str s)
{
	size_t n = 0;

	while (n < s.n && !users_is_slash(s.s[n]))
		n++;
	return str_head(s, n);
}

/* Slashes, which JSON may escape. */
static struct str
users_after_slashes(struct str s)
{
	while (s.n > 0 && users_is_slash(s.s[0]))
		s = str_after(s, 1);
	return s;
}

/* Take a pattern of directories, and the slash after it. */
static bool
users_take(struct str *s, struct str pattern)
{
	struct str rest = *s, part, name;

	while (str_split(&pattern, '/', &part)) {
		name = users_name(rest);
		if (name.n == 0 || name.n == rest.n || (!str_is(part, "*") && !str_eq(name, part)))
			return false;
		rest = users_after_slashes(str_after(rest, name.n));
	}
	*s = rest;
	return true;
}

/* "users" and "a" in "/home/users/alice", "/home/a/alice". */
static bool
users_is_group(struct str name, struct str next)
{
	return (name.n > 0 && name.n <= 2 && str_has_prefix(next, name)) || str_is_one(users_groups, NELEM(users_groups), name);
}

/* The user after the directories that begin at a slash; root: nothing of a path is in front of it. */
static struct str
users_behind(struct str s, bool root)
{
	struct str rest = users_after_slashes(s), name, next, pattern;

	if (rest.n > 1 && rest.s[0] == '~' && rest.s[1] != '~')
		return users_name(str_after(rest, 1));
	for (size_t i = 0; i < NELEM(users_homes); i++) {
		pattern = str_of(users_homes[i]);
		if (str_take(&pattern, STR("/")) && !root)
			continue;
		rest = users_after_slashes(s);
		if (!users_take(&rest, pattern))
			continue;
		for (name = users_name(rest); name.n < rest.n; name = users_name(rest)) {
			next = users_after_slashes(str_after(rest, name.n));
			if (!users_is_group(name, next))
				break;
			rest = next;
		}
		/* A line may follow. */
		name = str_until(name, ':');
		if (name.n > 0)
			return name;
	}
	return STR("");
}

/* "alice:secret" in "https://alice:secret@host/"; empty: there is none. */
static struct str
users_of_host(struct str s)
{
	size_t at = 0;

	for (size_t i = 0; i < s.n && !users_is_slash(s.s[i]) && !is_blank(s.s[i]); i++)
		at = s.s[i] == '@' ? i : at;
	return str_head(s, at);
}

struct str
telling_user(struct str s, bool *secret)
{
	struct str user;

	*secret = false;
	for (size_t i = 0; i < s.n; i++) {
		if (!users_is_slash(s.s[i]) || (i > 0 && users_is_slash(s.s[i - 1])))
			continue;
		if (i > 0 && s.s[i - 1] == ':' && i + 2 < s.n && s.s[i + 1] == '/' &&
		    (user = users_of_host(str_after(s, i + 2))).n > 0) {
			*secret = true;
			return user;
		}
		user = users_behind(str_after(s, i), i == 0 || memchr(":(\"'= \t", s.s[i - 1], 7) != NULL);
		if (user.n > 0)
			return user;
	}
	return STR("");
}
