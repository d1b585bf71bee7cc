/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sandbox: Landlock by its system calls, and the helper, which keeps more rights than this process.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#ifdef __linux__
#include <sys/syscall.h>
#define LANDLOCK(...) syscall(__VA_ARGS__)
#else
#define LANDLOCK(...) landlock_missing(__VA_ARGS__)
#endif

#include "icecore/directory.h"
#include "icecore/named.h"
#include "icecore/os.h"
#include "icecore/policy.h"
#include "icecore/system.h"
#include "helper.h"
#include "places.h"

#ifndef SANDBOX_USUAL
#define SANDBOX_USUAL SANDBOX_FULL
#endif

/* Kernel headers may be too old; values as in <linux/landlock.h>, the same on all machines. */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { GET_VERSION = 1, PATH_BENEATH = 1 };
enum {
	FS_EXECUTE = 1 << 0, FS_WRITE_FILE = 1 << 1, FS_READ_FILE = 1 << 2, FS_READ_DIR = 1 << 3,
	    FS_REMOVE_DIR = 1 << 4, FS_REMOVE_FILE = 1 << 5,
	FS_MAKE_DIR = 1 << 7, FS_MAKE_REG = 1 << 8, FS_FIRST = (1 << 13) - 1, FS_REFER = 1 << 13,
	    FS_TRUNCATE = 1 << 14,
	FS_IOCTL_DEV = 1 << 15,
	FS_OF_FILES = FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE | FS_IOCTL_DEV,
	FS_READ = FS_READ_FILE | FS_READ_DIR,
	FS_WRITE = FS_READ | FS_WRITE_FILE | FS_REMOVE_FILE | FS_MAKE_DIR | FS_MAKE_REG | FS_TRUNCATE
};
enum { NET_BIND_CONNECT = 3, SCOPE_SOCKETS_SIGNALS = 3 };

struct ruleset {
	uint64_t	files, net, scoped;
};

struct rule {
	uint64_t	files;
	int32_t		directory;
} __attribute__((packed));

static const char *const sandbox_levels[SANDBOX_LEVELS] = { "off", "landlock", "full" };

/* State of the process, which is confined only once. */
static struct {
	bool	files;		/* Landlock holds */
	const char *const *endings;	/* file name endings of exports */
	int	crowded;	/* errno of a path that was not added because too many files are open */
	char	why[64], text[80];
} state = { .text = "off" };

#ifndef __linux__
/* Other systems have no Landlock, and no sandbox of theirs is used. */
static long
landlock_missing(int call, ...)
{
	(void)call;
	errno = ENOSYS;
	return -1;
}
#endif

/* ---- versions --------------------------------------------------------------------- */

/* Return the kernel's Landlock version; 0: none, errno has the reason. */
static int
version(void)
{
	long n = LANDLOCK(CREATE_RULESET, NULL, 0, GET_VERSION);

	return n > 0 ? (int)n : 0;
}

/* Mask rights that the kernel's Landlock version does not know. */
static uint64_t
rights_of(int version)
{
	return (uint64_t)FS_FIRST | (version >= 2 ? FS_REFER : 0) | (version >= 3 ? FS_TRUNCATE : 0) |
	    (version >= 5 ? FS_IOCTL_DEV : 0);
}

/* Sanitizers read their own files. */
static uint64_t
rights_confined(int version)
{
	return rights_of(version) & ~(sandbox_usual() == SANDBOX_FULL ? 0 : (uint64_t)FS_READ);
}

static int
make_rules(int version)
{
	struct ruleset r = { .files = rights_confined(version) };
	size_t size = sizeof r.files;

	if (version >= 4) {
		r.net = NET_BIND_CONNECT;
		size += sizeof r.net;
	}
	if (version >= 6) {
		r.scoped = SCOPE_SOCKETS_SIGNALS;
		size += sizeof r.scoped;
	}
	return (int)LANDLOCK(CREATE_RULESET, &r, size, 0);
}

/* ---- rules ------------------------------------------------------------------------ */

enum sandbox_level
sandbox_usual(void)
{
	return SANDBOX_USUAL;
}

bool
sandbox_level(bool none, enum sandbox_level *level, struct err *err)
{
	const char *word = getenv("ICECORE_SANDBOX");

	*level = sandbox_usual();
	for (size_t i = 0; word != NULL && word[0] != '\0' && i < SANDBOX_LEVELS; i++)
		if (strcmp(word, sandbox_levels[i]) == 0) {
			*level = (enum sandbox_level)i;
			word = NULL;
		}
	if (none)
		*level = SANDBOX_OFF;
	if (policy_now()->sandbox && *level != sandbox_usual())
		return fail(err, E_USAGE, "a smaller sandbox is not allowed by " POLICY_FILE);
	return word == NULL || word[0] == '\0' || fail(err, E_USAGE,
	    "unknown ICECORE_SANDBOX '%s'; use off, landlock or full", word);
}

