/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * syscalls: seccomp filter of allowed system calls.
 *
 * Other calls fail with ENOSYS, as on an older kernel: newer C libraries try calls that are unknown here and
 * continue without them. Calls that only a compromised process makes end it with SIGSYS, so that the terminal
 * is restored.
 *
 * libseccomp supplies the numbers of calls and machines. The filter is built here without allocation:
 * libseccomp 2.5.4 crashes or builds incomplete filters when memory runs out.
 */
#include "config.h"

#include <errno.h>

#include "icecore/sandbox.h"

/*
 * On s390, mmap passes its arguments in memory, where filters cannot see them. The kernel does not treat x32
 * as a separate machine.
 */
#if !defined(USE_SECCOMP) || defined(__s390__) || (defined(__x86_64__) && defined(__ILP32__))

int
syscalls_confine(enum syscalls_of who)
{
	(void)who;
	return ENOSYS;
}

int
syscalls_confine_program(void)
{
	return ENOSYS;
}

#else

#include <assert.h>
#include <endian.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

/* Number of a call, like SCMP_SYS, but without a second macro: musl defines pread64 and others as macros. */
#define CALL(name) __SNR_##name
/* The same on all machines; kernel headers may be too old. */
enum { CLOSE_RANGE = 436, OPENAT2 = 437, FCHMODAT2 = 452, SETXATTRAT = 463, REMOVEXATTRAT = 466 };

static const int allowed[] = {
	/* files */
	CALL(read), CALL(write), CALL(pread64), CALL(pwrite64), CALL(readv), CALL(writev), CALL(lseek),
	CALL(_llseek), CALL(close),
	CALL(fstat), CALL(fstat64), CALL(stat), CALL(stat64), CALL(lstat), CALL(lstat64), CALL(newfstatat),
	CALL(fstatat64), CALL(statx), CALL(fstatfs), CALL(fstatfs64), CALL(access), CALL(faccessat),
	CALL(faccessat2),
	CALL(dup), CALL(dup2), CALL(dup3), CALL(pipe), CALL(pipe2), CALL(flock), CALL(fsync), CALL(fdatasync),
	CALL(ftruncate),
	CALL(ftruncate64), CALL(fallocate), CALL(fadvise64), CALL(fadvise64_64), CALL(getdents),
	CALL(getdents64), CALL(getcwd),
	CALL(readlink), CALL(readlinkat), CALL(memfd_create), CALL(copy_file_range), CALL(umask),
	CALL(recvmsg), CALL(shutdown), CALL(wait4),
	/* memory */
	CALL(munmap), CALL(mremap), CALL(madvise), CALL(mincore), CALL(brk), CALL(mlock), CALL(munlock),
	/* waiting, signals, threads, time */
	CALL(poll), CALL(ppoll), CALL(ppoll_time64), CALL(select), CALL(_newselect), CALL(pselect6),
	CALL(pselect6_time64), CALL(nanosleep),
	CALL(clock_nanosleep), CALL(clock_nanosleep_time64), CALL(clock_gettime), CALL(clock_gettime64),
	CALL(clock_getres),
	CALL(gettimeofday), CALL(time), CALL(rt_sigaction), CALL(rt_sigprocmask), CALL(rt_sigreturn),
	CALL(sigreturn), CALL(rt_sigpending),
	CALL(rt_sigtimedwait), CALL(rt_sigsuspend), CALL(sigaltstack), CALL(pause), CALL(alarm),
	CALL(setitimer), CALL(getitimer),
	CALL(timer_create), CALL(timer_settime), CALL(timer_delete), CALL(restart_syscall), CALL(futex),
	CALL(futex_time64),
	CALL(set_robust_list), CALL(rseq), CALL(set_tid_address), CALL(membarrier), CALL(sched_yield),
	CALL(sched_getaffinity), CALL(exit),
	CALL(exit_group),
	/* information about this process and the machine */
	CALL(getpid), CALL(gettid), CALL(getppid), CALL(getpgrp), CALL(getpgid), CALL(getsid), CALL(getuid),
	CALL(geteuid), CALL(getgid),
	CALL(getegid), CALL(getuid32), CALL(geteuid32), CALL(getgid32), CALL(getegid32), CALL(getrusage),
	CALL(times), CALL(getrandom),
	CALL(sysinfo), CALL(uname), CALL(getrlimit), CALL(ugetrlimit)
};

