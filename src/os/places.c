/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * places: paths that orders may read and write.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "icecore/directory.h"
#include "places.h"

/* ---- paths ------------------------------------------------------------------------------ */

/* Resolve the directory, keep the name in it; false: no such directory, or no name. */
static bool
real_in_directory(const char *path, char real[PATH_MAX])
{
	struct str name = last_name(path);
	bool named = name.n > 0 && !str_eq(name, STR("/")) && !str_eq(name, STR(".")) && !str_eq(name, STR(".."));
	char *directory = directory_of(path);
	bool there = named && directory != NULL && realpath(directory, real) != NULL;
	size_t n = there ? strlen(real) : 0;

	free(directory);
	return there && snprintf(real + n, PATH_MAX - n, "%s%.*s", n == 1 ? "" : "/", (int)name.n, name.s) < (int)(PATH_MAX - n);
}

/* Resolve a path. A file that does not exist resolves to the place where it would be created. */
static bool
places_real_of(const char *path, bool links, char real[PATH_MAX])
{
	return (links && realpath(path, real) != NULL) || real_in_directory(path, real);
}

/* Return the part of path below directory, "" for directory itself; NULL: path is not below it. */
static const char *
beneath(const char *path, const char *directory)
{
	size_t n = strlen(directory);

	if (strncmp(path, directory, n) != 0)
		return NULL;
	if (n == 1)
		return path + 1;
	return path[n] == '\0' ? path + n : path[n] == '/' ? path + n + 1 : NULL;
}

/* No path component begins with a dot. */
static bool
is_visible(const char *path)
{
	return path[0] != '.' && strstr(path, "/.") == NULL;
}

/* The name has one of the endings; each includes its dot. */
static bool
has_ending(const char *name, const char *const *endings)
{
	for (; endings != NULL && *endings != NULL; endings++) {
		size_t n = strlen(name), m = strlen(*endings);

		if (n > m && strcmp(name + n - m, *endings) == 0)
			return true;
	}
	return false;
}

bool
places_export(const char *path, const char *const *endings)
{
	const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;

	return is_visible(name) && has_ending(name, endings);
}

/* ---- places -------------------------------------------------------------------------------- */

bool
places_add(struct sandbox *s, enum sandbox_use use, const char *path)
{
	struct sandbox_place p = { .use = use };
	char real[PATH_MAX];
	struct stat st;

	/* A new file replaces a link; a link to a directory is followed. */
	if (!places_real_of(path, use != SANDBOX_TARGET || (stat(path, &st) == 0 && S_ISDIR(st.st_mode)), real))
		return true;
	p.path = mem_copy(str_of(real));
	p.given = mem_copy(str_of(path));
	if (p.path == NULL || p.given == NULL || !mem_grow(&s->place, &s->places_cap, s->nplaces + 1, sizeof *s->place)) {
		free(p.path);
		free(p.given);
		return false;
	}
	s->place[s->nplaces++] = p;
	return true;
}

void
places_free(struct sandbox *s)
{
	while (s->nplaces > 0) {
		free(s->place[--s->nplaces].path);
		free(s->place[s->nplaces].given);
	}
	free(s->place);
	s->place = NULL;
	s->places_cap = 0;
}

/* ---- permissions of places ------------------------------------------------------------------- */

/* Files with keys and passwords usually begin with a dot.  rest is the part of path below the place. */
static bool
places_is_seen(const char *path, const char *rest, bool lists)
{
	static const char *const system[] = { "/proc", "/sys", "/dev", "/etc" };
	struct stat st;
	bool ok = stat(path, &st) == 0 && (S_ISREG(st.st_mode) || (lists && S_ISDIR(st.st_mode))) && (*rest == '\0' || is_visible(rest));

	for (size_t i = 0; ok && i < NELEM(system); i++)
		ok = beneath(path, system[i]) == NULL;
	return ok;
}

/* Return whether a place allows the operation on path; rest is the part below the place. */
typedef bool place_test(const struct sandbox *, const struct sandbox_place *, const char *path, const char *rest);

static bool
some_place(const struct sandbox *s, place_test *allows, const char *path)
{
	const char *rest;

	for (size_t i = 0; i < s->nplaces; i++)
		if ((rest = beneath(path, s->place[i].path)) != NULL && allows(s, &s->place[i], path, rest))
			return true;
	return false;
}

