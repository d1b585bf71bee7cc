/*
 * Opening an input: index, gzip, and the loader that recognises the content.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "foreign.h"

#define CHUNK (256 * 1024)

/* ---- gzip -------------------------------------------------------------------------- */

static bool
is_gzip(const struct map *m)
{
	return m->size >= 18 && m->data[0] == 0x1f && m->data[1] == 0x8b;
}

struct gunzip {
	z_stream	 z;
	const struct map *in;
	uint64_t	 at;		/* next byte of in to give to zlib */
	uint8_t		*out;
	struct file	 file;
	uint64_t	 written;
	bool		 cut;		/* damaged, or ended inside a member */
};

/* zlib counts in 32 bits; members follow each other. */
static void
feed(struct gunzip *g)
{
	uint64_t left = g->in->size - g->at;
	unsigned n = left > 1u << 30 ? 1u << 30 : (unsigned)left;

	if (g->z.avail_in > 0 || n == 0)
		return;
	g->z.next_in = (Bytef *)(uintptr_t)(g->in->data + g->at);
	g->z.avail_in = n;
	g->at += n;
}

static uint64_t
fed(const struct gunzip *g)
{
	return g->at - g->z.avail_in;
}

/* True while there is more; a damaged member ends the work, what came before it stays. */
static bool
inflate_some(struct gunzip *g, bool *more, struct err *err)
{
	int rc;

	feed(g);
	g->z.next_out = g->out;
	g->z.avail_out = CHUNK;
	rc = inflate(&g->z, Z_NO_FLUSH);
	if (rc == Z_MEM_ERROR)
		return fail(err, E_SYSTEM, "no memory to unpack gzip");
	if (!file_write(&g->file, g->out, CHUNK - g->z.avail_out, err))
		return false;
	g->written += CHUNK - g->z.avail_out;
	*more = true;
	if (rc == Z_STREAM_END) {
		uint64_t at = fed(g);

		/* Another member, or bytes that are none and do not matter. */
		*more = g->in->size - at >= 18 && g->in->data[at] == 0x1f &&
		    g->in->data[at + 1] == 0x8b;
		if (*more)
			inflateReset(&g->z);
	} else if (rc != Z_OK || (g->z.avail_in == 0 && g->at == g->in->size &&
	    g->z.avail_out > 0)) {
		g->cut = true;
		*more = false;
	}
	return true;
}

static bool
inflate_all(struct gunzip *g, struct work *w, struct err *err)
{
	bool more = true;

	work_start(w, "unpacking", g->in->size);
	while (more) {
		if (!work_tick(w, fed(g)))
			return fail_cancel(err);
		if (!inflate_some(g, &more, err))
			return false;
	}
	return true;
}

/*
 * Unpacks into a cache file beside the index, or, where there is no index,
 * into a file without a name.
 */
static bool
unpack_into(struct store *st, struct gunzip *g, const char *cache,
    struct map *raw, struct work *w, struct err *err)
{
	const char *tmp = getenv("TMPDIR");
	char path[4096];

	snprintf(path, sizeof path, "%s/icecore.raw", tmp && *tmp ? tmp : "/tmp");
	if (!file_begin(&g->file, cache ? cache : path, err))
		return false;
	if (!inflate_all(g, w, err) || !map_open_fd(raw, g->file.fd, w, err)) {
		file_abandon(&g->file);
		return false;
	}
	if (cache == NULL)
		file_abandon(&g->file);
	else if (!file_commit(&g->file, true, err)) {
		map_close(raw);
		return false;
	}
	return store_fact(st, "unpacked", FACT_BYTES, g->written, err) &&
	    store_fact(st, "trace.unpacked_mtime", FACT_COUNT, raw->mtime, err) &&
	    (!g->cut || store_fact(st, "loss.gzip", FACT_COUNT, 1, err));
}

static bool
unpack(struct store *st, struct work *w, struct err *err)
{
	char *cache = store_cache_path(st, ".raw");
	struct gunzip g;
	struct map raw;
	bool ok;

	memset(&g, 0, sizeof g);
	memset(&raw, 0, sizeof raw);
	g.in = store_file(st);
	g.out = malloc(CHUNK);
	ok = g.out != NULL && inflateInit2(&g.z, 15 + 16) == Z_OK;
	if (!ok)
		fail(err, E_SYSTEM, "no memory to unpack gzip");
	else {
		ok = unpack_into(st, &g, cache, &raw, w, err);
		inflateEnd(&g.z);
	}
	free(g.out);
	free(cache);
	if (ok)
		store_set_source(st, &raw);
	return ok;
}

