/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hostile: plays an explorer that was taken over and sends orders to a real helper. Landlock and seccomp are off, so that
 * only the helper's own checks refuse them. Nothing on the disk may change.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "folder.h"
#include "icecore/named.h"
#include "icecore/home.h"
#include "os/grants.h"
#include "os/helper.h"

static char *folder;
static int	orders_socket = -1;
static unsigned	refused;

static const char *const indexes[] = { ".icx", ".icx.raw", NULL }, *const endings[] = { ".tsv", ".json", ".html", ".md", ".png", NULL },
    *const rereads[] = { ".png", "duplicates.tsv", NULL }, *const stems[] = { "app", NULL };

/* Paths begin in folder/work, the working directory; a final slash makes a directory, "a -> b" a link. */
static const char *const tree[] = { "../in/", "../in/app.hprof", "../in/secret", "../in/app.hprof.icx", "../in/other.icx", "../out/", "../out/there",
	"../conf/", "../conf/icecorerc", "../conf/queries", "../state/", "../state/places", "../tmp/", "package.json", "README.md", "index.html",
	"there.tsv", "Makefile", ".hidden.tsv", "sub/", "sub/.git/", "pictures/", "pictures/old.png", "link.tsv -> ../out/there", "away -> ../out" };

/*
 * The keys of the user.  They enter each name that a test wants to be refused for another reason than that it was not typed; texts
 * of a search, a filter, or a query that writes nothing, do not name files.
 */
static const char typed[] = "wrows.tsv\rw\025rows2.tsv\r:methods | exp again.tsv\r\025methods | export again.tsv\r:methods | export there.tsv\rw../out/typed.tsv\rwaway/typed.tsv\rw.typed.tsv\rwtyped.sh\r"
    "wlink.tsv\rwsub/.git/typed.tsv\rw../conf/icecorerc\rwhard.tsv\rw../in/secret\rwicecorerc.tsv\r"
    "/oldpackage.json\r/hello!README.md\rjj/how!README.md\r/wpackage.json\r/a export! index.html\r&w!index.html\r:methods | where name = README.md\r"
    "m!README.md\rwold package.json\r";

static void
no_confinement(struct sandbox *s)
{
	(void)s;
}

static char *
contents_of(const char *path)
{
	static char text[256];
	FILE *f = fopen(path, "r");
	size_t n = f == NULL ? 0 : fread(text, 1, sizeof text - 1, f);

	if (f != NULL)
		fclose(f);
	text[n] = '\0';
	return text;
}

/* Every name below the folder, with size and link count. */
static char *
listing(void)
{
	static char text[65536];
	FILE *f = popen("cd .. && find . -not -type d -printf '%p %s %n %l\\n' -o -printf '%p\\n' | sort; cat in/* out/* conf/* state/* work/package.json", "r");
	size_t n;

	assert_non_null(f);
	n = fread(text, 1, sizeof text - 1, f);
	pclose(f);
	text[n] = '\0';
	return strdup(text);
}

static void
begin(void)
{
	static struct sandbox s;
	struct err err;
	int type;
	socklen_t n;

	s = (struct sandbox){ .level = SANDBOX_FULL, .rules = -1, .indexes = indexes, .endings = endings, .rereads = rereads, .stems = stems };
	assert_true(places_add(&s, SANDBOX_READ, "../in/app.hprof", NULL) && places_add(&s, SANDBOX_INDEX, "../in", "app.hprof.icx") &&
	    places_add(&s, SANDBOX_KEPT, "../conf/queries", NULL) && places_add(&s, SANDBOX_KEPT, "../state/places", NULL) &&
	    places_add(&s, SANDBOX_EXPORT, ".", NULL) && places_add(&s, SANDBOX_TEMPORARY, "../tmp", NULL) && places_add(&s, SANDBOX_SEEN, "/", NULL));
	keys_scripted(typed, sizeof typed - 1);
	assert_true(helper_start(&s, no_confinement, &err));
	for (int fd = 3; fd < 64 && orders_socket < 0; fd++) {
		n = sizeof type;
		if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &n) == 0 && type == SOCK_SEQPACKET)
			orders_socket = fd;
	}
	assert_true(orders_socket >= 0);
}

