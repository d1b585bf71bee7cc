/*
 * The text part of a method trace: version keys, threads, methods.
 */
#include "config.h"

#include <string.h>

#include "trace.h"

static const char *const key_names[TRACE_KEYS] = {
	[KEY_OVERFLOW] = "data-file-overflow",
	[KEY_CLOCK] = "clock",
	[KEY_ELAPSED_US] = "elapsed-time-usec",
	[KEY_ELAPSED_NS] = "elapsed-time-nsec",
	[KEY_CALLS] = "num-method-calls",
	[KEY_OVERHEAD] = "clock-call-overhead-nsec",
	[KEY_VM] = "vm",
	[KEY_PID] = "pid",
};

/* What one distinct method id stands for; refs into the source. */
struct listed {
	uint64_t	raw, class, name, signature, file;
	int64_t		line;
};

struct listed_thread {
	uint64_t	name;
	uint32_t	tid;
	uint32_t	before;		/* 1 + the row that listed this tid before, or 0 */
};

/* A C integer: 0x, decimal, or decimal with leading zeros. */
static bool
c_integer(struct str s, uint64_t *v)
{
	while (s.n > 0 && (s.s[0] == ' ' || s.s[0] == '\t')) {
		s.s++;
		s.n--;
	}
	while (s.n > 0 && s.s[s.n - 1] == ' ')
		s.n--;
	return num_u64(s, 0, v) || num_u64(s, 10, v);
}

static uint64_t
ref_to(const struct trace *t, struct str s)
{
	return s.n == 0 ? 0 :
	    ref_make((uint64_t)((const uint8_t *)s.s - t->data), s.n);
}

/* The row of a method id, new or already there: the last line wins. */
static struct listed *
listed_row(struct trace *t, uint64_t raw, struct err *err)
{
	uint32_t id = idmap_get(&t->ids, raw);

	if (id == 0) {
		if (t->nmethods >= UINT32_MAX) {
			fail(err, E_INPUT, "more than 2^32 methods");
			return NULL;
		}
		if (!scratch_array(&t->methods, t->nmethods + 1,
		    sizeof(struct listed), err) ||
		    !idmap_put(&t->ids, raw, (uint32_t)t->nmethods + 1, err))
			return NULL;
		id = (uint32_t)++t->nmethods;
	}
	return &SCRATCH(t->methods, struct listed)[id - 1];
}

static int64_t
line_number(struct str s)
{
	int64_t v;

	return num_i64(s, 10, &v) ? v : -1;
}

bool
trace_method(struct trace *t, uint64_t raw, struct str line, struct err *err)
{
	struct str f[5] = { { NULL, 0 } }, *class = &f[0], *name = &f[1];
	struct str *sig = &f[2], *file = &f[3], *number = &f[4];
	struct str none = { NULL, 0 };
	struct listed *m;
	size_t n = 0;

	while (line.n > 0 && (line.s[line.n - 1] == '\n' || line.s[line.n - 1] == '\r'))
		line.n--;
	while (n < NELEM(f) && str_split(&line, '\t', &f[n]))
		n++;
	if (sig->n > 0 && sig->s[0] != '(') {
		/* Native style: class.method, source, line. */
		number = sig;
		file = name;
		name = sig = &none;
	}
	if (t->in_summary && idmap_get(&t->ids, raw & ~(uint64_t)3) != 0)
		return true;
	if ((m = listed_row(t, raw & ~(uint64_t)3, err)) == NULL)
		return false;
	t->method_lines += !t->in_summary;
	m->raw = raw & ~(uint64_t)3;
	m->class = ref_to(t, *class);
	m->name = ref_to(t, *name);
	m->signature = ref_to(t, *sig);
	m->file = ref_to(t, *file);
	m->line = line_number(*number);
	return true;
}

bool
trace_method_line(struct trace *t, struct str line, struct err *err)
{
	struct str id;
	uint64_t raw;

	if (memchr(line.s, '\t', line.n) == NULL ||
	    !str_split(&line, '\t', &id) || !c_integer(id, &raw)) {
		t->bad_lines++;
		return true;
	}
	return trace_method(t, raw, line, err);
}

bool
trace_thread(struct trace *t, uint32_t tid, struct str name, struct err *err)
{
	struct listed_thread *row = SCRATCH(t->threads, struct listed_thread);
	uint32_t key = t->wide ? tid : tid & 0xffff;
	uint32_t last = idmap_get(&t->tids, key);
	struct str known = last == 0 ? name : store_text(t->st, row[last - 1].name);

	if (t->in_summary && last != 0 && str_eq(known, name))
		return true;
	t->dup_tids += last != 0;
	if (t->nthreads >= UINT32_MAX)
		return fail(err, E_INPUT, "more than 2^32 threads");
	if (!idmap_put(&t->tids, key, (uint32_t)t->nthreads + 1, err) ||
	    !scratch_array(&t->threads, t->nthreads + 1, sizeof *row, err))
		return false;
	row = &SCRATCH(t->threads, struct listed_thread)[t->nthreads++];
	row->tid = tid;
	row->name = ref_to(t, name);
	row->before = last;
	return true;
}

