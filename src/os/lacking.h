/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lacking: functions of POSIX and GNU that the C library of some systems lacks; config.h includes this.
 *
 * Elsewhere nothing is declared here.  Flags that a system lacks are 0, if icecore is right without them.
 */
#ifndef LACKING_H
#define LACKING_H

#ifdef __APPLE__
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

void	*lacking_memrchr(const void *, int, size_t);
void	 lacking_erase(void *, size_t);
int	 lacking_fdatasync(int);
int	 lacking_pipe2(int [2], int flags);
int	 lacking_fallocate(int, off_t from, off_t bytes);	/* an errno, or 0 */
ssize_t	 lacking_random(void *, size_t);
int	 lacking_ppoll(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
void	 lacking_sort(void *, size_t n, size_t size, int (*)(const void *, const void *, void *), void *);

#define memrchr lacking_memrchr
#define explicit_bzero lacking_erase
#define fdatasync lacking_fdatasync
#define pipe2 lacking_pipe2
#define posix_fallocate lacking_fallocate
#define getrandom(bytes, n, flags) lacking_random(bytes, n)
#define ppoll lacking_ppoll
#define qsort_r lacking_sort
#define st_atim st_atimespec
#define st_mtim st_mtimespec
#define st_ctim st_ctimespec
/* No program is started without descriptors_keep, which closes what is not for it. */
#define SOCK_CLOEXEC 0
#define MSG_CMSG_CLOEXEC 0
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0		/* SIGPIPE is ignored */
#endif
#ifndef O_PATH
#define O_PATH O_RDONLY
#endif
#endif

#endif