/* Return the error of the answer. */
static int
give(struct file_order o, struct file_answer *a, int *fd)
{
	order_give(&o, a, fd);
	return a->error;
}

static int
give_made(enum order_kind kind, int made, bool replace)
{
	struct file_answer a;
	int fd;

	return give((struct file_order){ .kind = kind, .made = made, .replace = replace, .durable = true }, &a, &fd);
}

static int
make_file(const char *path, int *fd)
{
	struct file_order o;
	struct file_answer a;

	assert_true(order_of(&o, ORDER_NEW, path));
	if (give(o, &a, fd) != 0)
		fail_msg("%s: refused", path);
	return a.made;
}

static void
must_refuse(enum order_kind kind, const char *path, int flags)
{
	struct file_order o;
	struct file_answer a;
	int fd = -1;

	assert_true(order_of(&o, kind, path));
	o.flags = flags;
	o.replace = true;
	if (give(o, &a, &fd) == 0 || fd >= 0)
		fail_msg("order %d, %s: obeyed", (int)kind, path);
	refused++;
}

static const struct {
	enum order_kind	 kind;
	const char	*path;
	int		 flags;
} hostile[] = {
	/* files that nobody named */
	{ ORDER_NEW, "package.json", 0 }, { ORDER_NEW, "README.md", 0 }, { ORDER_NEW, "index.html", 0 }, { ORDER_NEW, "new.tsv", 0 }, { ORDER_NEW, "../conf/icecorerc", 0 },
	{ ORDER_NEW, "../conf/new", 0 }, { ORDER_NEW, "../state/history", 0 }, { ORDER_NEW, "name\nrows.tsv", 0 }, { ORDER_NEW, "app.classes.tsv", 0 },
	{ ORDER_NEW, "pictures/1.png", 0 }, { ORDER_NEW, "duplicates.tsv", 0 }, { ORDER_DIRECTORY, "new", 0 }, { ORDER_DIRECTORY, "../conf/new", 0 },
	/* names that were typed, in places or with endings that are not for exports */
	{ ORDER_NEW, "../out/typed.tsv", 0 }, { ORDER_NEW, "away/typed.tsv", 0 }, { ORDER_NEW, ".typed.tsv", 0 }, { ORDER_NEW, "typed.sh", 0 },
	{ ORDER_NEW, "sub/.git/typed.tsv", 0 }, { ORDER_NEW, "sub/../../out/typed.tsv", 0 }, { ORDER_NEW, "", 0 }, { ORDER_NEW, ".", 0 }, { ORDER_NEW, "/", 0 },
	/* removing */
	{ ORDER_REMOVE, "index.html", 0 }, { ORDER_REMOVE, "there.tsv", 0 }, { ORDER_REMOVE, "link.tsv", 0 }, { ORDER_REMOVE, "../conf/queries", 0 },
	{ ORDER_REMOVE, "../in/other.icx", 0 }, { ORDER_REMOVE, "../in/app.hprof", 0 },
	/* reading and writing */
	{ ORDER_OPEN, "../in/secret", 0 }, { ORDER_OPEN, "../in/other.icx", 0 }, { ORDER_OPEN, "/etc/passwd", 0 }, { ORDER_OPEN, "/proc/self/environ", 0 },
	{ ORDER_OPEN, "/dev/tty", 0 }, { ORDER_OPEN, "../conf/icecorerc", 0 }, { ORDER_OPEN, ".", O_DIRECTORY }, { ORDER_OPEN, "../in/app.hprof", O_RDWR },
	{ ORDER_OPEN, "../in/app.hprof", O_TRUNC }, { ORDER_OPEN, "../in/app.hprof", O_PATH }, { ORDER_OPEN, "there.tsv", O_CREAT },
	{ ORDER_OPEN, "fifo.tsv", O_NONBLOCK }, { ORDER_OPEN, "pictures/old.png", 0 }, { ORDER_OPEN_BOTH, "there.tsv", 0 }, { ORDER_OPEN_BOTH, "hard.tsv", 0 },
	{ ORDER_OPEN_BOTH, "fifo.tsv", 0 }, { ORDER_OPEN_BOTH, "../in/app.hprof", 0 }, { ORDER_OPEN_BOTH, "../in/other.icx", 0 },
	{ ORDER_OPEN_BOTH, "../conf/queries", 0 }, { ORDER_OPEN_BENEATH, "there.tsv", 0 },
	/* other orders */
	{ ORDER_NEW, "../in/other.icx", 0 }, { ORDER_NEW, "../in/app.hprof", 0 }, { ORDER_TEMPORARY, "../out", 0 }, { ORDER_TEMPORARY, ".", 0 },
	{ ORDER_SWEEP, "../out", 0 }, { ORDER_KEYS, "", 0 }, { ORDER_OFFER, "package.json", 0 }, { ORDER_OFFER, "app.sh", 0 },
	{ ORDER_OFFER, "app.classes.sh", 0 }, { ORDER_OFFER, "app.x/../../out/y.tsv", 0 }, { ORDER_OFFER, "app.a b.tsv", 0 },
	{ ORDER_OFFER, "application.classes.tsv", 0 }, { ORDER_START, "/etc/passwd", 0 }, { ORDER_START, "/dev/tty", 0 }, { ORDER_START, ".hidden.tsv", 0 },
	{ ORDER_START, "nothing", 0 }, { ORDERS, "there.tsv", 0 },
};