static bool
thread_line(struct trace *t, struct str line, struct err *err)
{
	struct str id, name = line;
	uint64_t tid;

	if (memchr(line.s, '\t', line.n) == NULL)
		return true;
	if (!str_split(&name, '\t', &id) || !c_integer(id, &tid) || tid > UINT32_MAX) {
		t->bad_lines++;
		return true;
	}
	return trace_thread(t, (uint32_t)tid, name, err);
}

static void
version_line(struct trace *t, struct str line)
{
	struct str key;
	size_t i;

	if (line.n == 0 || memchr(line.s, '=', line.n) == NULL)
		return;
	str_split(&line, '=', &key);
	for (i = 0; i < TRACE_KEYS; i++)
		if (t->key[i].s == NULL && str_eq(key, str_of(key_names[i])))
			t->key[i] = line;
}

bool
trace_text(struct trace *t, uint64_t pos, uint64_t end, uint64_t *after,
    bool *whole, struct err *err)
{
	enum { NONE, VERSION, THREADS, METHODS } section = NONE;
	const char *base = (const char *)t->data;

	*whole = false;
	for (*after = pos; pos < end; *after = pos) {
		struct str line = { base + pos, 0 };
		const char *nl = memchr(line.s, '\n', end - pos);

		if (nl == NULL)
			break;
		line.n = (size_t)(nl - line.s);
		pos += line.n + 1;
		if (line.n > 0 && nl[-1] == '\r') {
			line.n--;
			t->crlf = true;
		}
		if (!work_tick(t->work, pos))
			return fail_cancel(err);
		if (line.n > 0 && line.s[0] == '*') {
			section = str_eq(line, STR("*version")) ? VERSION :
			    str_eq(line, STR("*threads")) ? THREADS :
			    str_eq(line, STR("*methods")) ? METHODS : NONE;
			if (!str_eq(line, STR("*end")))
				continue;
			*after = pos;
			*whole = true;
			return true;
		}
		if (section == VERSION)
			version_line(t, line);
		else if (section == THREADS && !thread_line(t, line, err))
			return false;
		else if (section == METHODS && line.n > 0 &&
		    memchr(line.s, '\t', line.n) != NULL &&
		    !trace_method_line(t, line, err))
			return false;
	}
	*after = end;
	return true;
}

/* ---- the tables as columns ---------------------------------------------- */

#define METHOD_COLUMNS(ROW) \
	ROW(COL_LISTED_METHOD, raw) \
	ROW(COL_LISTED_CLASS, class) \
	ROW(COL_LISTED_NAME, name) \
	ROW(COL_LISTED_SIGNATURE, signature) \
	ROW(COL_LISTED_FILE, file)

static bool
publish_methods(struct trace *t, struct err *err)
{
	const struct listed *m = SCRATCH(t->methods, struct listed);
	uint64_t i, *c;
	int64_t *line;

#define FILL(column, field) \
	if ((c = store_make(t->st, column, COL_U64, t->nmethods, err)) == NULL) \
		return false; \
	for (i = 0; i < t->nmethods; i++) \
		c[i] = m[i].field;
	METHOD_COLUMNS(FILL)
#undef FILL
	line = store_make(t->st, COL_LISTED_LINE, COL_I64, t->nmethods, err);
	for (i = 0; line != NULL && i < t->nmethods; i++)
		line[i] = m[i].line;
	return line != NULL;
}

static bool
publish_threads(struct trace *t, struct err *err)
{
	const struct listed_thread *row = SCRATCH(t->threads, struct listed_thread);
	uint32_t *tid, *before;
	uint64_t i, *name;

	if ((tid = store_make(t->st, COL_LISTED_TID, COL_U32, t->nthreads, err)) == NULL ||
	    (before = store_make(t->st, COL_LISTED_BEFORE, COL_U32, t->nthreads, err)) == NULL ||
	    (name = store_make(t->st, COL_LISTED_THREAD, COL_U64, t->nthreads, err)) == NULL)
		return false;
	for (i = 0; i < t->nthreads; i++) {
		tid[i] = row[i].tid;
		before[i] = row[i].before;
		name[i] = row[i].name;
	}
	return true;
}

bool
trace_tables(struct trace *t, struct err *err)
{
	return publish_methods(t, err) && publish_threads(t, err);
}
