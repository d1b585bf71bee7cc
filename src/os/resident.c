/*
 * resident: mapped files leave resident memory when too much of it is theirs.
 *
 * Their bytes stay in the page cache, which the kernel takes back when somebody needs the memory, and
 * reading them maps them again.  Only shared or read-only maps may be given to it.
 */
#include "config.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "icecore/os.h"
#include "icecore/sandbox.h"

#define EVERY 1000000u		/* ns between looks: 20 MB may be mapped meanwhile */
#define MORE (32u << 20)	/* above what cannot leave, before it is tried again */
#define OFTEN 100000000u	/* ns: what comes back sooner is needed */
#define SOURCE_MIN (96u << 20)
#define LEISURE 2u		/* bytes a ns of work that passes over a file may fill at most, */
#define TIMES 4u		/* and so often all that may leave on top of it, before it stays */

struct range {
	void	*data;
	size_t	 size;
	bool	 written;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct range *ranges;
static size_t nranges, cap;
static bool all;		/* maps that are written to leave, too */
static uint64_t more = MORE, released;
static uint64_t kept, worked, filled;	/* kept: resident after the last release; worked: until then; filled at no leisure */
static _Atomic uint64_t limit, threshold, looked;
static int statm = -1;		/* from resident_open on */

void
resident_limit(uint64_t bytes, bool written)
{
	pthread_mutex_lock(&lock);
	if (bytes > limit)
		limit = threshold = bytes;
	all |= written;
	pthread_mutex_unlock(&lock);
}

void
resident_source(uint64_t bytes, bool written)
{
	uint64_t half = bytes / 2 > SOURCE_MIN ? bytes / 2 : SOURCE_MIN;

	/* Pages mapped between two checks come on top of the limit. */
	resident_limit(half / 4 * 3, written);
}

void
resident_add(void *data, size_t size, bool written)
{
	pthread_mutex_lock(&lock);
	/* Without memory for the list it just stays resident. */
	if (mem_grow(&ranges, &cap, nranges + 1, sizeof *ranges))
		ranges[nranges++] = (struct range){ data, size, written };
	pthread_mutex_unlock(&lock);
}

void
resident_remove(const void *data)
{
	pthread_mutex_lock(&lock);
	for (size_t i = nranges; i > 0; i--)
		if (ranges[i - 1].data == data) {
			ranges[i - 1] = ranges[--nranges];
			break;
		}
	pthread_mutex_unlock(&lock);
}

void
resident_open(void)
{
	statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
}

/* Bytes; 0 when the system does not tell. */
static uint64_t
resident_now(void)
{
	char text[128];
	unsigned long long size, resident = 0;
	int fd = statm >= 0 ? statm : open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return 0;
	n = pread(fd, text, sizeof text - 1, 0);
	if (fd != statm)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	if (sscanf(text, "%llu %llu", &size, &resident) != 2)
		return 0;
	return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Whether released pages keep coming back, as with random access: then they stay.  leaving: bytes that may leave. */
static bool
returns(uint64_t resident, uint64_t leaving)
{
	uint64_t came = resident > kept ? resident - kept : 0, leisure;
	struct timespec cpu = { 0 };

	/* Other programs may have the processors meanwhile. */
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
	leisure = LEISURE * ((uint64_t)cpu.tv_sec * 1000000000u + (uint64_t)cpu.tv_nsec - worked);
	worked += leisure / LEISURE;
	filled = filled + came > leisure ? filled + came - leisure : 0;
	return filled / TIMES > leaving;
}

static void
resident_release(uint64_t resident)
{
	uint64_t now = os_now(), left, leaving = 0;

	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < nranges; i++)
		leaving += all || !ranges[i].written ? ranges[i].size : 0;
	if (returns(resident, leaving)) {
		limit = threshold = resident + leaving;
		filled = 0;
	}
	for (size_t i = 0; i < nranges && resident > threshold; i++)
		if (all || !ranges[i].written)
			(void)madvise(ranges[i].data, ranges[i].size, MADV_DONTNEED);
	/* An array that is used at random would otherwise come and go all the time. */
	if (now - released >= OFTEN)
		more = MORE;
	else if (more < limit / 4)
		more *= 2;
	released = now;
	kept = resident_now();
	left = kept + more;
	threshold = left > limit ? left : limit;
	pthread_mutex_unlock(&lock);
}

void
resident_check(void)
{
	uint64_t now, resident;

	if (atomic_load_explicit(&limit, memory_order_relaxed) == 0)
		return;
	now = os_now();
	if (now - atomic_load_explicit(&looked, memory_order_relaxed) < EVERY)
		return;
	atomic_store_explicit(&looked, now, memory_order_relaxed);
	resident = resident_now();
	if (resident > threshold)
		resident_release(resident);
}
