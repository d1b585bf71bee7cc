/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * places: what a helper does for a process that may have been taken over.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "folder.h"
#include "os/places.h"

static char *folder;
static struct sandbox sandbox;

static const char *const indexes[] = { ".icx", ".icx.raw", NULL }, *const endings[] = { ".tsv", ".png", NULL },
    *const rereads[] = { ".png", "duplicates.tsv", NULL };

/* Directories and files below folder; an ending slash makes a directory, "a -> b" a link. */
static const char *const tree[] = { "in/", "in/app.hprof", "in/other", "in/sub/", "out/", "work/", "work/a/", "work/.hidden/", "tmp/", "cache/",
	"write/", "kept/", "kept/icecorerc", "linked -> in", "in/away.icx -> ../out", "latest -> in/app.hprof", "root -> /", "album -> photos", "photos/", "seen/", "seen/dump", "seen/.hidden",
	"listed/", "listed/dump", "listed/below/", "listed/.hidden/" };

static const struct {
	enum sandbox_use	 use;
	const char		*path, *index;
} lets[] = {
	{ SANDBOX_READ, "in/app.hprof", NULL }, { SANDBOX_READ, "latest", NULL }, { SANDBOX_INDEX, "in", "app.hprof.icx" },
	{ SANDBOX_TARGET, "out/rows.csv", NULL }, { SANDBOX_TARGET, "out/pictures", NULL }, { SANDBOX_TARGET, "album", NULL },
	{ SANDBOX_EXPORT, "work", NULL }, { SANDBOX_TEMPORARY, "tmp", NULL }, { SANDBOX_WRITE, "write", NULL }, { SANDBOX_SEEN, "seen", NULL },
	{ SANDBOX_LISTED, "listed", NULL }, { SANDBOX_KEPT, "kept/queries", NULL }
};

/* A path begins in folder, unless it is absolute. */
static const struct {
	enum order_kind	 kind;
	const char	*path;
	bool		 allowed;
	int		 flags;
} cases[] = {
	{ ORDER_OPEN, "in/app.hprof", true, O_NONBLOCK | O_NOCTTY },
	{ ORDER_OPEN, "in/../in/./app.hprof", true, 0 },
	{ ORDER_OPEN, "linked/app.hprof", true, 0 },
	{ ORDER_OPEN, "latest", true, 0 },
	{ ORDER_OPEN, "in/app.hprof", false, O_RDWR },
	{ ORDER_OPEN, "in/app.hprof", false, O_TRUNC },
	{ ORDER_OPEN, "in/app.hprof", false, O_PATH },
	{ ORDER_OPEN, "in/app.hprof.icx", true, O_NOFOLLOW },
	{ ORDER_OPEN, "in/app.hprof.icx.raw", true, O_NOFOLLOW },
	{ ORDER_OPEN, "in/away.icx", false, 0 },
	{ ORDER_OPEN, "in/other", false, 0 },
	{ ORDER_OPEN, "in", false, O_DIRECTORY },
	{ ORDER_OPEN, "", false, 0 },
	{ ORDER_OPEN, "/etc/passwd", false, 0 },
	{ ORDER_OPEN, "root/etc/passwd", false, 0 },
	{ ORDER_OPEN, "in/../../../../../../../etc/passwd", false, 0 },
	{ ORDER_OPEN, "/dev/null", false, 0 },
	{ ORDER_OPEN, "/proc/self/environ", false, 0 },
	{ ORDER_OPEN, "work/notes.tsv", false, 0 },
	{ ORDER_OPEN, "work/a/1.png", false, 0 },
	{ ORDER_OPEN, "work/a/duplicates.tsv", false, 0 },
	{ ORDER_OPEN, "work/.hidden/1.png", false, 0 },
	{ ORDER_OPEN, "tmp/x", false, 0 },
	{ ORDER_OPEN, "write/x", false, 0 },
	{ ORDER_OPEN, "kept/queries", false, 0 },
	{ ORDER_OPEN, "kept/icecorerc", false, 0 },
	{ ORDER_NEW, "kept/queries", true, 0 },
	{ ORDER_NEW, "kept/icecorerc", false, 0 },
	{ ORDER_REMOVE, "kept/icecorerc", false, 0 },
	{ ORDER_OPEN, "in/other.icx", false, 0 },
	{ ORDER_NEW, "in/app.hprof.2.icx", true, 0 },
	{ ORDER_NEW, "in/other.icx", false, 0 },
	{ ORDER_NEW, "in/app.hprof.x.icx", false, 0 },
	{ ORDER_OPEN_BOTH, "in/app.hprof.icx", true, 0 },
	{ ORDER_OPEN_BOTH, "in/app.hprof", false, 0 },
	{ ORDER_NEW, "in/app.hprof.icx", true, 0 },
	{ ORDER_NEW, "in/.icx", false, 0 },
	{ ORDER_NEW, "in/app.hprof", false, 0 },
	{ ORDER_NEW, "in/icx", false, 0 },
	{ ORDER_NEW, "out/rows.csv", true, 0 },
	{ ORDER_NEW, "out/rows.csv/x", false, 0 },
	{ ORDER_NEW, "out/rows.csv.x", false, 0 },
	{ ORDER_NEW, "out/x", false, 0 },
	{ ORDER_NEW, "out/pictures/1.png", false, 0 },
	{ ORDER_NEW, "album/1.png", true, 0 },
	{ ORDER_NEW, "work/rows.tsv", true, 0 },
	{ ORDER_NEW, "work/Makefile", false, 0 },
	{ ORDER_NEW, "work/.tsv", false, 0 },
	{ ORDER_NEW, "work/.profile.tsv", false, 0 },
	{ ORDER_NEW, "work/.hidden/rows.tsv", false, 0 },
	{ ORDER_NEW, "work/../in/rows.tsv", false, 0 },
	{ ORDER_NEW, "linked/rows.tsv", false, 0 },
	{ ORDER_NEW, "tmp/x", false, 0 },
	{ ORDER_NEW, "write/x", true, 0 },
	{ ORDER_NEW, "write/.x", true, 0 },
	{ ORDER_NEW, "write", false, 0 },
	{ ORDER_TEMPORARY, "tmp", true, 0 },
	{ ORDER_TEMPORARY, "in", true, 0 },
	{ ORDER_TEMPORARY, "cache", false, 0 },
	{ ORDER_TEMPORARY, "/", false, 0 },
	{ ORDER_SWEEP, "cache", false, 0 },
	{ ORDER_REMOVE, "in/app.hprof.icx.raw", true, 0 },
	{ ORDER_REMOVE, "in/app.hprof", false, 0 },
	{ ORDER_REMOVE, "in/away.icx", false, 0 },
	{ ORDER_REMOVE, "work/x", false, 0 },
	{ ORDER_DIRECTORY, "out/pictures", true, 0 },
	{ ORDER_DIRECTORY, "out/more", false, 0 },
	{ ORDER_DIRECTORY, "out", true, 0 },
	{ ORDER_DIRECTORY, "work/pictures", true, 0 },
	{ ORDER_DIRECTORY, "work/.git", false, 0 },
	{ ORDER_DIRECTORY, "write/a", true, 0 },
	{ ORDER_OPEN_BENEATH, "in", false, 0 },
	{ ORDER_NAME, "in/app.hprof.icx", false, 0 },
	{ ORDER_DROP, "", true, 0 },
	{ ORDER_OPEN, "seen/dump", false, 0 },
	{ ORDER_START, "seen/dump", true, 0 },
	{ ORDER_START, "seen/.hidden", false, 0 },
	{ ORDER_START, "listed/dump", true, 0 },
	{ ORDER_START, "in/other", false, 0 },
	{ ORDER_START, "/etc/passwd", false, 0 },
	{ ORDER_OPEN, "seen/.hidden", false, 0 },
	{ ORDER_OPEN, "seen", false, 0 },
	{ ORDER_OPEN, "listed", true, 0 },
	{ ORDER_OPEN, "listed/dump", true, 0 },
	{ ORDER_OPEN, "listed/below", true, 0 },
	{ ORDER_OPEN, "listed/.hidden", false, 0 },
	{ ORDER_NEW, "listed/rows.tsv", false, 0 },
	{ ORDER_NEW, "seen/rows.tsv", false, 0 },
	{ ORDERS, "in/app.hprof", false, 0 },
};

