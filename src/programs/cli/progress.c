/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * progress: show progress on a terminal, and handle interrupts.
 */
#include "config.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "icecore/ending.h"
#include "cli.h"

struct work progress_work;
static bool shown;

static void
show_work(struct work *w)
{
	struct buf b = BUF_INIT;

	work_text(w, true, &b);
	if (b.n > 0 && !b.bad)
		fprintf(stderr, "\r%-79.79s", b.s);
	buf_free(&b);
	shown = true;
}

void
progress_show(bool show)
{
	progress_work.show = show && isatty(STDERR_FILENO) ? show_work : NULL;
}

void
progress_end(void)
{
	if (shown)
		fprintf(stderr, "\r%79s\r", "");
	shown = false;
}

/* The first interrupt cancels the work, the second ends the program. */
static void
on_interrupt(int sig)
{
	if (atomic_exchange(&progress_work.cancel, true))
		ending_now(sig, NULL);
}

static void
catch_interrupt(void)
{
	struct sigaction sa = { .sa_handler = on_interrupt }, old;

	/* A shell may ignore SIGINT for background jobs: leave it ignored. */
	if (sigaction(SIGINT, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
		sigaction(SIGINT, &sa, NULL);
}

void
progress_begin(bool show)
{
	catch_interrupt();
	work_init(&progress_work, NULL);
	progress_work.final = true;
	progress_show(show);
	work_of_thread(&progress_work);
}
