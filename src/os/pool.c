/*
 * pool: pieces of one work on several processors at once.
 */
#include "config.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "icecore/thread.h"
#include "icecore/work.h"

#define JOBS_MOST 8u		/* that are taken without being asked for */
#define CPUS_MOST 4096u
#define GROUP_ROOM 4096u

struct pool {
	pool_part	 run;
	void		*arg;
	_Atomic uint64_t next, end;	/* parts not taken yet; behind the one that failed none are */
	pthread_mutex_t	 lock;
	struct err	*err;		/* of part end, once one failed; under lock */
	bool		 failed;
};

struct member {
	struct pool	*pool;
	struct thread	*thread;
	struct work	 work;
};

static unsigned jobs = 1;
static struct work nobody;	/* instead of a work that nobody watches */

/* ---- how many ---------------------------------------------------------------------- */

/* The first text of a small file; false: there is none. */
static bool
read_small(const char *path, char *text, size_t room)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, room - 1);

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n > 0;
}

/* Whole processors a control group has, "150000 100000" being two; 0: as many as there are. */
static uint64_t
quota(const char *group)
{
	char path[GROUP_ROOM + 64], text[64];
	unsigned long long part, of;

	snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", group);
	if (!read_small(path, text, sizeof text) || sscanf(text, "%llu %llu", &part, &of) != 2 || of == 0 || part == 0)
		return 0;
	return (part + of - 1) / of;
}

/* Of the groups this process is in, from its own up to the root. */
static uint64_t
least_quota(void)
{
	char text[GROUP_ROOM], *group, *end;
	uint64_t least = 0, one;

	if (!read_small("/proc/self/cgroup", text, sizeof text) || (group = strstr(text, "0::/")) == NULL)
		return 0;
	group += strlen("0::");
	group[strcspn(group, "\n")] = '\0';
	for (;;) {
		one = quota(group);
		if (one > 0 && (least == 0 || one < least))
			least = one;
		if ((end = strrchr(group, '/')) == NULL)
			return least;
		*end = '\0';
	}
}

static unsigned
cores(void)
{
	uint64_t most = least_quota(), n = 1;
	cpu_set_t *set = CPU_ALLOC(CPUS_MOST);

	if (set != NULL && sched_getaffinity(0, CPU_ALLOC_SIZE(CPUS_MOST), set) == 0)
		n = (uint64_t)CPU_COUNT_S(CPU_ALLOC_SIZE(CPUS_MOST), set);
	CPU_FREE(set);
	n = n > JOBS_MOST ? JOBS_MOST : n;
	return (unsigned)(most > 0 && most < n ? most : n);
}

void
pool_jobs(unsigned n)
{
	jobs = n > 0 ? n : cores();
}

unsigned
pool_size(void)
{
	return jobs;
}

/* ---- parts ------------------------------------------------------------------------- */

/* Errors of parts in front of one that failed count more: those are still run, others no longer begun. */
static void
fail_part(struct pool *p, uint64_t part, const struct err *err)
{
	pthread_mutex_lock(&p->lock);
	if (!p->failed || part < atomic_load(&p->end)) {
		p->failed = true;
		*p->err = *err;
		atomic_store(&p->end, part);
	}
	pthread_mutex_unlock(&p->lock);
}

static void
run_parts(struct pool *p, struct work *work)
{
	struct err err;
	uint64_t part;

	while ((part = atomic_fetch_add(&p->next, 1)) < atomic_load(&p->end))
		if (!p->run(p->arg, part, work, &err))
			fail_part(p, part, &err);
}

static void
run_member(void *arg)
{
	struct member *m = arg;

	run_parts(m->pool, &m->work);
}

bool
pool_run(struct work *w, uint64_t parts, pool_part run, void *arg, struct err *err)
{
	struct pool p = { .run = run, .arg = arg, .err = err, .lock = PTHREAD_MUTEX_INITIALIZER };
	uint64_t more = parts < jobs ? parts : jobs, n = 0;
	struct member *m = NULL;

	atomic_init(&p.next, 0);
	atomic_init(&p.end, parts);
	/* Without memory or threads it is done by those there are. */
	if (more > 1)
		m = mem_array((size_t)more - 1, sizeof *m);
	for (; m != NULL && n + 1 < more; n++) {
		m[n].pool = &p;
		work_init(&m[n].work, NULL);
		m[n].work.of = w != NULL ? w : &nobody;
		if (thread_start(&m[n].thread, run_member, &m[n]) != 0)
			break;
	}
	run_parts(&p, w);
	while (n > 0)
		thread_join(m[--n].thread);
	free(m);
	pthread_mutex_destroy(&p.lock);
	return !p.failed;
}
