/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * redact: icecore redact: its options, sandbox and messages.
 */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "icecore/args.h"
#include "icecore/directory.h"
#include "icecore/limits.h"
#include "icecore/store.h"
#include "icecore/redact.h"
#include "cli.h"
#include "redact.h"

#define PROFILE_MOST 65536u

enum { OF_COMMAND = 1, OF_PROFILE = 2, OF_BOTH = 3 };	/* also permitted in a profile */

struct redact_order {
	struct redact_options o;
	uint8_t		 key[REDACT_KEY_MOST];
	struct args_list keep;
	size_t		 mode, names, numbers;
	struct file_run	 run;
	size_t		 nfiles;
	struct buf	 profile;	/* lines of the profile, each terminated by NUL */
	bool		 check, list, texts;
	bool		 words;		/* given on the command line; a profile may set them for checks only */
};

/* ---- options ------------------------------------------------------------------------------------ */

static bool	read_profile(void *order, const struct args_row *, const char *path, struct err *);

#define AT(member) .at = offsetof(struct redact_order, member)

static const struct args_row rows[] = {
	{ 0, "mode", "MODE", "how values are replaced",
	    .kind = ARGS_WORD, AT(mode), .words = redact_modes, .nwords = REDACT_MODES, .of = OF_BOTH,
	    .often = OF_COMMAND },
	{ 0, "names", "NAMES", "names to keep or replace",
	    .kind = ARGS_WORD, AT(names), .words = redact_names, .nwords = REDACT_NAMES, .of = OF_BOTH,
	    .often = OF_COMMAND },
	{ 0, "numbers", "NUMBERS", "numbers in events of the program's own",
	    .kind = ARGS_WORD, AT(numbers), .words = redact_numbers, .nwords = REDACT_NUMBERS, .of = OF_BOTH },
	{ 0, "key-file", "FILE", "key for stable values and names; default: random",
	    .kind = ARGS_TEXT, AT(o.key_file), .of = OF_BOTH, .often = OF_COMMAND },
	{ 0, "keep-field", "FIELD", "keep the numbers in CLASS.FIELD; repeatable", .kind = ARGS_LIST,
	    AT(keep), .of = OF_BOTH, .often = OF_COMMAND },
	{ 0, "profile", "FILE", "read options from FILE, one per line", .kind = ARGS_OWN,
	    .own = read_profile },
	{ 0, "write-mapping", "FILE", "write a mapping file with old and new names, for --mapping",
	    .kind = ARGS_TEXT, AT(o.mapping) },
	{ 0, "level", "N", "gzip level of an output named .gz, 1 to 9; default: 6",
	    .kind = ARGS_NUMBER, AT(o.level), .least = 1, .most = 9, .of = OF_BOTH },
	{ 0, "no-time", NULL, "omit the time of the dump from the output", .kind = ARGS_FLAG, AT(o.no_time),
	    .of = OF_BOTH },
	{ 0, "strict", NULL, "write nothing if the input is damaged or truncated", .kind = ARGS_FLAG,
	    AT(o.strict), .of = OF_BOTH, .often = OF_COMMAND },
	{ 0, "force", NULL, "overwrite existing regular files", .kind = ARGS_FLAG, AT(o.force), .often = OF_COMMAND },
	{ 0, "check", NULL, "compare a redacted OUT with IN; write nothing", .kind = ARGS_FLAG, AT(check),
	    .often = OF_COMMAND },
	{ 0, "words", "FILE", "with --check: words that OUT must not contain, one per line",
	    .kind = ARGS_TEXT, AT(o.words), .of = OF_BOTH },
	{ 0, "list-kept", NULL, "list the fields, strings and task names that are kept", .kind = ARGS_FLAG,
	    AT(list), .often = OF_COMMAND },
	{ 0, "list-text", NULL, "list the texts in OUT, the rarest first, each with its field",
	    .kind = ARGS_FLAG, AT(texts), .often = OF_COMMAND },
	{ 0, "jobs", "N", "threads for compression; default: all cores, up to 8", .kind = ARGS_NUMBER,
	    AT(run.jobs), .least = 1 },
	FILE_RUN_ROWS
};

