/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_keys: any text as a script of keys, as --keys reads it, over a small file of some format.  It ends, and what it shows has
 * passed text_fit, whatever the file and its name hold.
 *
 * The first line is the number of the file.  Other lines are "key NAME ...", "type TEXT", "click TEXT" and the like; each has a frame.
 */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "apart.h"
#include "heapwalk.h"
#include "icecore/pass.h"
#include "icecore/ui.h"
#include "shown.h"
#include "target.h"
#include "ui/term/term.h"

#define LINES_MOST 24u
#define NAME "a\033]0;b\a<c>\xe2\x80\xae.csv"	/* what a terminal would act on */

static const char *const files[] = { "heap/two", "heap/bitmaps35", "trace/v3", "sched/atrace", "perfetto/args", "jfr/seed2.jfr", "page/folded",
	"stacks/hotspot", "table/access.csv", "zip/small.jar", "ofx/invest", "triage/rows", "callgrind/tree", "gecko/demo", "json/beside", "pprof/kept",
	"perf/columns" };
static struct buf bytes[NELEM(files)];

/* A name that is not known would end the script; a huge screen and keys while work runs would only make runs uneven. */
static void
add_line(struct str line, struct buf *to)
{
	struct str rest, word, name;
	unsigned w, h;
	struct press p;
	char text[16];

	(void)str_take(&line, STR("now "));
	rest = line;
	str_split(&rest, ' ', &word);
	if (str_eq(word, STR("size")) && (sscanf(rest.s, "%3ux%3u", &w, &h) != 2 || w == 0 || h == 0 || w * h > 12000))
		return;
	if (!str_eq(word, STR("key"))) {
		buf_str(to, line);
		buf_str(to, STR("\nframe\n"));
		return;
	}
	buf_str(to, STR("key"));
	while (str_split(&rest, ' ', &name)) {
		snprintf(text, sizeof text, "%.*s", (int)name.n, name.s);
		if (name.n > 0 && name.n < sizeof text && key_named(text, &p))
			buf_printf(to, " %s", text);
	}
	buf_str(to, STR("\nframe\n"));
}

static int
write_script(struct str text)
{
	struct buf script = BUF_INIT;
	struct str line;
	struct err err;
	int fd = memfd_create("keys", MFD_CLOEXEC);

	for (unsigned i = 0; i < LINES_MOST && str_split(&text, '\n', &line); i++)
		add_line(line, &script);
	MUST(fd >= 0 && !script.bad && fd_write_all(fd, script.s, script.n, &err));
	buf_free(&script);
	return fd;
}

static void
write_file(const struct buf *b)
{
	struct err err;
	int fd = open(NAME, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	MUST(fd >= 0 && fd_write_all(fd, b->s, b->n, &err));
	close(fd);
}

/* Nothing is written to standard output meanwhile. */
static bool
run(const char *script, FILE *frames, struct err *err)
{
	static const char *const paths[] = { NAME };
	const struct ui_options o = { .paths = paths, .npaths = 1, .store = { .memory_only = true, .rebuild = pass_rebuild }, .keys = script,
		.frames = frames, .no_history = true };
	struct session session = { .nstores = 0 };
	int out = dup(STDOUT_FILENO), instead = memfd_create("out", MFD_CLOEXEC);
	bool ok;

	MUST(out >= 0 && instead >= 0 && dup2(instead, STDOUT_FILENO) >= 0);
	ok = ui_run(&session, &o, err);
	session_close(&session);
	MUST(lseek(instead, 0, SEEK_END) == 0);
	MUST(dup2(out, STDOUT_FILENO) >= 0);
	close(out);
	close(instead);
	return ok;
}

TARGET(keys, &mutate_text)
{
	struct str text = { (const char *)data, size }, line;
	struct err err = { .kind = E_NONE };
	uint64_t which = 0;
	char *frames = NULL, path[64];
	size_t n;
	FILE *f;
	int script;

	str_split(&text, '\n', &line);
	(void)num_u64(line, 10, &which);
	which %= NELEM(files);
	if (bytes[which].n == 0)
		kept_input(files[which], &bytes[which]);
	f = open_memstream(&frames, &n);
	MUST(f != NULL);
	setenv("HOME", apart_begin(), 1);
	write_file(&bytes[which]);
	script = write_script(text);
	snprintf(path, sizeof path, "/proc/self/fd/%d", script);
	if (!run(path, f, &err) && err.kind != E_USAGE) {
		fprintf(stderr, "error of kind %d: %s\n", err.kind, err.text);
		abort();
	}
	fclose(f);
	shown_text((struct str){ frames, n });
	free(frames);
	close(script);
	apart_end();
}