static bool
place_reads(const struct sandbox *s, const struct sandbox_place *p, const char *path, const char *rest)
{
	switch (p->use) {
	case SANDBOX_READ:
	case SANDBOX_WRITE:
	case SANDBOX_TARGET: return true;
	case SANDBOX_SEEN: return places_is_seen(path, rest, false);
	case SANDBOX_LISTED: return places_is_seen(path, rest, true);
	case SANDBOX_INDEX: return has_ending(rest, s->indexes);
	case SANDBOX_EXPORT: return is_visible(rest) && has_ending(rest, s->rereads);
	case SANDBOX_TEMPORARY:
	case SANDBOX_USES: break;
	}
	return false;
}

/* Opening a device may have side effects. */
static bool
is_kind(const char *path)
{
	struct stat st;

	return stat(path, &st) != 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode) || S_ISFIFO(st.st_mode);
}

/*
 * A file from the command line may be a link that now points elsewhere; the process that sends orders cannot change
 * it.
 */
static bool
may_read(const struct sandbox *s, const struct file_order *o)
{
	char real[PATH_MAX];
	bool ok;

	if ((o->flags & ~(O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_DIRECTORY)) != 0 || !places_real_of(o->path, (o->flags & O_NOFOLLOW) == 0, real) ||
	    !is_kind(real))
		return false;
	ok = some_place(s, place_reads, real);
	for (size_t i = 0; i < s->nplaces && !ok; i++)
		ok = s->place[i].use == SANDBOX_READ && strcmp(s->place[i].given, o->path) == 0;
	return ok;
}

/* The file may be written. */
static bool
place_writes(const struct sandbox *s, const struct sandbox_place *p, const char *path, const char *rest)
{
	bool within = rest[0] != '\0';

	(void)path;
	switch (p->use) {
	case SANDBOX_WRITE: return within;
	case SANDBOX_TARGET: return true;
	case SANDBOX_INDEX: return within && has_ending(rest, s->indexes);
	case SANDBOX_EXPORT: return within && is_visible(rest) && places_export(rest, s->endings);
	case SANDBOX_READ:
	case SANDBOX_SEEN:
	case SANDBOX_LISTED:
	case SANDBOX_TEMPORARY:
	case SANDBOX_USES: break;
	}
	return false;
}

static bool
may_write(const struct sandbox *s, const char *path)
{
	char real[PATH_MAX];

	return places_real_of(path, false, real) && some_place(s, place_writes, real);
}

/* Nameless files may be created there, and leftover files removed. */
static bool
place_keeps(const struct sandbox *s, const struct sandbox_place *p, const char *path, const char *rest)
{
	(void)s, (void)path, (void)rest;
	return p->use > SANDBOX_LISTED;
}

static bool
may_use(const struct sandbox *s, const char *directory)
{
	char real[PATH_MAX];

	return realpath(directory, real) != NULL && some_place(s, place_keeps, real);
}

/* Files may be created in the directory. */
static bool
place_makes(const struct sandbox *s, const struct sandbox_place *p, const char *path, const char *rest)
{
	(void)s, (void)path;
	return p->use == SANDBOX_WRITE || p->use == SANDBOX_TARGET || (p->use == SANDBOX_EXPORT && is_visible(rest));
}

/* Allow directories only if they exist: none is created. */
static bool
may_make_directory(const struct sandbox *s, const char *path)
{
	char real[PATH_MAX];
	struct stat st;

	return stat(path, &st) == 0 || (places_real_of(path, false, real) && some_place(s, place_makes, real));
}

/* Choose the error: a path that cannot exist fails with its own error, not with a refusal. */
static int
refusal(const char *path)
{
	char *directory = directory_of(path);
	struct stat st;
	int error = directory != NULL && stat(directory, &st) != 0 ? errno : EACCES;

	free(directory);
	return error;
}

bool
places_allow(const struct sandbox *s, const struct file_order *o)
{
	const char *path = order_path(o);
	bool ok = false;

	if (path == NULL) {
		errno = EBADF;
		return o->kind == ORDER_DROP;
	}
	switch (o->kind) {
	case ORDER_OPEN: ok = may_read(s, o); break;
	case ORDER_OPEN_BENEATH: ok = s->beneath; break;
	case ORDER_OPEN_BOTH:
	case ORDER_NEW:
	case ORDER_NAME:
	case ORDER_REMOVE: ok = may_write(s, path); break;
	case ORDER_DROP: ok = true; break;
	case ORDER_TEMPORARY:
	case ORDER_SWEEP: ok = may_use(s, path); break;
	case ORDER_DIRECTORY: ok = may_make_directory(s, path); break;
	case ORDERS: break;
	}
	if (!ok)
		errno = refusal(path);
	return ok;
}
