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

/* The directory that the user entered last, without links; "" for none. A process has only one helper. */
static char folder[PATH_MAX];

/* ---- paths ------------------------------------------------------------------------------ */

/* Resolve the directory, keep the name in it; false: no such directory, or no name. */
static bool
real_in_directory(const char *path, char real[PATH_MAX])
{
	struct str name = last_name(path);
	bool named = name.n > 0 && !str_eq(name, STR("/")) && !str_eq(name, STR(".")) &&
	    !str_eq(name, STR(".."));
	char *directory = directory_of(path);
	bool there = named && directory != NULL && realpath(directory, real) != NULL;
	size_t n = there ? strlen(real) : 0;

	free(directory);
	return there && snprintf(real + n, PATH_MAX - n, "%s%.*s", n == 1 ? "" : "/", (int)name.n,
	    name.s) < (int)(PATH_MAX - n);
}

bool
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

static void
place_free(struct sandbox_place *p)
{
	free(p->path);
	free(p->given);
	free(p->index);
}

bool
places_add(struct sandbox *s, enum sandbox_use use, const char *path, const char *index)
{
	struct sandbox_place p = { .use = use, .index = index != NULL ? mem_copy(str_of(index)) : NULL };
	char real[PATH_MAX];
	struct stat st;
	char *end = use == SANDBOX_TARGET ? directory_link_end(path) : NULL;
	/* A new file of the user's settings replaces a link; a link to a directory is followed. */
	bool there = places_real_of(end != NULL ? end : path, use != SANDBOX_KEPT ||
	    (stat(path, &st) == 0 && S_ISDIR(st.st_mode)), real);

	free(end);
	if (!there) {
		free(p.index);
		return true;
	}
	p.path = mem_copy(str_of(real));
	p.given = mem_copy(str_of(path));
	if (p.path == NULL || p.given == NULL || (p.index == NULL) != (index == NULL) ||
	    !mem_grow(&s->place, &s->places_cap, s->nplaces + 1, sizeof *s->place)) {
		place_free(&p);
		return false;
	}
	s->place[s->nplaces++] = p;
	return true;
}

void
places_free(struct sandbox *s)
{
	while (s->nplaces > 0)
		place_free(&s->place[--s->nplaces]);
	free(s->place);
	s->place = NULL;
	s->places_cap = 0;
}

void
places_enter(const char *path)
{
	if (realpath(path, folder) == NULL)
		folder[0] = '\0';
}

bool
places_entered(const char *path)
{
	size_t n = strlen(folder);

	return n > 0 && strncmp(path, folder, n) == 0 && path[n] == '/' && strchr(path + n + 1, '/') == NULL;
}

/* ---- permissions of places ------------------------------------------------------------------- */

/* Files with keys and passwords usually begin with a dot.  rest is the part of path below the place. */
static bool
is_seen(const char *path, const char *rest, bool lists)
{
	static const char *const system[] = { "/proc", "/sys", "/dev", "/etc" };
	struct stat st;
	bool ok = stat(path, &st) == 0 && (S_ISREG(st.st_mode) || (lists && S_ISDIR(st.st_mode))) &&
	    (*rest == '\0' || is_visible(rest));

	for (size_t i = 0; ok && i < NELEM(system); i++)
		ok = beneath(path, system[i]) == NULL;
	return ok;
}

/* Return whether a place allows the operation on path; rest is the part below the place. */
typedef bool place_test(const struct sandbox *, const struct sandbox_place *, const char *path,
    const char *rest);

static bool
some_place(const struct sandbox *s, place_test *allows, const char *path)
{
	const char *rest;

	for (size_t i = 0; i < s->nplaces; i++)
		if ((rest = beneath(path, s->place[i].path)) != NULL && allows(s, &s->place[i], path, rest))
			return true;
	return false;
}

