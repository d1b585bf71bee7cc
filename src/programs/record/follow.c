/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * follow: while a recording is made, the overview of what it has so far, every two seconds.
 *
 * Another icecore, confined as always, reads what is recorded; this process shows only its text.
 */
#include "config.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "live.h"

#define RENEW_NS 2000000000u
#define SLICE_MS 100
#define TEXT_MOST 65536u

/* There is one terminal. */
static struct {
	struct other_program	reader;
	int			out;		/* its output; -1: it does not run */
	uint64_t		began, next, drawn;
	struct buf		text;		/* the last overview */
	char			told[512];	/* why there is none yet, fitted */
} shown = { .reader = { .said = -1 }, .out = -1 };

bool
follow_file(int from, int *fd, struct err *err)
{
	char path[40];

	snprintf(path, sizeof path, "/proc/self/fd/%d", from);
	*fd = open(path, O_RDONLY | O_CLOEXEC);
	return *fd >= 0 || fail_errno(err, "cannot read the recording");
}

/* ---- the overview ---------------------------------------------------------------- */

static void
follow_tell(struct str why)
{
	(void)text_fit(shown.told, sizeof shown.told, why);
	shown.next = os_now() + RENEW_NS;
	shown.drawn = 0;
}

static void
follow_ask(struct recording *r)
{
	static const char *const argv[] = { "icecore", "--no-index", "-o", "table", "-e", "overview", "--", "-", NULL };
	struct err err = { .kind = E_NONE };
	int fd = -1;
	bool ok = r->so_far(r, &fd, &err);

	if (ok) {
		shown.out = system_memory_file(TEXT_MOST);
		ok = (shown.out >= 0 || fd_temporary(&shown.out, NULL, &err)) &&
		    other_start(&shown.reader, NULL, argv, fd, shown.out, &err);
	}
	if (fd >= 0)
		close(fd);
	if (!ok)
		follow_tell(str_of(err.text));
}

static void
follow_take(void)
{
	struct buf text = BUF_INIT;
	int status = 0;

	if (other_runs(&shown.reader, &status))
		return;
	if (lseek(shown.out, 0, SEEK_SET) == 0 && read_most(shown.out, TEXT_MOST, &text))
		shown.out = -1;
	follow_tell(STR("nothing to show yet"));
	if (status == 0 && text.n > 0 && !text.bad) {
		buf_free(&shown.text);
		shown.text = text;
	} else
		buf_free(&text);
	other_end(&shown.reader);
}

/* ---- the screen -------------------------------------------------------------------- */

static void
follow_draw(const struct recording *r)
{
	struct buf b = BUF_INIT, fitted = BUF_INIT;
	struct str rest = buf_view(&shown.text), line;
	char time[NUM_TEXT];
	size_t rows, cols;

	if (os_now() - shown.drawn < RENEW_NS / 2)
		return;
	shown.drawn = os_now();
	live_size(&rows, &cols);
	num_show_duration(time, sizeof time, ((shown.drawn - shown.began) / 1000000000u + 1) * 1000000000u);
	buf_printf(&b, "\033[H\033[1mrecord %s", r->o->kind->word);
	if (r->o->pid != 0)
		buf_printf(&b, " of %ld (%s)", (long)r->target.pid, r->target.name);
	buf_printf(&b, ": the first %s\033[0m\033[K\r\n", time);
	if (rest.n == 0)
		rest = str_of(shown.told);
	for (size_t i = 2; i < rows; i++) {
		buf_clear(&fitted);
		if (str_split(&rest, '\n', &line))
			text_fit_buf(&fitted, line);
		buf_str(&b, str_head(buf_view(&fitted), text_cut(buf_view(&fitted), cols, NULL)));
		buf_str(&b, STR("\033[K\r\n"));
	}
	buf_str(&b, STR("q: end the recording, and open it\033[K"));
	if (!b.bad && !fitted.bad)
		(void)!write(STDOUT_FILENO, b.s, b.n);
	buf_free(&fitted);
	buf_free(&b);
}

bool
follow_begin(struct recording *r, bool (*so_far)(struct recording *, int *fd, struct err *), void *made,
    struct err *err)
{
	if (!r->o->live)
		return true;
	r->made = made;
	shown.began = os_now();
	shown.next = shown.began + RENEW_NS / 2;
	if (!live_enter(err))
		return false;
	r->so_far = so_far;
	return true;
}

bool
follow_wait(struct recording *r, uint64_t until)
{
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };
	uint64_t now;

	if (r->so_far == NULL)
		return stop_wait(until);
	do {
		if (shown.out >= 0)
			follow_take();
		else if (os_now() >= shown.next)
			follow_ask(r);
		follow_draw(r);
		now = os_now();
		if (poll(&p, 1, now >= until ? 0 : until - now < SLICE_MS * 1000000u ?
		    (int)((until - now) / 1000000u) + 1 : SLICE_MS) > 0 && live_key() == LIVE_QUIT && record_stop == 0)
			record_stop = SIGINT;
	} while (record_stop == 0 && os_now() < until);
	return record_stop == 0;
}

void
follow_end(struct recording *r)
{
	if (r->so_far == NULL)
		return;
	r->so_far = NULL;
	live_leave();
	other_end(&shown.reader);
	if (shown.out >= 0)
		close(shown.out);
	shown.out = -1;
	buf_free(&shown.text);
}