/* Note why Landlock is not available. */
static void
note_reason(struct sandbox *s)
{
	s->starved = errno == ENOMEM;
	if (errno == ENOSYS)
		snprintf(state.why, sizeof state.why, "kernel without Landlock");
	else if (errno == EOPNOTSUPP)
		snprintf(state.why, sizeof state.why, "Landlock not enabled at boot");
	else
		snprintf(state.why, sizeof state.why, "Landlock: %s", strerror(errno));
}

void
sandbox_begin(struct sandbox *s, enum sandbox_level level)
{
	*s = (struct sandbox){ .level = level, .rules = -1 };
	if (level == SANDBOX_OFF)
		return;
	s->version = version();
	if (s->version > 0)
		s->rules = make_rules(s->version);
	if (s->rules < 0)
		note_reason(s);
}

/*
 * Allow access below a path. A rule must not contain rights that this version of Landlock does not confine.
 */
static void
allow(const struct sandbox *s, const char *path, uint64_t files)
{
	struct rule rule = { .files = files & rights_confined(s->version) };
	struct stat st;

	if (s->rules < 0)
		return;
	rule.directory = open(path, O_PATH | O_CLOEXEC);
	if (rule.directory < 0) {
		state.crowded = errno_crowded(errno) ? errno : state.crowded;
		return;
	}
	if (fstat(rule.directory, &st) == 0 && !S_ISDIR(st.st_mode))
		rule.files &= FS_OF_FILES;
	if (rule.files != 0)
		(void)LANDLOCK(ADD_RULE, s->rules, PATH_BENEATH, &rule, 0);
	close(rule.directory);
}

static void
allow_directory_of(const struct sandbox *s, const char *path, uint64_t files)
{
	char *directory = directory_of(path);

	if (directory != NULL && (files == FS_READ || !directory_is_root(directory)))
		allow(s, directory, files);
	free(directory);
}

/*
 * Landlock has no rule for files that do not exist yet or that are replaced. Their directory is allowed
 * instead, also that of a link's target; the places limit which file.
 */
static void
allow_file(const struct sandbox *s, const char *path, uint64_t files)
{
	char *real = realpath(path, NULL), *end = real != NULL ? real : directory_link_end(path);
	struct stat st = { .st_mode = S_IFREG };

	if (end != NULL && stat(end, &st) == 0 && S_ISDIR(st.st_mode)) {
		if (files == FS_READ || !directory_is_root(end))
			allow(s, end, files);
	} else if (end != NULL && files != FS_READ && !S_ISREG(st.st_mode))
		allow(s, end, files);
	else {
		allow_directory_of(s, path, files);
		if (end != NULL)
			allow_directory_of(s, end, files);
	}
	free(end);
}

void
sandbox_let(struct sandbox *s, enum sandbox_use use, const char *path)
{
	bool reads = use == SANDBOX_READ || use == SANDBOX_SEEN || use == SANDBOX_LISTED;
	bool file = use == SANDBOX_READ || use == SANDBOX_TARGET || use == SANDBOX_KEPT;

	if (s->level == SANDBOX_OFF || strcmp(path, "-") == 0 || (!reads && !file && directory_is_root(path)))
		return;
	if (use != SANDBOX_SEEN)
		(file ? allow_file : allow)(s, path, reads ? FS_READ : FS_WRITE);
	s->starved |= !places_add(s, use, path, NULL);
}

void
sandbox_make(struct sandbox *s, enum sandbox_use use, const char *path)
{
	if (s->level == SANDBOX_OFF)
		return;
	(void)named_directories(path);
	sandbox_let(s, use, path);
}

void
sandbox_index(struct sandbox *s, const char *path)
{
	char *directory = directory_of(path), *name = mem_copy(last_name(path));

	s->starved |= directory == NULL || name == NULL;
	if (s->level != SANDBOX_OFF && directory != NULL && name != NULL && !directory_is_root(directory)) {
		(void)named_directories(path);
		allow(s, directory, FS_WRITE);
		s->starved |= !places_add(s, SANDBOX_INDEX, directory, name);
	}
	free(directory);
	free(name);
}

/* ---- entering ---------------------------------------------------------------------- */

/* Load now what the C library would open or load on first use. */
static void
load_late(void)
{
	tzset();
	(void)btowc('a');
	(void)wctob(L'a');
	system_resident_open();
}

static bool
restrict_files(int *rules)
{
	bool ok = *rules >= 0 && LANDLOCK(RESTRICT_SELF, *rules, 0) == 0;

	if (*rules >= 0)
		close(*rules);
	*rules = -1;
	return ok;
}

