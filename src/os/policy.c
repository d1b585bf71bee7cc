/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * policy: what the administrator of this machine allows.
 *
 * The path is fixed when icecore is built: no option and no variable of a user changes it.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "icecore/directory.h"
#include "icecore/policy.h"

#define POLICY_MOST 65536u

static struct policy now;

/* ---- the lines ------------------------------------------------------------------------- */

struct policy_row {
	const char	*key, *what;
	bool		(*read)(void *to, struct str value, bool (*known)(struct str), struct err *);
	size_t		 at;		/* in struct policy */
};

#define AT(member) offsetof(struct policy, member)

static bool
policy_formats(void *to, struct str value, bool (*known)(struct str), struct err *err)
{
	struct buf *b = to;
	struct str word;

	buf_chr(b, '|');
	while (value.n > 0) {
		(void)str_split_any(&value, " \t", &word);
		if (word.n == 0)
			continue;
		if (!known(word) && !str_is(word, POLICY_SYMBOLS))
			return fail(err, E_SYSTEM, "unknown format '%.*s'; icecore --list-formats lists them",
			    (int)str_head(word, 40).n, word.s);
		buf_str(b, word);
		buf_chr(b, '|');
	}
	return !b->bad || fail(err, E_SYSTEM, "out of memory (policy)");
}

static bool
policy_no(void *to, struct str value, bool (*known)(struct str), struct err *err)
{
	(void)known;
	*(bool *)to = str_eq(value, STR("no"));
	return *(bool *)to || str_eq(value, STR("yes")) || fail(err, E_SYSTEM, "expected: yes or no");
}

static bool
policy_required(void *to, struct str value, bool (*known)(struct str), struct err *err)
{
	(void)known;
	*(bool *)to = str_eq(value, STR("required"));
	return *(bool *)to || str_eq(value, STR("usual")) ||
	    fail(err, E_SYSTEM, "expected: required or usual");
}

static bool
policy_size(void *to, struct str value, bool (*known)(struct str), struct err *err)
{
	(void)known;
	return (num_u64(value, 10, to) || num_size(value, to)) && *(uint64_t *)to > 0 ? true :
	    fail(err, E_SYSTEM, "'%.*s' is not a size; e.g. 64M or 1g", (int)str_head(value, 40).n, value.s);
}

static bool
policy_time(void *to, struct str value, bool (*known)(struct str), struct err *err)
{
	(void)known;
	return num_duration(value, to) && *(uint64_t *)to > 0 ? true :
	    fail(err, E_SYSTEM, "'%.*s' is not a time; e.g. 30s or 2min", (int)str_head(value, 40).n,
	    value.s);
}

static const struct policy_row rows[] = {
	{ "formats", "formats that may be read", policy_formats, AT(formats) },
	{ "run", "other programs, such as perf", policy_no, AT(no_run) },
	{ "record", "recordings of processes", policy_no, AT(no_record) },
	{ "sandbox", "the sandbox", policy_required, AT(sandbox) },
	{ "memory", "memory of a process", policy_size, AT(memory) },
	{ "time", "time of a command, or of an answer of icecore mcp", policy_time, AT(time) },
	{ "unpacked", "size of a decompressed file", policy_size, AT(unpacked) },
};

static bool
policy_line(struct policy *p, struct str line, unsigned *seen, bool (*known)(struct str), struct err *err)
{
	struct str key;

	if (memchr(line.s, '\0', line.n) != NULL)
		return fail(err, E_SYSTEM, "a byte that is not text");
	(void)str_split(&line, '#', &key);
	line = str_trim(key);
	if (line.n == 0)
		return true;
	(void)str_split_any(&line, " \t", &key);
	line = str_trim(line);
	for (size_t i = 0; i < NELEM(rows); i++)
		if (str_eq(key, str_of(rows[i].key))) {
			if ((*seen >> i & 1) != 0)
				return fail(err, E_SYSTEM, "'%s' a second time", rows[i].key);
			*seen |= 1u << i;
			return line.n > 0 ? rows[i].read((char *)p + rows[i].at, line, known, err) :
			    fail(err, E_SYSTEM, "'%s' without a value", rows[i].key);
		}
	return fail(err, E_SYSTEM, "unknown key '%.*s'", (int)str_head(key, 40).n, key.s);
}

