/*
 * fuzz_index: an index file of any content is taken or not, and harms nobody.
 *
 * The input is the index. Its checksums and what it says about the source are put right
 * first, unless its last byte is odd: otherwise nothing would ever get behind them.
 */
#include "config.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/inside.h"

#define HEADER 88
#define DIR_ENTRY 72

int	LLVMFuzzerTestOneInput(const uint8_t *, size_t);

/* The harness itself must work, whatever NDEBUG says. */
static void
need(bool ok)
{
	if (!ok)
		abort();
}

/* In memory, where that can be: there fsync costs nothing. */
static char in_memory[] = "/dev/shm/icecore-fuzz-XXXXXX";
static char on_disk[] = "/tmp/icecore-fuzz-XXXXXX";
static char *folder, *source, *path;

static void
clean_up(void)
{
	unlink(source);
	unlink(path);
	rmdir(folder);
}

static char *
in_folder(const char *name)
{
	struct buf b = BUF_INIT;

	buf_printf(&b, "%s/%s", folder, name);
	need(!b.bad);
	return b.s;
}

static void
write_file(const char *name, const void *data, size_t n)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	need(fd >= 0 && fd_write_all(fd, data, n, NULL));
	close(fd);
}

/* The header of a real index of the source. */
static void
true_header(uint8_t *header)
{
	struct store *st;
	int fd;

	need(store_open(&st, source, NULL, NULL));
	need(store_fact(st, "n", FACT_COUNT, 1, NULL));
	store_publish(st);
	need(store_save(st, NULL));
	store_close(st);
	fd = open(path, O_RDONLY);
	need(fd >= 0 && read(fd, header, HEADER) == HEADER);
	close(fd);
}

static uint64_t
get64(const uint8_t *s)
{
	uint64_t v;

	memcpy(&v, s, sizeof v);
	return v;
}

static void
put64(uint8_t *s, uint64_t v)
{
	memcpy(s, &v, sizeof v);
}

/* How many bytes the column has that a directory entry tells of; 0: none that lie in the file. */
static uint64_t
column_bytes(size_t n, const uint8_t *entry)
{
	uint64_t rows = get64(entry + 56), offset = get64(entry + 64), width;
	uint32_t type;

	memcpy(&type, entry + 48, sizeof type);
	if (type > COL_BYTES || offset > n)
		return 0;
	width = column_width((enum column_type)type);
	return rows <= (n - offset) / width ? rows * width : 0;
}

static bool
is_facts(const uint8_t *entry)
{
	return memcmp(entry, FACTS_COLUMN, sizeof FACTS_COLUMN) == 0;
}

/* Its sums, one for each mebibyte, but of facts one in all. */
static uint64_t
sums(size_t n, const uint8_t *entry)
{
	return is_facts(entry) ? 1 : chunks_of(column_bytes(n, entry));
}

static uint8_t *
put_sums(const uint8_t *s, size_t n, const uint8_t *entry, uint8_t *to)
{
	uint64_t left = column_bytes(n, entry), offset = get64(entry + 64), size;

	for (uint64_t i = sums(n, entry); i > 0; i--, to += 8) {
		size = is_facts(entry) || left < 1u << 20 ? left : 1u << 20;
		/* Sums of what they lie in themselves cannot be right. */
		put64(to, hash_bytes(s + (left == 0 ? 0 : offset), size, 0));
		offset += size;
		left -= size;
	}
	return to;
}

/* As many entries as fit together with their sums, which are put behind them. */
static void
put_right(uint8_t *s, size_t n, const uint8_t *header)
{
	uint64_t dir, room, need_bytes = 0;
	uint32_t columns = 0;
	uint8_t *to;

	if (n < INDEX_PAGE)
		return;
	memcpy(s, header, 20);
	memcpy(s + 24, header + 24, 32);
	dir = get64(s + 56);
	if (dir >= INDEX_PAGE && dir <= n) {
		for (room = n - dir; room - columns * DIR_ENTRY >= DIR_ENTRY; columns++) {
			need_bytes += DIR_ENTRY + 8 * sums(n, s + dir + columns * DIR_ENTRY);
			if (need_bytes > room)
				break;
		}
		to = s + dir + columns * DIR_ENTRY;
		for (uint32_t i = 0; i < columns; i++)
			to = put_sums(s, n, s + dir + i * DIR_ENTRY, to);
		memcpy(s + 20, &columns, sizeof columns);
		put64(s + 72, (uint64_t)(to - s));
		put64(s + 64, hash_bytes(s + dir, (uint64_t)(to - s) - dir, 0));
	}
	put64(s + 80, hash_bytes(s, 80, 0));
}

/* Every byte that can be reached is read. */
static void
walk(struct store *st)
{
	const struct column *c;
	struct fact f;
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < st->nentries; i++) {
		c = store_column(st, st->entry[i]->column.col);
		if (c != NULL)
			sum += hash_bytes(column_all(c), index_bytes(c), sum) +
			    column_get(c, c->rows - 1);
	}
	for (i = 0; store_fact_at(st, i, &f); i++)
		sum += strlen(f.name) + hash_bytes(f.text.s, f.text.n, 0);
	need(store_fact(st, "walked", FACT_COUNT, sum, NULL) || i >= FACTS_MAX);
	store_publish(st);
	/* Nobody makes again what was damaged: then it is lost, and nothing is saved. */
	need(store_save(st, NULL) == !store_lost(st));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t header[HEADER];
	struct store *st;
	uint8_t *copy;

	if (source == NULL) {
		folder = mkdtemp(in_memory);
		if (folder == NULL)
			folder = mkdtemp(on_disk);
		need(folder != NULL);
		source = in_folder("a");
		path = in_folder("a.icx");
		atexit(clean_up);
		write_file(source, "source", 6);
		true_header(header);
	}
	copy = mem_array(size, 1);
	need(copy != NULL);
	memcpy(copy, data, size);
	if (size > 0 && data[size - 1] % 2 == 0)
		put_right(copy, size, header);
	write_file(path, copy, size);
	free(copy);
	need(store_open(&st, source, NULL, NULL));
	walk(st);
	store_close(st);
	return 0;
}
