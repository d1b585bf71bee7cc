/*
 * Fuzz target: damage to the index of a small heap dump and of a trace, which queries are then asked over.
 *
 * The first byte: whether the sums are made right again (1), which file (2), and which queries; then each six bytes are
 * one damage: how, what with, and where.  With the sums as they were, what is damaged is made again, and each answer is
 * the right one.  With right sums, nobody can see it: then answers may be wrong, but nothing else.
 */
#include "config.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "../unit/dumps.h"
#include "../unit/traces.h"
#include "heapwalk.h"
#include "indexfile.h"
#include "store/inside.h"

int	LLVMFuzzerTestOneInput(const uint8_t *, size_t);

#define DAMAGE 6
#define ASKED 3		/* queries over one index */
#define ROWS_MOST 1000	/* of an answer that is printed */

static const char *const of_dump[] = {
	"classes", "objects | top 5 retained", "fields @14", "path @14", "dominators | head 9", "findings", "names", "roots", "strings",
	"duplicates", "threads", "instances com.example.User", "collections", "refs @14", "referrers @9", "retained @16", "histogram",
	"entries @13", "raw @14", "objects com.example.User | select id name retained", "paths @14 2", "dominated @1", "chains @9", "components"
};
static const char *const of_trace[] = {
	"methods | top 5 self", "methods | top 3 total", "records | head 5", "spans", "stacks", "threads", "tracks", "methods | count"
};

/* A file, its index, and the right answers. */
struct victim {
	const char	*name;
	char		*path, *index;
	uint8_t		*bytes;
	size_t		 n;
	const char	*const *query;
	size_t		 nqueries;
	char		*answer[32];
	int		 fd;		/* of the index */
};

static char in_memory[] = "/dev/shm/icecore-fuzz-XXXXXX";
static char on_disk[] = "/tmp/icecore-fuzz-XXXXXX";
static const char *folder;
static struct victim victims[2] = {
	{ .name = "dump", .query = of_dump, .nqueries = NELEM(of_dump) },
	{ .name = "trace", .query = of_trace, .nqueries = NELEM(of_trace) }
};
static const struct store_options kept = { .rebuild = pass_rebuild };

static void
clean_up(void)
{
	for (size_t i = 0; i < NELEM(victims); i++) {
		unlink(victims[i].path);
		unlink(victims[i].index);
	}
	rmdir(folder);
}

/* What a query prints, or why not. */
static char *
ask(struct session *session, const char *text)
{
	struct err err = { .kind = E_NONE };
	struct query *q = NULL;
	struct rows *rows;
	char *answer = NULL;
	size_t size;
	uint64_t n;
	FILE *f = open_memstream(&answer, &size);

	MUST(f != NULL);
	if (query_parse(&q, str_of(text), &err) && query_fits(q, session, &err) && query_prepare(q, session, NULL, &err) &&
	    query_open(q, session, &rows, &err)) {
		/* With wrong numbers it may have no end. */
		if (rows_reach(rows, ROWS_MOST) < ROWS_MOST)
			(void)rows_print(rows, FORMAT_TSV, 80, f, &n, &err);
		rows_close(rows);
	}
	query_free(q);
	fprintf(f, "%s", err.kind == E_NONE ? "" : err.text);
	fclose(f);
	MUST(answer != NULL);
	return answer;
}

static void
begin(struct victim *v)
{
	struct session session = { .nstores = 1, .sealed = true };
	struct err err;
	struct stat s;

	MUST(load_open(&session.store[0], v->path, &kept, NULL, &err));
	for (size_t i = 0; i < v->nqueries; i++)
		v->answer[i] = ask(&session, v->query[i]);
	MUST(store_save(session.store[0], &err));
	v->index = strdup(store_index_path(session.store[0]));
	store_close(session.store[0]);
	v->fd = open(v->index, O_RDWR);
	MUST(v->fd >= 0 && fstat(v->fd, &s) == 0);
	v->n = (size_t)s.st_size;
	v->bytes = malloc(v->n);
	MUST(v->bytes != NULL && pread(v->fd, v->bytes, v->n, 0) == (ssize_t)v->n);
}

static void
begin_all(void)
{
	struct buf file = BUF_INIT, b = BUF_INIT;
	struct heap_writer w = HEAP_WRITER_INIT;
	struct err err;
	int fd;

	folder = mkdtemp(in_memory);
	if (folder == NULL)
		folder = mkdtemp(on_disk);
	MUST(folder != NULL);
	for (size_t i = 0; i < NELEM(victims); i++) {
		buf_clear(&b);
		buf_printf(&b, "%s/%s", folder, victims[i].name);
		victims[i].path = strdup(b.s);
		fd = open(b.s, O_WRONLY | O_CREAT, 0600);
		MUST(fd >= 0);
		if (i == 0) {
			dump_classes(&w);
			dump_objects(&w);
			put_file(&w, &file);
			MUST(fd_write_all(fd, file.s, file.n, &err));
		} else
			MUST(trace_write(fd, &err));
		close(fd);
		begin(&victims[i]);
	}
	buf_free(&file);
	buf_free(&b);
	atexit(clean_up);
}

/* Returns how long the file is then. */
static size_t
hurt(uint8_t *s, size_t n, const uint8_t *p)
{
	size_t at = (p[2] | (size_t)p[3] << 8 | (size_t)p[4] << 16) % n, page = at / INDEX_PAGE * INDEX_PAGE, from;

	switch (p[0] % 8) {
	case 0:
		s[at] ^= (uint8_t)(1 << p[1] % 8);
		break;
	case 1:
		s[at] = p[1];
		break;
	case 2:
		memset(s + page, 0, n - page < INDEX_PAGE ? n - page : INDEX_PAGE);
		break;
	case 3:
		from = p[1] * (size_t)INDEX_PAGE % n / INDEX_PAGE * INDEX_PAGE;
		if (n - page >= INDEX_PAGE && n - from >= INDEX_PAGE)
			memmove(s + page, s + from, INDEX_PAGE);
		break;
	case 4:
		return p[5] == 0 && at > 0 ? at : n;
	default:
		/* The first bytes of a column, where few rows are. */
		s[page + p[1] % 64 < n ? page + p[1] % 64 : at] = p[5];
	}
	return n;
}

static void
put_index(const struct victim *v, const uint8_t *data, size_t size, bool right)
{
	uint8_t *s = malloc(v->n);
	size_t n = v->n;

	MUST(s != NULL);
	memcpy(s, v->bytes, n);
	for (size_t i = 0; i + DAMAGE <= size; i += DAMAGE)
		n = hurt(s, n, data + i);
	if (right)
		index_put_right(s, n, v->bytes);
	MUST(pwrite(v->fd, s, n, 0) == (ssize_t)n && ftruncate(v->fd, (off_t)n) == 0);
	free(s);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct session session = { .nstores = 1, .sealed = true };
	struct victim *v;
	struct err err;
	char *answer;
	size_t i;
	bool right;

	if (folder == NULL)
		begin_all();
	if (size == 0)
		return 0;
	right = data[0] & 1;
	v = &victims[data[0] >> 1 & 1];
	put_index(v, data + 1, size - 1, right);
	if (!load_open(&session.store[0], v->path, &kept, NULL, &err)) {
		MUST(right && err.kind != E_NONE);
		return 0;
	}
	for (i = 0; i < ASKED; i++) {
		size_t k = ((data[0] >> 2) + 5 * i) % v->nqueries;

		answer = ask(&session, v->query[k]);
		MUST(right || strcmp(answer, v->answer[k]) == 0);
		free(answer);
	}
	store_close(session.store[0]);
	return 0;
}