static void
orders_that_nobody_asked_for(void **state)
{
	char *before = listing(), *after;

	(void)state;
	for (size_t i = 0; i < NELEM(hostile); i++)
		must_refuse(hostile[i].kind, hostile[i].path, hostile[i].flags);
	after = listing();
	assert_string_equal(before, after);
	free(before);
	free(after);
}

/* A message that is not an order; every answer but an error is a failure. */
static void
send_raw(const void *data, size_t n)
{
	struct { struct file_answer a; char more[KEYS_PIECE]; } got;
	ssize_t is;

	assert_int_equal(write(orders_socket, data, n), (ssize_t)n);
	is = read(orders_socket, &got, sizeof got);
	assert_int_equal(is, (ssize_t)sizeof got.a);
	assert_int_not_equal(got.a.error, 0);
	refused++;
}

static void
messages_that_are_no_orders(void **state)
{
	char *before = listing(), *after;
	struct file_order o;
	static char large[sizeof o + 4096];

	(void)state;
	send_raw("x", 1);
	assert_true(order_of(&o, ORDER_REMOVE, "there.tsv"));
	send_raw(&o, sizeof o.kind);
	send_raw(&o, offsetof(struct file_order, path));
	send_raw(&o, offsetof(struct file_order, path) + strlen(o.path));	/* without its end */
	memset(o.path, 'a', sizeof o.path);
	send_raw(&o, sizeof o);
	memset(large, 'a', sizeof large);
	send_raw(large, sizeof large);
	o.kind = (enum order_kind)-1;
	send_raw(&o, sizeof o);
	/* Bytes behind the end of a name are not read. */
	assert_true(order_of(&o, ORDER_NEW, "new.tsv"));
	memcpy(o.path + 8, "rows.tsv", 9);
	send_raw(&o, offsetof(struct file_order, path) + 17);
	after = listing();
	assert_string_equal(before, after);
	free(before);
	free(after);
}

static void
numbers_of_files_that_are_not_made(void **state)
{
	static const int made[] = { -1, 0, 1, ORDERS_MADE - 1, ORDERS_MADE, INT32_MAX, INT32_MIN };

	(void)state;
	for (size_t i = 0; i < NELEM(made); i++) {
		assert_int_not_equal(give_made(ORDER_NAME, made[i], true), 0);
		(void)give_made(ORDER_DROP, made[i], true);
		refused++;
	}
}

