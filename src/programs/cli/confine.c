/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * confine: the sandbox of queries, and of the explorer.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/directory.h"
#include "icecore/named.h"
#include "icecore/program.h"
#include "icecore/sandbox.h"
#include "cli.h"

static void
let_read(void *sandbox, const char *path)
{
	sandbox_let(sandbox, SANDBOX_READ, path);
}

static void
let_keep(void *sandbox, const char *path)
{
	sandbox_make(sandbox, SANDBOX_KEPT, path);
	/* The path may be a link. */
	sandbox_let(sandbox, SANDBOX_READ, path);
}

static void
let_index(void *sandbox, const char *path, bool written)
{
	if (written)
		sandbox_index(sandbox, path);
	else
		sandbox_let(sandbox, SANDBOX_READ, path);
}

/* Indexes of all files in the directory. */
static void
let_indexes(void *sandbox, const char *path, bool written)
{
	struct sandbox *s = sandbox;
	char *directory = directory_of(path);

	s->starved |= directory == NULL;
	if (directory != NULL && written) {
		(void)named_directories(path);
		sandbox_let(s, SANDBOX_INDEX, directory);
	} else
		sandbox_let(s, SANDBOX_READ, path);
	free(directory);
}

/* Allow reading a file and keeping its index, or listing a directory and looking at its files. */
static void
let_file(struct sandbox *s, const struct options *o, const char *path)
{
	if (directory_is(path)) {
		sandbox_let(s, SANDBOX_LISTED, path);
		return;
	}
	load_files(path, &o->ui.sides, let_read, s);
	store_places(path, &o->ui.store, let_index, s);
}

/* Allow what every mode needs. matches: regular expressions may be used. */
static void
confine_begin(struct sandbox *s, const struct options *o, bool matches)
{
	if (matches && o->outside.level == SANDBOX_FULL)
		regex_ready();
	sandbox_begin(s, o->outside.level);
	s->indexes = store_endings;
	sandbox_let(s, SANDBOX_TEMPORARY, directory_temporary());
	for (size_t i = 0; i < o->files.n; i++)
		let_file(s, o, o->files.arg[i]);
	for (size_t i = 0; i < o->recent.n; i++)
		sandbox_let(s, SANDBOX_READ, o->recent.arg[i]);
	for (size_t i = 0; i < o->write_dirs.n; i++)
		sandbox_let(s, SANDBOX_WRITE, o->write_dirs.arg[i]);
}

/* Free path; NULL: out of memory. */
static void
let_owned(struct sandbox *s, enum sandbox_use use, char *path)
{
	if (path == NULL)
		s->starved = true;
	else
		sandbox_let(s, use, path);
	free(path);
}

/* Start programs and open files that the sandbox will forbid. */
static void
confine_run(const struct options *o)
{
	for (size_t i = 0; !o->outside.no_run && i < o->files.n; i++)
		load_run(o->files.arg[i], o->outside.inlined, o->outside.level);
	for (size_t i = 0; !o->outside.no_symbols && i < o->files.n; i++)
		load_symbols(o->files.arg[i], o->outside.level);
}

/* True if a query may contain a regular expression, which is written between slashes. Queries of pages do. */
static bool
may_match(const struct asks *asks)
{
	for (size_t i = 0; i < asks->n; i++)
		if (memchr(asks->ask[i].text.s, '/', asks->ask[i].text.n) != NULL)
			return true;
	return asks->n == 0;
}

bool
confine_answers(const struct options *o, struct err *err)
{
	struct sandbox s;
	const struct query *q;

	confine_run(o);
	limits_batch(o->files.arg, o->files.n, o->timeout, o->most);
	confine_begin(&s, o, may_match(&o->asks));
	for (size_t i = 0; !o->ui.store.read_only && i < o->asks.n; i++)
		if ((q = o->asks.ask[i].query) != NULL && query_writes(q))
			let_owned(&s, SANDBOX_TARGET, mem_copy(query_target(q)));
	if (o->out != NULL)
		sandbox_let(&s, SANDBOX_TARGET, o->out);
	return sandbox_enter(&s, err);
}

/* Beginnings of the names that the explorer may propose for exports. */
static bool
confine_stems(const struct options *o, struct args_list *stems, struct err *err)
{
	struct buf stem = BUF_INIT;
	bool ok = true;

	for (size_t i = 0; ok && i < o->files.n; i++) {
		stem = BUF_INIT;
		ui_stem(o->files.arg[i], &stem);
		ok = (!stem.bad && stem.n > 0) || fail(err, E_SYSTEM, "out of memory");
		ok = ok && args_add(stems, stem.s, err);
	}
	return ok;
}

bool
confine_explorer(const void *options, struct err *err)
{
	const struct options *o = options;
	struct args_list stems = { .n = 0 };
	struct sandbox s;
	bool ok;

	confine_run(o);
	limit_memory(policy_least(policy_now()->memory, o->most), "--max-memory");
	if (!confine_stems(o, &stems, err))
		return false;
	confine_begin(&s, o, true);
	s.endings = export_endings;
	s.rereads = picture_endings;
	s.stems = stems.arg;
	starter_with(o->passed.arg, o->passed.n);
	for (size_t i = 0; i < o->files.n; i++)
		if (load_leads(o->files.arg[i]))
			sandbox_let(&s, SANDBOX_SEEN, "/");
	if (!o->ui.store.read_only)
		sandbox_let(&s, SANDBOX_EXPORT, ".");
	/* Exports are also written next to a file. */
	for (size_t i = 0; !o->ui.store.read_only && i < o->files.n; i++)
		let_owned(&s, SANDBOX_EXPORT, directory_of(o->files.arg[i]));
	ui_kept(&o->ui, let_keep, &s);
	ok = sandbox_enter(&s, err);
	for (size_t i = 0; i < stems.n; i++)
		free((void *)(uintptr_t)stems.arg[i]);
	free(stems.arg);
	return ok;
}

bool
confine_file(struct sandbox *s, const struct file_run *run, const char *in, struct err *err)
{
	enum sandbox_level level;

	limits_batch(&in, 1, run->timeout, run->most);
	if (!sandbox_level(run->no_sandbox, &level, err))
		return false;
	sandbox_begin(s, level);
	sandbox_let(s, SANDBOX_TEMPORARY, directory_temporary());
	sandbox_let(s, SANDBOX_READ, in);
	return true;
}

bool
confine_server(const struct options *o, struct err *err)
{
	struct sandbox s;

	confine_begin(&s, o, true);
	s.beneath = true;
	load_files(".", &o->ui.sides, let_read, &s);
	store_places(".", &o->ui.store, let_indexes, &s);
	return sandbox_enter(&s, err) && (s.whole || o->outside.level == SANDBOX_OFF ||
	    fail(err, E_SYSTEM, "the sandbox is incomplete: %s; to run without it, use --no-sandbox",
	    sandbox_text()));
}