/* Return a name without the ending of an index, and without the number of a dump before it. */
static struct str
index_of(const struct sandbox *s, const char *name)
{
	struct str rest = str_of(name);
	size_t n;

	for (size_t i = 0; s->indexes[i] != NULL; i++)
		if (str_has_suffix(rest, str_of(s->indexes[i]))) {
			rest.n -= strlen(s->indexes[i]);
			break;
		}
	for (n = rest.n; n > 0 && rest.s[n - 1] >= '0' && rest.s[n - 1] <= '9'; n--)
		;
	if (n > 1 && n < rest.n && rest.s[n - 1] == '.')
		rest.n = n - 1;
	return rest;
}

static bool
is_index(const struct sandbox *s, const struct sandbox_place *p, const char *rest)
{
	return has_ending(rest, s->indexes) && (p->index == NULL ||
	    str_eq(index_of(s, rest), index_of(s, p->index)));
}

static bool
place_reads(const struct sandbox *s, const struct sandbox_place *p, const char *path, const char *rest)
{
	switch (p->use) {
	case SANDBOX_READ:
	case SANDBOX_TARGET: return true;
	case SANDBOX_LISTED: return is_seen(path, rest, true);
	case SANDBOX_INDEX: return is_index(s, p, rest);
	case SANDBOX_EXPORT:
	case SANDBOX_WRITE: return has_ending(rest, s->rereads) && places_entered(path);
	case SANDBOX_KEPT:
	case SANDBOX_SEEN:
	case SANDBOX_TEMPORARY:
	case SANDBOX_USES: break;
	}
	return false;
}

/* A process of its own may be started for the file. */
static bool
place_starts(const struct sandbox *s, const struct sandbox_place *p, const char *path, const char *rest)
{
	(void)s;
	return p->use == SANDBOX_READ || ((p->use == SANDBOX_SEEN || p->use == SANDBOX_LISTED) &&
	    is_seen(path, rest, true));
}

/* For "ARCHIVE!NAME", a file of an archive, the archive counts. */
static bool
may_start(const struct sandbox *s, const char *path)
{
	char real[PATH_MAX], archive[PATH_MAX];
	const char *mark = path;
	bool there = realpath(path, real) != NULL;

	for (; !there && (mark = strchr(mark, '!')) != NULL; mark++) {
		snprintf(archive, sizeof archive, "%.*s", (int)(mark - path), path);
		there = realpath(archive, real) != NULL;
	}
	return there && some_place(s, place_starts, real);
}

/* Opening a device may have side effects. */
static bool
is_kind(const char *path)
{
	struct stat st;

	return stat(path, &st) != 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode) || S_ISFIFO(st.st_mode);
}

/*
 * A file from the command line may be a link that now points elsewhere; the process that sends orders cannot
 * change it.
 */
static bool
may_read(const struct sandbox *s, const struct file_order *o)
{
	char real[PATH_MAX];
	bool ok;

	if ((o->flags & ~(O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_DIRECTORY)) != 0 ||
	    !places_real_of(o->path, (o->flags & O_NOFOLLOW) == 0, real) || !is_kind(real))
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
	case SANDBOX_KEPT: return !within;
	case SANDBOX_INDEX: return within && is_index(s, p, rest);
	case SANDBOX_EXPORT:
		return within && is_visible(rest) && (places_export(rest, s->endings) ||
		    (has_ending(rest, s->rereads) && places_entered(path)));
	case SANDBOX_READ:
	case SANDBOX_SEEN:
	case SANDBOX_LISTED:
	case SANDBOX_TEMPORARY:
	case SANDBOX_USES: break;
	}
	return false;
}

/* Files may be created in the directory. */
static bool
place_makes(const struct sandbox *s, const struct sandbox_place *p, const char *path, const char *rest)
{
	(void)s, (void)path;
	return p->use == SANDBOX_WRITE || p->use == SANDBOX_TARGET ||
	    (p->use == SANDBOX_EXPORT && is_visible(rest));
}

static bool
is_exported(enum sandbox_use use)
{
	return use == SANDBOX_EXPORT || use == SANDBOX_WRITE;
}

