/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
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

#include "indexfile.h"
#include "target.h"
#include "store/inside.h"

#define HEADER sizeof(struct index_header)

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

/* Every byte that can be reached is read. */
static void
walk(struct store *st)
{
	const struct column *c;
	struct fact f;
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < st->entries.n; i++) {
		c = store_column(st, st->entries.at[i]->column.col);
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

TARGET(index, &mutate_index)
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
		index_put_right(copy, size, header);
	write_file(path, copy, size);
	free(copy);
	need(store_open(&st, source, NULL, NULL));
	walk(st);
	store_close(st);
}
