/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * users: names of users in paths and in addresses.
 *
 * A user follows the directories that systems have for users, "/home/alice", or a group of users in
 * these, "/home/users/alice", "/home/a/alice"; and in front of the host, "https://alice:secret@host/".
 * In "/home/corp/alice", the first is a domain.  Nothing tells this from "/home/alice/project", so both
 * directories are hidden, except those that users commonly have.
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

/*
 * Directories of users; a path with '/' in front begins with them, one with "//" with a server.  '*' is any
 * name, '#' at the end any digits, or none.  The user is what follows '+' in the same name.
 */
static const char *const users_homes[] = {
	"home#", "homes", "home$", "Users", "users$", "Documents and Settings", "DOCUME~#", "/users", "//*/users", "/u",
	"run/user", "run/media", "/media", "var/mail", "spool/mail", "spool/cron/crontabs", "usr/people",
	"/afs/*/user", "/afs/*/users", "/afs/*/home", "/afs/*/usr", "/scratch#", "nfs/users", "hsperfdata_+"
};

/* What the patterns begin with, except those with a server: most directories of paths are none of these. */
static const char users_first[] = "hUuDrmvsan~";

/* Directories in these with users of their own. */
static const char *const users_groups[] =
    { "users", "user", "homes", "home", "staff", "students", "student", "people", "local", "members", ".ecryptfs" };

/* Directories that users have at home. */
static const char *const users_common[] = {
	"AndroidStudioProjects", "AppData", "CLionProjects", "Desktop", "Documents", "Downloads", "GolandProjects",
	"IdeaProjects", "Library", "Music", "Pictures", "Projects", "Public", "PycharmProjects", "RustroverProjects",
	"Videos", "WebstormProjects", "actions-runner", "anaconda", "anaconda3", "app", "apps", "bin", "build",
	"builds", "cargo", "code", "conda", "data", "debug", "dev", "devel", "dist", "doc", "docs", "eclipse-workspace",
	"env", "etc", "git", "go", "include", "lib", "lib64", "local", "logs", "mambaforge", "miniconda", "miniconda3",
	"miniforge3", "node_modules", "opt", "out", "perl5", "proj", "project", "projects", "public_html", "python",
	"release", "repo", "repos", "rust", "scripts", "sdk", "share", "snap", "software", "source", "sources", "src",
	"target", "test", "tests", "tmp", "tools", "usr", "var", "venv", "work", "workspace", "workspaces"
};

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

/* A name as a pattern says. */
static bool
users_fits(struct str name, struct str part)
{
	if (str_is(part, "*") || str_eq(name, part))
		return true;
	if (part.s[part.n - 1] != '#' || !str_has_prefix(name, str_head(part, part.n - 1)))
		return false;
	name = str_after(name, part.n - 1);
	return str_digits(name) == name.n;
}

/* Take a pattern of directories, and the slash after it. */
static bool
users_take(struct str *s, struct str pattern)
{
	struct str rest = *s, part, name;

	while (str_split(&pattern, '/', &part)) {
		name = users_name(rest);
		if (str_ends(part, "+")) {
			if (!str_take(&rest, str_head(part, part.n - 1)))
				return false;
			continue;
		}
		if (name.n == 0 || name.n == rest.n || !users_fits(name, part))
			return false;
		rest = users_after_slashes(str_after(rest, name.n));
	}
	*s = rest;
	return true;
}

/* Every home may have it; an empty name, too. */
static bool
users_is_common(struct str name)
{
	return name.n == 0 || name.s[0] == '.' || str_is_one(users_common, NELEM(users_common), name);
}

/* What is behind a name and its slash. */
static struct str
users_next(struct str s, struct str name)
{
	return users_after_slashes(str_after(s, name.n));
}

/*
 * "users" in "/home/users/alice", and "a" in "/home/a/alice" and "/afs/cell/user/a/bob/x": a user of such a
 * name has files and common directories.
 */
static bool
users_is_group(struct str name, struct str next)
{
	struct str own = users_name(next);

	if (str_is(name, ".ecryptfs"))
		return true;
	if (users_is_common(own) || (own.n == next.n && memchr(own.s, '.', own.n) != NULL))
		return false;
	return (name.n == 1 && own.n < next.n) || (name.n > 0 && name.n <= 2 && str_has_prefix(own, name)) ||
	    str_is_one(users_groups, NELEM(users_groups), name);
}

