/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * digest: SHA-256 of a file as stored, computed by its own thread while other threads read the file.
 *
 * It uses read calls: mapped pages would count as resident memory, and would be dropped and mapped again
 * while loaders read them.
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
	struct thread	*thread;	/* NULL: joined, or the thread could not be started */
	int		 fd;		/* descriptor of the map */
	uint64_t	 size;
	struct work	*work;		/* shows whether all work was cancelled; or NULL */
	atomic_bool	 stop;
	_Atomic uint64_t at;		/* bytes hashed so far */
	bool		 ended;		/* at the end of the file, or after an error */
	int		 error;		/* errno of the failure, or 0 */
	bool		 ok;		/* sum covers the whole file */
	struct sha256_ctx context;
	unsigned char	 sum[SHA256_BYTES];
	uint8_t		 chunk[DIGEST_CHUNK];
};

/*
 * Hash the next chunk. If the file grew, only its original length is hashed; if it shrank, it has no digest.
 */
static void
take_piece(struct digest *d)
{
	uint64_t at = atomic_load(&d->at), left = d->size - at;
	ssize_t n = pread(d->fd, d->chunk, left < DIGEST_CHUNK ? (size_t)left : DIGEST_CHUNK, (off_t)at);

	d->error = n < 0 ? errno : 0;
	d->ended = n <= 0 && d->error != EINTR;
	if (n <= 0)
		return;
	sha256_update(&d->context, (size_t)n, d->chunk);
	atomic_store(&d->at, at + (uint64_t)n);
}

static bool
is_stopped(const struct digest *d)
{
	return atomic_load_explicit(&d->stop, memory_order_relaxed) ||
	    (d->work != NULL && atomic_load_explicit(&d->work->cancel, memory_order_relaxed));
}

static void
digest_run(void *arg)
{
	struct digest *d = arg;

	while (!d->ended && !is_stopped(d))
		take_piece(d);
}

static void
stop(struct digest *d)
{
	atomic_store(&d->stop, true);
	thread_join(d->thread);
	d->thread = NULL;
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
	sha256_init(&d->context);
	(void)thread_start(&d->thread, digest_run, d);
	*out = d;
	return true;
}

/* Wait until the digest ends, or until w is cancelled. */
static void
digest_wait_for(struct digest *d, struct work *w)
{
	work_start_bytes(w, "SHA-256 of the file", d->size);
	if (d->thread == NULL)
		while (!d->ended && work_tick(w, d->at))
			take_piece(d);
	else
		while (!thread_wait(d->thread, WORK_LOOK) && work_tick(w, d->at))
			;
	stop(d);
}

bool
digest_take(struct digest *d, unsigned char sum[SHA256_BYTES], struct work *w, struct err *err)
{
	digest_wait_for(d, w);
	if (!d->ok && d->at == d->size) {
		sha256_digest(&d->context, SHA256_BYTES, d->sum);
		d->ok = true;
	}
	memcpy(sum, d->sum, SHA256_BYTES);
	errno = d->error;
	return d->ok || (!d->ended ? fail_cancel(err) :
	    d->error != 0 ? fail_errno(err, "cannot read") :
	    fail(err, E_SYSTEM, "file changed while reading; run icecore again"));
}

void
digest_free(struct digest *d)
{
	if (d == NULL)
		return;
	stop(d);
	free(d);
}
