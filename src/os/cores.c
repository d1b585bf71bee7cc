/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cores: number of processors available to this process.
 */
#include "config.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "icecore/system.h"
#include "icecore/thread.h"

#define CORES_MOST 8u		/* maximum used by default */
#define CPUS_MOST 4096u
#define GROUP_ROOM 4096u

/* Read a small file; false if it cannot be read. */
static bool
read_small(const char *path, char *text, size_t room)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, room - 1);

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n > 0;
}

/* Read a number from a control group file; false if missing or -1 (no limit). */
static bool
cores_read_number(const char *mounts, const char *group, const char *name, long long *n)
{
	char path[GROUP_ROOM + 512], text[64];

	snprintf(path, sizeof path, "%s%s/%s", mounts, group, name);
	return read_small(path, text, sizeof text) && sscanf(text, "%lld", n) == 1 && *n > 0;
}

/* Return the CPU quota of a control group, rounded up: "150000 100000" is 2; 0: no limit. */
static uint64_t
quota_2(const char *mounts, const char *group)
{
	char path[GROUP_ROOM + 512], text[64];
	unsigned long long part, of;

	snprintf(path, sizeof path, "%s%s/cpu.max", mounts, group);
	if (!read_small(path, text, sizeof text) || sscanf(text, "%llu %llu", &part, &of) != 2 || of == 0 ||
	    part == 0)
		return 0;
	return part / of + (part % of != 0);
}

/* Return the same as quota_2() for version 1, where each controller has its own hierarchy. */
static uint64_t
quota_1(const char *mounts, const char *group)
{
	long long part, of;

	return !cores_read_number(mounts, group, "cpu.cfs_quota_us", &part) ||
	    !cores_read_number(mounts, group, "cpu.cfs_period_us", &of) ? 0 :
	    (uint64_t)(part / of + (part % of != 0));
}

/* Return the lowest quota of a group and its ancestors; in a container only the root may be visible. */
static uint64_t
least_quota(const char *mounts, char *group, uint64_t (*quota)(const char *, const char *))
{
	uint64_t least = 0, one;
	char *end;

	for (;;) {
		one = quota(mounts, group);
		if (one > 0 && (least == 0 || one < least))
			least = one;
		if ((end = strrchr(group, '/')) == NULL)
			return least;
		*end = '\0';
	}
}

/* Return whether a list of controllers, "cpu,cpuacct", contains one. */
static bool
has_controller(const char *list, const char *name)
{
	size_t n = strlen(name), one;

	for (; *list != '\0'; list += one + (list[one] == ',')) {
		one = strcspn(list, ",");
		if (one == n && memcmp(list, name, n) == 0)
			return true;
	}
	return false;
}

uint64_t
cores_quota(const char *groups, const char *mounts)
{
	char text[GROUP_ROOM], at[256], *line, *rest = text, *list, *group;
	uint64_t least = 0, one;

	(void)read_small(groups, text, sizeof text);
	while ((line = strsep(&rest, "\n")) != NULL) {
		/* Lines look like "0::/user.slice" or "4:cpu,cpuacct:/docker/7f". */
		(void)strsep(&line, ":");
		list = strsep(&line, ":");
		if ((group = line) == NULL)
			continue;
		snprintf(at, sizeof at, "%s/cpu", mounts);
		one = *list == '\0' ? least_quota(mounts, group, quota_2) :
		    has_controller(list, "cpu") ? least_quota(at, group, quota_1) : 0;
		if (one > 0 && (least == 0 || one < least))
			least = one;
	}
	return least;
}

unsigned
cores_count(void)
{
	uint64_t most = cores_quota("/proc/self/cgroup", "/sys/fs/cgroup"), n = system_processors();

	n = n > CORES_MOST ? CORES_MOST : n;
	return (unsigned)(most > 0 && most < n ? most : n);
}
