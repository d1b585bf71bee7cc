/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs scenarios, each in a process of its own, so many at a time:
 *
 *   run_scen [--board avr|pc|both] [--elf FILE] [--seed N] [-j N] [--seconds N] [--list] [NAME...]
 *
 * A NAME may be the beginning of one.  The time of each, and its limit, is that
 * of the host's processor: a busy machine fails nothing.  Then the gates over all of them, for each board.  Last line:
 * N passed, N failed; a gate that does not hold is a failure.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scen.h"

enum {
	JOBS = 16, BOARDS = 2,
	STANDS_STILL = 20,		/* times the limit by the wall clock: it waits for something that never comes */
};

struct board {
	const struct rig_cpu *cpu;
	unsigned not;			/* rows with this flag are not for it */
	bool wanted;
	struct rig_gates worst;
};

struct job {
	const struct scenario *scenario;
	struct board *board;
	pid_t pid;
	FILE *said;			/* what the child printed */
	int gates;			/* the pipe its gates come through */
};

static struct board boards[BOARDS] = {	/* the slower one first */
	{ .cpu = &rig_avr, .not = SCEN_PC, .wanted = true },
	{ .cpu = &rig_pc, .not = SCEN_AVR },
};

static struct options {
	const char *elf;
	uint32_t seed;
	unsigned jobs, seconds;
	char **names;
	int count;
} options = { .elf = "build/clock.elf", .seed = 1, .jobs = 1, .seconds = 240 };

static struct job jobs[JOBS];
static unsigned passed, failed, skipped;

static bool wanted(const struct scenario *scenario, const struct board *board)
{
	if (!board->wanted || scenario->flags & board->not)
		return false;
	for (int i = 0; i < options.count; i++)
		if (strncmp(scenario->name, options.names[i], strlen(options.names[i])) == 0)
			return true;
	return options.count == 0;
}

static _Noreturn void child(const struct job *job, int gates)
{
	dup2(fileno(job->said), 1);
	dup2(fileno(job->said), 2);
	struct rlimit limit = { options.seconds, options.seconds + 5 };
	setrlimit(RLIMIT_CPU, &limit);
	alarm(options.seconds * STANDS_STILL);
	struct rig *rig = rig_new(job->board->cpu, options.elf, options.seed);
	if (!rig) {
		printf("no %s: is %s there?\n", job->board->cpu->name, options.elf);
		fflush(stdout);
		_exit(1);
	}
	scen_run(job->scenario, rig);
	if (write(gates, &rig->gates, sizeof rig->gates) != sizeof rig->gates)
		_exit(1);
	fflush(stdout);
	_exit(0);
}

static void begin(struct job *job, const struct scenario *scenario, struct board *board)
{
	int ends[2];

	job->scenario = scenario;
	job->board = board;
	job->said = tmpfile();
	if (!job->said || pipe(ends) != 0) {
		perror("run_scen");
		exit(2);
	}
	fflush(stdout);
	job->pid = fork();
	if (job->pid == 0)
		child(job, ends[1]);
	if (job->pid < 0) {
		perror("run_scen");
		exit(2);
	}
	close(ends[1]);
	job->gates = ends[0];
}

static void keep_worst(struct rig_gates *worst, const struct rig_gates *gates)
{
	uint32_t seen, most;

	for (const struct scen_gate *gate = scen_gates; gate->name; gate++) {
		memcpy(&seen, (const char *)gates + gate->at, sizeof seen);
		memcpy(&most, (const char *)worst + gate->at, sizeof most);
		if (seen > most)
			memcpy((char *)worst + gate->at, &seen, sizeof seen);
	}
}

static void show_said(FILE *said)
{
	char line[512];

	rewind(said);
	while (fgets(line, sizeof line, said))
		printf("    %s", line);
}

static double seconds(const struct rusage *used)
{
	return (double)(used->ru_utime.tv_sec + used->ru_stime.tv_sec) +
	    (double)(used->ru_utime.tv_usec + used->ru_stime.tv_usec) / 1e6;
}

static void tell_signal(int number)
{
	if (number == SIGXCPU)
		printf("    time: a limit of %u s of the processor ended it\n", options.seconds);
	else if (number == SIGALRM)
		printf("    time: it stood still, ended after %u s\n", options.seconds * STANDS_STILL);
	else
		printf("    ended by signal %d\n", number);
}

static void end(struct job *job, int status, const struct rusage *used)
{
	struct rig_gates gates;
	bool good = status == 0 && read(job->gates, &gates, sizeof gates) == sizeof gates;
	bool skip = WIFEXITED(status) && WEXITSTATUS(status) == SCEN_SKIPPED;

	printf("%-7s %s %s: %s: %s (%.1f s)\n", good ? "ok" : skip ? "skip" : "FAILED", job->board->cpu->name,
	    job->scenario->name, job->scenario->injected, job->scenario->expected, seconds(used));
	show_said(job->said);
	if (good) {
		keep_worst(&job->board->worst, &gates);
		passed++;
	} else if (skip) {
		skipped++;
	} else {
		failed++;
		if (WIFSIGNALED(status))
			tell_signal(WTERMSIG(status));
	}
	close(job->gates);
	fclose(job->said);
	job->pid = 0;
}

