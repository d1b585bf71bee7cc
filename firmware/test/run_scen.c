/*
 * Runs scenarios, each in a process of its own, so many at a time:
 *
 *   run_scen [--board avr|pc] [--elf FILE] [--seed N] [-j N] [--list] [NAME...]
 *
 * A NAME may be the beginning of one.  Then the gates over all of them.  Last
 * line: N passed, N failed.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "scen.h"

enum { JOBS = 16, LIMIT_S = 240 };

struct job {
	const struct scenario *scenario;
	pid_t pid;
	FILE *said;			/* what the child printed */
	int gates;			/* the pipe its gates come through */
	double start;
};

static struct options {
	const struct rig_cpu *cpu;
	const char *elf;
	uint32_t seed;
	unsigned jobs;
	char **names;
	int count;
} options = { .cpu = &rig_avr, .elf = "build/clock.elf", .seed = 1, .jobs = 1 };

static struct job jobs[JOBS];
static struct rig_gates worst;
static unsigned passed, failed;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static bool wanted(const struct scenario *scenario)
{
	if (scenario->flags & (options.cpu == &rig_avr ? SCEN_PC : SCEN_AVR))
		return false;
	for (int i = 0; i < options.count; i++)
		if (strncmp(scenario->name, options.names[i], strlen(options.names[i])) == 0)
			return true;
	return options.count == 0;
}

static _Noreturn void child(const struct scenario *scenario, FILE *said, int gates)
{
	dup2(fileno(said), 1);
	dup2(fileno(said), 2);
	alarm(LIMIT_S);
	struct rig *rig = rig_new(options.cpu, options.elf, options.seed);
	if (!rig) {
		printf("no %s: is %s there?\n", options.cpu->name, options.elf);
		fflush(stdout);
		_exit(1);
	}
	scen_run(scenario, rig);
	if (write(gates, &rig->gates, sizeof rig->gates) != sizeof rig->gates)
		_exit(1);
	fflush(stdout);
	_exit(0);
}

static void begin(struct job *job, const struct scenario *scenario)
{
	int ends[2];

	job->scenario = scenario;
	job->said = tmpfile();
	job->start = now();
	if (!job->said || pipe(ends) != 0) {
		perror("run_scen");
		exit(2);
	}
	fflush(stdout);
	job->pid = fork();
	if (job->pid == 0)
		child(scenario, job->said, ends[1]);
	if (job->pid < 0) {
		perror("run_scen");
		exit(2);
	}
	close(ends[1]);
	job->gates = ends[0];
}

static void keep_worst(const struct rig_gates *gates)
{
	uint32_t seen, most;

	for (const struct scen_gate *gate = scen_gates; gate->name; gate++) {
		memcpy(&seen, (const char *)gates + gate->at, sizeof seen);
		memcpy(&most, (const char *)&worst + gate->at, sizeof most);
		if (seen > most)
			memcpy((char *)&worst + gate->at, &seen, sizeof seen);
	}
}

static void show_said(FILE *said)
{
	char line[512];

	rewind(said);
	while (fgets(line, sizeof line, said))
		printf("    %s", line);
}

static void end(struct job *job, int status)
{
	struct rig_gates gates;
	bool good = status == 0 && read(job->gates, &gates, sizeof gates) == sizeof gates;
	bool skip = WIFEXITED(status) && WEXITSTATUS(status) == SCEN_SKIPPED;

	printf("%-7s %s %s: %s: %s (%.1f s)\n", good ? "ok" : skip ? "skip" : "FAILED", options.cpu->name,
	    job->scenario->name, job->scenario->injected, job->scenario->expected, now() - job->start);
	show_said(job->said);
	if (good) {
		keep_worst(&gates);
		passed++;
	} else if (!skip) {
		failed++;
		if (WIFSIGNALED(status))
			printf("    ended by signal %d%s\n", WTERMSIG(status),
			    WTERMSIG(status) == SIGALRM ? ": took too long" : "");
	}
	close(job->gates);
	fclose(job->said);
	job->pid = 0;
}

static void wait_one(void)
{
	int status;
	pid_t pid = wait(&status);

	for (unsigned i = 0; i < JOBS; i++)
		if (pid > 0 && jobs[i].pid == pid)
			end(&jobs[i], status);
}

static struct job *free_job(void)
{
	for (;;) {
		for (unsigned i = 0; i < options.jobs; i++)
			if (jobs[i].pid == 0)
				return &jobs[i];
		wait_one();
	}
}

static void run_all(void)
{
	for (const struct scenario *const *area = scen_areas; *area; area++)
		for (const struct scenario *scenario = *area; scenario->name; scenario++)
			if (wanted(scenario))
				begin(free_job(), scenario);
	for (unsigned i = 0; i < options.jobs; i++)
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

/* What only the simulated processor can measure is 0 on the PC and not told. */
static void tell_gates(void)
{
	for (const struct scen_gate *gate = scen_gates; gate->name; gate++) {
		uint32_t value = scen_gate_value(&worst, gate);
		if (value > gate->most) {
			failed++;
			printf("FAILED  gate: ");
		} else if (value == 0 && options.cpu == &rig_pc) {
			continue;
		} else {
			printf("gate    ");
		}
		printf("%s: %u of %u %s\n", gate->name, value, gate->most, gate->unit_name);
	}
}

static bool read_options(int argc, char **argv)
{
	static const struct option known[] = {
		{ "board", required_argument, NULL, 'b' }, { "elf", required_argument, NULL, 'e' },
		{ "seed", required_argument, NULL, 's' }, { "list", no_argument, NULL, 'l' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "j:", known, NULL)) != -1) {
		switch (c) {
		case 'b':
			if (strcmp(optarg, "avr") != 0 && strcmp(optarg, "pc") != 0)
				return false;
			options.cpu = strcmp(optarg, "pc") == 0 ? &rig_pc : &rig_avr;
			break;
		case 'e': options.elf = optarg; break;
		case 's': options.seed = (uint32_t)strtoul(optarg, NULL, 0); break;
		case 'j': options.jobs = (unsigned)strtoul(optarg, NULL, 10); break;
		case 'l': list(); exit(0);
		default: return false;
		}
	}
	if (options.jobs < 1 || options.jobs > JOBS)
		options.jobs = options.jobs < 1 ? 1 : JOBS;
	options.names = argv + optind;
	options.count = argc - optind;
	return true;
}

int main(int argc, char **argv)
{
	if (!read_options(argc, argv)) {
		fprintf(stderr, "usage: run_scen [--board avr|pc] [--elf FILE] [--seed N] [-j N] [--list] [NAME...]\n");
		return 2;
	}
	run_all();
	if (passed + failed == 0) {
		fprintf(stderr, "run_scen: no scenario of that name\n");
		return 2;
	}
	if (options.count == 0)
		tell_gates();
	printf("%u passed, %u failed\n", passed, failed);
	return failed > 0;
}
