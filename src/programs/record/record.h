/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/programs/record: what the kinds of recordings share.
 */
#ifndef RECORD_H
#define RECORD_H

#include <signal.h>
#include <sys/types.h>

#include "icecore/args.h"
#include "icecore/os.h"
#include "icecore/policy.h"
#include "icecore/record.h"
#include "icecore/system.h"

/* ---- options.c: the command line --------------------------------------------------------------------- */

struct recording;

/* A kind of recording: a row of record_kinds, and a bit of the options that it has. */
struct record_kind {
	const char	*word, *operands, *what;
	bool		 adb;		/* recording of an Android device */
	bool		 pid, time;	/* operands it takes */
	bool		 live;		/* takes --live */
	bool		 timed, either;	/* the time is not optional; --all replaces the process */
	/* describe, record, and set the path of the result */
	bool		(*run)(struct recording *, struct err *);
};

extern const struct record_kind record_kinds[];
extern const size_t record_nkinds;

struct record_options {
	const struct record_kind	*kind;
	const char		*out, *settings, *on_oom, *package, *serial, *operand[3];
	size_t			 noperands;
	struct args_list	 queries, rest;		/* rest: after --, for the explorer */
	uint64_t		 time, every;		/* ns; 0: not given */
	uint64_t		 timeout;		/* ns */
	unsigned		 n, hz, cpu;		/* cpu: from 1; 0: all */
	pid_t			 pid;
	bool			 all, report, no_open, dry_run, live;
	unsigned		 help;			/* enum args_helped */
};

bool	record_options_read(struct record_options *, int argc, char **argv, struct err *) MUST_USE;
const struct record_kind *record_kind_of(const char *word, bool adb);	/* NULL: there is none */
bool	fail_kind(const char *word, bool adb, struct err *);	/* naming the known ones */
void	record_options_free(struct record_options *);
void	record_help(const struct record_kind *, unsigned helped);	/* NULL: of all kinds */

/* ---- stop.c: signals that end a recording early ---------------------------------------------------------- */

extern volatile sig_atomic_t record_stop;

void	stop_catch(void);
bool	stop_wait(uint64_t until);	/* wait until that os_now; false: a signal came */
/*
 * After the last wait: whether the recording is kept, that is, no signal came, or only an interrupt.  A later
 * signal interrupts the rest.
 */
bool	stop_keeps(struct recording *, struct err *);

/* ---- target.c: a process ---------------------------------------------------------------------------------- */

enum jvm_kind { JVM_NONE, JVM_HOTSPOT, JVM_OPENJ9 };
#define TARGET_NAME 64
#define TARGET_HIDDEN (-2)

struct process {
	pid_t			 pid;
	/* Root directory of the process, and /tmp; -1: this user may not see them. */
	int			 root, tmp;
	unsigned		 nspid, threads;
	uint32_t		 uid, gid;
	enum jvm_kind		 jvm;
	/* The process handles SIGQUIT, so that the signal does not end it. */
	bool			 catches;
	bool			 kernel;	/* a thread of the kernel */
	uint64_t		 ran, started;	/* ns of CPU time; ns from the start of the machine */
	uint64_t		 patience;	/* ns that it may take to answer */
	uint64_t		 until;		/* os_now at which it has taken too long: attach_begin */
	/* Name of the main class or the program; letters, digits, _ and -. */
	char			 name[TARGET_NAME];
	struct buf		 command;	/* the command line */
	struct buf		 bytes;		/* for the counters */
	struct jvm_counters	 counters;
};

#define TARGET_NONE ((struct process){ .root = -1, .tmp = -1 })

/* False: no such process exists.  Missing rights do not count as an error.  Close it in any case. */
bool	target_look(struct process *, pid_t, struct err *) MUST_USE;
void	target_close(struct process *);
/* Close its directories only; tmp is TARGET_HIDDEN if this user could not open them. */
void	target_leave(struct process *);
uint64_t target_ran(pid_t);		/* CPU time in ns; 0: no such process */
/* Whether requests can be sent to it; otherwise what to do instead. */
bool	target_takes(const struct process *, struct err *);
/* Whether absolute paths of this process and of the target mean the same files. */
bool	target_shares_files(const struct process *);
/*
 * Append no more than about that many bytes of a file, and close it; false: it cannot be read, or fd is -1.
 */