/* The unpacked copy of an earlier run, if it is still the same file. */
static bool
reuse_unpacked(struct store *st)
{
	char *cache = store_cache_path(st, ".raw");
	struct map raw;
	bool ok = cache != NULL && map_open_own(&raw, cache);

	free(cache);
	if (!ok)
		return false;
	if (raw.size != store_fact_get(st, "unpacked") ||
	    raw.mtime != store_fact_get(st, "trace.unpacked_mtime")) {
		map_close(&raw);
		return false;
	}
	store_set_source(st, &raw);
	return true;
}

/* The unpacked copy of the first dump of a file serves the others as well. */
static bool
borrow_unpacked(struct store *st, const struct store_options *o)
{
	static const char *const facts[] = { "unpacked", "trace.unpacked_mtime", "loss.gzip" };
	char *cache = store_dump(st) > 1 ? store_cache_path(st, ".raw") : NULL;
	struct store_options options = *o;
	struct store *first;
	struct fact f;
	struct err err;
	size_t i, k;
	bool ok;

	free(cache);
	options.dump = 1;
	if (cache == NULL || !store_open(&first, store_path(st), &options, &err))
		return false;
	ok = load_loader(first) != NULL;
	for (i = 0; ok && store_fact_at(first, i, &f); i++)
		for (k = 0; k < NELEM(facts); k++)
			if (strcmp(f.name, facts[k]) == 0)
				ok = ok && store_fact(st, f.name, f.type, f.value, &err);
	store_close(first);
	return ok && reuse_unpacked(st);
}

/* ---- the loader -------------------------------------------------------------------------- */

const struct loader *
load_loader(const struct store *st)
{
	struct str name = store_fact_str(st, "loader");
	size_t i;

	for (i = 0; loaders[i] != NULL; i++)
		if (str_eq(str_of(loaders[i]->name), name))
			return loaders[i];
	return NULL;
}

unsigned
load_shapes(const struct store *st)
{
	const struct loader *l = load_loader(st);
	uint64_t shapes = store_fact_get(st, "shapes");

	return shapes != 0 ? (unsigned)shapes : l != NULL ? l->shapes : 0;
}

static bool
unknown(const struct map *m, struct err *err)
{
	size_t n = m->size < SNIFF_MAX ? (size_t)m->size : SNIFF_MAX;
	const char *what = foreign_name(m->data, n);

	if (what == NULL)
		return fail(err, E_INPUT, "not a file icecore reads "
		    "(icecore --list-formats names them)");
	return fail(err, E_INPUT, "not a file icecore reads: this is %s", what);
}

static bool
run_loader(struct store *st, struct work *w, struct err *err)
{
	const struct map *m = store_source(st);
	size_t i, n = m->size < SNIFF_MAX ? (size_t)m->size : SNIFF_MAX;
	char text[128];

	for (i = 0; loaders[i] != NULL; i++)
		if (n > 0 && loaders[i]->sniff(m->data, n))
			break;
	if (loaders[i] == NULL)
		return unknown(m, err);
	if (store_dump(st) > 1 && !(loaders[i]->shapes & SHAPE_GRAPH))
		return fail(err, E_USAGE, "there is no heap dump %u in a trace", store_dump(st));
	if (!loaders[i]->load(st, w, err) ||
	    !store_fact_text(st, "loader", str_of(loaders[i]->name), err))
		return false;
	if (store_fact_get(st, "loss.gzip") > 0 &&
	    store_fact_str(st, "loss.reason").n == 0) {
		snprintf(text, sizeof text, "gzip data is cut or damaged; %llu "
		    "bytes could be unpacked", (unsigned long long)m->size);
		return store_fact_text(st, "loss.reason", str_of(text), err);
	}
	return true;
}

static bool
load(struct store *st, const struct store_options *o, struct work *w, struct err *err)
{
	bool packed = is_gzip(store_file(st));

	bool known = load_loader(st) != NULL;

	if (packed && !(known && reuse_unpacked(st)) && !borrow_unpacked(st, o) &&
	    !unpack(st, w, err))
		return false;
	if (known)
		return true;
	if (!run_loader(st, w, err))
		return false;
	if (store_lost(st))
		return fail(err, E_INPUT, "the file shrank while it was read");
	return true;
}

bool
load_open(struct store **out, const char *path,
    const struct store_options *options, struct work *w, struct err *err)
{
	struct store_options o = { .dir = NULL };
	struct store *st;

	*out = NULL;
	if (options != NULL)
		o = *options;
	o.work = w;
	if (!store_open(&st, path, &o, err))
		return false;
	if (!load(st, &o, w, err)) {
		store_discard(st);
		store_close(st);
		return false;
	}
	store_publish(st);
	*out = st;
	return true;
}
