/*
 * redact_command: icecore redact: its own options, its sandbox, and what it says.
 */
#include "config.h"

#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "icecore/directory.h"
#include "icecore/limits.h"
#include "icecore/store.h"
#include "icecore/redact.h"
#include "complain.h"
#include "confine.h"
#include "progress.h"
#include "redact_answers.h"
#include "redact_command.h"
#include "redact_tell.h"

enum redact_option { OPT_MODE = 256, OPT_NAMES, OPT_KEY, OPT_KEEP, OPT_PROFILE, OPT_MAPPING, OPT_LEVEL, OPT_NO_TIME, OPT_STRICT, OPT_FORCE, OPT_CHECK,
	OPT_WORDS, OPT_LIST, OPT_JOBS, OPT_UNPACKED, OPT_RESERVE, OPT_TIMEOUT, OPT_QUIET, OPT_NO_SANDBOX, OPT_HELP };

/* The one list of options: parsing and --help use it, the manual is checked against it. */
static const struct redact_row {
	enum redact_option id;
	const char	*name, *arg, *what;
	bool		 profile;	/* may stand in one */
} rows[] = {
	{ OPT_MODE, "mode", "MODE", "what stands for values (shape, stable)", true },
	{ OPT_NAMES, "names", "NAMES", "names that stay or become letters (keep, hash, hash-all)", true },
	{ OPT_KEY, "key-file", "FILE", "key of stable values and names; default: a random one", true },
	{ OPT_KEEP, "keep-field", "FIELD", "numbers of CLASS.FIELD stay; repeatable", true },
	{ OPT_PROFILE, "profile", "FILE", "read options from FILE, one per line", false },
	{ OPT_MAPPING, "write-mapping", "FILE", "write which name became which, for --mapping", false },
	{ OPT_LEVEL, "level", "N", "gzip level of an output named .gz, 1 to 9; default 6", true },
	{ OPT_NO_TIME, "no-time", NULL, "no time of the dump in the output", true },
	{ OPT_STRICT, "strict", NULL, "write nothing if the input is damaged", true },
	{ OPT_FORCE, "force", NULL, "replace files", false },
	{ OPT_CHECK, "check", NULL, "compare a redacted OUT with IN; write nothing", false },
	{ OPT_WORDS, "words", "FILE", "with --check: words, one per line, that OUT must not have", true },
	{ OPT_LIST, "list-kept", NULL, "list the fields and texts that stay", false },
	{ OPT_JOBS, "jobs", "N", "threads for compression; default: all cores, up to 8", false },
	{ OPT_UNPACKED, "unpacked", "SIZE", "most bytes to unpack or read from a pipe; default 64g", false },
	{ OPT_RESERVE, "reserve", "SIZE", "disk space to keep free; default 1g, at most 5%", false },
	{ OPT_TIMEOUT, "timeout", "TIME", "give up after TIME, e.g. 30s", false },
	{ OPT_QUIET, "quiet", NULL, "no progress and no summary on standard error", false },
	{ OPT_NO_SANDBOX, "no-sandbox", NULL, "do not confine the process", false },
	{ OPT_HELP, "help", NULL, "print this help", false }
};

#define PROFILE_MOST 65536u

struct redact_order {
	struct redact_options o;
	uint8_t		 key[REDACT_KEY_MOST];
	const char	*key_file;
	const char	**keep;
	size_t		 nkeep, keep_cap;
	uint64_t	 timeout, jobs;
	struct buf	 profile;	/* its lines, each ended by a NUL */
	bool		 check, list, quiet, no_sandbox, help;
};

/* ---- options ------------------------------------------------------------------------------------ */

static bool
set_word(const char *const *words, size_t n, const char *name, const char *arg, size_t *value, struct err *err)
{
	struct buf all = BUF_INIT;

	for (size_t i = 0; i < n; i++) {
		if (strcmp(words[i], arg) == 0) {
			*value = i;
			buf_free(&all);
			return true;
		}
		buf_printf(&all, "%s%s", i > 0 ? ", " : "", words[i]);
	}
	fail(err, E_USAGE, "unknown %s '%s'; use %s", name, arg, all.bad ? "others" : all.s);
	buf_free(&all);
	return false;
}

