/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tell: what the lines of stack dumps mean, by what their readers took of them.
 *
 * A reader may take a line late, when it sees the next ones, so spans wait until the next thread begins.
 * Known words and numbers stay as well in a line with spans.  Nothing stays of a line that was not read.
 */
#include "config.h"

#include <assert.h>

#include "icecore/scan.h"
#include "forms.h"
#include "text.h"

enum {
	WAITING_MOST = 65536,	/* spans of lines outside of threads */
	ADDRESS_LEAST = 8	/* digits of an address without 0x */
};

/* Marks about a line rather than a part of it. */
static const char was_read[] = "line", other[] = "unread line";

/* Words of heads, states and reports of all forms.  Points and T only divide the rows. */
static const char words[] =
    " T Full thread dump OpenJDK Java HotSpot Bit Server Client VM mixed mode sharing interpreted emulated Thread "
    "thread ."
    " T Threads threads virtual daemon prio os_prio cpu elapsed tid nid id Id allocated defined_classes lwp_id "
    "runnable ."
    " T waiting on condition for monitor entry in Object wait sleeping suspended at breakpoint initialized zombie not "
    "attached ."
    " T native running None none the is a an to by java lang State NEW RUNNABLE BLOCKED WAITING TIMED_WAITING "
    "TERMINATED ."
    " T object parking locked lock re eliminated unknown held owned owner holding which Locked ownable synchronizers ."
    " T synchronizer Class initialization blocked Carrying Carrier Mounted carrier Found one Level level deadlock "
    "deadlocks ."
    " T total Total waitForNotify JNI global refs weak ref FULL THREAD DUMP JavaThread bytes num instances class count "
    "."
    " T Compiling No compile task Number of goroutine goroutines gp m mp nil chan receive send select cases no IO sync "
    "Mutex ."
    " T Lock RWMutex RLock WaitGroup Wait Cond semacquire sleep syscall minutes minute idle dead copystack preempted "
    "scan GC ."
    " T worker sweep scavenge finalizer trace reader debug call force labels runtime error index out range with length "
    "slice ."
    " T bounds invalid memory address pointer dereference concurrent map writes read write close closed channel gc "
    "created ."
    " T profile fp sp pc durable synctest fatal error panic all are asleep Fatal Python Timeout SIGABRT SIGSEGV "
    "SIGQUIT SIGBUS ."
    " T SIGFPE SIGILL SIGSTOP SIGTRAP SIGTERM SIGINT Segmentation fault Aborted Program terminated with signal LWP "
    "process ."
    " T from pyspy Process active gil Current most recent call first File line Binary stop reason stopped queue name "
    "frame ."
    " T artificial inlined lldb bt backtrace GLIBC_2 pid PID TID sysTid end cmd Cmd ms s Backtrace stopped previous "
    "inner this ."
    " T corrupt stack More frames follow DALVIK THREADS Runnable Blocked Waiting TimedWaiting Native Suspended "
    "Terminated ."
    " T Starting Sleeping WaitingForGcToComplete MONITOR WAIT TIMED_WAIT VMWAIT STARTING INITIALIZING NATIVE SUSPENDED "
    "ZOMBIE ."
    " T Subject top app background foreground KB ."
    " T group sCount ucsCount flags obj self dsCount nice cgrp default sched handle state schedstat utm stm core HZ "
    "stack ."
    " T stackSize held mutexes shared mutator S R D T Z X I t fully quiesced prologue Waited hex BuildId offset pc00 "
    "kernel ."
    " T mutex rw proc SysRq PC father but ."
    " T SECTION TITLE LOCKS THREADS subcomponent dump routine Date Dump Event user gpf abort systhrow Deadlock "
    "detected Details Anonymous ."
    " T J9VMThread omrthread_t j9thread_t sys_thread_t TID state CW B P ID getId isDaemon true false ."
    " T priority policy UNKNOWN vmstate vm CPU usage secs Waiting Parked Owned by Initializing entered entry unowned "
    "JRE build VM Compiled Code ."
    " T _java_thread_list _to_delete_list elements JVM Extension modules leaked goroutineleak threadcreate ."
    " T erl_crash_dump proc proc_stack Slogan System version Erlang OTP erts Name Spawned as Message length counter "
    "SReturn addr y ."
    " T Running Scheduled Garbing Exiting Mon Tue Wed Thu Fri Sat Sun Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec ."
    " T API GetReport FatalError OOMError Exception Signal Unavailable ."
    " T INFO more than seconds likely ppid tgid task_flags sysrq Show semaphore writer BUG UID Pid comm ."
    " T Comm Tainted Not tainted Kdump RIP EIP watchdog NMI Oops WARNING IRQ EOI Monitor Interpreted ."
    " T bci _thread_blocked _thread_in_java IN_NATIVE IN_JAVA IN_VM Stack dumped code ERROR ."
    " T AddressSanitizer ThreadSanitizer MemorySanitizer LeakSanitizer UndefinedBehaviorSanitizer ."
    " T HWAddressSanitizer READ WRITE Read Write Previous size freed here previously main panicked ."
    " T AndroidRuntime FATAL EXCEPTION IN SYSTEM PROCESS Caused Process beginning DEBUG crash_dump64 crash_dump32 E F "
    "W I D V ."
    " T SIGTRAP SIGILL Internal Error Out Memory Problematic frame JRE Runtime Environment insufficient continue ."
    " T JavaThread VMThread WatcherThread GCTaskThread ConcurrentGCThread WorkerThread CompilerThread _thread_in_vm "
    "_thread_new ."
    " T _thread_in_native _thread_uninitialized frames compiled interpreted Vv C J j Other VM_Operation Time UTC "
    "coroutine task ."
    " T awaiter chain detected A There has been memory v c1 c2 current time seconds ."
    " T Crashed Dispatch Type Images crashed Suspend Teb Unfrozen OS Child SP IP Call Site STACK ."
    " T GCFrame HelperMethodFrame HelperMethodFrame_1OBJ HelperMethodFrame_2OBJ InlinedCallFrame ."
    " T DebuggerU2MCatchHandlerFrame PrestubMethodFrame Coroutines Coroutine RUNNING CREATED ."
    " T StandaloneCoroutine DeferredCoroutine Active pool script_filename Sigdump status run rb php rs ."
    " T cs roots Freed Allocated null n .";

