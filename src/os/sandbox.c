/*
 * sandbox: Landlock, by its system calls.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#include "icecore/directory.h"
#include "icecore/os.h"
#include "icecore/sandbox.h"

#ifndef SANDBOX_USUAL
#define SANDBOX_USUAL SANDBOX_FULL
#endif

/* Headers may be older than the kernel: the numbers are those of <linux/landlock.h>, on all machines. */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { GET_VERSION = 1, PATH_BENEATH = 1 };
enum {
	FS_EXECUTE = 1 << 0, FS_WRITE_FILE = 1 << 1, FS_READ_FILE = 1 << 2, FS_READ_DIR = 1 << 3, FS_REMOVE_DIR = 1 << 4, FS_REMOVE_FILE = 1 << 5,
	FS_MAKE_DIR = 1 << 7, FS_MAKE_REG = 1 << 8, FS_FIRST = (1 << 13) - 1, FS_REFER = 1 << 13, FS_TRUNCATE = 1 << 14,
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

const char *const sandbox_levels[SANDBOX_LEVELS] = { "off", "landlock", "full" };

/* The process is confined once. */
static struct {
	bool	files;		/* Landlock holds */
	int	crowded;	/* the error of a path that could not be allowed as too many files are open */
	char	why[64], text[80];
} state = { .text = "off" };

/* ---- versions --------------------------------------------------------------------- */

/* The version of the kernel's Landlock; 0: errno says why there is none. */
static int
version(void)
{
	long n = syscall(CREATE_RULESET, NULL, 0, GET_VERSION);

	return n > 0 ? (int)n : 0;
}

/* Rights that a version does not know are none that it could refuse. */
static uint64_t
rights_of(int version)
{
	return (uint64_t)FS_FIRST | (version >= 2 ? FS_REFER : 0) | (version >= 3 ? FS_TRUNCATE : 0) |
	    (version >= 5 ? FS_IOCTL_DEV : 0);
}

static int
make_rules(int version, bool reads)
{
	struct ruleset r = { .files = rights_of(version) & ~(reads ? 0 : (uint64_t)FS_READ) };
	size_t size = sizeof r.files;

	if (version >= 4) {
		r.net = NET_BIND_CONNECT;
		size += sizeof r.net;
	}
	if (version >= 6) {
		r.scoped = SCOPE_SOCKETS_SIGNALS;
		size += sizeof r.scoped;
	}
	return (int)syscall(CREATE_RULESET, &r, size, 0);
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
	return word == NULL || word[0] == '\0' || fail(err, E_USAGE, "unknown ICECORE_SANDBOX '%s'; use off, landlock or full", word);
}

/* Why there is no Landlock. */
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
sandbox_begin(struct sandbox *s, enum sandbox_level level, bool reads)
{
	/* A sanitizer reads files of its own. */
	*s = (struct sandbox){ .level = level, .reads = reads && sandbox_usual() == SANDBOX_FULL, .rules = -1 };
	if (level == SANDBOX_OFF)
		return;
	s->version = version();
	if (s->version > 0)
		s->rules = make_rules(s->version, s->reads);
	if (s->rules < 0)
		note_reason(s);
}

static void
allow(const struct sandbox *s, const char *path, uint64_t files)
{
	struct rule rule = { .files = files & rights_of(s->version) & ~(s->reads ? 0 : (uint64_t)FS_READ) };
	struct stat st;

	if (s->rules < 0)
		return;
	rule.directory = open(path, O_PATH | O_CLOEXEC);
	if (rule.directory < 0) {
		state.crowded = errno == EMFILE || errno == ENFILE ? errno : state.crowded;
		return;
	}
	if (fstat(rule.directory, &st) == 0 && !S_ISDIR(st.st_mode))
		rule.files &= FS_OF_FILES;
	if (rule.files != 0)
		(void)syscall(ADD_RULE, s->rules, PATH_BENEATH, &rule, 0);
	close(rule.directory);
}

void
sandbox_read(const struct sandbox *s, const char *path)
{
	allow(s, path, FS_READ);
}

void
sandbox_write(const struct sandbox *s, const char *path)
{
	if (!directory_is_root(path))
		allow(s, path, FS_WRITE);
}

void
sandbox_make(const struct sandbox *s, const char *directory)
{
	struct buf b = BUF_INIT;

	if (s->rules < 0)
		return;
	buf_str(&b, str_of(directory));
	buf_chr(&b, '/');
	if (!b.bad) {
		directories_make(b.s);
		sandbox_write(s, b.s);
	}
	buf_free(&b);
}

/* ---- entering ---------------------------------------------------------------------- */

/* What the C library would open, or load as a module, when it is used first. */
static void
load_late(void)
{
	tzset();
	(void)btowc('a');
	(void)wctob(L'a');
	resident_open();
}

static bool
restrict_files(struct sandbox *s)
{
	bool ok;

	if (s->rules < 0)
		return false;
	ok = syscall(RESTRICT_SELF, s->rules, 0) == 0;
	if (!ok)
		note_reason(s);
	close(s->rules);
	s->rules = -1;
	return ok;
}

bool
sandbox_enter(struct sandbox *s, struct err *err)
{
	int error = ENOSYS;

	if (s->level == SANDBOX_OFF)
		return true;
	load_late();
	/* Without it neither of the two is to be had, and they say so. */
	(void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	state.files = restrict_files(s);
	if (s->level == SANDBOX_FULL)
		error = syscalls_confine(s->beneath);
	if (s->starved || error == ENOMEM)
		return fail(err, E_SYSTEM, "out of memory (sandbox)");
	errno = state.crowded;
	if (errno != 0)
		return fail_errno(err, "sandbox");
	if (state.files)
		snprintf(state.text, sizeof state.text, "landlock %d%s", s->version, error == 0 ? ", seccomp" : "");
	else
		snprintf(state.text, sizeof state.text, "%s (%s)", error == 0 ? "seccomp" : "none", state.why);
	s->whole = state.files && (error == 0 || s->level < SANDBOX_FULL);
	return true;
}

bool
sandbox_program(enum sandbox_level level)
{
	struct sandbox s;

	sandbox_begin(&s, level, true);
	allow(&s, "/", FS_READ | FS_EXECUTE);
	allow(&s, "/tmp", FS_WRITE | FS_REMOVE_DIR);
	sandbox_write(&s, "/dev/null");
	(void)restrict_files(&s);
	return !s.starved && (level < SANDBOX_FULL || syscalls_confine_program() != ENOMEM);
}

const char *
sandbox_text(void)
{
	return state.text;
}

bool
sandbox_explains(const char *path, struct err *err)
{
	int error = errno;
	char *directory = directory_of(path);
	bool ours = state.files && error == EACCES && directory != NULL && faccessat(AT_FDCWD, directory, W_OK | X_OK, AT_EACCESS) == 0;

	if (ours && directory_is_root(directory))
		fail(err, E_SYSTEM, "%s: the sandbox does not allow writing in /; use another directory, or --no-sandbox", path);
	else if (ours)
		fail(err, E_SYSTEM, "%s: outside of what this session may write; start with --write-dir %s", path, directory);
	free(directory);
	errno = error;
	return ours;
}
