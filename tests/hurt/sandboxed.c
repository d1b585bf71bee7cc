/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sandboxed: icecore, which misbehaves once it is confined, or on a kernel that has less.
 *
 * It is the program itself, linked so that some calls come here.  Variables say what to do: MISBEHAVE, words of the table
 * below, each of which prints how its call ended; LANDLOCK, the version that the kernel is to say it has; FORBID, words
 * CALL:ERRNO, system calls that end so from the start; LAYERS, how often the process is confined already.  FOLDER is where files
 * are that nobody may touch: "there" and "script"; STRICT: an unlisted system call ends the process; STARVED: memory runs out
 * while its filter is made; APART: a thread cannot be confined; MAPS: a line says whether memory may be both written and
 * executed.  GREEDY, WORD:BYTES: the process whose standard input is a file of that many bytes takes all it gets of that, and*
 * then continues.
 */
#include "config.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "icecore/named.h"
#include "icecore/os.h"
#include "icecore/sandbox.h"

long	__real_syscall(long, ...);
long	__wrap_syscall(long, ...);
bool	__real_sandbox_enter(struct sandbox *, struct err *);
bool	__wrap_sandbox_enter(struct sandbox *, struct err *);

static const char *folder;
static pid_t first;

static void __attribute__((constructor))
note_program(void)
{
	first = getpid();
}