/* Access to files by name: only for the helper. */
static const int by_name[] = {
	CALL(open), CALL(openat), OPENAT2, CALL(rename), CALL(renameat), CALL(renameat2), CALL(unlink),
	CALL(unlinkat), CALL(link),
	CALL(linkat), CALL(mkdir), CALL(mkdirat)
};

/* Not even for a program that icecore runs. */
static const int forbidden[] = {
	CALL(connect), CALL(bind), CALL(listen), CALL(accept), CALL(accept4), CALL(sendto), CALL(sendmsg),
	CALL(ptrace),
	CALL(process_vm_readv), CALL(process_vm_writev), CALL(bpf), CALL(userfaultfd), CALL(keyctl),
	CALL(add_key),
	CALL(request_key), CALL(mount), CALL(umount2), CALL(pivot_root), CALL(chroot), CALL(setns),
	CALL(unshare),
	CALL(io_uring_setup), CALL(kexec_load), CALL(perf_event_open), CALL(init_module), CALL(finit_module),
	CALL(delete_module),
	CALL(chmod), CALL(fchmod), CALL(fchmodat), FCHMODAT2, SETXATTRAT, REMOVEXATTRAT, CALL(utime),
	CALL(utimes),
	CALL(futimesat), CALL(utimensat), CALL(utimensat_time64), CALL(setxattr), CALL(lsetxattr),
	CALL(fsetxattr),
	CALL(removexattr), CALL(lremovexattr), CALL(fremovexattr), CALL(chown), CALL(fchown), CALL(lchown),
	CALL(fchownat),
	CALL(setuid), CALL(setgid), CALL(setresuid), CALL(setresgid), CALL(tkill)
};

/*
 * Not TIOCSTI, which types into the user's shell. The last four are for termios2, used by glibc 2.42 and
 * later.
 */
static const unsigned ioctls[] = { TCGETS, TCSETS, TCSETSW, TCSETSF, TCFLSH, TIOCGWINSZ, TIOCGPGRP, TIOCSPGRP,
    FIONREAD, FICLONE,
	0x802c542a, 0x402c542b, 0x402c542c, 0x402c542d };

/* Not F_SETOWN, which makes the kernel send signals to other processes. */
static const unsigned fcntls[] = { F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK,
    F_SETLK, F_SETLKW,
	F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW, F_ADD_SEALS, F_GET_SEALS };

/* ---- the filter ------------------------------------------------------------------------ */

#define MOST 1024	/* instructions; kernel limit: 4096 */

struct filter {
	struct sock_filter	code[MOST];
	unsigned short		n;
};

static_assert(4 + 2 * (NELEM(allowed) + NELEM(by_name) + NELEM(forbidden)) + 5 *
    (NELEM(ioctls) + 2 * NELEM(fcntls) + 16) < MOST, "a filter has room");

static void
syscalls_put(struct filter *f, unsigned op, unsigned k, unsigned yes, unsigned no)
{
	assert(f->n < MOST);
	f->code[f->n++] = (struct sock_filter)BPF_JUMP((unsigned short)op, k, (uint8_t)yes, (uint8_t)no);
}

static void
syscalls_load(struct filter *f, size_t offset)
{
	syscalls_put(f, BPF_LD | BPF_W | BPF_ABS, (unsigned)offset, 0, 0);
}

/* Calls that do not exist on this machine have negative numbers. */
static void
syscalls_decide(struct filter *f, int call, unsigned action)
{
	if (call < 0)
		return;
	syscalls_put(f, BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, 1);
	syscalls_put(f, BPF_RET | BPF_K, action, 0, 0);
}

/* Condition on the low 32 bits of an argument, which are all the kernel uses here. */
enum test { EQUAL, SET, CLEAR };