static void
make_tree(void)
{
	for (size_t i = 0; i < NELEM(tree); i++) {
		char *path = folder_path(folder, tree[i]), *arrow = strstr(path, " -> ");

		if (arrow != NULL) {
			*arrow = '\0';
			assert_int_equal(symlink(arrow + 4, path), 0);
		} else if (path[strlen(path) - 1] == '/')
			assert_int_equal(mkdir(path, 0700), 0);
		else
			folder_write(path, "x", 1);
		free(path);
	}
}

static void
follows(void **state)
{
	struct file_order o;

	(void)state;
	sandbox = (struct sandbox){ .indexes = indexes, .endings = endings, .rereads = rereads };
	for (size_t i = 0; i < NELEM(lets); i++) {
		char *path = folder_path(folder, lets[i].path);

		assert_true(places_add(&sandbox, lets[i].use, path, lets[i].index));
		free(path);
	}
	for (size_t i = 0; i < NELEM(cases); i++) {
		char *path = cases[i].path[0] == '/' || cases[i].path[0] == '\0' ? strdup(cases[i].path) : folder_path(folder, cases[i].path);

		assert_true(order_of(&o, cases[i].kind, path));
		o.flags = cases[i].flags;
		o.made = -1;
		if (places_allow(&sandbox, &o) != cases[i].allowed)
			fail_msg("order %d, %s: %s", (int)o.kind, path, cases[i].allowed ? "refused" : "allowed");
		free(path);
	}
	places_free(&sandbox);
}

/* A given file is a link, which has another target meanwhile. */
static void
links_that_change(void **state)
{
	char *path = folder_path(folder, "latest");
	struct file_order o;

	(void)state;
	assert_true(places_add(&sandbox, SANDBOX_READ, path, NULL));
	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink("in/other", path), 0);
	assert_true(order_of(&o, ORDER_OPEN, path));
	assert_true(places_allow(&sandbox, &o));
	places_free(&sandbox);
	free(path);
}

TOOL(unit, places)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(follows),
		cmocka_unit_test(links_that_change),
	};
	int failed;

	folder = folder_make();
	make_tree();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	folder_remove(folder);
	return failed;
}
