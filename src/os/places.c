/*
 * places: what may be read and written by name, whatever an order says.
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

/* The directory without symbolic links, and the name in it; false: there is no such directory, or no name. */
static bool
real_in_directory(const char *path, char real[PATH_MAX])
{
	char copy[PATH_MAX], *slash;
	size_t n = strlen(path);
	const char *name = copy;

	if (n == 0 || n >= sizeof copy)
		return false;
	memcpy(copy, path, n + 1);
	while (n > 1 && copy[n - 1] == '/')
		copy[--n] = '\0';
	slash = strrchr(copy, '/');
	if (slash != NULL) {
		name = slash + 1;
		*slash = '\0';
	}
	if (name[0] == '\0' || strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
	    realpath(slash == NULL ? "." : slash == copy ? "/" : copy, real) == NULL)
		return false;
	n = strlen(real);
	return snprintf(real + n, PATH_MAX - n, "%s%s", n == 1 ? "" : "/", name) < (int)(PATH_MAX - n);
}

/* What a path leads to; what is not there yet is where it would be. */
static bool
real_of(const char *path, bool links, char real[PATH_MAX])
{
	return (links && realpath(path, real) != NULL) || real_in_directory(path, real);
}

/* What is behind directory in path, "" for itself; NULL: it is not beneath. */
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

/* No part of it begins with a dot. */
static bool
is_visible(const char *path)
{
	return path[0] != '.' && strstr(path, "/.") == NULL;
}

/* A name that has one of the endings, each with its dot. */
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

static const char *const index_endings[] = { ".icx", ".icx.raw", NULL };

/* ---- places -------------------------------------------------------------------------------- */

bool
places_add(struct sandbox *s, enum sandbox_use use, const char *path)
{
	struct sandbox_place p = { .use = use };
	char real[PATH_MAX];
	struct stat st;

	/* A new file takes the place of a link; a link to a directory leads there. */
	if (!real_of(path, use != SANDBOX_TARGET || (stat(path, &st) == 0 && S_ISDIR(st.st_mode)), real))
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

/* ---- what they allow ------------------------------------------------------------------------- */

/* Files of programs, which have keys and passwords, begin with a dot. */
static bool
is_seen(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && is_visible(path + 1) && beneath(path, "/proc") == NULL && beneath(path, "/sys") == NULL && beneath(path, "/dev") == NULL &&
	    beneath(path, "/etc") == NULL;
}

static bool
place_reads(const struct sandbox *s, const struct sandbox_place *p, const char *path)
{
	const char *rest = beneath(path, p->path);

	switch (rest != NULL ? p->use : SANDBOX_USES) {
	case SANDBOX_READ:
	case SANDBOX_WRITE:
	case SANDBOX_TARGET: return true;
	case SANDBOX_SEEN: return is_seen(path);
	case SANDBOX_INDEX: return has_ending(rest, index_endings);
	case SANDBOX_EXPORT: return is_visible(rest) && has_ending(rest, s->rereads);
	case SANDBOX_TEMPORARY:
	case SANDBOX_USES: break;
	}
	return false;
}

/* A device does something when it is opened. */
static bool
is_kind(const char *path)
{
	struct stat st;

	return stat(path, &st) != 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode) || S_ISFIFO(st.st_mode);
}

/* A file that was given may be a link, which leads elsewhere meanwhile; nobody who gives orders can change it. */
static bool
may_read(const struct sandbox *s, const struct file_order *o)
{
	bool ok = false;
	char real[PATH_MAX];

	if ((o->flags & ~(O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_DIRECTORY)) != 0 || !real_of(o->path, (o->flags & O_NOFOLLOW) == 0, real) ||
	    !is_kind(real))
		return false;
	for (size_t i = 0; i < s->nplaces && !ok; i++)
		ok = place_reads(s, &s->place[i], real) ||
		    (s->place[i].use == SANDBOX_READ && strcmp(s->place[i].given, o->path) == 0);
	return ok;
}

/* Files of that name. */
static bool
place_writes(const struct sandbox *s, const struct sandbox_place *p, const char *path)
{
	const char *rest = beneath(path, p->path);
	bool within = rest != NULL && rest[0] != '\0';

	switch (rest != NULL ? p->use : SANDBOX_USES) {
	case SANDBOX_WRITE: return within;
	case SANDBOX_TARGET: return true;
	case SANDBOX_INDEX: return within && has_ending(rest, index_endings);
	case SANDBOX_EXPORT: return within && is_visible(rest) && places_export(rest, s->endings);
	case SANDBOX_READ:
	case SANDBOX_SEEN:
	case SANDBOX_TEMPORARY:
	case SANDBOX_USES: break;
	}
	return false;
}

static bool
may_write(const struct sandbox *s, const char *path)
{
	char real[PATH_MAX];
	bool ok = false;

	if (!real_of(path, false, real))
		return false;
	for (size_t i = 0; i < s->nplaces && !ok; i++)
		ok = place_writes(s, &s->place[i], real);
	return ok;
}

/* Directories in which files without a name may be made, which others do not see, and what died there be removed. */
static bool
may_use(const struct sandbox *s, const char *directory)
{
	char real[PATH_MAX];
	bool ok = false;

	if (realpath(directory, real) == NULL)
		return false;
	for (size_t i = 0; i < s->nplaces && !ok; i++)
		ok = s->place[i].use > SANDBOX_SEEN && beneath(real, s->place[i].path) != NULL;
	return ok;
}

/* Where files may lie: rest is beneath it. */
static bool
place_makes(const struct sandbox_place *p, const char *rest)
{
	return rest != NULL && (p->use == SANDBOX_WRITE || p->use == SANDBOX_TARGET || (p->use == SANDBOX_EXPORT && is_visible(rest)));
}

/* What is there already is not made. */
static bool
may_make_directory(const struct sandbox *s, const char *path)
{
	char real[PATH_MAX];
	struct stat st;
	bool ok = stat(path, &st) == 0;

	if (!real_of(path, false, real))
		return ok;
	for (size_t i = 0; i < s->nplaces && !ok; i++)
		ok = place_makes(&s->place[i], beneath(real, s->place[i].path));
	return ok;
}

static bool
directory_missing(const char *path)
{
	char *directory = directory_of(path);
	struct stat st;
	bool is = directory != NULL && stat(directory, &st) != 0;

	free(directory);
	return is;
}

bool
places_allow(const struct sandbox *s, const struct file_order *o)
{
	const char *path = order_path(o);
	int error = EACCES;
	bool ok = false;

	if (path == NULL) {
		errno = EBADF;
		return o->kind == ORDER_DROP;
	}
	/* What cannot be there is not refused: it fails. */
	if (directory_missing(path))
		error = errno;
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
	errno = error;
	return ok;
}