/* Words in front of numbers, which may end a line. */
static const char counted[] =
    " Thread thread goroutine line LWP TID PID pid tid ID process Process signal Signal ."
    " T code at end total count length threads VM build J ."
    " T Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec .";

/* Lines that are the same in all dumps. */
static const char *const lines[] = {
	"Locked ownable synchronizers:", "- None", "No compile task", "Found one Java-level deadlock:",
	    "Found a total of 9 deadlocks.", "Found 9 deadlock.",
	"Found 9 deadlocks.", "Found a total of 9 deadlock.", "stack backtrace:", "backtrace:",
	    "Child SP               IP Call Site",
	"# Child-SP          RetAddr           Call Site", "=============================",
	    "===================================================",
	"Java stack information for the threads listed above:", "JNI global refs: 9, weak refs: 9",
	    "JNI global references: 9", "JNI global refs: 9", "Heap",
	"9-9-9 9:9:9", "9:", "Found one Java-level deadlock", "===== END OF THREAD DUMP",
	    "Current thread's C stack trace (most recent call first):",
	    "Threads class SMR info:", "Debugger attached successfully.", "Server compiler detected.",
	    "Client compiler detected.", "Deadlock Detection:", "No deadlocks found.",
	    "Attaching to process ID 9, please wait...",
	"[originating from goroutine 9]:",
	"goroutine running on other thread; stack unavailable", "...additional frames elided...",
	    "...9 frames elided...", "...", "No symbol table info available.",
	"(More stack frames follow...)",
	    "Backtrace stopped: previous frame inner to this frame (corrupt stack?)",
	    "(no managed stack frames)",
	"(no native stack)", "Found deadlock:", "No locals.", "<no Python frame>",
	    "#9 <signal handler called>", "Fatal Python error: Aborted",
	"Fatal Python error: Segmentation fault", "Timeout (9:9:9)!", "Process 9 stopped",
	"kernel: (couldn't read /proc/self/task/9/stack)"
};