static const char *
in_folder(const char *name)
{
	static char path[4096];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

/* ---- what must not be ------------------------------------------------------------- */

/* Each returns -1 with errno, or something else. */

static int
do_read(void)
{
	return open(in_folder("there"), O_RDONLY);
}

static int
do_list(void)
{
	return open(folder, O_RDONLY | O_DIRECTORY);
}

static int
do_write(void)
{
	return open(in_folder("there"), O_WRONLY);
}

static int
do_create(void)
{
	return open(in_folder("new"), O_WRONLY | O_CREAT, 0600);
}

static int
do_truncate(void)
{
	return truncate(in_folder("there"), 0);
}

static int
do_unlink(void)
{
	return unlink(in_folder("there"));
}

static int
do_rename(void)
{
	char to[4096];

	snprintf(to, sizeof to, "%s", in_folder("moved"));
	return rename(in_folder("there"), to);
}

/* Within the current directory, from one below it. */
static int
do_move(void)
{
	return rename("below/there", "moved");
}

static int
do_mkdir(void)
{
	return mkdir(in_folder("made"), 0700);
}

/* Also where files may be made. */
static int
do_symlink(void)
{
	return symlink("/", "link");
}

static int
do_fifo(void)
{
	return mkfifo("fifo", 0600);
}

static int
do_exec(void)
{
	char name[] = "script", *const words[] = { name, NULL };

	return execv(in_folder("script"), words);
}

static int
do_connect(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(1), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	return fd < 0 ? -1 : connect(fd, (struct sockaddr *)&a, sizeof a);
}

static int
do_bind(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	return fd < 0 ? -1 : bind(fd, (struct sockaddr *)&a, sizeof a);
}

static int
do_signal(void)
{
	return kill(getppid(), SIGCONT);
}

/* The kernel signals the owner of a file when there is something to be read. */
static int
do_own(void)
{
	return fcntl(STDIN_FILENO, F_SETOWN, getppid());
}

/* As glibc 2.42 and later ask whether it is a terminal: of a file the kernel says ENOTTY, the filter ENOSYS. */
static int
do_termios2(void)
{
	char attributes[64];

	return ioctl(STDIN_FILENO, 0x802c542a, attributes);
}

static int
do_chmod(void)
{
	return chmod(in_folder("there"), 0644);
}

static int
do_ptrace(void)
{
	return (int)ptrace(PTRACE_TRACEME, 0, NULL, NULL);
}

static int
do_tiocsti(void)
{
	return ioctl(STDIN_FILENO, TIOCSTI, "x");
}

static int
do_code(void)
{
	return mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0;
}

/* As a program of 32 bits calls: 20 is getpid there and writev here, which both are allowed. */
static int
do_foreign(void)
{
#ifdef __x86_64__
	long result;

	__asm__ volatile("int $0x80" : "=a"(result) : "a"(20L) : "memory", "r8", "r9", "r10", "r11");
	if (result >= 0)
		return 0;
	errno = (int)-result;
#else
	errno = ENOSYS;
#endif
	return -1;
}

/* Tries to make a page that was writable executable. */
static int
do_protect(void)
{
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return page == MAP_FAILED ? 0 : mprotect(page, 4096, PROT_READ | PROT_EXEC);
}

static int
do_tgkill(void)
{
	return (int)__real_syscall(SYS_tgkill, getppid(), getppid(), 0);
}

static int
do_limits(void)
{
	struct rlimit limit;

	return prlimit(getppid(), RLIMIT_CORE, NULL, &limit);
}

/* How a path is opened, which is left to those alone that need it. */
static int
do_openat2(void)
{
	uint64_t how[3] = { O_RDONLY };

	return (int)__real_syscall(437, AT_FDCWD, ".", how, sizeof how);
}

static int
do_alive(void)
{
	return kill(getppid(), 0);
}

static int
do_self(void)
{
	return kill(getpid(), SIGCONT);
}

static int
do_fork(void)
{
	pid_t child = fork();

	if (child == 0)
		_exit(0);
	return (int)child;
}

/* ---- what the helper must not do, or does ----------------------------------------------- */

static int
ask_read(void)
{
	return named_open(in_folder("there"), 0);
}

static int
ask_hidden(void)
{
	return named_open(in_folder(".hidden"), 0);
}

static int
ask_list(void)
{
	return named_open(folder, O_DIRECTORY);
}

/* Opens a file below an opened directory. */
static int
ask_below(void)
{
	int fd = named_open(".", O_DIRECTORY);

	return fd < 0 ? 0 : openat(fd, "below/there", O_RDONLY);
}

static int
ask_both(void)
{
	return named_open_both(in_folder("there"));
}

/* With flags that are none of reading. */
static int
ask_flags(void)
{
	return named_open(in_folder("new"), O_CREAT | O_RDWR);
}

static int
ask_remove(void)
{
	return named_remove(in_folder("there")) ? 0 : -1;
}

static int
ask_mkdir(void)
{
	return named_directory(in_folder("made")) ? 0 : -1;
}

static int
ask_device(void)
{
	return named_open("/dev/tty", 0);
}

static int
ask_environment(void)
{
	return named_open("/proc/self/environ", 0);
}

/* A whole file with that name. */
static int
ask_make(const char *path)
{
	struct file f;
	struct err err;

	return file_begin(&f, path, &err) && file_commit(&f, true, &err) ? 0 : -1;
}

static int
ask_new(void)
{
	return ask_make(in_folder("new"));
}

static int
ask_replace(void)
{
	return ask_make(in_folder("there"));
}

static int
ask_export(void)
{
	return ask_make("new.tsv");
}

static int
ask_program(void)
{
	return ask_make("Makefile");
}

static int
ask_profile(void)
{
	return ask_make(".profile.tsv");
}

static int
ask_way_out(void)
{
	char path[4096];

	snprintf(path, sizeof path, "../%s/new.tsv", strrchr(folder, '/') + 1);
	return ask_make(path);
}

static int
ask_temporary(void)
{
	int fd;

	return fd_temporary(&fd, folder, NULL) ? 0 : -1;
}

static int
ask_temporary_name(void)
{
	char path[4096];

	snprintf(path, sizeof path, "%s/new", getenv("TMPDIR"));
	return ask_make(path);
}

static void *
read_there(void *result)
{
	*(int *)result = do_read() < 0 ? errno : 0;
	return NULL;
}

static int
do_thread(void)
{
	pthread_t thread;
	int error = 0;

	errno = pthread_create(&thread, NULL, read_there, &error);
	if (errno != 0 || pthread_join(thread, NULL) != 0)
		abort();
	errno = error;
	return error == 0 ? 0 : -1;
}

static const struct {
	const char	*word;
	int		(*act)(void);
} acts[] = {
	{ "read", do_read }, { "list", do_list }, { "write", do_write }, { "create", do_create }, { "truncate", do_truncate },
	{ "unlink", do_unlink }, { "rename", do_rename }, { "move", do_move }, { "mkdir", do_mkdir }, { "symlink", do_symlink }, { "fifo", do_fifo },
	{ "exec", do_exec }, { "connect", do_connect }, { "bind", do_bind }, { "signal", do_signal }, { "own", do_own }, { "termios2", do_termios2 }, { "chmod", do_chmod },
	{ "ptrace", do_ptrace }, { "tiocsti", do_tiocsti }, { "code", do_code }, { "foreign", do_foreign }, { "protect", do_protect }, { "tgkill", do_tgkill }, { "limits", do_limits },
	{ "ask_read", ask_read }, { "ask_hidden", ask_hidden }, { "ask_list", ask_list }, { "ask_below", ask_below }, { "ask_both", ask_both },
	{ "ask_flags", ask_flags }, { "ask_remove", ask_remove }, { "ask_mkdir", ask_mkdir }, { "ask_device", ask_device },
	{ "ask_environment", ask_environment }, { "ask_new", ask_new }, { "ask_replace", ask_replace }, { "ask_export", ask_export },
	{ "ask_program", ask_program }, { "ask_profile", ask_profile }, { "ask_way_out", ask_way_out }, { "ask_temporary", ask_temporary },
	{ "ask_temporary_name", ask_temporary_name },
	{ "openat2", do_openat2 }, { "alive", do_alive }, { "self", do_self }, { "fork", do_fork }, { "thread", do_thread },
};

/* strerrorname_np, which only glibc has, for the reasons that sandbox.test knows. */
static const char *
reason(int error)
{
	return error == EACCES ? "EACCES" : error == EPERM ? "EPERM" : error == ENOSYS ? "ENOSYS" : error == ENOTTY ? "ENOTTY" : strerror(error);
}

/* A line for each word; what ends the process leaves the lines before it. */
static void
misbehave(char *words)
{
	char *rest = words;

	for (const char *word; (word = strtok_r(rest, " ", &rest)) != NULL;)
		for (size_t i = 0; i < NELEM(acts); i++)
			if (strcmp(word, acts[i].word) == 0) {
				printf("%s %s\n", word, acts[i].act() < 0 ? reason(errno) : "done");
				fflush(stdout);
			}
	fflush(stdout);
	_exit(0);
}

/* ---- what must end ---------------------------------------------------------------- */

#define ENOUGH 3	/* seconds of CPU time */
#define BLOCKS 1000	/* of memory, for each size */

static void
take_time(void)
{
	while (clock() < (clock_t)ENOUGH * CLOCKS_PER_SEC)
		;
}

/* Down to small blocks: what follows finds none. */
static void
take_memory(void)
{
	static void *volatile last;

	for (size_t size = 1 << 20; size > 16; size /= 2)
		for (int i = 0; i < BLOCKS && (last = malloc(size)) != NULL; i++)
			;
}

static void
take_all(const char *word)
{
	const char *bytes = strchr(word, ':');
	struct stat st;

	if (bytes == NULL || fstat(STDIN_FILENO, &st) != 0 || st.st_size != atoll(bytes + 1))
		return;
	if (strncmp(word, "time:", 5) == 0)
		take_time();
	else
		take_memory();
}

static void
say_maps(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	bool both = false;

	while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
		both |= strstr(line, " rwx") != NULL;
	fprintf(stderr, "%s\n", maps == NULL ? "no maps" : both ? "written and executed" : "written or executed");
	if (maps != NULL)
		fclose(maps);
}

/* CHILD: not the program, but the process that reads a profile for it; elf: the one that reads the ELF files, which gets them by a socket. */
static bool
is_chosen(const char *child)
{
	int type = 0;
	socklen_t n = sizeof type;
	bool elf = child != NULL && getsockopt(3, SOL_SOCKET, SO_TYPE, &type, &n) == 0 && type == SOCK_SEQPACKET;

	return getpid() == first ? child == NULL : child != NULL && elf == (strcmp(child, "elf") == 0);
}

bool
__wrap_sandbox_enter(struct sandbox *s, struct err *err)
{
	char *words = getenv("MISBEHAVE");
	const char *greedy = getenv("GREEDY");
	bool whole, chosen;

	chosen = is_chosen(getenv("CHILD"));
	folder = getenv("FOLDER");
	if (getenv("MAPS") != NULL)
		say_maps();
	whole = __real_sandbox_enter(s, err);
	if (!chosen)
		return whole;
	if (greedy != NULL)
		take_all(greedy);
	if (words != NULL)
		misbehave(words);
	return whole;
}

/* ---- other kernels ---------------------------------------------------------------- */

#define FILTER_MOST 4096
#define CLONE3 435	/* on all machines */

/* Calls that are not listed end the process, except those that the C library is known to try, and not to need. */
static long
confine_strictly(long flags, const struct sock_fprog *p)
{
	static struct sock_filter code[FILTER_MOST + 3] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CLONE3, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
	};
	struct sock_fprog strict = { (unsigned short)(p->len + 3), code };

	if (p->len == 0 || p->len > FILTER_MOST || p->filter[p->len - 1].k != (SECCOMP_RET_ERRNO | ENOSYS))
		abort();
	memcpy(code + 3, p->filter, p->len * sizeof *code);
	code[p->len + 2].k = SECCOMP_RET_KILL_PROCESS;
	return __real_syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &strict);
}