static bool
set_size(void (*set)(uint64_t), const char *arg, struct err *err)
{
	uint64_t n;

	if (!limit_size(arg, &n, err))
		return false;
	set(n);
	return true;
}

static bool
set_number(const char *arg, uint64_t most, uint64_t *n, struct err *err)
{
	return (num_u64(str_of(arg), 10, n) && *n > 0 && *n <= most) ||
	    fail(err, E_USAGE, "'%s' is not a number from 1 to %llu", arg, (unsigned long long)most);
}

static bool
add_keep(struct redact_order *c, const char *arg, struct err *err)
{
	if (!mem_grow(&c->keep, &c->keep_cap, c->nkeep + 2, sizeof *c->keep))
		return fail(err, E_SYSTEM, "out of memory");
	c->keep[c->nkeep++] = arg;
	c->keep[c->nkeep] = NULL;
	c->o.keep = c->keep;
	return true;
}

static bool	read_profile(struct redact_order *, const char *path, struct err *);

static bool
set_option(struct redact_order *c, int id, const char *arg, struct err *err)
{
	size_t word = 0;
	uint64_t n = 0;
	bool ok = true;

	switch (id) {
	case OPT_MODE: ok = set_word(redact_modes, REDACT_MODES, "mode", arg, &word, err); c->o.mode = (enum redact_mode)word; break;
	case OPT_NAMES: ok = set_word(redact_names, REDACT_NAMES, "names", arg, &word, err); c->o.names = (enum redact_names)word; break;
	case OPT_KEY: c->key_file = arg; break;
	case OPT_KEEP: return add_keep(c, arg, err);
	case OPT_PROFILE: return read_profile(c, arg, err);
	case OPT_MAPPING: c->o.mapping = arg; break;
	case OPT_LEVEL: ok = set_number(arg, 9, &n, err); c->o.level = (unsigned)n; break;
	case OPT_NO_TIME: c->o.no_time = true; break;
	case OPT_STRICT: c->o.strict = true; break;
	case OPT_FORCE: c->o.force = true; break;
	case OPT_CHECK: c->check = true; break;
	case OPT_WORDS: c->o.words = arg; break;
	case OPT_LIST: c->list = true; break;
	case OPT_JOBS: return set_number(arg, 1024, &c->jobs, err);
	case OPT_UNPACKED: return set_size(intake_allow, arg, err);
	case OPT_RESERVE: return set_size(space_reserve, arg, err);
	case OPT_TIMEOUT: return limit_time(arg, &c->timeout, err);
	case OPT_QUIET: c->quiet = true; break;
	case OPT_NO_SANDBOX: c->no_sandbox = true; break;
	case OPT_HELP: c->help = true; break;
	}
	return ok;
}

/* "mode stable": an option and its argument; --mode is fine, too. */
static bool
set_line(struct redact_order *c, char *line, struct err *err)
{
	const struct redact_row *row = rows;
	char *arg;

	line += strncmp(line, "--", 2) == 0 ? 2 : 0;
	arg = line + strcspn(line, " \t");
	if (*arg != '\0')
		*arg++ = '\0';
	arg += strspn(arg, " \t");
	while (row < rows + NELEM(rows) && (!row->profile || strcmp(row->name, line) != 0))
		row++;
	if (row == rows + NELEM(rows))
		return fail(err, E_USAGE, "'%s' is no option of a profile", line);
	if ((row->arg != NULL) != (*arg != '\0'))
		return fail(err, E_USAGE, row->arg != NULL ? "%s needs an argument" : "%s takes no argument", line);
	return set_option(c, (int)row->id, arg, err);
}

