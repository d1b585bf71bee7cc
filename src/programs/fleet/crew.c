/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * crew: run several children in parallel; rows are written in the order in which children end.
 */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "icecore/thread.h"
#include "child.h"

#define LOOK_MS 100	/* time between checks while children are silent */

volatile sig_atomic_t fleet_stop;

static void
on_stop(int sig)
{
	fleet_stop = sig;
}

void
fleet_catch(void)
{
	struct sigaction sa = { .sa_handler = on_stop };

	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
}

struct crew {
	struct row_file			*out;
	const struct fleet_options	*o;
	const struct path_list		*names;
	struct triage_tally			*tally;
	struct child			*child;
	struct pollfd			*poll;		/* two for each child */
	size_t				 n, running;
	/* that the children may use, and that those that run may */
	uint64_t			 memory, granted;
	uint64_t			 next;		/* index into the names */
	bool				 shown;		/* a progress line on the terminal must be ended */
};

static size_t
choose_jobs(const struct fleet_options *o)
{
	return o->jobs <= 0 ? cores_count() : o->jobs < 1024 ? (size_t)o->jobs : 1024;
}

/* Whether there is memory for the next dump beside those that are read. */
static bool
crew_has_room(const struct crew *c)
{
	struct stat st;

	if (c->running == 0 || c->o->jobs > 0 || !below_stat(c->o, names_get(c->names, c->next), &st))
		return true;
	return num_add(c->granted, fleet_limits(c->o, (uint64_t)st.st_size).memory) <= c->memory;
}

static void
show_progress(struct crew *c)
{
	c->shown = isatty(STDERR_FILENO);
	if (c->shown)
		fprintf(stderr, "\r%llu of %llu dumps ", (unsigned long long)(c->next - c->running),
		    (unsigned long long)c->names->n);
}

static bool
put_block(struct crew *c, const char *name, struct triage_block *b, struct err *err)
{
	enum triage_state state = TRIAGE_CRASH;
	bool ok = c->out->take != NULL ? c->out->take(c->out->to, name, b, err) :
	    piece_keep(&c->out->dir, b, err) && out_put(c->out, c->o, b, err);

	(void)triage_state_of(triage_text(&b->dump, "state"), &state);
	c->tally->state[state] += ok;
	triage_drop(b);
	return ok;
}

/* Write the row of a dump that cannot be opened, without starting a child. */
static bool
put_unopened(struct crew *c, const struct ident *id, const char *name, unsigned attempt, struct err *err)
{
	char hash[HASH_TEXT];
	struct triage_block b = { .findings.n = 0 };
	struct triage_row own;

	row_of_dump(&own, id, name_shown(c->o, name, hash), id->other ? TRIAGE_UNREADABLE : TRIAGE_SYSTEM,
	    str_of(id->why));
	triage_put_count(&own, "findings", 0);
	triage_put_count(&own, "attempt", attempt);
	triage_fill(&b.dump, triage_dump, &own, NULL);
	triage_row_free(&own);
	return put_block(c, name, &b, err);
}

/* Start a child for the next name without a row. All names before it need none. */
static bool
start_next(struct crew *c, struct child *child, struct err *err)
{
	char hash[HASH_TEXT];
	struct ident id;
	const char *name;
	unsigned attempt;

	while (c->next < c->names->n && child->pid == 0 && crew_has_room(c)) {
		name = names_get(c->names, c->next);
		ident_open(&id, c->o, name, name_shown(c->o, name, hash));
		attempt = out_attempt(c->out, id.key);
		c->tally->all++;
		if (attempt == 0)
			c->tally->skipped++;
		if (attempt == 0 && id.fd >= 0)
			close(id.fd);
		if (attempt > 0 && id.fd < 0 && !put_unopened(c, &id, name, attempt, err))
			return false;
		if (attempt > 0 && id.fd >= 0) {
			*child = (struct child){ .out = -1, .err = -1, .name = c->next, .ident = id,
			    .attempt = attempt };
			if (!child_start(child, c->o, name, err)) {
				child_kill(child);
				return false;
			}
			c->running++;
			c->granted += child->limits.memory;
		}
		c->next++;
	}
	return true;
}

static bool
take_child(struct crew *c, struct child *child, struct err *err)
{
	struct triage_block b = { 0 };
	bool runs;

	child_read(child, true);
	child_read(child, false);
	child_check(child, os_now());
	if (!child_take(child, c->o, names_get(c->names, child->name), &b, &runs, err))
		return runs;
	c->running--;
	c->granted -= child->limits.memory;
	show_progress(c);
	return put_block(c, names_get(c->names, child->name), &b, err);
}

static void
wait_some(struct crew *c)
{
	bool quiet = false;

	for (size_t i = 0; i < c->n; i++) {
		bool runs = c->child[i].pid != 0;

		c->poll[2 * i] = (struct pollfd){ .fd = runs ? c->child[i].out : -1, .events = POLLIN };
		c->poll[2 * i + 1] = (struct pollfd){ .fd = runs ? c->child[i].err : -1, .events = POLLIN };
		quiet |= runs && c->child[i].out < 0 && c->child[i].err < 0;
	}
	/* A child whose pipes are both closed is about to end: poll briefly. */
	(void)poll(c->poll, (nfds_t)(2 * c->n), quiet ? 1 : LOOK_MS);
}

bool
crew_run(struct row_file *out, const struct fleet_options *o, const struct path_list *names,
    struct triage_tally *tally, struct err *err)
{
	struct crew c = { .out = out, .o = o, .names = names, .tally = tally, .n = choose_jobs(o),
	    .memory = system_memory() };
	bool ok;

	c.n = c.n < names->n || names->n == 0 ? c.n : (size_t)names->n;
	c.child = mem_array(c.n, sizeof *c.child);
	c.poll = mem_array(2 * c.n, sizeof *c.poll);
	ok = (c.child != NULL && c.poll != NULL) || fail(err, E_SYSTEM, "out of memory (%zu children)", c.n);
	for (size_t i = 0; ok && i < c.n; i++)
		c.child[i].out = c.child[i].err = c.child[i].ident.fd = -1;
	while (ok && fleet_stop == 0 && (c.next < names->n || c.running > 0)) {
		for (size_t i = 0; ok && i < c.n; i++)
			ok = (c.child[i].pid == 0 || take_child(&c, &c.child[i], err)) &&
			    (c.child[i].pid != 0 || fleet_stop != 0 || start_next(&c, &c.child[i], err));
		if (ok && c.running > 0)
			wait_some(&c);
		ok = ok && out_sync_due(out, err);
	}
	/* Children that are still running are killed below and have no row. */
	tally->all -= c.running;
	if (c.shown)
		fputc('\n', stderr);
	for (size_t i = 0; c.child != NULL && i < c.n; i++)
		child_kill(&c.child[i]);
	free(c.child);
	free(c.poll);
	return out_sync(out, ok ? err : NULL) && ok;
}