/* "CORP" and "CORP.EXAMPLE". */
static bool
users_is_domain(struct str name)
{
	size_t letters = 0;

	for (size_t i = 0; i < name.n; i++)
		if (name.s[i] >= 'A' && name.s[i] <= 'Z')
			letters++;
		else if (name.s[i] != '.' && name.s[i] != '-' && !is_digit(name.s[i]))
			return false;
	return letters > 1;
}

/* The directory behind a name at home; a file is none. */
static void
users_take_behind(struct str s, struct path_user *u)
{
	struct str next = users_next(s, u->name), name = users_name(next);

	u->domain = users_is_domain(u->name);
	if (u->domain && users_is_group(name, users_next(next, name))) {
		next = users_next(next, name);
		name = users_name(next);
	}
	if (users_is_common(name) || (name.n == next.n && (!u->domain || memchr(name.s, '.', name.n) != NULL)))
		return;
	u->behind = str_until(name, ':');
}

/* The user after the directories that begin at a slash; root: nothing of a path is in front of it. */
static bool
users_behind(struct str s, bool root, struct path_user *u)
{
	struct str rest = users_after_slashes(s), pattern, next;
	bool server = root && s.n > 1 && users_is_slash(s.s[1]), grouped = false;
	char begins = rest.n > 0 ? rest.s[0] : '\0';

	if (rest.n > 1 && rest.s[0] == '~' && rest.s[1] != '~') {
		u->name = users_name(str_after(rest, 1));
		return u->name.n > 0;
	}
	if (rest.n == 0 || (!server && !is_one_of(begins, users_first)))
		return false;
	for (size_t i = 0; i < NELEM(users_homes); i++) {
		/* Most patterns begin otherwise. */
		const char *first = users_homes[i] + strspn(users_homes[i], "/");

		if (*first != begins && *first != '*')
			continue;
		pattern = str_of(users_homes[i]);
		if (str_take(&pattern, STR("//")) ? !server : str_take(&pattern, STR("/")) && !root)
			continue;
		rest = users_after_slashes(s);
		if (!users_take(&rest, pattern))
			continue;
		for (u->name = users_name(rest); u->name.n < rest.n; u->name = users_name(rest)) {
			next = users_next(rest, u->name);
			if (!users_is_group(u->name, next))
				break;
			grouped = true;
			rest = next;
		}
		/* A line may follow. */
		u->name = str_until(u->name, ':');
		if (u->name.n == 0)
			continue;
		u->common = str_is_one(users_groups, NELEM(users_groups), u->name);
		if (!grouped && str_begins(pattern, "home"))
			users_take_behind(rest, u);
		return true;
	}
	return false;
}

/* "~alice/x" at the start of a path; "~Type()" is a function. */
static bool
users_at_tilde(struct str s, struct path_user *u)
{
	size_t n = 1;

	while (n < s.n && (is_word(s.s[n]) || s.s[n] == '.' || s.s[n] == '-'))
		n++;
	if (n == 1 || n == s.n || !users_is_slash(s.s[n]))
		return false;
	u->name = (struct str){ s.s + 1, n - 1 };
	return true;
}

/* "alice" and ":secret" in "https://alice:secret@host/". */
static bool
users_of_host(struct str s, struct path_user *u)
{
	size_t at = 0;

	for (size_t i = 0; i < s.n && !users_is_slash(s.s[i]) && !is_blank(s.s[i]); i++)
		at = s.s[i] == '@' ? i : at;
	s = str_head(s, at);
	u->name = str_until(s, ':');
	u->secret = str_after(s, u->name.n);
	return at > 0;
}

static bool
users_find(struct str s, struct path_user *u)
{
	*u = (struct path_user){ .domain = false };
	for (size_t i = 0; i < s.n; i++) {
		bool slash = users_is_slash(s.s[i]), root;

		if ((!slash && s.s[i] != '~') || (slash && i > 0 && users_is_slash(s.s[i - 1])))
			continue;
		root = i == 0 || memchr(":(\"'= \t", s.s[i - 1], 7) != NULL;
		if (!slash) {
			if (root && users_at_tilde(str_after(s, i), u))
				return true;
			continue;
		}
		if (i > 0 && s.s[i - 1] == ':' && i + 2 < s.n && s.s[i + 1] == '/' &&
		    users_of_host(str_after(s, i + 2), u))
			return true;
		if (users_behind(str_after(s, i), root, u))
			return true;
	}
	return false;
}

