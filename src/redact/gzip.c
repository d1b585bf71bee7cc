/*
 * gzip: members of one block each, as HotSpot writes them, packed on all processors.
 *
 * The first one's comment is HotSpot's, so that readers can find a place without unpacking what is before it; ours is
 * that of the second, which may be empty.
 */
#include "config.h"

#include <stdlib.h>
#include <zlib.h>

#include "redact.h"

#define COMMENT_FIRST "HPROF BLOCKSIZE=1048576"

struct member {
	z_stream	 z;
	gz_header	 head;
	uint8_t		*packed;
	size_t		 n;
	bool		 open;
};

struct gzip {
	struct member	*member;
	size_t		 members, room;		/* room: of what is packed */
	uint64_t	 done;			/* members that were written */
	const char	*comment;
	const uint8_t	*from;			/* of the blocks in work */
	size_t		 size;
};

bool
gzip_open(struct gzip **out, unsigned level, const char *comment, size_t blocks, struct err *err)
{
	struct gzip *g = *out = mem_array(1, sizeof *g);

	if (g == NULL || (g->member = mem_array(blocks, sizeof *g->member)) == NULL)
		return fail(err, E_SYSTEM, "out of memory (compression)");
	g->members = blocks;
	g->comment = comment;
	for (size_t i = 0; i < blocks; i++) {
		struct member *m = &g->member[i];

		m->open = deflateInit2(&m->z, (int)level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK;
		g->room = m->open ? deflateBound(&m->z, SINK_BLOCK) + 64 : 0;
		m->packed = m->open ? mem_array(g->room, 1) : NULL;
		if (m->packed == NULL)
			return fail(err, E_SYSTEM, "out of memory (compression)");
	}
	return true;
}

void
gzip_free(struct gzip *g)
{
	for (size_t i = 0; g != NULL && i < g->members; i++) {
		if (g->member[i].open)
			deflateEnd(&g->member[i].z);
		free(g->member[i].packed);
	}
	free(g != NULL ? g->member : NULL);
	free(g);
}

static bool
pack(void *gzip, uint64_t part, struct work *w, struct err *err)
{
	struct gzip *g = gzip;
	struct member *m = &g->member[part];
	size_t at = (size_t)part * SINK_BLOCK, n = g->size - at < SINK_BLOCK ? g->size - at : SINK_BLOCK;
	uint64_t number = g->done + part;

	(void)w;
	if (deflateReset(&m->z) != Z_OK)
		return fail(err, E_SYSTEM, "out of memory (compression)");
	if (number < 2) {
		m->head = (gz_header){ .os = 255, .comment = (Bytef *)(uintptr_t)(number == 0 ? COMMENT_FIRST : g->comment) };
		(void)deflateSetHeader(&m->z, &m->head);
	}
	m->z.next_in = (Bytef *)(uintptr_t)(g->from + at);
	m->z.avail_in = (uInt)n;
	m->z.next_out = m->packed;
	m->z.avail_out = (uInt)g->room;
	if (deflate(&m->z, Z_FINISH) != Z_STREAM_END)
		return fail(err, E_SYSTEM, "compression failed");
	m->n = g->room - m->z.avail_out;
	return true;
}

static bool
put_blocks(struct sink *s, const uint8_t *p, size_t n, uint64_t blocks, struct err *err)
{
	struct gzip *g = s->gzip;
	bool ok;

	g->from = p;
	g->size = n;
	ok = pool_run(s->work, blocks, pack, g, err);
	for (uint64_t i = 0; ok && i < blocks; i++)
		ok = space_ask(s->fd, g->member[i].n, err) && fd_write_all(s->fd, g->member[i].packed, g->member[i].n, err);
	g->done += blocks;
	return ok;
}

bool
gzip_put(struct sink *s, const uint8_t *p, size_t n, bool last, struct err *err)
{
	uint64_t blocks = (n + SINK_BLOCK - 1) / SINK_BLOCK;

	if (blocks > 0 && !put_blocks(s, p, n, blocks, err))
		return false;
	while (last && s->gzip->done < 2)
		if (!put_blocks(s, p, 0, 1, err))
			return false;
	return true;
}
