/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_mcp: any lines as messages to icecore mcp: each is answered by one line of JSON at most, within the budget.
 */
#include "config.h"

#include <fcntl.h>
#include <jansson.h>
#include <unistd.h>

#include "heapwalk.h"
#include "target.h"
#include "icecore/mcp.h"

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

static void
check_answer(struct str out)
{
	json_t *answer;

	if (out.n == 0)
		return;
	MUST(out.s[out.n - 1] == '\n' && memchr(out.s, '\n', out.n - 1) == NULL && out.n <= options.budget + AROUND);
	answer = json_loadb(out.s, out.n, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, NULL);
	MUST(answer != NULL);
	MUST((json_object_get(answer, "result") != NULL) != (json_object_get(answer, "error") != NULL));
	json_decref(answer);
}

TARGET(mcp, NULL)
{
	struct str rest = { (const char *)data, size }, line;
	struct err err;
	struct buf out = BUF_INIT;

	if (in_root == 0)
		make_root();
	MUST(fchdir(in_root) == 0);
	while (str_split(&rest, '\n', &line)) {
		buf_clear(&out);
		MUST(mcp_line(&options, line, &out, &err));
		check_answer(buf_view(&out));
	}
	buf_free(&out);
	MUST(fchdir(here) == 0);
}