/* Confine this process, which opens no file itself. */
static bool
restrict_self(struct sandbox *s)
{
	int rules = s->rules >= 0 ? make_rules(s->version) : -1;
	bool ok = restrict_files(&rules);

	if (s->rules >= 0 && !ok)
		note_reason(s);
	return ok;
}

/* Confine the helper to the files of the places and to the system calls that it needs. */
static void
confine_helper(struct sandbox *s)
{
	(void)restrict_files(&s->rules);
	if (s->level == SANDBOX_FULL)
		(void)syscalls_confine(SYSCALLS_OF_HELPER);
}

static bool
start_helper(struct sandbox *s, struct err *err)
{
	/* A process that may read and write nothing needs no helper. */
	if (s->nplaces == 0 && !s->beneath)
		return true;
	if (s->starved)
		return fail(err, E_SYSTEM, "out of memory (sandbox)");
	return helper_start(s, confine_helper, err);
}

bool
sandbox_enter(struct sandbox *s, struct err *err)
{
	int error = ENOSYS;

	if (s->level == SANDBOX_OFF)
		return true;
#ifndef __linux__
	/* A helper would protect nothing. */
	snprintf(state.text, sizeof state.text, "none (only on Linux)");
	places_free(s);
	return true;
#endif
	load_late();
	/* Landlock and seccomp both require it, and fail if it is missing. */
	(void)system_no_new_rights();
	if (!start_helper(s, err))
		return false;
	state.endings = s->endings;
	state.files = restrict_self(s);
	if (s->rules >= 0)
		close(s->rules);
	places_free(s);
	if (s->level == SANDBOX_FULL)
		error = syscalls_confine(SYSCALLS_OF_READER);
	if (s->starved || error == ENOMEM)
		return fail(err, E_SYSTEM, "out of memory (sandbox)");
	errno = state.crowded;
	if (errno != 0)
		return fail_errno(err, "sandbox");
	if (state.files)
		snprintf(state.text, sizeof state.text, "landlock %d%s", s->version,
		    error == 0 ? ", seccomp" :
		    s->version < 4 ? " (allows connections, signals)" : s->version < 6 ? " (allows signals)" :
		    "");
	else
		snprintf(state.text, sizeof state.text, "%s (%s)", error == 0 ? "seccomp" : "none",
		    state.why);
	s->whole = state.files && (error == 0 || s->level < SANDBOX_FULL);
	return s->whole || !policy_now()->sandbox || fail(err, E_SYSTEM,
	    "the sandbox is incomplete (%s), and " POLICY_FILE " requires it", state.text);
}

bool
sandbox_program(enum sandbox_level level)
{
	struct sandbox s;

	sandbox_begin(&s, level);
	allow(&s, "/", FS_READ | FS_EXECUTE);
	allow(&s, "/tmp", FS_WRITE | FS_REMOVE_DIR);
	allow(&s, "/dev/null", FS_WRITE);
	(void)restrict_files(&s.rules);
	return !s.starved && (level < SANDBOX_FULL || syscalls_confine_program() != ENOMEM);
}

const char *
sandbox_text(void)
{
	return state.text;
}

/* Fail with the file name endings that may be written, if the ending is the reason. */
static bool
names_refused(const char *path, const char *directory, struct err *err)
{
	struct buf b = BUF_INIT;
	bool ok = state.endings != NULL && !places_export(path, state.endings);

	for (size_t i = 0; ok && state.endings[i] != NULL; i++)
		buf_printf(&b, " %s", state.endings[i]);
	if (ok)
		fail_file(err, E_SYSTEM, path,
		    "a hidden file, or not one of%s; choose another name, or start with --write-dir %s",
		    b.bad ? "" : b.s, directory);
	buf_free(&b);
	return ok;
}

bool
sandbox_explains(const char *path, struct err *err)
{
	int error = errno;
	char *directory = directory_of(path);
	/* Without endings, no option lets the program write elsewhere: the places are those that the user named. */
	bool given = state.endings == NULL && directory != NULL && !directory_is_root(directory);
	bool ours = !given && orders_helped() && error == EACCES && directory != NULL &&
	    faccessat(AT_FDCWD, directory, W_OK | X_OK, AT_EACCESS) == 0;

	if (!given && orders_helped() && error == EPERM) {
		ours = true;
		fail_file(err, E_SYSTEM, path, "the sandbox saw no keys that enter this name; type the whole name");
	} else if (ours && directory_is_root(directory))
		fail_file(err, E_SYSTEM, path,
		    "the sandbox does not allow writing to /; use another directory or --no-sandbox");
	else if (ours && !names_refused(path, directory, err))
		fail_file(err, E_SYSTEM, path, "not writable in this session; start with --write-dir %s",
		    directory);
	free(directory);
	errno = error;
	return ours;
}
