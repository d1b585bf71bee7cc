/*
 * options: the command lines of triage and watch.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fleet.h"
#include "icecore/limits.h"

enum option_is { OPTION_FLAG, OPTION_TEXT, OPTION_COUNT, OPTION_SIZE, OPTION_TIME, OPTION_SHARD, OPTION_STATES, OPTION_OUT, OPTION_REQUIRED };
enum { OF_TRIAGE = 1, OF_WATCH = 2, OF_BOTH = 3 };

struct option_row {
	const char	*name, *arg, *what;	/* what NULL: --help leaves it out */
	enum option_is	 is;
	size_t		 at;			/* in struct fleet_options */
	unsigned	 of;
};

#define AT(member) offsetof(struct fleet_options, member)

static const struct option_row options[] = {
	{ "-o", "OUT", "directory of the rows; with --table, --groups: format (tsv, csv, json, md, ...)", OPTION_OUT, 0, OF_TRIAGE },
	{ "--from", "LIST", "read the paths from LIST, one per line; - is standard input", OPTION_TEXT, AT(from), OF_TRIAGE },
	{ "--null", NULL, "the paths of --from end with NUL", OPTION_FLAG, AT(null), OF_TRIAGE },
	{ "--jobs", "N", "dumps at once; default: all cores, as far as memory allows", OPTION_COUNT, AT(jobs), OF_BOTH },
	{ "--shard", "I/N", "only part I of N of the files; the first is 0", OPTION_SHARD, AT(shard), OF_TRIAGE },
	{ "--timeout", "TIME", "give up on a dump after TIME; default 120s", OPTION_TIME, AT(timeout), OF_BOTH },
	{ "--memory", "SIZE", "memory limit for a dump; default 512m", OPTION_SIZE, AT(memory), OF_BOTH },
	{ "--unpacked", "SIZE", "most bytes to unpack for a dump; default 64g", OPTION_SIZE, AT(unpacked), OF_BOTH },
	{ "--mapping", "FILE", "deobfuscate with an R8/ProGuard mapping.txt", OPTION_TEXT, AT(mapping), OF_BOTH },
	{ "--mapping-dir", "DIR", "the same, with DIR/BUILD.txt for the build that --name-pattern finds", OPTION_TEXT, AT(mapping_dir), OF_BOTH },
	{ "--name-pattern", "PATTERN", "app, build and process of a path, e.g. {app}/{build}/{process}-{any}.hprof", OPTION_TEXT, AT(pattern),
	    OF_BOTH },
	{ "--retry", "STATES", "states to try again; default timeout,oom,crash,system", OPTION_STATES, AT(retry), OF_BOTH },
	{ "--keep", "N", "keep the N largest dumps of each signature in OUT/keep", OPTION_COUNT, AT(keep), OF_BOTH },
	{ "--max-bad", "PERCENT", "exit with 3 when more dumps than that fail", OPTION_COUNT, AT(max_bad), OF_BOTH },
	{ "--redact", NULL, "hashes for paths, no descriptions of findings", OPTION_FLAG, AT(redact), OF_BOTH },
	{ "--sandbox", "WHEN", "read no dump where the sandbox is not whole (required)", OPTION_REQUIRED, AT(sandbox_required), OF_BOTH },
	{ "--one", "NAME", "print the rows of one dump, which is called NAME", OPTION_TEXT, AT(one), OF_TRIAGE },
	{ "--groups", "OUT", "print the findings by signature", OPTION_TEXT, AT(groups), OF_TRIAGE },
	{ "--table", "OUT", "print the dumps", OPTION_TEXT, AT(table), OF_TRIAGE },
	{ "--done", "DIR", "move dumps to DIR when they have rows", OPTION_TEXT, AT(done), OF_WATCH },
	{ "--once", NULL, "end when the dumps that are there have rows", OPTION_FLAG, AT(once), OF_WATCH },
	{ "--help", NULL, "print this help", OPTION_FLAG, AT(help), OF_BOTH },
};

static bool
set_shard(struct fleet_options *o, struct str arg, struct err *err)
{
	struct str part = STR("");

	return (str_split(&arg, '/', &part) && num_u64(part, 10, &o->shard) && num_u64(arg, 10, &o->shards) && o->shards > 0 &&
	    o->shard < o->shards) || fail(err, E_USAGE, "--shard needs I/N, I from 0 to N - 1");
}

static bool
set_states(unsigned *states, struct str arg, struct err *err)
{
	enum triage_state state;
	struct str word;

	for (*states = 0; str_split(&arg, ',', &word); *states |= 1u << state)
		if (!triage_state_of(word, &state))
			return fail(err, E_USAGE, "unknown state '%.*s'", (int)word.n, word.s);
	return true;
}

static bool
set_format(size_t *format, const char *arg, struct err *err)
{
	for (*format = 0; *format < FORMATS; ++*format)
		if (strcmp(arg, format_names[*format]) == 0)
			return true;
	return fail(err, E_USAGE, "unknown format '%s'", arg);
}