/* Read options from a profile. Its lines stay in memory: options point into them. # begins a comment. */
static bool
read_profile(void *order, const struct args_row *row, const char *path, struct err *err)
{
	struct args args = { rows, NELEM(rows), OF_PROFILE, "a profile", order, NULL, NULL };
	struct redact_order *c = order;
	struct err why = { .kind = E_NONE };
	struct str rest, line;
	unsigned number = 0;
	struct map m;
	bool ok = true;

	(void)row;
	if (c->profile.n > 0)
		return fail(err, E_USAGE, "--profile given twice");
	if (!map_open(&m, path, NULL, err))
		return false;
	if (m.size <= PROFILE_MOST)
		buf_add(&c->profile, m.data, (size_t)m.size);
	else
		ok = fail_file(err, E_USAGE, path, "too large for a profile (limit: %u bytes)", PROFILE_MOST);
	map_close(&m);
	buf_chr(&c->profile, '\n');
	if (!ok || c->profile.bad)
		return ok && fail(err, E_SYSTEM, "out of memory (profile)");
	for (rest = buf_view(&c->profile); ok && str_split(&rest, '\n', &line); number++) {
		while (line.n > 0 && (is_blank(line.s[line.n - 1]) || line.s[line.n - 1] == '\r'))
			line.n--;
		c->profile.s[line.s - c->profile.s + (ptrdiff_t)line.n] = '\0';
		if (line.n > 0 && line.s[0] != '#' && !args_read_line(&args,
		    c->profile.s + (line.s - c->profile.s), &why))
			ok = fail_file(err, why.kind, path, "line %u: %s", number + 1, why.text);
	}
	return ok;
}

static bool
check_options(const struct redact_order *c, struct err *err)
{
	const struct redact_options *o = &c->o;

	if (c->words && !c->check)
		return fail(err, E_USAGE, "--words needs --check");
	if (o->mapping != NULL && (c->check || o->names == REDACT_KEEP))
		return fail(err, E_USAGE, "--write-mapping needs --names hash or hash-all, without --check");
	if (c->o.key_file != NULL && o->mode == REDACT_SHAPE && o->names == REDACT_KEEP)
		return fail(err, E_USAGE, "--key-file needs --mode stable or --names hash");
	return !c->check || strcmp(o->in, "-") != 0 || strcmp(o->out, "-") != 0 ||
	    fail(err, E_USAGE, "only one file can be standard input");
}

static bool
note_words(void *order, const struct args_row *row, const char *arg, struct err *err)
{
	(void)arg;
	(void)err;
	((struct redact_order *)order)->words |= row->at == offsetof(struct redact_order, o.words);
	return true;
}

static bool
redact_add_file(void *order, const char *path, struct err *err)
{
	struct redact_order *c = order;

	if (c->nfiles == 2)
		return fail(err, E_USAGE, "too many arguments; redact takes IN and OUT; try 'icecore redact --help'");
	*(c->nfiles++ == 0 ? &c->o.in : &c->o.out) = path;
	return true;
}

static struct args
args_of(struct redact_order *c)
{
	return (struct args){ rows, NELEM(rows), OF_COMMAND, "icecore redact", c, redact_add_file,
	    note_words };
}

static bool
read_options(struct redact_order *c, int argc, char **argv, struct err *err)
{
	struct args args = args_of(c);

	if (!args_read(&args, argc, argv, err))
		return false;
	c->o.mode = (enum redact_mode)c->mode;
	c->o.names = (enum redact_names)c->names;
	c->o.numbers = (enum redact_numbers)c->numbers;
	c->o.keep = c->keep.arg;
	if (c->run.help || c->list)
		return true;
	if (c->texts)
		return c->nfiles == 1 && !c->check ? true : fail(err, E_USAGE,
		    "redact --list-text takes one file; try 'icecore redact --help'");
	return c->nfiles == 2 ? check_options(c, err) : fail(err, E_USAGE,
	    "redact takes IN and OUT; try 'icecore redact --help'");
}

