/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* called: how methods, threads and moments are shown and read. */
#ifndef ICECORE_CALLED_H
#define ICECORE_CALLED_H

#include "icecore/records.h"

/* Appends a class as named in the file, with dots instead of slashes. */
void	class_name(struct str, struct buf *);
/* "class.name" with dots, or "<unknown method 0x...>".  Raw bytes, not yet fitted. */
void	method_name(const struct store *, uint32_t method, struct buf *);
/* "thread 17" when nameless. */
void	thread_name(const struct store *, uint32_t thread, struct buf *);
/* The name in the file of a thread that it lists in that row, from 1; name: its COL_LISTED_THREAD. */
struct str thread_listed_name(const struct store *, uint64_t listed, uint64_t name);
/*
 * The displayed name, followed by the tid if threads share the name: "java 103"; "java 100/103" if tids
 * repeat.
 */
void	thread_label(const struct store *, uint32_t thread, struct buf *);
/* Makes thread.alike of threads in their order; whoever makes their table calls it.  It sorts them. */
struct thread_called {
	uint64_t	tid, name, listed;	/* tid, name and row, as in the columns thread.* */
	uint32_t	thread;			/* from 0; it is filled in */
};
bool	threads_alike(struct store *, struct thread_called *, uint32_t n, struct err *) MUST_USE;
/*
 * Append thread_label for folded stacks; if --threads named other threads, an unnamed one is "java-100/103".
 */
void	thread_folded(const struct store *, uint32_t thread, struct buf *);
/* Other names of a thread, the last first: "a, b". */
void	thread_earlier(const struct store *, uint32_t thread, struct buf *);
/* Origin of a thread's name: "tid" or "name" (--threads, found by id or by name), "file", or "". */
const char *thread_by(const struct store *, uint32_t thread);
/* Return the thread's state in a thread dump of --threads; or empty. */
struct str thread_state(const struct store *, uint32_t thread);
/* Topmost method of a thread, its class with dots. */
struct str thread_top(const struct store *, uint32_t thread);

/* Return the obfuscated name of a method that a mapping file renamed; otherwise empty. */
struct str method_obfuscated(const struct store *, uint32_t method);
/* False for the placeholder of samples without frames. */
bool	method_named(const struct store *, uint32_t method);
/* Whether the CPU time of any call is known, in a trace with a CPU clock. */
bool	method_has_cpu(const struct store *, uint32_t method);
/* Append the method's name with the kind mark of folded stacks, "foo_[k]"; nothing if it is not named. */
void	method_folded(const struct store *, uint32_t method, struct buf *);
/* 0, or 'k', 'j', 'i', 'c', 'w', 'a': listed.kind. */
char	method_kind(const struct store *, uint32_t method);
const char *kind_word(char);	/* "kernel"; NULL: none has that letter */
struct str method_module(const struct store *, uint32_t method);	/* "": unknown */
struct str method_file(const struct store *, uint32_t method);	/* "": unknown */
/* "(ILjava/lang/String;)V" or "(int, a.B)"; "": unknown. */
struct str method_signature(const struct store *, uint32_t method);
/* " (libc.so.6)" of its path, nothing of none; appends. */
void	module_told(struct str module, struct buf *);
/* " (int, String)", nothing of none; appends. */
void	signature_told(struct str signature, struct buf *);
/* Appends the part that distinguishes methods of the same name: the module, otherwise the signature. */
void	method_apart(const struct store *, uint32_t method, struct buf *);

/*
 * Makes "Binder:*_*" of "Binder:12_3" from byte from on: * for numbers, and for hexadecimal ones that are
 * words.
 */
void	name_pool(struct buf *, size_t from);

/* Ticks to nanoseconds, saturating. */
uint64_t trace_ns(const struct store *, uint64_t ticks);
bool	trace_has_clock(const struct store *, enum clock);
/* The call trees are made of samples.  If the file also has calls, that is so only in a view of an event. */
bool	trace_is_profile(const struct store *);

/*
 * Moments: "14:03:10", optionally with ".345" and a date: "2026-11-22T14:03:10", or with a blank; UTC unless
 * an offset follows, e.g. "+02:00".  zero: ns since 1970 at time 0 of the file; 0: unknown.
 */
/* Length of a day in ns: in longer files, moments need a date. */
#define MOMENTS_DAY (UINT64_C(86400) * 1000000000)
bool	moment_is(struct str);
uint64_t moment_zero(const struct store *);
/*
 * Converts a moment to a time of the file; moments before its start become 0.  False: invalid, the file has
 * no zero, or a date is needed.
 */
bool	moment_read(const struct store *, struct str, uint64_t *ns, struct err *);
/* False, with the time of the file in err: nothing of the file is between these times, which were moments. */
bool	moments_within(const struct store *, uint64_t from, uint64_t to, struct err *);
/* "14:03:12.345Z", or "2026-11-22T14:03:12.345Z"; appends. */
void	moment_show(uint64_t ns, bool dated, struct buf *);

/* Thread of a call, by binary search, for stores without call.thread. */
uint32_t call_thread(const struct store *, uint32_t call);

#endif
