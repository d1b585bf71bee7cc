/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * map: files mapped for reading, and recovery from faults when they change.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "icecore/named.h"
#include "icecore/os.h"

/* List of maps for the signal handler. A slot is free while start is 0. */
struct slot {
	atomic_bool		 taken;
	atomic_bool		 lost;
	_Atomic uintptr_t	 start, end;
	int			 fd;	/* to detect a file that shrank within its last page or was rewritten */
	uint64_t		 size, mtime;	/* when it was mapped; mtime 0: not checked */
};

static struct slot slots[64];

#define NO_SLOT (-1)
#define IN_MEMORY (-2)		/* the bytes were allocated by malloc */

#define YOUNG_NS 2000000000u	/* maximum resolution of file timestamps */

/* The size of a page less one, from the first file that is mapped on. */
static _Atomic uintptr_t page_mask = 4095;

/* ---- the guard ---------------------------------------------------------------- */

bool
map_fault(const void *addr)
{
	uintptr_t at = (uintptr_t)addr, start, end, page;

	for (size_t i = 0; i < NELEM(slots); i++) {
		start = atomic_load(&slots[i].start);
		end = atomic_load(&slots[i].end);
		if (start == 0 || at < start || at >= end)
			continue;
		page = at & ~page_mask;
		/* Up to the end of the map, so that no order of accesses creates many mappings. */
		if (mmap((void *)page, end - page, PROT_READ,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
			return false;
		atomic_store(&slots[i].lost, true);
		return true;
	}
	return false;
}

static uint64_t
ctime_of(const struct stat *st)
{
	struct timespec now;
	uint64_t changed = os_ns(&st->st_ctim);

	return clock_gettime(CLOCK_REALTIME, &now) == 0 && os_ns(&now) > YOUNG_NS &&
	    changed < os_ns(&now) - YOUNG_NS ? changed : 0;
}

static bool
map_watch(struct map *m, int fd, struct err *err)
{
	uintptr_t start = (uintptr_t)m->data;
	int own;

	atomic_store(&page_mask, (uintptr_t)sysconf(_SC_PAGESIZE) - 1);
	for (size_t i = 0; i < NELEM(slots); i++) {
		if (atomic_exchange(&slots[i].taken, true))
			continue;
		own = fcntl(fd, F_DUPFD_CLOEXEC, 3);
		if (own < 0) {
			atomic_store(&slots[i].taken, false);
			return fail_errno(err, "cannot keep the file open");
		}
		slots[i].fd = own;
		slots[i].size = m->size;
		slots[i].mtime = m->mtime;
		atomic_store(&slots[i].lost, false);
		atomic_store(&slots[i].end, start + m->size);
		atomic_store(&slots[i].start, start);
		m->slot = (int)i;
		return true;
	}
	return fail(err, E_SYSTEM, "too many open files (icecore limit: %zu)", NELEM(slots));
}

static void
unwatch(struct map *m)
{
	struct slot *slot;

	if (m->slot < 0)
		return;
	slot = &slots[m->slot];
	atomic_store(&slot->start, 0);
	if (slot->fd >= 0)
		close(slot->fd);
	atomic_store(&slot->taken, false);
}

bool
map_lost(const struct map *m)
{
	struct slot *slot;
	struct stat st;

	if (m->data == NULL || m->slot < 0)
		return false;
	slot = &slots[m->slot];
	/* A file that only grew still has the bytes that are mapped. */
	if (slot->fd >= 0 && fstat(slot->fd, &st) == 0 && ((uint64_t)st.st_size < m->size ||
	    (slot->mtime != 0 && (uint64_t)st.st_size <= slot->size && os_ns(&st.st_mtim) != slot->mtime)))
		atomic_store(&slot->lost, true);
	return atomic_load(&slot->lost);
}

int
map_fd(const struct map *m)
{
	return m->data != NULL && m->slot >= 0 ? slots[m->slot].fd : -1;
}

bool
map_reads(const struct stat *st)
{
	struct stat mine;

	for (size_t i = 0; i < NELEM(slots); i++)
		if (atomic_load(&slots[i].start) != 0 && slots[i].fd >= 0 && fstat(slots[i].fd, &mine) == 0 &&
		    mine.st_dev == st->st_dev && mine.st_ino == st->st_ino)
			return true;
	return false;
}

/* ---- walks -------------------------------------------------------------------- */

void
map_forget(const struct map *m, uint64_t from, uint64_t to)
{
	if (m->slot < 0 || from >= m->size)
		return;
	/* Drop whole pages only; the last page of the map counts as whole. */
	from &= ~(uint64_t)page_mask;
	to = to < m->size ? to & ~(uint64_t)page_mask : m->size;
	if (to > from)
		(void)madvise((void *)(uintptr_t)(m->data + from), (size_t)(to - from), MADV_DONTNEED);
}

/* ---- opening ------------------------------------------------------------------ */

bool
map_regular(struct map *m, int fd, struct err *err)
{
	struct stat st;
	void *data;

	if (fstat(fd, &st) < 0)
		return fail_errno(err, "cannot read");
	*m = (struct map){
		.size = (uint64_t)st.st_size,
		.mtime = os_ns(&st.st_mtim), .ctime = ctime_of(&st),
		.dev = st.st_dev, .ino = st.st_ino, .slot = NO_SLOT
	};
	if (m->size == 0)
		return true;
	if (m->size > SIZE_MAX)
		return fail(err, E_SYSTEM, "too large for this address space");
	data = mmap(NULL, (size_t)m->size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (data == MAP_FAILED)
		return fail_errno(err, "cannot map");
	m->data = data;
	resident_add(data, (size_t)m->size, false);
	if (map_watch(m, fd, err))
		return true;
	map_close(m);
	return false;
}

bool
map_is_own(const struct stat *s)
{
	return S_ISREG(s->st_mode) && (s->st_uid == geteuid() || s->st_uid == 0) &&
	    (s->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool
map_open_own(struct map *m, const char *path)
{
	int fd = named_open(path, O_NOFOLLOW | O_NONBLOCK);
	struct stat s;
	bool ok;

	if (fd < 0)
		return false;
	ok = fstat(fd, &s) == 0 && map_is_own(&s) && map_regular(m, fd, NULL);
	close(fd);
	/* This process writes to it while it is mapped. */
	if (ok && m->slot >= 0)
		slots[m->slot].mtime = 0;
	return ok;
}

bool
map_of_memory(struct map *m, struct str bytes, struct err *err)
{
	uint8_t *copy = NULL;

	/* Allocate exactly n bytes, so that sanitizers detect reads past the end. */
	if (bytes.n > 0 && (copy = mem_array(bytes.n, 1)) == NULL)
		return fail(err, E_SYSTEM, "out of memory (%zu bytes)", bytes.n);
	if (copy != NULL)
		memcpy(copy, bytes.s, bytes.n);
	*m = (struct map){ .data = copy, .size = bytes.n, .slot = copy != NULL ? IN_MEMORY : NO_SLOT };
	return true;
}

void
map_shrink(struct map *m, uint64_t size)
{
	uint64_t keep = (size + page_mask) & ~(uint64_t)page_mask;

	if (m->slot < 0 || size == 0 || size >= m->size)
		return;
	resident_remove(m->data);
	resident_add((void *)(uintptr_t)m->data, (size_t)size, false);
	atomic_store(&slots[m->slot].end, (uintptr_t)m->data + size);
	/* The file may have been truncated at that place too. */
	slots[m->slot].mtime = 0;
	if (keep < m->size)
		munmap((void *)(uintptr_t)(m->data + keep), (size_t)(m->size - keep));
	m->size = size;
}

void
map_close(struct map *m)
{
	if (m->data != NULL && m->slot == IN_MEMORY)
		free((void *)(uintptr_t)m->data);
	else if (m->data != NULL) {
		resident_remove(m->data);
		unwatch(m);
		munmap((void *)(uintptr_t)m->data, (size_t)m->size);
	}
	*m = (struct map){ .slot = NO_SLOT };
}
