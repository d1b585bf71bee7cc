/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Open the files with names before the sandbox starts. Confined children read the profile and the ELF files;
 * this process reads only the first bytes of each.
 */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "icecore/inflate.h"
#include "icecore/load.h"
#include "icecore/policy.h"
#include "icecore/sandbox.h"
#include "native_room.h"

#define HEAD_MOST ((size_t)1 << 20)	/* bytes of a profile, compressed or not, in which to search its libraries */
#define ANSWER_MOST ((size_t)8 << 20)	/* maximum output of the child */
#define PROFILES 64u			/* maximum files on a command line */
#define DEBUG "/usr/lib/debug"

static struct native_files profiles[PROFILES];
static unsigned nprofiles;

const struct native_files *
native_files_of(const struct map *profile)
{
	for (unsigned i = 0; i < nprofiles; i++)
		if (profiles[i].dev == profile->dev && profiles[i].ino == profile->ino)
			return &profiles[i];
	return NULL;
}

bool
native_has_names(const struct map *profile)
{
	const struct native_files *f = native_files_of(profile);

	for (size_t i = 0; f != NULL && i < f->n; i++)
		if (f->file[i].fd >= 0)
			return true;
	return f != NULL && f->sidecar >= 0;
}

/* ---- child process --------------------------------------------------------------------------------- */

/* A record in the pipe from the child: lengths of five texts, followed by the texts. */
struct texts {
	uint32_t	n[5];
};

static bool
write_all(int fd, const void *data, size_t n)
{
	const char *p = data;
	ssize_t done;

	for (; n > 0; p += done, n -= (size_t)done)
		if ((done = write(fd, p, n)) <= 0)
			return false;
	return true;
}

static void
native_tell(void *to, const struct native_library *l)
{
	const struct str text[] = { l->name, l->path, l->debug_path, l->code_id, l->breakpad_id };
	struct texts t;
	int fd = *(const int *)to;

	for (size_t i = 0; i < NELEM(text); i++)
		t.n[i] = text[i].n < UINT16_MAX ? (uint32_t)text[i].n : 0;
	if (!write_all(fd, &t, sizeof t))
		_exit(1);
	for (size_t i = 0; i < NELEM(text); i++)
		if (!write_all(fd, text[i].s, t.n[i]))
			_exit(1);
}

static void
native_child(struct str head, enum sandbox_level level, int fd)
{
	struct sandbox s;
	struct err err;

	sandbox_begin(&s, level);
	if (sandbox_enter(&s, &err))
		libraries_each(head, native_tell, &fd);
	_exit(0);
}

/* Collect the child's output; false: the child did not start, or out of memory. */
static bool
ask_child(struct str head, enum sandbox_level level, struct buf *answer)
{
	char piece[65536];
	int fd[2];
	ssize_t n;
	pid_t pid;

	if (pipe(fd) != 0)
		return false;
	pid = fork();
	if (pid == 0) {
		close(fd[0]);
		native_child(head, level, fd[1]);
	}
	close(fd[1]);
	while (pid > 0 && ((n = read(fd[0], piece, sizeof piece)) > 0 || (n < 0 && errno == EINTR)))
		if (n > 0 && answer->n < ANSWER_MOST)
			buf_str(answer, (struct str){ piece, (size_t)n });
	close(fd[0]);
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return pid > 0 && !answer->bad;
}

/* ---- files ------------------------------------------------------------------------------------------- */

/* Open a file that a profile names by its absolute path. */
static int
open_named(const char *path)
{
	struct stat st;

	return path[0] == '/' ? os_open_regular(path, &st) : -1;
}

bool
native_id(struct str text, char id[NATIVE_ID])
{
	size_t n = 0;

	for (size_t i = 0; i < text.n && n < NATIVE_ID - 1; i++)
		if (isxdigit((unsigned char)text.s[i]))
			id[n++] = (char)toupper((unsigned char)text.s[i]);
	if (n < NATIVE_ID - 1)
		n = 0;
	id[n] = '\0';
	return n > 0;
}

