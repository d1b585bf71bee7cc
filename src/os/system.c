/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * system: processes, as each kind of operating system has them.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#elif defined(__APPLE__)
#include <mach-o/dyld.h>
#include <mach/mach.h>
#include <sys/sysctl.h>
#include <sys/un.h>
#elif defined(__FreeBSD__)
#include <sys/procctl.h>
#include <sys/sysctl.h>
#include <sys/ucred.h>
#include <sys/un.h>
#include <sys/user.h>
#endif

#include "icecore/os.h"
#include "icecore/system.h"

#define CPUS_MOST 8192

/* ---- children --------------------------------------------------------------------- */

bool
system_end_with(pid_t parent, int sig)
{
#if defined(__linux__)
	if (prctl(PR_SET_PDEATHSIG, sig) != 0)
		return false;
#elif defined(__FreeBSD__)
	if (procctl(P_PID, 0, PROC_PDEATHSIG_CTL, &sig) != 0)
		return false;
#else
	(void)sig;
#endif
	/* The parent may have ended already. */
	return getppid() == parent;
}

bool
system_no_new_rights(void)
{
#if defined(__linux__)
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
#elif defined(__FreeBSD__)
	int on = PROC_NO_NEW_PRIVS_ENABLE;

	return procctl(P_PID, 0, PROC_NO_NEW_PRIVS_CTL, &on) == 0;
#else
	return true;
#endif
}

void
system_name_process(const char *name)
{
#if defined(__linux__)
	(void)prctl(PR_SET_NAME, name);
#elif defined(__FreeBSD__)
	setproctitle("-%s", name);
#else
	(void)name;
#endif
}

void
system_run_again(char *const *argv)
{
#if defined(__linux__)
	execv("/proc/self/exe", argv);
#elif defined(__APPLE__)
	char path[4096];
	uint32_t n = sizeof path;

	if (_NSGetExecutablePath(path, &n) == 0)
		execv(path, argv);
#elif defined(__FreeBSD__)
	int name[] = { CTL_KERN, KERN_PROC, KERN_PROC_PATHNAME, -1 };
	char path[4096];
	size_t n = sizeof path;

	if (sysctl(name, NELEM(name), path, &n, NULL, 0) == 0)
		execv(path, argv);
#endif
}

int
system_memory_file(size_t bytes)
{
	int fd = -1;

#if defined(__linux__)
	fd = memfd_create("icecore", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd >= 0 && (ftruncate(fd, (off_t)bytes) != 0 || fcntl(fd, F_ADD_SEALS,
	    F_SEAL_GROW | F_SEAL_SHRINK) != 0)) {
		close(fd);
		fd = -1;
	}
#else
	(void)bytes;
#endif
	return fd;
}

/* ---- other processes -------------------------------------------------------------- */

int
system_hold(pid_t pid)
{
#ifdef SYS_pidfd_open
	return (int)syscall(SYS_pidfd_open, pid, 0);
#else
	(void)pid;
	return -1;
#endif
}

bool
system_signal(int held, pid_t pid, int sig)
{
#ifdef SYS_pidfd_send_signal
	if (held >= 0)
		return syscall(SYS_pidfd_send_signal, held, sig, NULL, 0) == 0;
#endif
	(void)held;
	return kill(pid, sig) == 0;
}

bool
system_is_peer(int socket, pid_t pid, uid_t uid)
{
#if defined(__linux__)
	struct ucred peer;
	socklen_t n = sizeof peer;

	return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &n) == 0 && n == sizeof peer &&
	    peer.uid == uid && peer.pid == pid;
#elif defined(__APPLE__)
	struct xucred peer;
	pid_t other = 0;
	socklen_t n = sizeof peer, size = sizeof other;

	return getsockopt(socket, SOL_LOCAL, LOCAL_PEERCRED, &peer, &n) == 0 && peer.cr_uid == uid &&
	    getsockopt(socket, SOL_LOCAL, LOCAL_PEERPID, &other, &size) == 0 && other == pid;
