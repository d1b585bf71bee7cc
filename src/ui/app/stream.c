/*
 * stream: a scheduler trace that is still being written to a pipe: the panes follow it, every second a snapshot.
 */
#include "config.h"

#include <sys/stat.h>

#include <string.h>
#include <unistd.h>

#include "room.h"

enum { FIRST_MS = 300, READ_MS = 80 };

#define SNAPSHOT_NS 1000000000u

/* A file that was given to standard input has its end: it is read as a whole. */
static bool
is_pipe(const struct ui *ui)
{
	struct stat	st;

	return strcmp(ui->opt->path, "-") == 0 && fstat(STDIN_FILENO, &st) == 0 &&
	    (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
}

/* What is known by now, with the names that other files tell. */
static bool
take(struct ui *ui, struct store **out, struct work *work, struct err *err)
{
	return live_store(ui->stream.live, out, err) && load_sides(out, *out, &ui->opt->sides, work, err);
}

bool
stream_open(struct ui *ui, struct work *work, struct err *err)
{
	struct stream	*s = &ui->stream;

	if (!is_pipe(ui))
		return true;
	if (s->live == NULL && !live_open(&s->live, STDIN_FILENO, work, err))
		return false;
	if (s->live == NULL)
		return true;
	s->shown = os_now();
	return live_read(s->live, FIRST_MS, &s->end, work, err) &&
	    take(ui, &ui->loaded, work, err);
}

/* ---- snapshot after snapshot ------------------------------------------------ */

static bool
run(struct task *task, struct work *work, struct err *err)
{
	struct stream	*s = &task->ui->stream;

	if (!live_read(s->live, READ_MS, &s->end, work, err))
		return false;
	return (!s->end && os_now() - s->shown < SNAPSHOT_NS) ||
	    take(task->ui, &s->snapshot, work, err);
}

/* Who stops it keeps what was read until then. */
static void
stop(struct ui *ui, const struct err *why)
{
	struct stream	*s = &ui->stream;
	struct err	 err;

	s->ended = true;
	if (why->kind != E_CANCEL || (s->snapshot == NULL && !take(ui, &s->snapshot, NULL, &err)))
		ui_fail(ui, why);
	else
		ui_say(ui, "stopped reading; this is what came until now");
}

static void
done(struct task *task, bool ok, const struct err *err)
{
	struct ui	*ui = task->ui;
	struct stream	*s = &ui->stream;

	s->ended = s->end;
	if (!ok)
		stop(ui, err);
	else if (s->ended)
		ui_say(ui, "the input has ended; this is all of it");
	if (s->snapshot == NULL)
		return;
	s->shown = os_now();
	ui_swap_store(ui, s->snapshot);
	s->snapshot = NULL;
}

void
stream_go(struct ui *ui)
{
	struct stream	*s = &ui->stream;

	if (!stream_runs(ui) || s->task.given)
		return;
	s->task.run = run;
	s->task.done = done;
	task_give(ui, &s->task);
}

bool
stream_runs(const struct ui *ui)
{
	return ui->stream.live != NULL && !ui->stream.ended && ui->state == LOAD_DONE;
}

void
stream_end(struct ui *ui)
{
	struct store	*st, *below;

	task_drop(&ui->stream.task);
	live_close(ui->stream.live);
	ui->stream.live = NULL;
	for (st = ui->stream.snapshot; st != NULL; st = below) {
		below = store_below(st);
		store_close(st);
	}
	ui->stream.snapshot = NULL;
}