/*
 * Breakpad ids have the first three numbers of the build id in native byte order, and only its first 16
 * bytes.
 */
static void
breakpad_of(const char *id, char *to)
{
	static const unsigned char order[16] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 };
	size_t n = strlen(id);

	for (size_t i = 0; i < 32; i++) {
		size_t at = 2u * order[i / 2] + i % 2;

		to[i] = at < n ? (char)toupper((unsigned char)id[at]) : '0';
	}
	to[32] = '\0';
}

static bool
native_is_same(const struct elf_look *l, const struct native_library *lib, const char *breakpad)
{
	char own[NATIVE_ID];

	if (lib->code_id.n > 0)
		return strlen(l->id) == lib->code_id.n &&
		    strncasecmp(l->id, lib->code_id.s, lib->code_id.n) == 0;
	breakpad_of(l->id, own);
	return strcmp(own, breakpad) == 0;
}

/* Return a file of the same build with all symbols, otherwise -1. */
static int
open_debug(const char *id, const char *before, struct str folder, const char *between, const char *name,
    const char *end, enum sandbox_level level)
{
	struct buf path = BUF_INIT;
	struct elf_look l;
	int fd;

	buf_printf(&path, "%s%.*s%s%s%s", before, (int)folder.n, folder.s, between, name, end);
	fd = path.bad ? -1 : open_named(path.s);
	buf_free(&path);
	if (fd < 0)
		return -1;
	l = looks_at(fd, level);
	if (l.all && strcmp(l.id, id) == 0)
		return fd;
	close(fd);
	return -1;
}

static int
open_by_id(const char *id, enum sandbox_level level)
{
	return strlen(id) < 4 ? -1 : open_debug(id, DEBUG "/.build-id/", (struct str){ id, 2 }, "/", id + 2,
	    ".debug", level);
}

static int
open_by_link(const struct elf_look *l, struct str path, enum sandbox_level level)
{
	struct str folder, file;
	int fd;

	if (l->link[0] == '\0' || !str_divide_last(path, '/', &folder, &file))
		return -1;
	if ((fd = open_debug(l->id, "", folder, "/", l->link, "", level)) < 0 &&
	    (fd = open_debug(l->id, "", folder, "/.debug/", l->link, "", level)) < 0)
		fd = open_debug(l->id, DEBUG, folder, "/", l->link, "", level);
	return fd;
}

static void
native_use(struct native_file *f, int fd, enum native_how how)
{
	f->fd = fd;
	f->how = how;
}

/* Try the file at one path; false: not found. */
static bool
find_at(struct native_file *f, const struct native_library *lib, struct str path, enum sandbox_level level)
{
	char *name = mem_copy(path);
	int fd = name == NULL ? -1 : open_named(name), other;
	struct elf_look l;

	free(name);
	if (fd < 0)
		return false;
	l = looks_at(fd, level);
	f->how = !l.readable ? NATIVE_NOT_READABLE : l.id[0] == '\0' ||
	    (lib->code_id.n == 0 && f->id[0] == '\0') ? NATIVE_NO_ID : !native_is_same(&l, lib, f->id) ?
	    NATIVE_OTHER : NATIVE_NO_SYMBOLS;
	if (f->how == NATIVE_NO_SYMBOLS) {
		if (l.all)
			native_use(f, fd, NATIVE_SYMTAB);
		else if ((other = open_by_link(&l, path, level)) >= 0)
			native_use(f, other, NATIVE_DEBUGLINK);
		else if ((other = open_by_id(l.id, level)) >= 0)
			native_use(f, other, NATIVE_BUILD_ID);
		else if (l.some)
			native_use(f, fd, NATIVE_DYNSYM);
	}
	if (f->fd != fd)
		close(fd);
	return true;
}