/* Places of exports allow less than others, so the others come first. */
enum sandbox_use
places_writes(const struct sandbox *s, const char *path, bool directory)
{
	place_test *allows = directory ? place_makes : place_writes;
	enum sandbox_use use = SANDBOX_USES;
	char real[PATH_MAX];
	const char *rest;

	for (size_t i = 0; places_real_of(path, false, real) && i < s->nplaces &&
	    (use == SANDBOX_USES || is_exported(use)); i++)
		if ((rest = beneath(real, s->place[i].path)) != NULL &&
		    (use == SANDBOX_USES || !is_exported(s->place[i].use)) &&
		    allows(s, &s->place[i], real, rest))
			use = s->place[i].use;
	return use;
}

static bool
may_write(const struct sandbox *s, const char *path)
{
	return places_writes(s, path, false) != SANDBOX_USES;
}

/* The index of the file is opened to add columns. */
static bool
may_open_both(const struct sandbox *s, const char *path)
{
	return places_writes(s, path, false) == SANDBOX_INDEX;
}

/* Leftover files may be removed there. */
static bool
place_sweeps(const struct sandbox *s, const struct sandbox_place *p, const char *path, const char *rest)
{
	(void)s, (void)path, (void)rest;
	return p->use > SANDBOX_LISTED;
}

/* Nameless files may be created there. */
static bool
place_spills(const struct sandbox *s, const struct sandbox_place *p, const char *path, const char *rest)
{
	(void)s, (void)path, (void)rest;
	return p->use == SANDBOX_TEMPORARY || p->use == SANDBOX_INDEX;
}

static bool
may_use(const struct sandbox *s, place_test *uses, const char *directory)
{
	char real[PATH_MAX];

	return realpath(directory, real) != NULL && some_place(s, uses, real);
}

/* Allow directories only if they exist: none is created. */
static bool
may_make_directory(const struct sandbox *s, const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 || places_writes(s, path, true) != SANDBOX_USES;
}

/*
 * A name that the explorer proposes: that of a file on the command line, a word and a format. Or the working
 * directory.
 */
static bool
may_offer(const struct sandbox *s, const char *name)
{
	struct str rest = str_of(name), word, stem;

	if (strcmp(name, ".") == 0)
		return true;
	for (size_t i = 0; s->stems != NULL && s->stems[i] != NULL; i++) {
		stem = str_of(s->stems[i]);
		if (!str_has_prefix(rest, stem) || rest.n < stem.n + 2 || rest.s[stem.n] != '.')
			continue;
		rest = str_after(rest, stem.n + 1);
		str_split(&rest, '.', &word);
		for (size_t k = 0; k < word.n; k++)
			if (!(word.s[k] >= 'a' && word.s[k] <= 'z') &&
			    !(word.s[k] >= '0' && word.s[k] <= '9') && word.s[k] != '_')
				return false;
		return word.n > 0 && memchr(rest.s, '.', rest.n) == NULL && places_export(name, s->endings);
	}
	return false;
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
	case ORDER_OPEN_BOTH: ok = may_open_both(s, path); break;
	case ORDER_THROUGH: ok = places_writes(s, path, false) == SANDBOX_TARGET; break;
	case ORDER_NEW:
	case ORDER_NAME:
	case ORDER_REMOVE: ok = may_write(s, path); break;
	case ORDER_ASK:
	case ORDER_KEYS:
	case ORDER_DROP: ok = true; break;
	case ORDER_OFFER: ok = may_offer(s, path); break;
	case ORDER_START: ok = may_start(s, path); break;
	case ORDER_TEMPORARY: ok = may_use(s, place_spills, path); break;
	case ORDER_SWEEP: ok = may_use(s, place_sweeps, path); break;
	case ORDER_DIRECTORY: ok = may_make_directory(s, path); break;
	case ORDERS: break;
	}
	if (!ok)
		errno = refusal(path);
	return ok;
}