/* Its lines are kept: options point into them.  # begins a comment. */
static bool
read_profile(struct redact_order *c, const char *path, struct err *err)
{
	struct err why = { .kind = E_NONE };
	struct str rest, line;
	unsigned number = 0;
	struct map m;
	bool ok = true;

	if (c->profile.n > 0)
		return fail(err, E_USAGE, "only one --profile");
	if (!map_open(&m, path, NULL, err))
		return false;
	if (m.size <= PROFILE_MOST)
		buf_add(&c->profile, m.data, (size_t)m.size);
	else
		ok = fail(err, E_USAGE, "%s: too large for a profile (limit: %u bytes)", path, PROFILE_MOST);
	map_close(&m);
	buf_chr(&c->profile, '\n');
	if (!ok || c->profile.bad)
		return ok && fail(err, E_SYSTEM, "out of memory (profile)");
	for (rest = buf_view(&c->profile); ok && str_split(&rest, '\n', &line); number++) {
		while (line.n > 0 && (is_blank(line.s[line.n - 1]) || line.s[line.n - 1] == '\r'))
			line.n--;
		c->profile.s[line.s - c->profile.s + (ptrdiff_t)line.n] = '\0';
		if (line.n > 0 && line.s[0] != '#' && !set_line(c, c->profile.s + (line.s - c->profile.s), &why))
			ok = fail(err, why.kind, "%s: line %u: %s", path, number + 1, why.text);
	}
	return ok;
}

static bool
check_options(const struct redact_order *c, struct err *err)
{
	const struct redact_options *o = &c->o;

	if (o->words != NULL && !c->check)
		return fail(err, E_USAGE, "--words needs --check");
	if (o->mapping != NULL && (c->check || o->names == REDACT_KEEP))
		return fail(err, E_USAGE, "--write-mapping needs --names hash or hash-all, and no --check");
	if (c->key_file != NULL && o->mode == REDACT_SHAPE && o->names == REDACT_KEEP)
		return fail(err, E_USAGE, "--key-file needs --mode stable or --names hash");
	return !c->check || strcmp(o->in, "-") != 0 || strcmp(o->out, "-") != 0 ||
	    fail(err, E_USAGE, "only one file can be standard input");
}

static bool
read_options(struct redact_order *c, int argc, char **argv, struct err *err)
{
	struct option all[NELEM(rows) + 1] = { { NULL, 0, NULL, 0 } };
	int id, n;

	for (size_t i = 0; i < NELEM(rows); i++)
		all[i] = (struct option){ rows[i].name, rows[i].arg != NULL, NULL, rows[i].id };
	opterr = 0;
	while ((id = getopt_long(argc, argv, ":", all, NULL)) != -1) {
		if (id == ':')
			return fail(err, E_USAGE, "%s needs an argument", argv[optind - 1]);
		if (id == '?')
			return fail(err, E_USAGE, "unknown option '%s'; try icecore redact --help", argv[optind - 1]);
		if (!set_option(c, id, optarg, err))
			return false;
	}
	n = argc - optind;
	if (c->help || c->list)
		return true;
	if (n != 2)
		return fail(err, E_USAGE, "redact takes IN and OUT%s; try icecore redact --help", n > 2 ? ", no more" : "");
	c->o.in = argv[optind];
	c->o.out = argv[optind + 1];
	return check_options(c, err);
}

