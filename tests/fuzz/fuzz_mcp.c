/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_mcp: any lines as messages to icecore mcp: each is answered by one line of JSON at most, within the budget.
 */
#include "config.h"

#include <fcntl.h>
#include <unistd.h>

#include "heapwalk.h"
#include "target.h"
#include "programs/mcp/mcp.h"

/* Bytes around an answer, at most: the id of the message, and the members of the protocol. */
#define AROUND 16384u

static char root[] = "/tmp/fuzz_mcp.XXXXXX";
static int in_root, here;
static struct mcp_options options = { .budget = MCP_BUDGET_MIN, .timeout = MCP_TIMEOUT, .store.memory_only = true, .version = "0" };

static void
remove_root(void)
{
	(void)unlinkat(in_root, "a.txt", 0);
	(void)rmdir(root);
}

static void
make_root(void)
{
	static const char text[] = "main;read;decode 7\nmain;read;parse 3\nmain;draw 2\nmain;draw;fill 5\n";
	int fd;

	MUST(mkdtemp(root) != NULL);
	in_root = open(root, O_RDONLY | O_DIRECTORY);
	here = open(".", O_RDONLY | O_DIRECTORY);
	MUST(in_root >= 0 && here >= 0);
	atexit(remove_root);
	fd = openat(in_root, "a.txt", O_WRONLY | O_CREAT, 0600);
	MUST(fd >= 0 && write(fd, text, sizeof text - 1) == (ssize_t)(sizeof text - 1));
	close(fd);
}

/* Whether the object has a member of the name; two of them are an error. */
static bool
has_member(struct str object, struct str wanted)
{
	struct json j = { .base = object.s, .size = object.n };
	struct str name;
	bool found = false;

	MUST(scan_open(&j, '{'));
	while (scan_member(&j, &name)) {
		MUST(!found || !str_eq(name, wanted));
		found |= str_eq(name, wanted);
		MUST(scan_skip(&j));
	}
	return found;
}

static void
check_answer(struct str out)
{
	bool deep, good, bad;

	if (out.n == 0)
		return;
	MUST(out.s[out.n - 1] == '\n' && memchr(out.s, '\n', out.n - 1) == NULL && out.n <= options.budget + AROUND);
	MUST(scan_strict(out, &deep));
	good = has_member(out, STR("result"));
	bad = has_member(out, STR("error"));
	MUST(good != bad);
}

/* Each line has a session without history. */
static void
take_line(struct str line)
{
	struct server s = { .o = &options, .files = files_new() };

	MUST(s.files != NULL);
	if (line.n > LINE_MOST)
		server_long_line(&s);
	else
		server_line(&s, line);
	MUST(!s.out.bad);
	check_answer(buf_view(&s.out));
	server_free(&s);
}

TARGET(mcp, NULL)
{
	struct str rest = { (const char *)data, size }, line;

	if (in_root == 0)
		make_root();
	MUST(fchdir(in_root) == 0);
	while (str_split(&rest, '\n', &line))
		take_line(line);
	MUST(fchdir(here) == 0);
}
