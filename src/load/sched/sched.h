/*
 * What the parts of the scheduler text loader share: lines as they are read, and the tables made of them.
 */
#ifndef LOAD_SCHED_H
#define LOAD_SCHED_H

#include <assert.h>
#include <string.h>

#include "icecore/bytes.h"
#include "icecore/sched.h"
#include "icecore/make.h"

/* ---- lines ----------------------------------------------------------------- */

enum sched_kind {
	SCHED_NONE,		/* no event */
	SCHED_OTHER,		/* an event that says nothing of tasks */
	SCHED_BAD,		/* one that should, and cannot be read */
	SCHED_SWITCH,
	SCHED_WAKE,
	SCHED_EXIT,		/* of task */
	SCHED_MARK,		/* text: "B|12|name" */
	SCHED_LEVEL,		/* of the CPU: frequency; value */
	SCHED_LOST,		/* value: so many events are missing */
	SCHED_RAN,		/* perf sched timehist: from ran for value until time, and waited delay for a CPU before */
	SCHED_KINDS
};

/* All texts point into the line. */
struct sched_line {
	enum sched_kind	kind;
	uint64_t	time;		/* ns */
	uint64_t	value, delay;
	uint32_t	cpu;
	uint32_t	tid, pid;	/* of the line itself; pid 0: not known */
	uint32_t	from, to;	/* of a switch; to: who is woken, or ends */
	uint8_t		state;		/* the letter of from */
	uint8_t		irq;		/* the third flag of the line: the letter of an interrupt; 0: no flags */
	uint8_t		wake;		/* enum wake_kind */
	bool		failed;		/* of a wakeup: nobody was woken */
	uint16_t	target;		/* of a wakeup: the CPU that the payload tells; or SWITCH_NO_CPU */
	struct str	name;		/* of tid, with the blanks before it */
	struct str	from_name, to_name;
	struct str	text;		/* of a mark */
};

/*
 * How many of the eight bytes before s[n] are decimal digits, counted from the last one; *values: of all eight, where they are.
 * Numbers are of any length, so that a loop would mostly end where nobody expects it.
 */
static inline size_t
sched_back_digits(const char *s, size_t n, uint64_t *values)
{
	uint64_t v = le64((const uint8_t *)s + n - 8) ^ 0x3030303030303030, others;

	/* Of a digit nothing reaches the high bit. */
	others = (((v & 0x7f7f7f7f7f7f7f7f) + 0x7676767676767676) | v) & 0x8080808080808080;
	*values = v;
	return others == 0 ? 8 : (size_t)__builtin_clzll(others) / 8;
}

/* Takes digits that are a number of 32 bits from the end of s[0 .. *n - 1]. */
static inline __attribute__((always_inline)) bool
sched_back_number(const char *s, size_t *n, uint32_t *v)
{
	uint64_t value = 0, unit = 1;
	size_t from = *n, digits = from < 8 ? 8 : sched_back_digits(s, from, &value);

	if (digits < 8) {
		value = digits == 0 ? 0 : value >> (64 - 8 * digits) << (64 - 8 * digits);
		/* To pairs of digits, then all of these at once. */
		value = value * 10 + (value >> 8);
		value = (value & 0xff000000ff) * ((uint64_t)1000000 << 32 | 100) + (value >> 16 & 0xff000000ff) * ((uint64_t)10000 << 32 | 1);
		*v = (uint32_t)(value >> 32);
		*n -= digits;
		return digits > 0;
	}
	value = 0;

	for (; *n > 0 && is_digit(s[*n - 1]); --*n) {
		/* No number of 32 bits has more digits, and ten of them cannot overflow here. */
		if (from - *n >= 10)
			return false;
		value += (uint64_t)(s[*n - 1] - '0') * unit;
		unit *= 10;
	}
	*v = (uint32_t)value;
	return *n < from && value <= UINT32_MAX;
}

/* Of tid, without the blanks before it; empty where it is not known. */
static inline struct str
sched_line_name(const struct sched_line *l)
{
	struct str name = str_trim(l->name);

	if (name.n == 5 && memcmp(name.s, "<...>", 5) == 0)
		name.n = 0;
	return name;
}

/* line: without its end. */
void	sched_read(struct str line, struct sched_line *);
/* Payloads; false: they cannot be read. */
bool	sched_switch(struct str rest, struct sched_line *);
bool	sched_wake(struct str rest, struct sched_line *);
bool	sched_frequency(struct str rest, struct sched_line *);
/* Lines that say how many events are missing. */
bool	sched_lost(struct str line, struct sched_line *);
/* Scheduler text that can be taken line by line, by its first bytes. */
bool	sched_sniff_live(const uint8_t *head, size_t n);

#define SCHED_TIME_MAX ((uint64_t)1 << 56)	/* ns; two years */
#define SCHED_CPUS SWITCH_NO_CPU		/* CPUs have smaller numbers */

/* ---- threads ----------------------------------------------------------------- */

#define TIDS_DIRECT (1u << 22)		/* as many as Linux has; larger ones go through a map */

#define NAME_START 16		/* names that the kernel gives are shorter */

/* One cache line. */
struct sched_thread {
	uint32_t	tid, pid;
	struct str	name;
	char		start[NAME_START];	/* of name, to be compared at hand */
	uint32_t	earlier;	/* the name before, in names; 0: none */
	uint32_t	depth;		/* calls of marks that are open */
	bool		ended;		/* its name may be another's from here on */
	bool		told;		/* a payload told its name, and not only what stands in front of lines */
};