bool	read_most(int fd, size_t most, struct buf *);
/* The first line that is not empty, without blanks at its ends. */
struct str first_line(struct str text);
bool	proc_read(pid_t, const char *name, struct buf *);
bool	proc_read_machine(const char *name, struct buf *);	/* a file of /proc itself */
void	user_name(uint32_t uid, char *name, size_t size);

/* ---- attach.c: requests to a JVM ---------------------------------------------------------------------------- */

/*
 * The time for answers begins now.  All requests until the next call share it, and no byte of an answer extends
 * it: call it once for what the user asked, and after waits that are not for answers.
 */
void	attach_begin(struct process *);
/*
 * Send a request: a command and up to three arguments, then NULL.  *fd is the socket of the answer; poll it
 * for the end of the work.
 */
bool	attach_send(const struct process *, const char *const *request, int *fd, struct err *) MUST_USE;
/* Call it again and again during a wait.  False: the process is stopped, or has taken too long. */
struct attach_wait {
	uint64_t	moved, running;	/* when it did last; 0: the wait begins */
	bool		told;
};
bool	attach_waits(const struct process *, struct attach_wait *, struct err *) MUST_USE;
/* Read the answer until its end, and close fd.  False: the JVM refused, with its words, or a signal came. */
bool	attach_take(const struct process *, int fd, struct buf *answer, struct err *) MUST_USE;
/* Read such an answer: text is its rest behind the code; false: the JVM refused.  Any bytes are safe. */
bool	attach_answer(const struct process *, struct str all, struct str *text, struct err *) MUST_USE;
/* Send and take. */
bool	attach_ask(const struct process *, const char *const *request, struct buf *answer,
    struct err *) MUST_USE;

/* ---- other.c: other programs ------------------------------------------------------------------------------------ */

struct other_program {
	pid_t	pid;		/* 0: it does not run */
	int	said;		/* standard error, a file without a name, in memory if possible; -1: none */
};

#define OTHER_NONE ((struct other_program){ .said = -1 })

/*
 * Start it, this program if path is NULL, with that input and output, -1: none.  It ends with this process.
 *  Call other_end in any case.
 */
bool	other_start(struct other_program *, const char *path, const char *const *argv, int in, int out,
    struct err *) MUST_USE;
bool	other_runs(struct other_program *, int *status);	/* status as in wait(2), once it has ended */
/* by a signal; kill it if it does not end for long */
void	other_stop(struct other_program *, int sig, int *status);
/* append the start of its standard error */
void	other_said(const struct other_program *, size_t most, struct buf *);
/* E_SYSTEM: what failed, and the first line of its standard error, or how it ended by that status. */
bool	other_failed(const struct other_program *, const char *what, int status, struct err *);
void	other_end(struct other_program *);

/* ---- result.c: the file of the recording --------------------------------------------------------------------- */

/* A recording that is being made. */
struct recording {
	const struct record_options	*o;
	struct process		 target;
	struct buf		 path;		/* the result; empty: nothing to open */
	struct buf		 names;		/* a dump with names of its threads; empty: none */
	struct buf		 typed;		/* keys for the explorer; empty: none */
	int			 stopped;	/* signal that ended it early */
	/* With --live: open what is recorded so far, for reading; made: what that needs. */
	bool			 (*so_far)(struct recording *, int *fd, struct err *);
	void			*made;
};

/* ---- follow.c: --live, the overview of what is recorded so far -------------------------------------------- */

/* Without --live, only follow_wait does something: it is stop_wait.  q ends the recording, as an interrupt does. */
bool	follow_begin(struct recording *, bool (*so_far)(struct recording *, int *fd, struct err *), void *made,
    struct err *) MUST_USE;
bool	follow_wait(struct recording *, uint64_t until);
void	follow_end(struct recording *);
/* a file that is being written, with a position of its own */
bool	follow_file(int from, int *fd, struct err *) MUST_USE;