static void
native_find(struct native_file *f, const struct native_library *lib, enum sandbox_level level)
{
	char id[65];
	size_t n;
	int fd;

	native_id(lib->breakpad_id, f->id);
	if (!policy_format(POLICY_SYMBOLS, NULL)) {
		f->how = NATIVE_REFUSED;
		return;
	}
	if (find_at(f, lib, lib->path, level) || find_at(f, lib, lib->debug_path, level) ||
	    lib->code_id.n >= sizeof id)
		return;
	snprintf(id, sizeof id, "%.*s", (int)lib->code_id.n, lib->code_id.s);
	for (n = 0; id[n] != '\0'; n++) {
		if (!isxdigit((unsigned char)id[n]))
			return;
		id[n] = (char)tolower((unsigned char)id[n]);
	}
	if ((fd = open_by_id(id, level)) >= 0)
		native_use(f, fd, NATIVE_BUILD_ID);
}

static void
native_find_all(struct native_files *p, struct str answer, enum sandbox_level level)
{
	struct native_library lib;
	struct str *const text[] = { &lib.name, &lib.path, &lib.debug_path, &lib.code_id, &lib.breakpad_id };
	size_t cap = 0;
	struct texts t;

	while (answer.n >= sizeof t && p->n < LIBRARIES_MOST) {
		struct native_file *f;

		memcpy(&t, answer.s, sizeof t);
		answer = str_after(answer, sizeof t);
		for (size_t i = 0; i < NELEM(text); i++) {
			if (t.n[i] > answer.n)
				return;
			*text[i] = (struct str){ answer.s, t.n[i] };
			answer = str_after(answer, t.n[i]);
		}
		if (!mem_grow(&p->file, &cap, p->n + 1, sizeof *p->file))
			return;
		f = &p->file[p->n];
		*f = (struct native_file){ .name = mem_copy(lib.name), .fd = -1 };
		if (f->name == NULL)
			return;
		p->n++;
		native_find(f, &lib, level);
	}
}

/* "p.json" has "p.syms.json"; "p.json.gz" has that or "p.json.syms.json". */
static int
open_sidecar(const char *path)
{
	struct str plain = inflate_stem(str_of(path));
	size_t end = str_ends(plain, ".json") ? strlen(".json") : 0;
	const struct str stems[] = { str_of(path), plain, { plain.s, plain.n - end } };
	struct buf b = BUF_INIT;
	struct stat st;
	int fd = -1;

	for (size_t i = 0; fd < 0 && i < NELEM(stems); i++) {
		buf_clear(&b);
		buf_str(&b, stems[i]);
		buf_str(&b, STR(".syms.json"));
		fd = b.bad ? -1 : os_open_regular(b.s, &st);
	}
	buf_free(&b);
	return fd;
}

/* Read the first bytes of a file; empty: not JSON, or out of memory. data: to be freed. */
static struct str
native_read_head(int fd, char **data)
{
	char start[LIBRARIES_PEEK];
	ssize_t n = pread(fd, start, sizeof start, 0);

	*data = NULL;
	if (n <= 0 || !libraries_may_be_in((struct str){ start, (size_t)n }) ||
	    (*data = mem_array(HEAD_MOST, 1)) == NULL)
		return STR("");
	n = pread(fd, *data, HEAD_MOST, 0);
	return (struct str){ *data, n > 0 ? (size_t)n : 0 };
}

void
load_symbols(const char *path, enum sandbox_level level)
{
	struct native_files *p = &profiles[nprofiles];
	struct buf answer = BUF_INIT;
	struct stat st;
	struct str head;
	char *data;
	int fd = nprofiles < PROFILES ? os_open_regular(path, &st) : -1;

	if (fd < 0)
		return;
	/* Its loader refuses it. */
	if (!policy_format("json", NULL)) {
		close(fd);
		return;
	}
	head = native_read_head(fd, &data);
	close(fd);
	if (head.n > 0 && ask_child(head, level, &answer) && answer.n > 0) {
		*p = (struct native_files){ .dev = st.st_dev, .ino = st.st_ino,
		    .sidecar = policy_format(POLICY_SYMBOLS, NULL) ? open_sidecar(path) : -1 };
		native_find_all(p, buf_view(&answer), level);
		looks_end();
		nprofiles++;
	}
	buf_free(&answer);
	free(data);
}