/* Who may read the key may try what is behind values. */
static bool
read_key(struct redact_order *c, struct err *err)
{
	int fd = open(c->key_file, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;
	ssize_t n = -1;

	if (fd < 0)
		return fail_errno(err, "%s: cannot read", c->key_file);
	if (fstat(fd, &st) == 0)
		n = read(fd, c->key, sizeof c->key);
	close(fd);
	if (n < 0)
		return fail_errno(err, "%s: cannot read", c->key_file);
	c->o.key = c->key;
	c->o.key_size = (size_t)n;
	if ((st.st_mode & (S_IRWXG | S_IRWXO)) != 0)
		return fail(err, E_USAGE, "%s: others may read this key; run chmod 600", c->key_file);
	return (n >= (ssize_t)REDACT_KEY_LEAST && n < (ssize_t)REDACT_KEY_MOST) ||
	    fail(err, E_USAGE, "%s: a key has %u to %u bytes", c->key_file, REDACT_KEY_LEAST, REDACT_KEY_MOST - 1);
}

/* ---- what it prints -------------------------------------------------------------------------------- */

static void
print_help(void)
{
	char left[40];

	puts("Make a heap dump safe to share: same objects, sizes and leaks, but no data.\n\n"
	    "usage: icecore redact [OPTION ...] IN OUT\n"
	    "       icecore redact --check [OPTION ...] IN OUT\n"
	    "OUT has the length and the structure of IN, but no strings, numbers, literals or\n"
	    "thread names.  An OUT named .gz is compressed; - is standard input or output.\n");
	for (const struct redact_row *row = rows; row < rows + NELEM(rows); row++) {
		snprintf(left, sizeof left, "--%s %s", row->name, row->arg != NULL ? row->arg : "");
		printf("  %-16s  %s\n", left, row->what);
	}
	puts("\nExit status: 0 written, 2 usage, 3 written from a damaged file, or --check or\n"
	    "--strict failed, 4 system, 5 not a heap dump, 130 cancelled.\n"
	    "\nSee icecore-redact(1).");
}

static int
tell_damage(const struct redact_order *c, const struct redacted *t)
{
	struct err err;

	if (t->unknown == 0 && !t->cut)
		return E_NONE;
	if (t->unknown > 0)
		fail(&err, E_INPUT, "damaged or unknown records; %llu bytes are zero", (unsigned long long)t->unknown);
	else
		fail(&err, E_INPUT, "compressed data truncated or damaged");
	return complain(c->o.in, &err);
}

/* ---- all of it ----------------------------------------------------------------------------------------- */

static bool
confine(const struct redact_order *c, struct err *err)
{
	enum sandbox_level level;
	struct sandbox s;

	if (!confine_level(c->no_sandbox, &level, err))
		return false;
	sandbox_begin(&s, level, true);
	sandbox_write(&s, directory_temporary());
	sandbox_read(&s, c->o.in);
	if (c->o.words != NULL)
		sandbox_read(&s, c->o.words);
	if (c->check)
		sandbox_read(&s, c->o.out);
	else
		confine_beside(&s, c->o.out);
	if (c->o.mapping != NULL)
		confine_beside(&s, c->o.mapping);
	sandbox_enter(&s);
	return true;
}

/* Damage is told, and is no error.  What is read once, or damaged, is not asked for answers. */
static bool
run(struct redact_order *c, int *status, struct err *err)
{
	struct redacted told;
	bool ok, asked;

	if ((c->key_file != NULL && !read_key(c, err)) || !confine(c, err))
		return false;
	work_deadline(c->timeout);
	pool_jobs((unsigned)c->jobs);
	progress_begin(!c->quiet);
	ok = (c->check ? redact_check : redact_file)(&c->o, &told, &progress_work, err);
	asked = ok && c->check && told.unknown == 0 && !told.cut && strcmp(c->o.in, "-") != 0 && strcmp(c->o.out, "-") != 0;
	ok = ok && (!asked || redact_same_answers(&c->o, &asked, &progress_work, err));
	progress_end();
	if (!ok)
		return false;
	if (!c->quiet && c->check)
		redact_tell_passed(&c->o, &told, asked);
	else if (!c->quiet)
		redact_tell_written(&c->o, &told);
	*status = check_memory(tell_damage(c, &told));
	return true;
}

bool
redact_command(int argc, char **argv, int *status, struct err *err)
{
	struct redact_order *c = mem_array(1, sizeof *c);
	bool ok;

	if (c == NULL)
		return fail(err, E_SYSTEM, "out of memory");
	*status = E_NONE;
	ok = read_options(c, argc, argv, err);
	if (ok && c->help)
		print_help();
	else if (ok && c->list)
		ok = redact_print_kept(err);
	else if (ok)
		ok = run(c, status, err);
	free(c->keep);
	buf_free(&c->profile);
	explicit_bzero(c, sizeof *c);
	free(c);
	return ok;
}
