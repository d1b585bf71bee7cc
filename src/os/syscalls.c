/*
 * syscalls: the system calls that are left, by seccomp.
 *
 * What is not listed fails by ENOSYS, as on an older kernel: a newer C library tries calls that are not known here, and goes on
 * without them.  What only a process does that was taken over ends it, by SIGSYS, so that the terminal is restored.
 */
#include "config.h"

#include <errno.h>

#include "icecore/sandbox.h"

#ifndef USE_SECCOMP

int
syscalls_confine(bool beneath)
{
	(void)beneath;
	return ENOSYS;
}

#else

#include <fcntl.h>
#include <linux/fs.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

#define CALL(name) SCMP_SYS(name)
#define OPENAT2 437		/* on all machines; headers may be older than the kernel */

static const int allowed[] = {
	/* files */
	CALL(read), CALL(write), CALL(pread64), CALL(pwrite64), CALL(readv), CALL(writev), CALL(lseek), CALL(_llseek), CALL(close),
	CALL(open), CALL(openat), CALL(fstat), CALL(fstat64), CALL(stat), CALL(stat64), CALL(lstat), CALL(lstat64), CALL(newfstatat),
	CALL(fstatat64), CALL(statx), CALL(fstatfs), CALL(fstatfs64), CALL(access), CALL(faccessat), CALL(faccessat2),
	CALL(dup), CALL(dup2), CALL(dup3), CALL(pipe), CALL(pipe2), CALL(flock), CALL(fsync), CALL(fdatasync), CALL(ftruncate),
	CALL(ftruncate64), CALL(fallocate), CALL(fadvise64), CALL(fadvise64_64), CALL(rename), CALL(renameat), CALL(renameat2), CALL(unlink),
	CALL(unlinkat), CALL(link), CALL(linkat), CALL(mkdir), CALL(mkdirat), CALL(getdents), CALL(getdents64), CALL(getcwd),
	CALL(readlink), CALL(readlinkat), CALL(memfd_create), CALL(copy_file_range), CALL(umask),
	/* memory */
	CALL(munmap), CALL(mremap), CALL(madvise), CALL(mincore), CALL(brk), CALL(mlock), CALL(munlock),
	/* waiting, signals, threads, time */
	CALL(poll), CALL(ppoll), CALL(ppoll_time64), CALL(select), CALL(_newselect), CALL(pselect6), CALL(pselect6_time64), CALL(nanosleep),
	CALL(clock_nanosleep), CALL(clock_nanosleep_time64), CALL(clock_gettime), CALL(clock_gettime64), CALL(clock_getres),
	CALL(gettimeofday), CALL(time), CALL(rt_sigaction), CALL(rt_sigprocmask), CALL(rt_sigreturn), CALL(sigreturn), CALL(rt_sigpending),
	CALL(rt_sigtimedwait), CALL(rt_sigsuspend), CALL(sigaltstack), CALL(pause), CALL(alarm), CALL(setitimer), CALL(getitimer),
	CALL(timer_create), CALL(timer_settime), CALL(timer_delete), CALL(restart_syscall), CALL(futex), CALL(futex_time64),
	CALL(set_robust_list), CALL(rseq), CALL(set_tid_address), CALL(sched_yield), CALL(sched_getaffinity), CALL(exit), CALL(exit_group),
	/* about this process and the machine */
	CALL(getpid), CALL(gettid), CALL(getppid), CALL(getpgrp), CALL(getpgid), CALL(getsid), CALL(getuid), CALL(geteuid), CALL(getgid),
	CALL(getegid), CALL(getuid32), CALL(geteuid32), CALL(getgid32), CALL(getegid32), CALL(getrusage), CALL(times), CALL(getrandom),
	CALL(sysinfo), CALL(uname), CALL(getrlimit), CALL(ugetrlimit)
};

static const int fatal[] = {
	CALL(execve), CALL(execveat), CALL(connect), CALL(bind), CALL(listen), CALL(accept), CALL(accept4), CALL(sendto), CALL(sendmsg),
	CALL(ptrace), CALL(process_vm_readv), CALL(process_vm_writev), CALL(bpf), CALL(userfaultfd), CALL(keyctl), CALL(add_key),
	CALL(request_key), CALL(mount), CALL(umount2), CALL(pivot_root), CALL(chroot), CALL(setns), CALL(unshare), CALL(io_uring_setup),
	CALL(kexec_load), CALL(perf_event_open), CALL(init_module), CALL(finit_module), CALL(delete_module), CALL(chmod), CALL(fchmod),
	CALL(fchmodat), CALL(chown), CALL(fchown), CALL(lchown), CALL(fchownat), CALL(setuid), CALL(setgid), CALL(setresuid),
	CALL(setresgid), CALL(tkill)
};

