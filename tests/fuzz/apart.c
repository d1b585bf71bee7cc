/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <unistd.h>

#include "apart.h"
#include "heapwalk.h"
#include "icecore/os.h"

#define NOBODY 65534

static char in_memory[] = "/dev/shm/icecore-apart-XXXXXX";
static char on_disk[] = "/tmp/icecore-apart-XXXXXX";
static const char *apart;
static int here = -1;

void
kept_input(const char *name, struct buf *to)
{
	char self[4096];
	struct buf path = BUF_INIT;
	struct map m;
	struct err err;
	ssize_t n;

	buf_printf(&path, "%s/%s", CORPUS, name);
	if (access(path.s, R_OK) != 0 && (n = readlink("/proc/self/exe", self, sizeof self)) > 0) {
		while (n > 0 && self[n - 1] != '/')
			n--;
		buf_clear(&path);
		buf_printf(&path, "%.*scorpus/%s", (int)n, self, name);
	}
	MUST(map_open(&m, path.s, NULL, &err));
	buf_str(to, (struct str){ (const char *)m.data, (size_t)m.size });
	MUST(!to->bad);
	map_close(&m);
	buf_free(&path);
}

static void
remove_apart(void)
{
	(void)rmdir(apart);
}

const char *
apart_begin(void)
{
	if (apart == NULL) {
		apart = mkdtemp(in_memory);
		if (apart == NULL)
			apart = mkdtemp(on_disk);
		MUST(apart != NULL && (geteuid() != 0 || chown(apart, NOBODY, NOBODY) == 0));
		apart = realpath(apart, NULL);
		MUST(apart != NULL);
		here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		MUST(here >= 0);
		atexit(remove_apart);
	}
	MUST(chdir(apart) == 0);
	if (geteuid() == 0) {
		(void)setfsgid(NOBODY);
		(void)setfsuid(NOBODY);
	}
	return apart;
}

static int
remove_one(const char *path, const struct stat *st, int what, struct FTW *at)
{
	(void)st, (void)what, (void)at;
	return strcmp(path, apart) != 0 ? remove(path) : 0;
}

void
apart_end(void)
{
	(void)setfsuid(geteuid());
	(void)setfsgid(getegid());
	MUST(nftw(apart, remove_one, 8, FTW_DEPTH | FTW_PHYS) == 0);
	MUST(fchdir(here) == 0);
}