static void
allow_if(struct filter *f, int call, unsigned argument, enum test test, unsigned k)
{
	size_t low = __BYTE_ORDER == __BIG_ENDIAN ? 4 : 0;

	if (call < 0)
		return;
	syscalls_put(f, BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, 4);
	syscalls_load(f, offsetof(struct seccomp_data, args) + argument * sizeof(uint64_t) + low);
	syscalls_put(f, BPF_JMP | (test == EQUAL ? BPF_JEQ : BPF_JSET) | BPF_K, k, test == CLEAR,
	    test != CLEAR);
	syscalls_put(f, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
	syscalls_load(f, offsetof(struct seccomp_data, nr));
}

static void
syscalls_begin(struct filter *f)
{
	f->n = 0;
	/* Calls of other architectures, such as 32-bit ones, have other numbers. */
	syscalls_load(f, offsetof(struct seccomp_data, arch));
	syscalls_put(f, BPF_JMP | BPF_JEQ | BPF_K, seccomp_arch_native(), 1, 0);
	syscalls_put(f, BPF_RET | BPF_K, SECCOMP_RET_TRAP, 0, 0);
	syscalls_load(f, offsetof(struct seccomp_data, nr));
}

/* System calls that bypass Landlock. */
static void
forbid(struct filter *f, unsigned action)
{
	for (size_t i = 0; i < NELEM(forbidden); i++)
		syscalls_decide(f, forbidden[i], action);
	/* The C library first asks a user database daemon, then reads files. */
	syscalls_decide(f, CALL(socket), SECCOMP_RET_ERRNO | EACCES);
	syscalls_decide(f, CALL(socketcall), SECCOMP_RET_ERRNO | EACCES);
}

static void
add_conditions(struct filter *f)
{
	unsigned self = (unsigned)getpid();

	for (size_t i = 0; i < NELEM(ioctls); i++)
		allow_if(f, CALL(ioctl), 1, EQUAL, ioctls[i]);
	for (size_t i = 0; i < NELEM(fcntls); i++) {
		allow_if(f, CALL(fcntl), 1, EQUAL, fcntls[i]);
		allow_if(f, CALL(fcntl64), 1, EQUAL, fcntls[i]);
	}
	/* On machines with mmap2, mmap may be the old call with arguments in memory. */
	allow_if(f, CALL(mmap2) < 0 ? CALL(mmap) : CALL(mmap2), 2, CLEAR, PROT_EXEC);
	allow_if(f, CALL(mprotect), 2, CLEAR, PROT_EXEC);
	/*
	 * Allow threads, not processes. clone3 fails, because filters cannot see its flags; libraries fall
	 * back to clone.
	 */
	allow_if(f, CALL(clone), 0, SET, CLONE_THREAD);
	allow_if(f, CALL(prlimit64), 0, EQUAL, 0);
	allow_if(f, CALL(kill), 0, EQUAL, self);
	/* Signal 0 checks whether a process is alive. */
	allow_if(f, CALL(kill), 1, EQUAL, 0);
	allow_if(f, CALL(tgkill), 0, EQUAL, self);
}

/* The last instruction decides all other calls. */
static int
install(struct filter *f, unsigned others)
{
	struct sock_fprog program = { .filter = f->code };
	long thread;

	syscalls_put(f, BPF_RET | BPF_K, others, 0, 0);
	program.len = f->n;
	/*
	 * For all threads, if the kernel supports it. If a thread has another filter, its id is returned and
	 * none was confined.
	 */
	thread = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
	if (thread >= 0)
		return thread == 0 ? 0 : ESRCH;
	/* For older kernels, or containers that allow only this call. */
	return errno != ENOMEM && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 ? 0 : errno;
}

int
syscalls_confine(enum syscalls_of who)
{
	struct filter f;

	syscalls_begin(&f);
	for (size_t i = 0; i < NELEM(by_name); i++)
		syscalls_decide(&f, by_name[i], who == SYSCALLS_OF_HELPER ? SECCOMP_RET_ALLOW :
		    SECCOMP_RET_ERRNO | EACCES);
	if (who == SYSCALLS_OF_HELPER) {
		syscalls_decide(&f, CALL(sendmsg), SECCOMP_RET_ALLOW);
		syscalls_decide(&f, CLOSE_RANGE, SECCOMP_RET_ALLOW);
	}
	for (size_t i = 0; i < NELEM(allowed); i++)
		syscalls_decide(&f, allowed[i], SECCOMP_RET_ALLOW);
	syscalls_decide(&f, CALL(execve), SECCOMP_RET_TRAP);
	syscalls_decide(&f, CALL(execveat), SECCOMP_RET_TRAP);
	forbid(&f, SECCOMP_RET_TRAP);
	add_conditions(&f);
	return install(&f, SECCOMP_RET_ERRNO | ENOSYS);
}

int
syscalls_confine_program(void)
{
	struct filter f;

	syscalls_begin(&f);
	/* x32 calls differ from the others by this bit. */
	syscalls_put(&f, BPF_JMP | BPF_JGE | BPF_K, 1u << 30, 0, 1);
	syscalls_put(&f, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS, 0, 0);
	forbid(&f, SECCOMP_RET_ERRNO | EACCES);
	return install(&f, SECCOMP_RET_ALLOW);
}

#endif