/* Set r->path: -o, or a name by the process and time.  False: it exists. */
bool	result_name(struct recording *, const char *name, const char *ending, struct err *) MUST_USE;
/* Whether the file system of the result has room for that many bytes.  *free: its free bytes. */
bool	result_fits(const struct recording *, uint64_t bytes, uint64_t *free, struct err *) MUST_USE;
/* Print one line; hostile parts are made harmless. */
void	record_say(const char *, ...) __attribute__((format(printf, 1, 2)));
/* Add to an error that the disk of the result is full, if it is; false. */
bool	result_failed(const struct recording *, struct err *);
/*
 * Read the result once, in a process that is confined as always, and say what was written.  False: it is
 * damaged, or not readable.
 */
bool	result_tell(struct recording *, struct err *) MUST_USE;
/* Replace this process by icecore with the result; false: that failed. */
bool	result_open(struct recording *, struct err *) MUST_USE;

/* ---- jvmfile.c: files that a JVM writes ------------------------------------------------------------------------ */

/* A file with a temporary name, next to the result or in /tmp of the JVM. */
struct jvm_file {
	int		 directory;	/* -1: none */
	char		*name, *noted;
	struct buf	 path;		/* path that the JVM sees */
	bool		 direct;	/* next to the result: a rename is enough */
};

#define JVM_FILE_NONE ((struct jvm_file){ .directory = -1, .path = { NULL, 0, 0, false } })

/* Whether /tmp of the JVM has room, if the file goes there. */
bool	jvm_file_fits(const struct recording *, uint64_t bytes, struct err *) MUST_USE;
bool	jvm_file_begin(struct jvm_file *, const struct recording *, struct err *) MUST_USE;
/* Make it the result.  False: it is not what the JVM should have written, or a signal came. */
bool	jvm_file_take(struct jvm_file *, const struct recording *, struct err *) MUST_USE;
int	jvm_file_open(const struct jvm_file *, const struct recording *, struct err *);	/* -1: as for jvm_file_take */
uint64_t jvm_file_size(const struct jvm_file *);	/* so far; 0: there is none */
bool	jvm_file_remove(struct jvm_file *);	/* false: there is none */
void	jvm_file_end(struct jvm_file *);	/* remove it if it is still there */

/*
 * ---- oom.c: heap dumps at the end of a JVM ------------------------------------------------------------------------
 */

/*
 * Print what to set up for dumps in a directory, or a class for an app; the operands are its package and a
 * URL.
 */
bool	record_oom(const struct record_options *, struct err *);
#define OOM_ANDROID "android"		/* in place of a directory */
extern const char record_oom_android_java[];	/* the class; made from oom_android.java */

/* ---- for tests: answers of a JVM -------------------------------------------------------------------------------- */

uint64_t heap_info_used(struct str answer);	/* bytes, of the answer to GC.heap_info */
/* The number of an active recording, of the answer to JFR.check; false: there is none. */
bool	jfr_running(struct str answer, uint64_t *number);
/* The next active recording of an icecore in such lines, of which *rest is the rest; false: there is none. */
#define JFR_NAME 80
struct jfr_owned {
	char		name[JFR_NAME];
	uint64_t	pid, started, space;	/* space: namespace of process ids */
};
bool	jfr_owned(struct str *rest, struct jfr_owned *);

/* ---- kinds ------------------------------------------------------------------------------------------------------ */

bool	record_heap(struct recording *, struct err *);
bool	record_histogram(struct recording *, struct err *);
bool	record_threads(struct recording *, struct err *);
bool	record_jfr(struct recording *, struct err *);
bool	record_cpu(struct recording *, struct err *);
bool	record_sched(struct recording *, struct err *);	/* with a process: only its switches */
uint64_t switch_rate(void);	/* switches a second of the machine; measuring takes a moment */
bool	record_offcpu(struct recording *, struct err *);
bool	record_adb_heap(struct recording *, struct err *);
bool	record_adb_trace(struct recording *, struct err *);
bool	record_adb_threads(struct recording *, struct err *);
bool	record_adb_perfetto(struct recording *, struct err *);

#endif