/* A name that the user typed, but of a file that is there, and without a !. */
static void
must_not_replace(const char *path)
{
	int fd, made = make_file(path, &fd);

	close(fd);
	assert_int_equal(give_made(ORDER_NAME, made, true), EEXIST);
	assert_int_equal(give_made(ORDER_NAME, made, false), EEXIST);
	(void)give_made(ORDER_DROP, made, false);
	refused++;
}

/* A typed name makes one file, once; only a file of this session is removed. */
static void
one_name_one_file(void **state)
{
	int fd, made = make_file("rows.tsv", &fd);

	(void)state;
	close(fd);
	assert_int_equal(give_made(ORDER_NAME, made, false), 0);
	assert_int_equal(access("rows.tsv", F_OK), 0);
	must_refuse(ORDER_NEW, "rows.tsv", 0);
	/* A query with an error is typed again. */
	made = make_file("again.tsv", &fd);
	close(fd);
	(void)give_made(ORDER_DROP, made, false);
	must_not_replace("there.tsv");
	must_not_replace("hard.tsv");
	must_not_replace("link.tsv");
	assert_string_equal(contents_of("../out/there"), "x");
	assert_string_equal(contents_of("there.tsv"), "x");
	assert_true(named_remove("rows.tsv"));
	assert_int_not_equal(access("rows.tsv", F_OK), 0);
}

static int
keep(const char *text, size_t n, int *fd)
{
	int made = make_file("../conf/queries", fd), error;

	assert_int_equal(write(*fd, text, n), (ssize_t)n);
	error = give_made(ORDER_NAME, made, true);
	if (error != 0)
		(void)give_made(ORDER_DROP, made, false);
	return error;
}

/* Kept files are text, and what gets the name is not the file that the sender can still write to. */
static void
kept_files(void **state)
{
	char *large = malloc(HOME_MOST + 1);
	int fd;

	(void)state;
	assert_non_null(large);
	memset(large, 'a', HOME_MOST + 1);
	assert_int_equal(keep("a = b\033[2J\n", 10, &fd), EINVAL);
	close(fd);
	assert_int_equal(keep("a\0b\n", 4, &fd), EINVAL);
	close(fd);
	assert_int_equal(keep(large, HOME_MOST + 1, &fd), EINVAL);
	close(fd);
	refused += 3;
	assert_string_equal(contents_of("../conf/queries"), "x");
	assert_int_equal(keep("a = threads\n", 12, &fd), 0);
	assert_string_equal(contents_of("../conf/queries"), "a = threads\n");
	assert_int_equal(pwrite(fd, "\033", 1, 0), 1);
	close(fd);
	assert_string_equal(contents_of("../conf/queries"), "a = threads\n");
	assert_string_equal(contents_of("../conf/icecorerc"), "x");
	free(large);
}

/* Count them last. */
static void
count(void **state)
{
	(void)state;
	print_message("%u hostile orders refused\n", refused);
	assert_true(refused >= 30);
}

static void
make_tree(void)
{
	char *work = folder_path(folder, "work");

	assert_int_equal(mkdir(work, 0700), 0);
	assert_int_equal(chdir(work), 0);
	free(work);
	for (size_t i = 0; i < NELEM(tree); i++) {
		char *path = strdup(tree[i]), *arrow = strstr(path, " -> ");

		if (arrow != NULL) {
			*arrow = '\0';
			assert_int_equal(symlink(arrow + 4, path), 0);
		} else if (path[strlen(path) - 1] == '/')
			assert_int_equal(mkdir(path, 0700), 0);
		else
			folder_write(path, "x", 1);
		free(path);
	}
	assert_int_equal(link("../out/there", "hard.tsv"), 0);
	assert_int_equal(mkfifo("fifo.tsv", 0600), 0);
}

TOOL(unit, hostile)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(orders_that_nobody_asked_for),
		cmocka_unit_test(messages_that_are_no_orders),
		cmocka_unit_test(numbers_of_files_that_are_not_made),
		cmocka_unit_test(one_name_one_file),
		cmocka_unit_test(kept_files),
		cmocka_unit_test(count),
	};
	int failed;

	folder = folder_make();
	make_tree();
	begin();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	assert_int_equal(chdir("/"), 0);
	folder_remove(folder);
	return failed;
}