static void wait_one(void)
{
	int status;
	struct rusage used;
	pid_t pid = wait4(-1, &status, 0, &used);

	for (unsigned i = 0; i < JOBS; i++)
		if (pid > 0 && jobs[i].pid == pid)
			end(&jobs[i], status, &used);
}

/* One that waits for the wall clock needs no processor of its own. */
static struct job *free_job(unsigned flags)
{
	for (;;) {
		struct job *free = NULL;
		unsigned busy = 0;

		for (unsigned i = 0; i < JOBS; i++) {
			if (jobs[i].pid == 0)
				free = &jobs[i];
			else if (!(jobs[i].scenario->flags & SCEN_REAL))
				busy++;
		}
		if (free && (flags & SCEN_REAL || busy < options.jobs))
			return free;
		wait_one();
	}
}

static void begin_all(struct board *board, unsigned flags)
{
	for (const struct scenario *const *area = scen_areas; *area; area++)
		for (const struct scenario *scenario = *area; scenario->name; scenario++)
			if (wanted(scenario, board) && (scenario->flags & (SCEN_REAL | SCEN_LONG)) == flags)
				begin(free_job(flags), scenario, board);
}

/* The longest first, so that no processor is idle at the end. */
static void run_all(void)
{
	static const unsigned order[] = { SCEN_REAL, SCEN_LONG, 0 };

	for (unsigned i = 0; i < sizeof order / sizeof order[0]; i++)
		for (unsigned k = 0; k < BOARDS; k++)
			begin_all(&boards[k], order[i]);
	for (unsigned i = 0; i < JOBS; i++)
		while (jobs[i].pid != 0)
			wait_one();
}

static void list(void)
{
	for (const struct scenario *const *area = scen_areas; *area; area++)
		for (const struct scenario *scenario = *area; scenario->name; scenario++)
			printf("%-24s %s: %s%s\n", scenario->name, scenario->injected, scenario->expected,
			    scenario->flags & SCEN_PC ? " [pc]" : scenario->flags & SCEN_AVR ? " [avr]" : "");
}

/* A limit that nothing was measured against is not a gate: only the PC has such limits, and a run of some rows. */
static const char *judged(const struct board *board, const struct scen_gate *gate, uint32_t value)
{
	if (value > gate->most)
		return "FAILED  gate";
	if (value > 0 || gate->most == 0)
		return "gate   ";
	return board->cpu == &rig_pc || options.count > 0 ? NULL : "FAILED  not measured:";
}

static void tell_gates(const struct board *board)
{
	for (const struct scen_gate *gate = scen_gates; gate->name; gate++) {
		uint32_t value = scen_gate_value(&board->worst, gate);
		const char *verdict = judged(board, gate, value);

		if (!verdict)
			continue;
		failed += verdict[0] == 'F';
		printf("%s %s %s: %u of %u %s\n", verdict, board->cpu->name, gate->name, value, gate->most, gate->unit_name);
	}
}

static bool read_board(const char *name)
{
	bool known = strcmp(name, "both") == 0;

	for (unsigned i = 0; i < BOARDS; i++) {
		boards[i].wanted = strcmp(name, "both") == 0 || strcmp(name, boards[i].cpu->name) == 0;
		known = known || boards[i].wanted;
	}
	return known;
}

static bool read_options(int argc, char **argv)
{
	static const struct option known[] = {
		{ "board", required_argument, NULL, 'b' }, { "elf", required_argument, NULL, 'e' },
		{ "seed", required_argument, NULL, 's' }, { "list", no_argument, NULL, 'l' },
		{ "seconds", required_argument, NULL, 't' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "j:", known, NULL)) != -1) {
		switch (c) {
		case 'b':
			if (!read_board(optarg))
				return false;
			break;
		case 'e': options.elf = optarg; break;
		case 's': options.seed = (uint32_t)strtoul(optarg, NULL, 0); break;
		case 't': options.seconds = (unsigned)strtoul(optarg, NULL, 10); break;
		case 'j': options.jobs = (unsigned)strtoul(optarg, NULL, 10); break;
		case 'l': list(); exit(0);
		default: return false;
		}
	}
	if (options.seconds < 1)
		options.seconds = 1;
	if (options.jobs < 1 || options.jobs > JOBS)
		options.jobs = options.jobs < 1 ? 1 : JOBS;
	options.names = argv + optind;
	options.count = argc - optind;
	return true;
}

int main(int argc, char **argv)
{
	if (!read_options(argc, argv)) {
		fprintf(stderr, "usage: run_scen [--board avr|pc|both] [--elf FILE] [--seed N] [-j N] [--seconds N] [--list] [NAME...]\n");
		return 2;
	}
	run_all();
	if (passed + failed + skipped == 0) {
		fprintf(stderr, "run_scen: no scenario of that name\n");
		return 2;
	}
	for (unsigned i = 0; i < BOARDS; i++)
		if (boards[i].wanted)
			tell_gates(&boards[i]);
	printf("%u passed, %u failed\n", passed, failed);
	return failed > 0;
}
