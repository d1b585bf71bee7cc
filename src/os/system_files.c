/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * system_files: files and memory, as each kind of operating system has them.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
#if defined(__linux__)
#include <linux/magic.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#else
#ifdef __APPLE__
#include <mach/mach.h>
#endif
#include <sys/mount.h>
#include <sys/param.h>
#endif

#include "icecore/os.h"
#include "icecore/system.h"

/* ---- files ------------------------------------------------------------------------ */

bool
system_rename_new(int from_dir, const char *from, int to_dir, const char *to)
{
#if defined(__APPLE__)
	return renameatx_np(from_dir, from, to_dir, to, RENAME_EXCL) == 0;
#elif defined(SYS_renameat2)
	/* The value is that of <linux/fs.h>, which the header of an old C library contradicts. */
	enum { NO_REPLACE = 1 };

	return syscall(SYS_renameat2, from_dir, from, to_dir, to, NO_REPLACE) == 0;
#else
	/* For a moment the file has both names. */
	return linkat(from_dir, from, to_dir, to, 0) == 0 && unlinkat(from_dir, from, 0) == 0;
#endif
}

void
system_punch(int fd, uint64_t from, uint64_t bytes)
{
#if defined(__linux__)
	(void)fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)from, (off_t)bytes);
#elif defined(__APPLE__)
	(void)fcntl(fd, F_PUNCHHOLE, &(struct fpunchhole){ .fp_offset = (off_t)from,
	    .fp_length = (off_t)bytes });
#elif defined(__FreeBSD__)
	(void)fspacectl(fd, SPACECTL_DEALLOC, &(struct spacectl_range){ .r_offset = (off_t)from,
	    .r_len = (off_t)bytes }, 0, NULL);
#else
	(void)fd, (void)from, (void)bytes;
#endif
}

/* A read lease fails with EAGAIN while a file is open for writing; lack of support is another error. */
bool
system_is_written(int fd)
{
#if defined(__linux__)
	return fcntl(fd, F_SETLEASE, F_RDLCK) != 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
#else
	(void)fd;
	return false;
#endif
}

bool
system_in_memory(const char *directory)
{
	struct statfs fs;

	if (statfs(directory, &fs) != 0)
		return false;
#if defined(__linux__)
	return fs.f_type == TMPFS_MAGIC || fs.f_type == RAMFS_MAGIC;
#else
	return strcmp(fs.f_fstypename, "tmpfs") == 0;
#endif
}

/* ---- memory ----------------------------------------------------------------------- */

void *
system_resize(void *data, size_t was, size_t size, int fd)
{
#if defined(__linux__)
	(void)fd;
	return mremap(data, was, size, MREMAP_MAYMOVE);
#else
	void *new = mmap(NULL, size, PROT_READ | PROT_WRITE,
	    fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, fd, 0);

	if (new == MAP_FAILED)
		return new;
	if (fd < 0)
		memcpy(new, data, was < size ? was : size);
	munmap(data, was);
	return new;
#endif
}

bool
system_put_pages(void *at, void *pages, size_t bytes)
{
#if defined(__linux__)
	return mremap(pages, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, at) == at;
#elif defined(__APPLE__)
	vm_address_t to = (vm_address_t)at;
	vm_prot_t now, most;

	if (vm_remap(mach_task_self(), &to, bytes, 0, VM_FLAGS_FIXED | VM_FLAGS_OVERWRITE, mach_task_self(),
	    (vm_address_t)pages, false, &now, &most, VM_INHERIT_COPY) != KERN_SUCCESS)
		return false;
	munmap(pages, bytes);
	return true;
#else
	/* Only a file can be put there in one step. */
	(void)at, (void)pages, (void)bytes;
	return false;
#endif
}