void
dumps_tell(struct dumps_in *in, struct str s, enum meaning means, const char *path)
{
	const struct in_join *join = SCRATCH(in->meaning.joins, struct in_join);
	const struct buf *b = &in->name_buf;
	size_t at, end;

	if (in->meaning.to == NULL || s.n == 0)
		return;
	if (in->meaning.njoins == 0 || b->n == 0 || s.s < b->s || s.s > b->s + b->n) {
		telling_span(in->meaning.to, s, means, path);
		return;
	}
	/* Pieces of joined lines. */
	at = (size_t)(s.s - b->s);
	end = at + s.n;
	for (uint64_t i = 0; i < in->meaning.njoins; i++, join++) {
		size_t from = at > join->at ? at : join->at, to = end < join->at + join->n ? end :
		    join->at + join->n;

		if (from < to)
			telling_span(in->meaning.to,
			    (struct str){ join->from + (from - join->at), to - from }, means, path);
	}
}

void
dumps_tell_name(struct dumps_in *in, struct str s, const char *path)
{
	const struct buf *b = &in->name_buf;

	if (in->meaning.to == NULL || s.n == 0)
		return;
	if (in->meaning.njoins > 0 && b->n > 0 && s.s >= b->s && s.s <= b->s + b->n)
		dumps_tell(in, s, telling_is_data(s) ? MEANT_TEXT : MEANT_WORDS, path);
	else
		telling_name(in->meaning.to, s, path);
}

static bool
tell_is_hex(struct str s)
{
	return s.n > 0 && s.n <= 16 && str_hexes(s) == s.n;
}

/* Threads have decimal ids of up to 15 digits; longer addresses have letters, or zeros in front. */
static bool
tell_is_card(struct str s)
{
	enum { ID_MOST = 15 };

	return s.n > ID_MOST && s.s[0] != '0' && str_digits(s) == s.n;
}

void
dumps_tell_id(struct dumps_in *in, struct str s)
{
	struct str rest = s;
	uint64_t v;

	if (in->meaning.to == NULL || tell_is_card(s))
		return;
	if (text_all_digits(s) || (text_take_hex(&rest, &v) && rest.n == 0) ||
	    (tell_is_hex(s) && s.n >= ADDRESS_LEAST))
		dumps_tell(in, s, MEANT_FORM, "id");
	else if (str_divide_last(s, '@', &rest, &s) && tell_is_hex(s))
		dumps_tell(in, s, MEANT_FORM, "id");
}

void
dumps_tell_words(struct dumps_in *in, struct str s)
{
	dumps_tell(in, str_head(s, 1), MEANT_FORM, was_read);
}

void
dumps_tell_other(struct dumps_in *in)
{
	struct str line = { in->meaning.line, 1 };

	if (in->meaning.to == NULL || in->meaning.line >= in->text.s + in->text.n)
		return;
	telling_span(in->meaning.to, line, MEANT_TEXT, other);
	if (!in->in_thread && in->meaning.to->n > WAITING_MOST)
		dumps_tell_lines(in, in->meaning.line);
}

/* JSON: a text with escapes of letters is reported whole, or not at all. */
static bool
has_letters(struct str raw)
{
	for (size_t i = 0; i < raw.n; i++)
		if (raw.s[i] == '\\' && (++i == raw.n || memchr("\"/\\", raw.s[i], 3) == NULL))
			return true;
	return false;
}

void
dumps_tell_member(struct dumps_in *in, struct str raw, enum meaning means, const char *path)
{
	if (in->meaning.to == NULL || raw.n == 0)
		return;
	if (has_letters(raw)) {
		if (means != MEANT_TEXT && means != MEANT_FORM)
			dumps_tell(in, raw, means == MEANT_WORDS ? MEANT_NAME : means, path);
	} else if (means == MEANT_WORDS)
		dumps_tell_name(in, raw, path);
	else if (means == MEANT_FORM) {
		scan(&raw, "-");
		dumps_tell_id(in, raw);
	} else
		dumps_tell(in, raw, means, path);
}

