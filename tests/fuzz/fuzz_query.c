/* Fuzz target: any bytes as a query over a small trace, its answer printed. */
#include "config.h"

#include "../unit/traces.h"

int	LLVMFuzzerTestOneInput(const uint8_t *, size_t);

#define ROWS_ASKED 500

static struct session session;
static FILE *nowhere;

static void
print(struct rows *rows, enum format format)
{
	struct err err = { .kind = E_NONE };
	uint64_t n;

	if (!rows_print(rows, format, 40, nowhere, &n, &err) &&
	    err.kind != E_USAGE) {
		fprintf(stderr, "error of kind %d: %s\n", err.kind, err.text);
		abort();
	}
}

/* Of a long answer only the first rows. */
static void
answer(const struct query *q, enum format format)
{
	struct err err = { .kind = E_NONE };
	struct rows *rows;
	struct cell c;
	size_t col;

	if (!query_open(q, &session, &rows, &err)) {
		if (err.kind != E_EMPTY)
			abort();
		return;
	}
	if (rows_reach(rows, ROWS_ASKED) == 0 || rows_reach(rows, ROWS_ASKED) == ROWS_ASKED)
		for (col = 0; col < rows->ncols && rows_reach(rows, 1) > 0; col++)
			rows_cell(rows, 0, col, &c);
	else
		print(rows, format);
	rows_close(rows);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct str text = { (const char *)data, n };
	struct err err = { .kind = E_NONE, .at = ERR_NOWHERE };
	struct buf shown = BUF_INIT;
	struct query *q;

	if (nowhere == NULL) {
		nowhere = fopen("/dev/null", "w");
		trace_open(&session);
		session.sealed = true;
	}
	if (query_parse(&q, text, &err)) {
		if (!query_prepare(q, &session, NULL, &err))
			abort();
		answer(q, (enum format)(n % FORMATS));
		query_free(q);
	} else {
		if (err.kind != E_USAGE || err.at > n)
			abort();
		query_show_error(text, &err, &shown);
		buf_free(&shown);
	}
	return 0;
}