bool
policy_read(struct policy *p, struct str text, const char *path, bool (*known)(struct str), struct err *err)
{
	unsigned number = 0, seen = 0;
	struct err why = { .kind = E_NONE };
	struct str line;

	p->given = true;
	while (str_split(&text, '\n', &line)) {
		number++;
		if (!policy_line(p, line, &seen, known, &why))
			return fail(err, E_SYSTEM, "%s:%u: %s; icecore does not run with a damaged policy",
			    path, number, why.text);
	}
	return true;
}

/* ---- the file ---------------------------------------------------------------------------- */

static bool
is_safe(const struct stat *st)
{
	return st->st_uid == 0 && (st->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static bool
policy_is_safe(int fd, const char *path, struct err *err)
{
	char *directory = directory_of(path);
	struct stat st;
	bool ok = directory != NULL || fail(err, E_SYSTEM, "out of memory (policy)");

	if (ok && (stat(directory, &st) != 0 || !is_safe(&st)))
		ok = fail_file(err, E_SYSTEM, directory,
		    "must belong to root and be writable by root only; icecore does not run with an unsafe policy");
	if (ok && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || !is_safe(&st)))
		ok = fail_file(err, E_SYSTEM, path,
		    "must be a regular file of root that only root can write; icecore does not run with an unsafe "
		    "policy");
	free(directory);
	return ok;
}

bool
policy_open(struct policy *p, const char *path, bool (*known)(struct str), struct err *err)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	char *text;
	ssize_t n, more;
	bool ok;

	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR || fail_path(err, path);
	text = mem_array(POLICY_MOST + 1, 1);
	ok = policy_is_safe(fd, path, err) && (text != NULL || fail(err, E_SYSTEM, "out of memory (policy)"));
	for (n = 0, more = 1; ok && more > 0 && n <= (ssize_t)POLICY_MOST; n += more) {
		more = read(fd, text + n, POLICY_MOST + 1 - (size_t)n);
		ok = more >= 0 || fail_path(err, path);
	}
	ok = ok && (n <= (ssize_t)POLICY_MOST || fail_file(err, E_SYSTEM, path, "longer than 64 KiB")) &&
	    policy_read(p, (struct str){ text, (size_t)n }, path, known, err);
	free(text);
	close(fd);
	return ok;
}

bool
policy_begin(bool (*known)(struct str), struct err *err)
{
	return policy_open(&now, POLICY_FILE, known, err);
}

const struct policy *
policy_now(void)
{
	return &now;
}

/* ---- questions ------------------------------------------------------------------------------ */

bool
policy_format(const char *loader, struct err *err)
{
	char word[64];

	snprintf(word, sizeof word, "|%s|", loader);
	return now.formats.n == 0 || strstr(now.formats.s, word) != NULL ||
	    fail(err, E_USAGE, "the format %s is not allowed by " POLICY_FILE, loader);
}

bool
policy_run(const char *program, struct err *err)
{
	return !now.no_run || fail(err, E_USAGE, "running %s is not allowed by " POLICY_FILE, program);
}

bool
policy_record(struct err *err)
{
	return !now.no_record || fail(err, E_USAGE, "recording is not allowed by " POLICY_FILE);
}

uint64_t
policy_least(uint64_t of_policy, uint64_t asked)
{
	return asked == 0 || (of_policy > 0 && of_policy < asked) ? of_policy : asked;
}

/* ---- the list -------------------------------------------------------------------------------- */

static void
policy_print_row(const struct policy_row *row, FILE *f)
{
	const char *at = (const char *)&now + row->at;
	char value[NUM_TEXT] = "no limit";
	struct str rest, word;

	fprintf(f, "%-9s ", row->key);
	if (row->read == policy_formats) {
		rest = str_after(buf_view(&now.formats), now.formats.n > 0);
		while (str_split(&rest, '|', &word))
			fprintf(f, "%.*s ", (int)word.n, word.s);
		fputs(now.formats.n == 0 ? "all" : "", f);
	} else if (row->read == policy_no || row->read == policy_required)
		fputs(row->read == policy_no ? (*(const bool *)at ? "no" : "yes") :
		    *(const bool *)at ? "required" : "usual", f);
	else {
		if (*(const uint64_t *)(const void *)at > 0)
			(row->read == policy_time ? num_show_duration : num_show_size)(value, sizeof value,
			    *(const uint64_t *)(const void *)at);
		fputs(value, f);
	}
	fprintf(f, "\t# %s\n", row->what);
}

void
policy_print(FILE *f)
{
	fputs(now.given ? "# " POLICY_FILE "\n" : "# " POLICY_FILE " does not exist: everything is allowed\n",
	    f);
	for (size_t i = 0; i < NELEM(rows); i++)
		policy_print_row(&rows[i], f);
}