/* ---- lines ------------------------------------------------------------------------------- */

/* "2026-11-25T04:14:46.123Z", "04:14:46,123", "[2026/11/25": the digits of a date or of a time of day. */
static bool
tell_is_time(struct str s)
{
	enum { NANOSECONDS = 9 };	/* digits */
	bool time = false;
	size_t n;

	while (s.n > 0 && is_one_of(s.s[0], "[("))
		s = str_after(s, 1);
	for (size_t i = 0; i < s.n; i += n + (n == 0)) {
		n = str_digits(str_after(s, i));
		if (n > NANOSECONDS || (n == 0 && !is_one_of(s.s[i], ":.,/-+TZ])")))
			return false;
		time |= n == 2 && i + 4 < s.n && s.s[i + 2] == ':' && str_digits(str_after(s, i + 3)) == 2;
		time |= n == 4 && i == 0 && s.n >= 10 && is_one_of(s.s[4], "-/") && str_digits(str_after(s, 5)) == 2 &&
		    s.s[7] == s.s[4] && str_digits(str_after(s, 8)) == 2;
	}
	return time;
}

/* A word of a prefix: its letters are a name, its digits may be an account. */
static void
dumps_tell_prefix(struct tells *t, struct str word)
{
	bool time = tell_is_time(word);

	for (size_t i = 0, n; i < word.n; i += n) {
		n = str_digits(str_after(word, i));
		if (n > 0) {
			if (!time)
				telling_span(t, str_head(str_after(word, i), n), MEANT_DIGITS, "prefix of a log");
			continue;
		}
		while (i + n < word.n && !is_digit(word.s[i + n]))
			n++;
		telling_span(t, str_head(str_after(word, i), n), MEANT_WHO, "prefix of a log");
	}
}

/* Prefixes of logs. */
static void
dumps_tell_prefixes(struct tells *t, struct lines l)
{
	struct str line, prefix, word;

	if (l.prefix.n == 0)
		return;
	for (const char *from = l.rest.s; lines_next(&l, &line); from = l.rest.s)
		for (prefix = (struct str){ from, (size_t)(line.s - from) }; str_split(&prefix, ' ', &word); )
			dumps_tell_prefix(t, word);
}

/* The spans of the line up to end; marks about it go. */
static void
dumps_look_at_spans(struct tells *t, uint64_t start, uint64_t from, uint64_t end, bool *taken, bool *unread)
{
	struct meant_part *p = SCRATCH(t->spans, struct meant_part);

	*taken = *unread = false;
	for (uint64_t i = t->next; i < t->n && p[i].at < end; i++) {
		*unread |= p[i].path == other && p[i].at >= start;
		*taken |= p[i].path != other && p[i].at >= from;
		if (p[i].path == was_read || p[i].path == other)
			p[i].n = 0;
	}
}

static void
dumps_tell_line(struct dumps_in *in, struct str prefix, struct str line)
{
	struct tells *t = in->meaning.to;
	uint64_t from = (uint64_t)(line.s - in->s.source);
	bool taken, unread;

	if (prefix.n > 0)
		telling_piece(t, prefix, " ", TELL_LOOSE);
	t->counted = counted;
	dumps_look_at_spans(t, from - prefix.n, from, from + line.n, &taken, &unread);
	if (!telling_line(t, line, lines, NELEM(lines)) && taken)
		telling_piece(t, line, words, unread ? TELL_NO_NUMBERS : TELL_LOOSE | TELL_CLOSE | TELL_SHORT);
	t->counted = NULL;
}

static void
dumps_tell_text(struct dumps_in *in, struct str text)
{
	struct lines l = lines_of(text);
	struct str line;

	l.prefix = in->lines.prefix;
	dumps_tell_prefixes(in->meaning.to, l);
	telling_sort(in->meaning.to);
	for (const char *from = text.s; !in->meaning.to->bad && lines_next(&l, &line); from = l.rest.s)
		dumps_tell_line(in, (struct str){ from, (size_t)(line.s - from) }, line);
}

/* ---- JSON -------------------------------------------------------------------------------- */