struct sched_earlier {
	struct str	name;
	uint32_t	before;
};

/* Empty when all zeros. */
struct sched_threads {
	struct scratch	threads;	/* struct sched_thread */
	struct scratch	direct;		/* u32 by tid */
	struct idmap	others;
	struct scratch	names;		/* struct sched_earlier */
	uint64_t	nthreads, ndirect, nnames, renames, reused;
};

void	sched_threads_close(struct sched_threads *);
uint32_t sched_thread_new(struct sched_threads *, uint32_t tid, struct err *);
bool	sched_thread_rename(struct sched_threads *, uint32_t thread, struct str name, struct err *);
/* listed.tid, listed.pid, listed.thread, listed.before, listed.earlier; names lie in text. */
bool	sched_threads_columns(const struct sched_threads *, struct store *, const char *text, struct err *);

static inline struct sched_thread *
sched_thread_at(const struct sched_threads *t, uint32_t thread)
{
	assert(thread != 0 && thread <= t->nthreads);
	return &SCRATCH(t->threads, struct sched_thread)[thread - 1];
}

/* 0: failure; tid is not 0. */
static inline uint32_t
sched_thread_of(struct sched_threads *t, uint32_t tid, struct err *err)
{
	uint32_t n = tid < t->ndirect ? SCRATCH(t->direct, uint32_t)[tid] : 0;

	assert(tid != 0);
	return n != 0 ? n : sched_thread_new(t, tid, err);
}

/* The same n bytes, at least 8 and at most 16 of them, without a call. */
static inline bool
sched_same(const char *a, const char *b, size_t n)
{
	assert(n >= 8 && n <= 16);
	return memcmp(a, b, 8) == 0 && memcmp(a + n - 8, b + n - 8, 8) == 0;
}

static inline bool
sched_thread_is(const struct sched_thread *t, struct str name)
{
	if (name.n != t->name.n)
		return false;
	if (name.n - 8 <= NAME_START - 8)
		return sched_same(t->start, name.s, name.n);
	return memcmp(name.n < 8 ? t->start : t->name.s, name.s, name.n) == 0;
}

/* It leaves a CPU: who it belongs to, and whether it ends, is told by the line. */
static inline void
sched_thread_left(struct sched_thread *t, const struct sched_line *l)
{
	if (l->pid != 0 && l->tid == l->from)
		t->pid = l->pid;
	t->ended = t->ended || l->state == 'X' || l->state == 'Z' || l->state == 'x';
}

/* What a payload calls it; an empty name says nothing. */
static inline bool
sched_thread_named(struct sched_threads *t, uint32_t thread, struct str name, struct err *err)
{
	struct sched_thread *th = sched_thread_at(t, thread);

	if (name.n == 0)
		return true;
	if (!th->told)
		th->name.n = 0;
	th->told = true;
	return sched_thread_is(th, name) || sched_thread_rename(t, thread, name, err);
}

/* What stands in front of a line is from a table that may be out of date: it counts until a payload tells. */
static inline bool
sched_thread_called(struct sched_threads *t, uint32_t thread, struct str name, struct err *err)
{
	struct sched_thread *th = sched_thread_at(t, thread);

	return name.n == 0 || th->told || sched_thread_is(th, name) ||
	    sched_thread_rename(t, thread, name, err);
}

/* ---- marks of user space --------------------------------------------------------- */

/* A track of values: a counter, how many of an asynchronous kind are open, the frequency of a CPU. */
struct sched_series {
	struct str	name;
	uint32_t	owner;		/* pid; of a CPU its number + 1 */
	uint8_t		kind;		/* enum series_kind: sched.h of include/icecore */
	uint64_t	open;
};

struct sched_point {
	uint64_t	time, value;
	uint32_t	series;
};

struct sched_event {
	uint64_t	time;
	uint32_t	word, tid;
};

/* Empty when all zeros. */
struct sched_marks {
	struct scratch	events;		/* struct sched_event */
	struct scratch	points;		/* struct sched_point */
	struct scratch	series;		/* struct sched_series */
	struct scratch	names;		/* struct str: of calls */
	struct idmap	by_name, by_series;
	uint64_t	nevents, npoints, nseries, nnames;
	uint64_t	instants, unknown, negative, unopened;
	bool		has_realtime;
	uint64_t	realtime, realtime_at;	/* ns, and when it was told */
};

void	sched_marks_close(struct sched_marks *);
/* One mark, with the calls that are open in its thread; or a level of a CPU. */
bool	sched_mark(struct sched_marks *, const struct sched_line *, uint32_t *depth, struct err *);
bool	sched_level(struct sched_marks *, const struct sched_line *, struct err *);
/* listed.method ..., event.*, segment.*, series.*, level.*; names lie in text. */
bool	sched_marks_columns(const struct sched_marks *, struct store *, const char *text, struct err *);
/* All times count from base. */
void	sched_marks_begin(struct sched_marks *, uint64_t base);

/* ---- switches -------------------------------------------------------------------------- */

struct sched_row {
	uint64_t	time;
	uint32_t	from, to;
	uint32_t	row;		/* while it is sorted: as it stands in the file */
	uint16_t	cpu;
	uint8_t		state;
};

/* switch.*, of rows of struct sched_row. */
bool	sched_switch_columns(struct store *, struct make_rows, struct err *);

#endif
