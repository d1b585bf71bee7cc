/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * states: what threads do is called and drawn by one table, whatever the format: Stack chart, Timeline, lists,
 * legends and queries.
 */
#include "config.h"

#include <string.h>

#include "icecore/sums.h"

/*
 * Words of ART as Nanoscope's viewer has them, then those of the kernel's scheduler, of method traces and of
 * recordings.
 */
static const struct state_look {
	const char		*name;
	enum state_class	 class;
	char			 letter;
	const char		*word;		/* what it is called everywhere */
	bool			 waits;		/* a time in it is a wait */
	enum time_kind		 kind;		/* where its time counts */
} words[] = {
	{ "Runnable", STATE_RUNNING, 'R', "running", false, KIND_RUN },
	{ "Native", STATE_NATIVE, 'N', "native", true, KIND_SLEEP },
	{ "Object.wait()", STATE_SLEEPING, 'W', "wait", true, KIND_SLEEP },
	{ "Sleeping", STATE_SLEEPING, 'S', "sleep", true, KIND_SLEEP },
	{ "MonitorBlocked", STATE_BLOCKED, 'B', "blocked", true, KIND_MONITOR },
	{ "GCWait", STATE_BLOCKED, 'G', "gc", true, KIND_GC },
	{ "Suspended", STATE_BLOCKED, 'U', "suspended", true, KIND_SLEEP },
	{ "DebugWait", STATE_BLOCKED, 'd', "debugger", true, KIND_SLEEP },
	{ "JNILoadWait", STATE_BLOCKED, 'J', "JNI load", true, KIND_SLEEP },
	{ "SignalWait", STATE_SLEEPING, 'I', "signal", true, KIND_SLEEP },
	{ "DeoptWait", STATE_BLOCKED, 'O', "deopt", true, KIND_SLEEP },
	{ "TraceWait", STATE_BLOCKED, 'T', "trace", true, KIND_SLEEP },
	{ "Starting", STATE_OTHER, '+', "starting", true, KIND_SLEEP },
	{ "Terminated", STATE_OTHER, 'X', "dead", false, KIND_NONE },
	{ "Unknown", STATE_OTHER, '?', "unknown", true, KIND_SLEEP },
	{ "running", STATE_RUNNING, 'R', "running", false, KIND_RUN },
	{ "off CPU", STATE_SLEEPING, '.', "off CPU", true, KIND_SLEEP },
	{ "runnable", STATE_RUNNABLE, 'r', "runnable", true, KIND_RUNQ },
	{ "preempted", STATE_RUNNABLE, 'p', "preempted", true, KIND_RUNQ },
	{ "sleeping", STATE_SLEEPING, 'S', "sleep", true, KIND_SLEEP },
	{ "disk sleep", STATE_BLOCKED, 'D', "disk", true, KIND_DISK },
	{ "stopped", STATE_OTHER, 'T', "stopped", true, KIND_SLEEP },
	{ "traced", STATE_OTHER, 't', "traced", true, KIND_SLEEP },
	{ "dead", STATE_OTHER, 'X', "dead", false, KIND_NONE },
	{ "zombie", STATE_OTHER, 'Z', "zombie", false, KIND_NONE },
	{ "parked", STATE_SLEEPING, 'P', "parked", true, KIND_SLEEP },
	{ "idle", STATE_SLEEPING, 'I', "idle", true, KIND_SLEEP },
	/* Stack dumps. */
	{ "io", STATE_BLOCKED, 'K', "io", true, KIND_SLEEP },
	{ "native", STATE_NATIVE, 'N', "native", true, KIND_SLEEP },
	{ "blocked", STATE_BLOCKED, 'B', "blocked", true, KIND_MONITOR },
	{ "waiting", STATE_SLEEPING, 'W', "waiting", true, KIND_SLEEP },
	{ "timed", STATE_SLEEPING, 'w', "timed", true, KIND_SLEEP },
	{ "suspended", STATE_BLOCKED, 'U', "suspended", true, KIND_SLEEP },
	{ "sleep", STATE_SLEEPING, 'S', "sleep", true, KIND_SLEEP },
	{ "carrying", STATE_RUNNING, 'C', "carrying", false, KIND_RUN },
	{ "new", STATE_OTHER, '+', "new", true, KIND_SLEEP },
	{ "unknown", STATE_OTHER, '?', "unknown", true, KIND_SLEEP },
	/* Recordings. */
	{ "Parked", STATE_SLEEPING, 'P', "parked", true, KIND_SLEEP },
	{ "Socket", STATE_BLOCKED, 'K', "socket", true, KIND_SOCKET },
	{ "File", STATE_BLOCKED, 'D', "file", true, KIND_DISK },
	{ "Pinned", STATE_BLOCKED, 'V', "pinned", true, KIND_SLEEP },
	{ "Pause", STATE_BLOCKED, 'G', "GC pause", false, KIND_GC },
};

static const struct state_look *
states_word_of(const char *name)
{
	for (size_t i = 0; i < NELEM(words); i++)
		if (strcmp(words[i].name, name) == 0)
			return &words[i];
	return NULL;
}

enum state_class
state_class(const struct store *st, uint32_t state)
{
	const struct state_look *w = states_word_of(state_name(st, state));

	return w == NULL ? STATE_OTHER : w->class;
}

const char *
state_word(const struct store *st, uint32_t state)
{
	const char *name = state_name(st, state);
	const struct state_look *w = states_word_of(name);

	return w != NULL ? w->word : name;
}

const char *
state_wait(const struct store *st, uint32_t state)
{
	const char *name = state_name(st, state);
	const struct state_look *w = states_word_of(name);

	return name[0] == '\0' || (w != NULL && !w->waits) ? NULL : w != NULL ? w->word : name;
}

enum time_kind
state_kind_of(const char *name)
{
	const struct state_look *w = states_word_of(name);

	return w == NULL ? KIND_SLEEP : w->kind;
}

enum time_kind
state_kind(const struct store *st, uint32_t state)
{
	return state_kind_of(state_name(st, state));
}

char
state_letter(const struct store *st, uint32_t state)
{
	const char *name = state_name(st, state);
	const struct state_look *w = states_word_of(name);

	if (name[0] == '\0')
		return ' ';
	return w != NULL ? w->letter : name[0] > ' ' && name[0] <= '~' ? name[0] : '?';
}