/* A word outside of strings must stay one, whatever it means. */
static void
dumps_tell_bare(struct tells *t, struct str s)
{
	static const char *const constants[] = { "true", "false", "null" };
	const struct meant_part *p = SCRATCH(t->spans, struct meant_part);
	uint64_t at = (uint64_t)(s.s - t->text.s), i = t->next;
	size_t n = 0;

	while (i < t->n && (p[i].at < at ||
	    (p[i].at < at + s.n && (p[i].means != MEANT_FORM || p[i].path == was_read))))
		i++;
	while (n < s.n && (is_digit(s.s[n]) || memchr(".eE+-", s.s[n], 5) != NULL))
		n++;
	if (str_is_one(constants, NELEM(constants), s) || (i < t->n && p[i].at < at + s.n))
		telling_whole(t, s, MEANT_FORM, "constant or number");
	else if (n == s.n)
		telling_whole(t, s, MEANT_DIGITS, "number");
}

/* The string is one of JSON, and no escape of a letter is between its spans, where its mark would stay. */
static bool
tell_is_safe(const struct tells *t, struct str s)
{
	const struct meant_part *p = SCRATCH(t->spans, struct meant_part);
	uint64_t at = (uint64_t)(s.s - t->text.s), end = at + s.n;

	for (uint64_t i = t->next; i < t->n && p[i].at < end; i++) {
		if (p[i].at < at)
			continue;
		if (has_letters((struct str){ t->text.s + at, (size_t)(p[i].at - at) }))
			return false;
		at = p[i].at + p[i].n;
	}
	return memchr(s.s, '\n', s.n) == NULL &&
	    (at >= end || !has_letters((struct str){ t->text.s + at, (size_t)(end - at) }));
}

/* Marks stay, and what readers took of strings and numbers. */
static void
dumps_tell_json(struct dumps_in *in, struct str text)
{
	struct json j = { .base = text.s, .size = text.n };
	struct tells *t = in->meaning.to;
	const char *from = text.s;
	bool taken, unread, quoted;
	struct str s;
	uint64_t at;
	char c;

	telling_sort(t);
	while (!t->bad && ((c = scan_peek(&j)) != '\0' || j.at < j.size)) {
		if (is_one_of(c, "{}[],:")) {
			j.at++;
			continue;
		}
		quoted = c == '"';
		if (!scan_word(&j, &s))
			break;
		at = (uint64_t)(s.s - in->s.source);
		telling_piece(t, (struct str){ from, (size_t)(s.s - from) }, "", TELL_NO_NUMBERS);
		from = s.s + s.n;
		dumps_look_at_spans(t, at, at, at + s.n, &taken, &unread);
		if (!quoted)
			dumps_tell_bare(t, s);
		else if (taken && tell_is_safe(t, s))
			telling_piece(t, s, words, 0);
	}
	telling_piece(t, (struct str){ from, (size_t)(text.s + text.n - from) }, "", TELL_NO_NUMBERS);
}

void
dumps_tell_lines(struct dumps_in *in, const char *at)
{
	struct tells *t = in->meaning.to;
	struct meant_part *p;
	struct str text;
	uint64_t end;

	if (t == NULL || at < in->s.source + in->meaning.reported || at > in->text.s + in->text.n)
		return;
	while (!in->json && at > in->s.source + in->meaning.reported && at < in->text.s + in->text.n &&
	    at[-1] != '\n')
		at--;
	end = (uint64_t)(at - in->s.source);
	text = (struct str){ in->s.source + in->meaning.reported, end - in->meaning.reported };
	assert(in->meaning.reported <= end && end <= in->text.n + (size_t)(in->text.s - in->s.source));
	if (in->json)
		dumps_tell_json(in, text);
	else
		dumps_tell_text(in, text);
	in->meaning.reported = end;
	in->bad = in->bad || t->bad;
	p = SCRATCH(t->spans, struct meant_part);
	while (t->next < t->n && p[t->next].at < end)
		t->next++;
	if (t->next > 0 && t->n > t->next)
		memmove(p, p + t->next, (size_t)(t->n - t->next) * sizeof *p);
	t->n -= t->next;
	t->next = 0;
}