static bool
set_option(struct fleet_options *o, const struct option_row *row, const char *arg, struct err *err)
{
	void *at = (char *)o + row->at;

	switch (row->is) {
	case OPTION_FLAG: *(bool *)at = true; return true;
	case OPTION_OUT:
	case OPTION_TEXT: *(const char **)at = arg; return true;
	case OPTION_COUNT: return num_u64(str_of(arg), 10, at) || fail(err, E_USAGE, "%s needs a number, not '%s'", row->name, arg);
	case OPTION_SIZE: return limit_size(arg, at, err);
	case OPTION_TIME: return limit_time(arg, at, err);
	case OPTION_SHARD: return set_shard(o, str_of(arg), err);
	case OPTION_STATES: return set_states(at, str_of(arg), err);
	case OPTION_REQUIRED: *(bool *)at = strcmp(arg, "required") == 0;
		return *(bool *)at || fail(err, E_USAGE, "%s takes 'required', not '%s'", row->name, arg);
	}
	return true;
}

/* --NAME, or --NAME=ARG. */
static const struct option_row *
find_option(const char *word, unsigned of, const char **arg)
{
	const struct option_row *row;
	struct str s;

	for (row = options; row < options + NELEM(options); row++) {
		s = str_of(word);
		if ((row->of & of) == 0 || !str_take(&s, str_of(row->name)) || (s.n > 0 && (s.s[0] != '=' || row->arg == NULL)))
			continue;
		*arg = s.n > 0 ? s.s + 1 : NULL;
		return row;
	}
	return NULL;
}

/* What goes together. */
static bool
fit(struct fleet_options *o, bool watch, struct err *err)
{
	bool answers = o->groups != NULL || o->table != NULL;

	if (o->help)
		return true;
	if (o->keep > 0 && o->redact)
		return fail(err, E_USAGE, "--keep needs the paths of the dumps; --redact leaves them out");
	if (watch)
		return o->npaths == 2 || fail(err, E_USAGE, "usage: icecore watch [OPTION ...] INBOX OUT; try 'icecore watch --help'");
	if (answers && o->out != NULL && !set_format(&o->format, o->out, err))
		return false;
	if ((o->groups != NULL) + (o->table != NULL) + (o->one != NULL) > 1)
		return fail(err, E_USAGE, "--one, --groups and --table cannot be combined");
	if (answers)
		return o->npaths == 0 || fail(err, E_USAGE, "--groups and --table read a directory of rows, no dumps");
	if (o->one != NULL)
		return o->npaths == 1 || fail(err, E_USAGE, "--one needs one file; - is standard input");
	if (o->out == NULL)
		return fail(err, E_USAGE, "triage needs -o OUT, the directory for its rows; try 'icecore triage --help'");
	return o->npaths > 0 || o->from != NULL || fail(err, E_USAGE, "no heap dumps given; try 'icecore triage --help'");
}

bool
fleet_options_read(struct fleet_options *o, bool watch, int argc, char **argv, struct err *err)
{
	unsigned of = watch ? OF_WATCH : OF_TRIAGE;
	const struct option_row *row;
	bool options_end = false;
	const char *arg;
	int i;

	*o = (struct fleet_options){ .shards = 1, .memory = (uint64_t)512 << 20, .unpacked = (uint64_t)64 << 30, .max_bad = 100,
	    .timeout = (uint64_t)120 * 1000000000u, .format = FORMATS, .paths = argv,
	    .retry = 1u << TRIAGE_TIMEOUT | 1u << TRIAGE_OOM | 1u << TRIAGE_CRASH | 1u << TRIAGE_SYSTEM };
	for (i = 1; i < argc; i++) {
		if (options_end || argv[i][0] != '-' || argv[i][1] == '\0') {
			o->paths[o->npaths++] = argv[i];
			continue;
		}
		options_end = strcmp(argv[i], "--") == 0;
		if (options_end)
			continue;
		row = find_option(argv[i], of, &arg);
		if (row == NULL)
			return fail(err, E_USAGE, "unknown option '%s'; try 'icecore %s --help'", argv[i], watch ? "watch" : "triage");
		if (row->arg != NULL && arg == NULL && (arg = argv[++i]) == NULL)
			return fail(err, E_USAGE, "%s needs an argument: %s", row->name, row->arg);
		if (row->is == OPTION_OUT)
			o->out = arg;
		else if (!set_option(o, row, arg, err))
			return false;
	}
	return fit(o, watch, err);
}

void
fleet_help(bool watch)
{
	char left[40];

	if (watch)
		puts("usage: icecore watch [OPTION ...] INBOX OUT\n"
		    "Wait for heap dumps in the directory INBOX; write rows and a page to OUT.\n");
	else
		puts("usage: icecore triage [OPTION ...] -o OUT DIR|FILE ...\n"
		    "       icecore triage --groups OUT\n"
		    "       icecore triage --table OUT\n"
		    "       icecore triage --one NAME FILE\n"
		    "Find the leaks of many heap dumps, each in a process of its own.\n");
	for (const struct option_row *row = options; row < options + NELEM(options); row++) {
		if ((row->of & (watch ? OF_WATCH : OF_TRIAGE)) == 0)
			continue;
		snprintf(left, sizeof left, "%s %s", row->name, row->arg != NULL ? row->arg : "");
		printf("  %-22s  %s\n", left, row->what);
	}
	puts(watch ? "\nExit status: 0 ended by SIGTERM; with --once as triage; 2 usage, 3 INBOX was removed, 4 system, 130 interrupted." :
	    "\nExit status: 0 all dumps have rows, 1 no file, 2 usage, 3 too many failed, 4 system, 130 interrupted.");
}