#elif defined(__FreeBSD__)
	struct xucred peer;
	socklen_t n = sizeof peer;

	return getsockopt(socket, SOL_LOCAL, LOCAL_PEERCRED, &peer, &n) == 0 && peer.cr_uid == uid &&
	    peer.cr_pid == pid;
#else
	(void)socket, (void)pid, (void)uid;
	return false;
#endif
}

bool
system_records(struct err *err)
{
#if defined(__linux__)
	(void)err;
	return true;
#else
	return fail(err, E_SYSTEM, "recording and the list of processes need Linux; this system only reads recordings");
#endif
}

/* ---- the machine ------------------------------------------------------------------ */

uint64_t
system_uptime(void)
{
	struct timespec now;
#if defined(__linux__)
	clockid_t clock = CLOCK_BOOTTIME;
#else
	clockid_t clock = CLOCK_MONOTONIC;
#endif

	return clock_gettime(clock, &now) == 0 ? os_ns(&now) : 0;
}

#if defined(__APPLE__) || defined(__FreeBSD__)
/* A number of the kernel by its name; 0: there is none. */
static uint64_t
system_number(const char *name)
{
	uint64_t value = 0;
	size_t n = sizeof value;

	/* Shorter numbers fill the lower half: these machines are little-endian. */
	return sysctlbyname(name, &value, &n, NULL, 0) == 0 ? value : 0;
}
#endif

uint64_t
system_memory(void)
{
#if defined(__APPLE__)
	return system_number("vm.page_free_count") * system_number("hw.pagesize");
#elif defined(__FreeBSD__)
	return (system_number("vm.stats.vm.v_free_count") + system_number("vm.stats.vm.v_inactive_count")) *
	    (uint64_t)sysconf(_SC_PAGESIZE);
#else
	char line[128];
	unsigned long long kib = 0;
	FILE *f = fopen("/proc/meminfo", "re");

	/* MemAvailable: the kernel's estimate of what is available without swapping. */
	while (f != NULL && fgets(line, sizeof line, f) != NULL)
		if (sscanf(line, "MemAvailable: %llu", &kib) == 1)
			break;
	if (f != NULL)
		fclose(f);
	return (uint64_t)kib * 1024;
#endif
}

unsigned
system_processors(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);
#if defined(__linux__)
	cpu_set_t *set = CPU_ALLOC(CPUS_MOST);

	n = 1;
	if (set != NULL && sched_getaffinity(0, CPU_ALLOC_SIZE(CPUS_MOST), set) == 0)
		n = CPU_COUNT_S(CPU_ALLOC_SIZE(CPUS_MOST), set);
	CPU_FREE(set);
#endif
	return n > 0 && n < CPUS_MOST ? (unsigned)n : 1;
}

#if defined(__linux__)
static int statm = -1;		/* set by system_resident_open */
#endif

void
system_resident_open(void)
{
#if defined(__linux__)
	statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
#endif
}

uint64_t
system_resident(void)
{
#if defined(__linux__)
	char text[128];
	unsigned long long size, resident = 0;
	int fd = statm >= 0 ? statm : open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return 0;
	n = pread(fd, text, sizeof text - 1, 0);
	if (fd != statm)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	if (sscanf(text, "%llu %llu", &size, &resident) != 2)
		return 0;
	return resident * (uint64_t)sysconf(_SC_PAGESIZE);
#elif defined(__APPLE__)
	struct mach_task_basic_info info;
	mach_msg_type_number_t n = MACH_TASK_BASIC_INFO_COUNT;

	return task_info(mach_task_self(), MACH_TASK_BASIC_INFO, (task_info_t)&info, &n) == KERN_SUCCESS ?
	    info.resident_size : 0;
#elif defined(__FreeBSD__)
	int name[] = { CTL_KERN, KERN_PROC, KERN_PROC_PID, (int)getpid() };
	struct kinfo_proc info;
	size_t n = sizeof info;

	return sysctl(name, NELEM(name), &info, &n, NULL, 0) == 0 ?
	    (uint64_t)info.ki_rssize * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
#else
	return 0;
#endif
}
