/*
 * legend: what bars, letters and colours of Chart and Timeline mean, of those that are there.
 */
#include "config.h"

#include "time.h"
#include "timeline.h"

static void
add(struct items *items, const char *sample, enum role role, const char *what)
{
	struct remark	*item = items_add(items, str_of(sample), str_of(what), STR(""));

	if (item != NULL)
		item->role = role;
}

static void
add_states(const struct time_pane *t, uint64_t states, struct items *items)
{
	char	letter[2] = "";

	for (uint32_t i = 0; i < 64 && i < states_count(t->st); i++)
		if (states >> i & 1) {
			letter[0] = state_letter(t->st, i);
			add(items, letter, state_role(state_class(t->st, i)), state_name(t->st, i));
		}
}

void
time_legend_items(struct pane *p, struct items *items)
{
	struct time_pane	*t = p->data;
	uint64_t		 states = 0;
	bool			 bars = false, tasks = false;

	if (!t->ready)
		return;
	for (size_t i = 0; i < t->nlanes; i++) {
		states |= t->lane[i].st == t->st ? lane_states(&t->lane[i]) : 0;
		bars |= t->lane[i].track.kind != TRACK_STATE && t->lane[i].track.kind != TRACK_TASK;
		tasks |= t->lane[i].track.kind == TRACK_TASK;
	}
	frames_legend(&t->f, items);
	if (bars)
		add(items, screen_utf8() ? "\xe2\x96\x81\xe2\x96\x83\xe2\x96\x85\xe2\x96\x88" : "1359", ROLE_NORMAL,
		    "value of the track; CPU: full bar is 100%, others: most in the window");
	if (tasks)
		add(items, "a", ROLE_HUE, "first letter of the task that runs on the CPU");
	add_states(t, states, items);
	if (t->bordered)
		add(items, "+", ROLE_MATCH, "a display frame begins");
}

void
timeline_legend_items(struct pane *p, struct items *items)
{
	static const struct { enum cell_mark mark; const char *what; } marks[] = {
		{ MARK_BLANK, "not there, or nothing is known" }, { MARK_ALIVE, "alive, no CPU" }, { MARK_RUNQ, "run-queue wait" }, { MARK_DISK, "uninterruptible sleep (disk)" },
		{ MARK_MONITOR, "monitor blocked" }, { MARK_GC, "GC wait" },
	};
	struct timeline	*t = p->data;
	struct buf	 bars = BUF_INIT;

	for (unsigned m = MARK_BAR; m < MARK_RUNQ; m++)
		buf_str(&bars, str_of(mark_text((enum cell_mark)m)));
	if (!bars.bad && timeline_has_cpu(t))
		add(items, bars.s, mark_role(MARK_BAR), "CPU use of the cell: above 0, from 1, 2, 5, 10, 20, 40, 70%");
	for (size_t i = 0; i < NELEM(marks); i++)
		if (timeline_has_mark(t, marks[i].mark))
			add(items, marks[i].mark == MARK_BLANK ? "blank" : mark_text(marks[i].mark), mark_role(marks[i].mark),
			    marks[i].mark == MARK_ALIVE && !timeline_has_cpu(t) ? "waiting for most of the cell" : marks[i].what);
	buf_free(&bars);
}
