/*
 * digest: the SHA-256 of a file as it is stored, computed by a thread of its own while others read the file.
 *
 * It reads by read calls: pages of the map would count as resident memory, and go and come while loaders walk over them.
 */
#include "config.h"

#include <errno.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "icecore/os.h"
#include "icecore/thread.h"

#define DIGEST_CHUNK (256u * 1024)

struct digest {
	struct thread	*thread;	/* NULL: it has ended, or could not be started */
	bool		 ok;		/* sum is that of all bytes */
	int		 error;		/* why reading failed, or 0 */
	int		 fd;		/* of the map */
	uint64_t	 size;
	struct work	*work;		/* asked whether all was cancelled; or NULL */
	atomic_bool	 stop;
	unsigned char	 sum[SHA256_BYTES];
	uint8_t		 chunk[DIGEST_CHUNK];
};

static bool
is_stopped(const struct digest *d)
{
	return atomic_load_explicit(&d->stop, memory_order_relaxed) ||
	    (d->work != NULL && atomic_load_explicit(&d->work->cancel, memory_order_relaxed));
}

/* Of a file that grew these are its first bytes, as everywhere; one that shrank has no digest. */
static void
run(void *arg)
{
	struct digest *d = arg;
	struct sha256_ctx context;
	uint64_t at = 0, left;
	ssize_t n = 1;

	sha256_init(&context);
	while (at < d->size && n != 0 && !is_stopped(d)) {
		left = d->size - at;
		n = pread(d->fd, d->chunk, left < DIGEST_CHUNK ? (size_t)left : DIGEST_CHUNK, (off_t)at);
		if (n < 0 && errno == EINTR)
			continue;
		d->error = n < 0 ? errno : 0;
		if (n <= 0)
			break;
		sha256_update(&context, (size_t)n, d->chunk);
		at += (uint64_t)n;
	}
	sha256_digest(&context, SHA256_BYTES, d->sum);
	d->ok = at == d->size;
}

bool
digest_start(struct digest **out, const struct map *m, struct work *work, struct err *err)
{
	struct digest *d = mem_array(1, sizeof *d);

	if (d == NULL)
		return fail(err, E_SYSTEM, "out of memory (digest)");
	d->fd = map_fd(m);
	d->size = m->size;
	d->work = work;
	(void)thread_start(&d->thread, run, d);
	*out = d;
	return true;
}

bool
digest_take(struct digest *d, unsigned char sum[SHA256_BYTES], struct err *err)
{
	if (d->thread == NULL)
		run(d);
	thread_join(d->thread);
	d->thread = NULL;
	memcpy(sum, d->sum, SHA256_BYTES);
	errno = d->error;
	return d->ok || (is_stopped(d) ? fail_cancel(err) :
	    d->error != 0 ? fail_errno(err, "cannot read") : fail(err, E_SYSTEM, "file changed while reading; run icecore again"));
}

void
digest_free(struct digest *d)
{
	if (d == NULL)
		return;
	atomic_store(&d->stop, true);
	thread_join(d->thread);
	free(d);
}
