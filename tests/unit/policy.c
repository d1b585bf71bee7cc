/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * policy: lines of a policy, damaged ones, and files that are not safe.
 */
#include "config.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "icecore/policy.h"
#include "check.h"

static bool
is_known(struct str name)
{
	return str_eq(name, STR("jfr")) || str_eq(name, STR("hprof"));
}

static bool
read_text(struct policy *p, const char *text, struct err *err)
{
	buf_free(&p->formats);
	*p = (struct policy){ .formats = BUF_INIT };
	return policy_read(p, str_of(text), "/p", is_known, err);
}

static void
policies(void **state)
{
	struct policy p = { .formats = BUF_INIT };
	struct err err;

	(void)state;
	assert_true(read_text(&p, "# all\n\nformats  jfr\thprof # two\nrun no\nrecord no\n sandbox required\nmemory 4g\ntime 2min\nunpacked 1k", &err));
	assert_true(p.given && p.no_run && p.no_record && p.sandbox);
	assert_string_equal(p.formats.s, "|jfr|hprof|");
	assert_true(p.memory == (uint64_t)4 << 30 && p.time == 120000000000u && p.unpacked == 1024);
	assert_true(read_text(&p, "run yes\nrecord yes\nsandbox usual\n", &err));
	assert_false(p.no_run || p.no_record || p.sandbox || p.formats.n > 0);
	assert_true(read_text(&p, "", &err) && p.given);
	buf_free(&p.formats);
}

static void
policies_damaged(void **state)
{
	static const struct { const char *text, *says; } bad[] = {
		{ "run no\nruns no\n", "/p:2: unknown key 'runs'" }, { "run\n", "/p:1: 'run' without a value" }, { "run maybe", "/p:1: expected: yes or no" },
		{ "run no\n\nrun no", "/p:3: 'run' a second time" }, { "formats jfr jfx", "/p:1: unknown format 'jfx'" }, { "memory much", "/p:1: 'much' is not a size" },
		{ "memory 0", "/p:1: '0' is not a size" }, { "time 0s", "/p:1: '0s' is not a time" }, { "time 1parsec", "/p:1: '1parsec' is not a time" },
		{ "sandbox off", "/p:1: expected: required or usual" }, { "unpacked 99999999999999999999999999999999999999999999g", "/p:1: '" },
	};
	struct policy p = { .formats = BUF_INIT };
	struct err err;

	(void)state;
	for (size_t i = 0; i < NELEM(bad); i++) {
		err.text[0] = '\0';
		assert_false(read_text(&p, bad[i].text, &err));
		assert_int_equal(err.kind, E_SYSTEM);
		assert_memory_equal(err.text, bad[i].says, strlen(bad[i].says));
		assert_non_null(strstr(err.text, "does not run with a damaged policy"));
	}
	assert_false(policy_read(&p, (struct str){ "run no\0", 7 }, "/p", is_known, &err));
	assert_string_equal(err.text, "/p:1: a byte that is not text; icecore does not run with a damaged policy");
	buf_free(&p.formats);
}

/* The owner must be root: other users see only refusals. */
static void
policy_files(void **state)
{
	char directory[] = "/tmp/icecore-policy-XXXXXX", path[64], link_path[64];
	struct policy p = { .formats = BUF_INIT };
	bool root = geteuid() == 0;
	struct err err;
	int fd;

	(void)state;
	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof path, "%s/policy", directory);
	snprintf(link_path, sizeof link_path, "%s/link", directory);
	assert_true(policy_open(&p, path, is_known, &err));
	assert_false(p.given);
	fd = open(path, O_WRONLY | O_CREAT, 0644);
	assert_true(fd >= 0 && write(fd, "run no\n", 7) == 7);
	assert_int_equal(policy_open(&p, path, is_known, &err), root);
	assert_int_equal(p.no_run, root);
	assert_int_equal(symlink(path, link_path), 0);
	assert_false(policy_open(&p, link_path, is_known, &err));
	assert_int_equal(fchmod(fd, 0664), 0);
	assert_false(policy_open(&p, path, is_known, &err));
	assert_non_null(strstr(err.text, "unsafe policy"));
	assert_int_equal(fchmod(fd, 0644), 0);
	assert_int_equal(chmod(directory, 0777), 0);
	assert_false(policy_open(&p, path, is_known, &err));
	assert_false(policy_open(&p, directory, is_known, &err));
	assert_int_equal(chmod(directory, 0755), 0);
	if (root) {
		assert_int_equal(fchown(fd, 65534, 0), 0);
		assert_false(policy_open(&p, path, is_known, &err));
	}
	assert_int_equal(unlink(path) + unlink(link_path) + rmdir(directory), 0);
	close(fd);
}

TOOL(unit, policy)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(policies), cmocka_unit_test(policies_damaged), cmocka_unit_test(policy_files) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