long
__wrap_syscall(long number, ...)
{
	const char *most = getenv("LANDLOCK");
	long a, b, c, d, result;
	va_list ap;

	va_start(ap, number);
	a = va_arg(ap, long);
	b = va_arg(ap, long);
	c = va_arg(ap, long);
	d = va_arg(ap, long);
	va_end(ap);
	if (number == SYS_seccomp && getenv("STARVED") != NULL) {
		errno = ENOMEM;
		return -1;
	}
	/* There is a thread that has a filter of its own. */
	if (number == SYS_seccomp && getenv("APART") != NULL)
		return getpid() + 1;
	if (number == SYS_seccomp && getenv("STRICT") != NULL)
		return confine_strictly(b, (const struct sock_fprog *)c);
	result = __real_syscall(number, a, b, c, d);
	return number == 444 && a == 0 && most != NULL && result > atol(most) ? atol(most) : result;
}

static void
forbid(unsigned number, unsigned error)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { NELEM(code), code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		abort();
}

/* Something is refused that nobody does. */
static void
confine_often(int times)
{
	uint64_t fifos = 1 << 10;
	int fd = (int)__real_syscall(444, &fifos, sizeof fifos, 0);

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	while (fd >= 0 && times-- > 0)
		__real_syscall(446, fd, 0);
	close(fd);
}

static void
forbid_all(char *words)
{
	static const struct { const char *name; unsigned number; } calls[] = {
		{ "landlock:", 444 }, { "restrict:", 446 }, { "seccomp:", SYS_seccomp }, { "prctl:", SYS_prctl }, { "openat2:", 437 }
	};
	char *rest = words;

	for (const char *word; (word = strtok_r(rest, " ", &rest)) != NULL;)
		for (size_t i = 0; i < NELEM(calls); i++)
			if (strncmp(word, calls[i].name, strlen(calls[i].name)) == 0)
				forbid(calls[i].number, (unsigned)atoi(word + strlen(calls[i].name)));
}

__attribute__((constructor)) static void
begin(void)
{
	char *words = getenv("FORBID");
	const char *layers = getenv("LAYERS");

	if (words != NULL)
		forbid_all(words);
	if (layers != NULL)
		confine_often(atoi(layers));
}
