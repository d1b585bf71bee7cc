/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stop: signals that end a recording early. The recording then undoes what it did to the process and the
 * machine.
 */
#include "config.h"

#include <errno.h>
#include <poll.h>

#include "record.h"

#define SLICE 100	/* ms: a signal may come just before poll */

volatile sig_atomic_t record_stop;

static void
on_record_stop(int sig)
{
	record_stop = sig;
}

void
stop_catch(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction sa = { .sa_handler = on_record_stop }, old;

	for (size_t i = 0; i < NELEM(signals); i++)
		if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(signals[i], &sa, NULL);
}

bool
stop_wait(uint64_t until)
{
	uint64_t now = os_now(), left;

	for (; record_stop == 0 && now < until; now = os_now()) {
		left = (until - now) / 1000000u + 1;
		(void)poll(NULL, 0, left < SLICE ? (int)left : SLICE);
	}
	return record_stop == 0;
}

bool
stop_keeps(struct recording *r, struct err *err)
{
	int sig = record_stop;

	if (sig != 0)
		r->stopped = sig;
	record_stop = 0;
	return r->stopped == 0 || r->stopped == SIGINT || fail_cancel(err);
}