/* Not TIOCSTI, which types into the shell of the user.  The last four are of termios2, which glibc 2.42 and later use. */
static const unsigned ioctls[] = { TCGETS, TCSETS, TCSETSW, TCSETSF, TCFLSH, TIOCGWINSZ, TIOCGPGRP, TIOCSPGRP, FIONREAD, FICLONE,
	0x802c542a, 0x402c542b, 0x402c542c, 0x402c542d };

/* Not F_SETOWN, by which the kernel sends signals to other processes. */
static const unsigned fcntls[] = { F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW,
	F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW, F_ADD_SEALS, F_GET_SEALS };

/* One call under a condition: 0, or an error of libseccomp. */
static int
only(scmp_filter_ctx c, int call, struct scmp_arg_cmp condition)
{
	return seccomp_rule_add_array(c, SCMP_ACT_ALLOW, call, 1, &condition);
}

static int
add_lists(scmp_filter_ctx c)
{
	int error = 0;

	for (size_t i = 0; error == 0 && i < NELEM(allowed); i++)
		error = seccomp_rule_add(c, SCMP_ACT_ALLOW, allowed[i], 0);
	for (size_t i = 0; error == 0 && i < NELEM(fatal); i++)
		error = seccomp_rule_add(c, SCMP_ACT_TRAP, fatal[i], 0);
	for (size_t i = 0; error == 0 && i < NELEM(ioctls); i++)
		error = only(c, CALL(ioctl), SCMP_A1_32(SCMP_CMP_EQ, ioctls[i]));
	for (size_t i = 0; error == 0 && i < NELEM(fcntls); i++)
		if ((error = only(c, CALL(fcntl), SCMP_A1_32(SCMP_CMP_EQ, fcntls[i]))) == 0)
			error = only(c, CALL(fcntl64), SCMP_A1_32(SCMP_CMP_EQ, fcntls[i]));
	return error;
}

static int
add_conditions(scmp_filter_ctx c)
{
	unsigned self = (unsigned)getpid();
	const struct { int call; struct scmp_arg_cmp condition; } conditions[] = {
		{ CALL(mmap), SCMP_A2_32(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0) },
		{ CALL(mmap2), SCMP_A2_32(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0) },
		{ CALL(mprotect), SCMP_A2_32(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0) },
		/* Threads, no processes. */
		{ CALL(clone), SCMP_A0_32(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD) },
		{ CALL(prlimit64), SCMP_A0_32(SCMP_CMP_EQ, 0) },
		/* Signal 0 asks whether a process lives. */
		{ CALL(kill), SCMP_A0_32(SCMP_CMP_EQ, self) }, { CALL(kill), SCMP_A1_32(SCMP_CMP_EQ, 0) },
		{ CALL(tgkill), SCMP_A0_32(SCMP_CMP_EQ, self) },
	};
	int error = 0;

	for (size_t i = 0; error == 0 && i < NELEM(conditions); i++)
		error = only(c, conditions[i].call, conditions[i].condition);
	/* The C library asks a daemon of users first, then files; clone3, whose flags no filter sees, gives way to clone. */
	return error != 0 ? error : seccomp_rule_add(c, SCMP_ACT_ERRNO(EACCES), CALL(socket), 0);
}

int
syscalls_confine(bool beneath)
{
	scmp_filter_ctx c = seccomp_init(SCMP_ACT_ERRNO(ENOSYS));
	int error;

	if (c == NULL)
		return ENOMEM;
	/* Threads that are there already, too, where the kernel can. */
	(void)seccomp_attr_set(c, SCMP_FLTATR_CTL_TSYNC, 1);
	error = add_lists(c);
	error = error != 0 ? error : add_conditions(c);
	if (error == 0 && beneath)
		error = seccomp_rule_add(c, SCMP_ACT_ALLOW, OPENAT2, 0);
	error = error != 0 ? error : seccomp_load(c);
	seccomp_release(c);
	/* EFAULT, an internal failure of the library, is a lack of memory as well; a kernel that refuses is ECANCELED. */
	return error == -EFAULT ? ENOMEM : -error;
}

#endif