bool
telling_user_part(struct user_parts *w, struct str *part, enum meaning *means)
{
	const struct path_user *u = &w->u;

	for (;; w->left = 3) {
		for (; w->left > 0; w->left--) {
			*part = w->left == 3 ? u->name : w->left == 2 ? u->secret : u->behind;
			*means = w->left == 2 ? MEANT_TEXT : (w->left == 3 ? u->common : !u->domain) ? MEANT_PLACE :
			    MEANT_USER;
			if (part->n == 0)
				continue;
			w->left--;
			w->rest = str_after(w->rest, (size_t)(part->s - w->rest.s) + part->n);
			return true;
		}
		if (!users_find(w->rest, &w->u))
			return false;
	}
}

/* ---- scripts ------------------------------------------------------------------------------- */

/* Bytes up to the colon of "https://shop.example/app.js"; 0: there is no scheme.  "C:" is a drive. */
static size_t
users_scheme(struct str s)
{
	size_t n = 0;

	while (n < s.n && (is_word(s.s[n]) || is_one_of(s.s[n], "+-.")))
		n++;
	return n > 1 && n < s.n && is_letter(s.s[0]) && s.s[n] == ':' ? n + 1 : 0;
}

/* "/srv/c#/app.js": a file may have this byte in its name, and a fragment has no end of a file's name. */
static bool
users_is_of_file(struct str before, struct str rest)
{
	enum { NAME_MOST = 256 };
	struct str name = str_after(before, before.n > NAME_MOST ? before.n - NAME_MOST : 0), head, tail;

	while (str_divide_last(name, '/', &head, &tail) || str_divide_last(name, '\\', &head, &tail))
		name = tail;
	return memchr(name.s, '.', name.n) == NULL &&
	    (str_ends(rest, ".js") || str_ends(rest, ".mjs") || str_ends(rest, ".cjs"));
}

/* ";token=5ec4e7": a parameter of a path. */
static bool
users_is_parameter(struct str s)
{
	size_t n = 1;

	if (s.s[0] != ';')
		return false;
	while (n < s.n && (is_word(s.s[n]) || s.s[n] == '-'))
		n++;
	return n > 1 && n < s.n && s.s[n] == '=';
}

static size_t
users_end_of_script(struct str s, size_t n, bool scheme)
{
	for (; n < s.n && !str_begins(str_after(s, n), " / "); n++)
		if (s.s[n] == '?' || users_is_parameter(str_after(s, n)) ||
		    (s.s[n] == '#' && (scheme || !users_is_of_file(str_head(s, n), str_after(s, n)))))
			break;
	return n;
}

/* Without slashes, "al:pw@host" has a user, and "npm:left@1" a version. */
static bool
users_may_be_in(struct str s, size_t begin, size_t slashes, size_t scheme)
{
	if (scheme == 0)
		return slashes == 2;
	return slashes > 0 ? slashes < 3 :
	    !str_begins(str_after(s, begin), "npm:") && !str_begins(str_after(s, begin), "jsr:");
}

void
telling_script(struct str s, struct script_address *a)
{
	size_t blanks = 0, at, n, slashes = 0, end;
	bool any = false;

	while (blanks < s.n && (unsigned char)s.s[blanks] <= ' ')
		blanks++;
	*a = (struct script_address){ .end = str_after(s, s.n) };
	for (at = blanks; (n = users_scheme(str_after(s, at))) > 0; at += n, any = true) {
		struct str scheme = str_head(str_after(s, at), n), rest = str_after(s, at + n);

		if (str_eq_nocase(scheme, STR("data:")) || str_eq_nocase(scheme, STR("javascript:"))) {
			a->end = rest;
			a->scheme = true;
			return;
		}
		if (any && !str_begins(rest, "/"))
			break;
	}
	a->scheme = any;
	while (at + slashes < s.n && s.s[at + slashes] == '/')
		slashes++;
	n = any && slashes == 0 ? blanks : at + slashes;
	for (end = n; end < s.n && !is_one_of(s.s[end], "/\\?# "); end++)
		if (s.s[end] == '@' && end > n && users_may_be_in(s, blanks, slashes, at - blanks))
			a->user = (struct str){ s.s + n, end - n };
	n = a->user.n > 0 ? n + a->user.n : at;
	end = users_end_of_script(s, n, any);
	/* "blob:https://shop.example/0a2f4c": the last part is no file. */
	if (str_begins(str_after(s, blanks), "blob:"))
		while (end > n && s.s[end - 1] != '/')
			end--;
	a->end = str_after(s, end);
}