/* Read the key file. Others must not be able to read it: with the key they could guess values. */
static bool
read_key(struct redact_order *c, struct err *err)
{
	int fd = open(c->o.key_file, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;
	ssize_t n = -1;

	if (fd < 0)
		return fail_path(err, c->o.key_file);
	if (fstat(fd, &st) == 0)
		n = read(fd, c->key, sizeof c->key);
	close(fd);
	if (n < 0)
		return fail_path(err, c->o.key_file);
	c->o.key = c->key;
	c->o.key_size = (size_t)n;
	if ((st.st_mode & (S_IRWXG | S_IRWXO)) != 0)
		return fail_file(err, E_USAGE, c->o.key_file,
		    "key file readable by other users; run chmod 600");
	return (n >= (ssize_t)REDACT_KEY_LEAST && n < (ssize_t)REDACT_KEY_MOST) ||
	    fail_file(err, E_USAGE, c->o.key_file, "key must have %u to %u bytes", REDACT_KEY_LEAST,
	    REDACT_KEY_MOST - 1);
}

/* ---- output ---------------------------------------------------------------------------------------- */

static void
print_help(unsigned helped)
{
	struct args args = args_of(NULL);

	args_help(&args, helped, "usage: icecore redact [OPTION ...] IN OUT\n"
	    "       icecore redact --check [OPTION ...] IN OUT\n"
	    "       icecore redact --list-text OUT\n"
	    "Make a heap dump, trace, recording or stack dump safe to share: same structure,\n"
	    "no data.  OUT has the length and structure of IN.  A heap dump (HPROF, V8, Ruby)\n"
	    "keeps objects and sizes, but no strings or numbers.  Perfetto traces, JFR\n"
	    "recordings, ftrace text, perf script output and stack dumps keep events, times,\n"
	    "ids and functions; messages, values and the names of processes and threads are\n"
	    "replaced.  An OUT named .gz is compressed; - is standard input or output.\n",
	    "0 written, 2 usage error, 3 written from a damaged file (or --check\n"
	    "or --strict failed), 4 system error, 5 unsupported format, 130 cancelled.", "icecore-redact(1)");
}

static int
redact_tell_damage(const struct redact_order *c, const struct redacted *t)
{
	struct err err;

	if (redacted_sound(t))
		return E_NONE;
	if (t->unknown > 0)
		fail(&err, E_INPUT, t->other ? "damaged or unreadable packets; %llu bytes omitted" :
		    "damaged or unknown records; %llu bytes replaced with zeros",
		    (unsigned long long)t->unknown);
	else
		fail(&err, E_INPUT, t->cut ? "compressed data truncated or damaged" :
		    "truncated: no end of the heap dump");
	return complain(c->o.in, &err);
}

/* ---- the whole run ------------------------------------------------------------------------------------- */

static bool
redact_confine(const struct redact_order *c, struct err *err)
{
	struct sandbox s;

	if (!confine_file(&s, &c->run, c->o.in, err))
		return false;
	if (c->check && c->o.words != NULL)
		sandbox_let(&s, SANDBOX_READ, c->o.words);
	sandbox_let(&s, c->check ? SANDBOX_READ : SANDBOX_TARGET, c->o.out);
	if (c->o.mapping != NULL)
		sandbox_let(&s, SANDBOX_TARGET, c->o.mapping);
	return sandbox_enter(&s, err);
}

/*
 * Damage is reported but is not an error, except with --check. Results are compared only for complete dumps
 * that can be read twice.
 */
static bool
redact_run(struct redact_order *c, int *status, struct err *err)
{
	struct buf looks = BUF_INIT;
	struct redacted told;
	bool ok, sound, asked;

	if ((c->o.key_file != NULL && !read_key(c, err)) || !redact_confine(c, err))
		return false;
	pool_jobs(c->run.jobs);
	progress_begin(!c->run.quiet);
	ok = (c->check ? redact_check : redact_file)(&c->o, &told, &progress_work, err);
	sound = ok && redacted_sound(&told);
	asked = sound && c->check && !told.other && strcmp(c->o.in, "-") != 0 && strcmp(c->o.out, "-") != 0;
	ok = ok && (!asked || redact_same_answers(&c->o, &asked, &progress_work, err));
	if (ok && !c->check && !c->run.quiet && output_replaces(c->o.out))
		redact_look(c->o.out, &looks, &progress_work);
	progress_end();
	if (!ok)
		return false;
	if (!c->run.quiet && !c->check)
		redact_tell_written(&c->o, &told);
	else if (!c->run.quiet)
		redact_tell_passed(&c->o, &told, asked);
	if (looks.n > 0 && !looks.bad)
		fputs(looks.s, stderr);
	buf_free(&looks);
	*status = check_memory(redact_tell_damage(c, &told));
	return true;
}

static bool
list_texts(const struct redact_order *c, struct err *err)
{
	struct sandbox s;
	bool ok;

	if (!confine_file(&s, &c->run, c->o.in, err) || !sandbox_enter(&s, err))
		return false;
	progress_begin(!c->run.quiet);
	ok = redact_print_texts(c->o.in, &progress_work, err);
	progress_end();
	return ok;
}

bool
cli_redact(int argc, char **argv, int *status, struct err *err)
{
	struct redact_order *c = mem_array(1, sizeof *c);
	bool ok;

	if (c == NULL)
		return fail(err, E_SYSTEM, "out of memory");
	*status = E_NONE;
	ok = read_options(c, argc, argv, err);
	if (ok && c->run.help)
		print_help(c->run.help);
	else if (ok && c->list)
		ok = redact_print_kept(err);
	else if (ok && c->texts)
		ok = list_texts(c, err);
	else if (ok)
		ok = redact_run(c, status, err);
	free(c->keep.arg);
	buf_free(&c->profile);
	explicit_bzero(c, sizeof *c);
	free(c);
	return ok;
}
