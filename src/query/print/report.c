/*
 * report: one page about a file: what it is, what looks like a leak, what fills it.
 *
 * Nothing in it depends on where and when it is made: the same file gives the same bytes.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "print.h"

#define TREE_LINES 25
#define SAMPLE (1u << 20)	/* of each end of a large file */

/* How rows are shown. */
enum form {
	FORM_TABLE,
	FORM_LINES,		/* the first column as it is */
	FORM_FACTS,		/* of info */
	FORM_TREE,		/* as outline_print does, which needs what the query needs */
	FORM_FINDINGS,		/* number, severity, kind and why as words */
	FORM_DATA		/* for machines only */
};

/*
 * A part of the page is the answer to a query.  name: in JSON, NULL: it is for people only; none: said where there are no rows,
 * NULL: then the part is left out; more: the query that tells more.
 */
struct section {
	const char	*name, *title;
	unsigned	 shapes;
	enum form	 form;
	const char	*query, *none, *more;
	const char	*all;		/* tells what is left out of those behind limit; or NULL */
	uint64_t	 limit;
	unsigned	 but;		/* not of files that have one of these shapes */
	/* Only where there is more of it than of what is live, where weights differ, where threads are known, where there are several events. */
	bool		 garbage, differs, threads, events;
};

static const struct section sections[] = {
	{ "info", "Overview", 0, FORM_FACTS,
	    "info | where field !~ /^(repair|loss|index path)/ or field = loss.reason "
	    "| select field value", NULL, NULL },
	{ "damage", "Losses and repairs", 0, FORM_TABLE,
	    "info | where field ~ /^(loss|repair)/ and field != loss.reason and value != 0", NULL, NULL },
	{ NULL, "Events; --event selects another", SHAPE_SAMPLES, FORM_TABLE,
	    "events | sort -samples | head 20 | select current samples weight unit name", NULL, NULL, "events", 20,
	    .events = true },
	{ NULL, "Samples next to the calls; --event shows them", SHAPE_EVENTS, FORM_TABLE,
	    "events | sort -samples | head 20 | select samples weight unit name", NULL, NULL, "events", 20 },
	{ "findings", NULL, SHAPE_GRAPH, FORM_DATA, "findings", NULL, NULL },
	{ NULL, "Findings", SHAPE_GRAPH, FORM_FINDINGS,
	    "findings | head 20 | select finding severity kind why",
	    "", "findings", "findings", 20 },
	{ "leaktraces", "Leak traces", SHAPE_GRAPH, FORM_LINES,
	    "findings | head 20 | leaktrace", NULL, "findings | leaktrace" },
	{ "garbage", "Unreachable objects by class", SHAPE_GRAPH, FORM_TABLE,
	    "objects | where reachable = unreachable "
	    "| group class : count as objects, sum shallow as bytes | top 10 bytes "
	    "| select bytes objects class",
	    NULL, "objects | where reachable = unreachable | sort -shallow", .garbage = true },
	{ "dominators", "Largest objects by retained size", SHAPE_GRAPH, FORM_TREE,
	    "dominators | head 15 | select retained percent shallow object class",
	    "No objects.", "dominators" },
	{ "classes", "Largest classes by retained size", SHAPE_GRAPH, FORM_TABLE,
	    "classes | top 15 retained | select retained shallow objects name",
	    "No classes.", "classes | sort -retained" },
	{ "exhausted", "OutOfMemoryError", SHAPE_GRAPH, FORM_TABLE,
	    "threads | where top ~ /^java[.]lang[.]OutOfMemoryError[.]/ | select retained id name at",
	    NULL, "frames" },
	{ "threads", "Threads by retained size", SHAPE_GRAPH, FORM_TABLE,
	    "threads | where retained > 0 | top 10 retained | select retained frames locals id name",
	    NULL, "threads | sort -retained" },
	{ "bitmaps", "Bitmaps", SHAPE_GRAPH, FORM_TABLE,
	    "bitmaps | group format storage : count, sum bytes as bytes, sum retained as retained, "
	    "sum waste as waste | sort -bytes",
	    NULL, NULL },
	{ "big_bitmaps", "Largest bitmaps", SHAPE_GRAPH, FORM_TABLE,
	    "bitmaps | top 10 bytes | select bytes width height format copies storage object held_by",
	    NULL, "bitmaps | sort -bytes" },
	{ "copies", "Duplicate data", SHAPE_GRAPH, FORM_TABLE,
	    "duplicates | group kind : count as values, sum copies as copies, sum waste as waste "
	    "| sort -waste",
	    NULL, NULL },
	{ "strings", "Duplicate strings and arrays", SHAPE_GRAPH, FORM_TABLE,
	    "duplicates strings arrays zeros | where waste >= 1k | top 10 waste "
	    "| select waste copies kind length object value",
	    NULL, "duplicates" },
	{ "collections", "Unused collection capacity", SHAPE_GRAPH, FORM_TABLE,
	    "collections | group class held_by : count, sum size as elements, sum waste as waste "
	    "| where waste >= 1k | top 10 waste | select waste count elements class held_by",
	    NULL, "collections | sort -waste" },
	{ "bugs", "Cursors not closed on all paths", SHAPE_CODE, FORM_TABLE,
	    "bugs | head 40 | select kind method line why", "no findings", "bugs", NULL, 40 },
	{ "calls", "Call tree by total time", SHAPE_CALLS, FORM_TREE,
	    "calls | top 15 total", "No calls.", "calls" },
	{ "methods", "Top methods by self time", SHAPE_CALLS, FORM_TABLE,
	    "methods | top 15 self | select name calls self total", "No methods.",
	    "methods | sort -self" },
	{ "threads", "Threads by calls", SHAPE_CALLS, FORM_TABLE,
	    "threads | top 15 calls | select name calls wall cpu", "No threads.",
	    "threads | sort -calls", .but = SHAPE_TASKS },
	{ "threads", "Threads by CPU time", SHAPE_TASKS, FORM_TABLE,
	    "threads | top 15 cpu | select cpu off_cpu calls wall tid name", "No threads.",
	    "threads | sort -cpu" },
	{ "waits", "Longest waits", SHAPE_TASKS, FORM_TABLE,
	    "tasks | where waits > 0 | top 15 max_wait | select max_wait off_cpu cpu waits tid name", "None.",
	    "tasks | sort -max_wait" },
	{ "runq", "Run-queue latency", SHAPE_TASKS, FORM_TABLE,
	    "tasks | where max_runq > 0 | top 10 max_runq | select max_runq runq runq_waits preempted tid name", NULL,
	    "tasks | sort -max_runq" },
	{ "cpus", "CPUs", SHAPE_TASKS, FORM_TABLE,
	    "cpus | head 64 | select cpu busy idle utilisation switches max_idle", NULL, "cpus" },
	{ "async", "Async slices by total time", SHAPE_MARKS, FORM_TABLE,
	    "async | head 15 | select total count max open name cat", NULL, "async" },
	{ "counters", "Counters", SHAPE_MARKS, FORM_TABLE,
	    "counters | top 15 points | select min max last points counter key process", NULL, "counters | sort -points" },
	{ "marks", "Instant events by name", SHAPE_MARKS, FORM_TABLE,
	    "marks | group name scope : count | top 15 count", NULL, "marks" },
	{ "balance_check", "Balances and transactions", SHAPE_MONEY, FORM_TABLE,
	    "balance_check | head 20 | select account transactions sum ledger verdict", "No statements in this file.",
	    "balance_check" },
	{ "payees", "Payees by amount", SHAPE_MONEY, FORM_TABLE,
	    "transactions | where amount < 0 | group payee currency : sum amount as total, count | sort total | head 15",
	    "No payments.", "transactions | group payee currency : sum amount" },
	{ "calls", "Call tree by total weight", SHAPE_SAMPLES, FORM_TREE,
	    "calls | top 15 total", "No samples.", "calls" },
	{ "methods", "Top functions by self weight", SHAPE_SAMPLES, FORM_TABLE,
	    "methods | where self > 0 | top 15 self | select self self_pct total total_pct samples name",
	    "No samples.", "methods | sort -self", .but = SHAPE_MONEY },
	{ "totals", "Top functions by total weight", SHAPE_SAMPLES, FORM_TABLE,
	    "methods | where total > 0 | top 15 total | select total total_pct self self_pct name", NULL,
	    "methods | sort -total", .but = SHAPE_MONEY },
	{ "grown", "Largest increases", SHAPE_SAMPLES, FORM_TABLE,
	    "methods | where self_delta > 0 | top 10 self_delta | select self_delta self_before self name",
	    "No increases.", "methods | sort -self_delta", .differs = true },
	{ "shrunk", "Largest decreases", SHAPE_SAMPLES, FORM_TABLE,
	    "methods | where self_delta < 0 | sort self_delta | head 10 "
	    "| select self_delta self_before self name",
	    "No decreases.", "methods | sort self_delta", .differs = true },
	{ "threads", "Threads by weight", SHAPE_SAMPLES, FORM_TABLE,
	    "threads | top 15 total | select total total_pct samples tid name", NULL,
	    "threads | sort -total", .but = SHAPE_MONEY, .threads = true },
};

struct report {
	struct session	*session;
	struct work	*work;
	struct printer	 p;
	unsigned	 shapes;
	unsigned	 printed;	/* sections */
};

/* ---- sections -------------------------------------------------------------------- */

/* More bytes cannot be reached than can. */
static bool
mostly_garbage(const struct session *session)
{
	const struct store *st = session_store(session);

	return heap_all_bytes(st, session->sizes) / 2 > heap_fact(st, "live_bytes", session->refs, session->sizes);
}

static bool
section_fits(const struct section *s, const struct session *session)
{
	unsigned shapes = session_shapes(session);

	return s->shapes == 0 || ((s->shapes & shapes) != 0 && (s->but & shapes) == 0);
}

/* Once its query can be asked. */
static bool
section_wanted(const struct section *s, const struct session *session, bool json)
{
	const struct store *st = session_store(session);

	return section_fits(s, session) && (json ? s->name != NULL : s->form != FORM_DATA) &&
	    (!s->garbage || mostly_garbage(session)) &&
	    (!s->differs || store_fact_get(st, "weight.differs") != 0) &&
	    (!s->threads || !threads_nameless(st)) &&
	    (!s->events || column_rows(store_column(st, COL_EVENT_TYPE)) > 1);
}

bool
report_prepare(struct session *session, struct work *work, struct err *err)
{
	struct query *q;
	bool ok = true;

	for (size_t i = 0; i < NELEM(sections) && ok; i++) {
		if (!section_fits(&sections[i], session))
			continue;
		if (!query_parse(&q, str_of(sections[i].query), err))
			return false;
		ok = query_prepare(q, session, work, err);
		query_free(q);
	}
	return ok;
}

/* The query and its rows; the first row is known. */
static bool
open_query(struct report *r, const char *text, struct query **q, struct rows **rows,
    struct err *err)
{
	if (!query_parse(q, str_of(text), err))
		return false;
	if (query_open(*q, r->session, rows, err)) {
		rows_set_work(*rows, r->work);
		rows_reach(*rows, 1);
		if (rows_error(*rows) == NULL)
			return true;
		*err = *rows_error(*rows);
		rows_close(*rows);
	}
	query_free(*q);
	return false;
}

/* ---- text ------------------------------------------------------------------------ */

/* Raw bytes as a line of their own, cut when it is too long. */
static bool
print_text(struct printer *p, struct str raw, struct err *err)
{
	print_raw(p, raw, p->width);
	return print_end(p, err);
}

static bool
print_title(struct printer *p, const char *title, char under, struct err *err)
{
	size_t width = text_width(str_of(title));

	if (!print_text(p, str_of(title), err))
		return false;
	for (width = width < p->width ? width : p->width; width > 0; width--)
		buf_chr(&p->line, under);
	return print_end(p, err);
}

static bool
print_lines(struct printer *p, struct rows *rows, struct err *err)
{
	struct cell c;

	for (uint64_t row = 0; rows_reach(rows, row + 1) > row; row++) {
		rows_cell(rows, row, 0, &c);
		if (!rows_tick(rows, row) ||
		    !print_text(p, c.type == CELL_TEXT ? c.text : STR(""), err))
			return false;
	}
	return true;
}

static bool
print_rows_as(struct report *r, enum form form, struct rows *rows, struct err *err)
{
	struct printer *p = &r->p;
	uint64_t n;
	bool ok;

	if (form == FORM_TABLE)
		return rows_print(rows, FORMAT_TABLE, p->width, p->file, &n, err);
	if (form == FORM_TREE)
		return outline_print(r->session, p->width, TREE_LINES, p->file, err);
	ok = form == FORM_FACTS ? report_facts(p, rows, err) :
	    form == FORM_FINDINGS ? report_findings(p, rows, err) : print_lines(p, rows, err);
	if (rows_error(rows) == NULL)
		return ok;
	*err = *rows_error(rows);
	return false;
}

/* "12 more are not shown here." */
static bool
print_rest(struct report *r, const struct section *s, struct err *err)
{
	struct query *q;
	struct rows *rows;
	uint64_t n;

	if (s->all == NULL)
		return true;
	if (!open_query(r, s->all, &q, &rows, err))
		return false;
	n = rows_reach(rows, ROWS_ALL);
	rows_close(rows);
	query_free(q);
	if (n <= s->limit)
		return true;
	buf_printf(&r->p.line, "\n%llu more not shown.\n",
	    (unsigned long long)(n - s->limit));
	return print_line(&r->p, err);
}

static bool
print_section(struct report *r, const struct section *s, struct rows *rows, struct err *err)
{
	struct printer *p = &r->p;

	buf_chr(&p->line, '\n');
	if (!print_title(p, s->title, '-', err) || (s->form == FORM_FINDINGS && !report_sums(p, r->session, err)))
		return false;
	if (rows_reach(rows, 1) == 0 && s->form == FORM_FINDINGS)
		return true;
	if (rows_reach(rows, 1) == 0 ? !print_text(p, str_of(s->none), err) :
	    !print_rows_as(r, s->form, rows, err) || !print_rest(r, s, err))
		return false;
	if (s->more == NULL || s->more[0] == '\0')
		return true;
	buf_printf(&p->line, "\n(full list: icecore -e '%s' FILE)\n", s->more);
	return print_line(p, err);
}

/* The last part of a path: where the file lies is nobody's business. */
static struct str
base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return str_of(strcmp(path, "-") == 0 ? "standard input" :
	    slash == NULL ? path : slash + 1);
}

/*
 * Whether two people look at one dump.  The whole of gigabytes would take as long again as the page, so of a large file it
 * is of both ends, which have the time of the dump and the last objects; the size stands beside it.
 */
static void
add_digest(const struct report *r, struct buf *b)
{
	const struct map *m = store_source(session_store(r->session));
	struct buf ends = BUF_INIT;

	if (m->size <= 2 * SAMPLE)
		sha256_add((struct str){ (const char *)m->data, (size_t)m->size }, b);
	else {
		buf_str(&ends, (struct str){ (const char *)m->data, SAMPLE });
		buf_str(&ends, (struct str){ (const char *)m->data + m->size - SAMPLE, SAMPLE });
		sha256_add(buf_view(&ends), b);
		b->bad |= ends.bad;
		buf_free(&ends);
	}
}

static bool
print_made(struct report *r, struct err *err)
{
	const struct store *st = session_store(r->session);
	uint64_t size = store_source(st)->size;
	char text[NUM_TEXT];

	num_show_count(text, sizeof text, size);
	buf_printf(&r->p.line, "%s; %s bytes%s, SHA-256%s:\n", PACKAGE_STRING, text,
	    store_file(st) == store_source(st) ? "" : " unpacked", size > 2 * SAMPLE ? " of the first and last MiB" : "");
	add_digest(r, &r->p.line);
	return print_end(&r->p, err);
}

static bool
print_head(struct report *r, const char *file, struct err *err)
{
	const char *what = (r->shapes & SHAPE_GRAPH) != 0 ? "heap dump" : (r->shapes & SHAPE_MONEY) != 0 ? "bank statements" :
	    (r->shapes & SHAPE_SAMPLES) != 0 ? "profile" :
	    (r->shapes & SHAPE_TASKS) != 0 ? "scheduler trace" :
	    (r->shapes & (SHAPE_CODE | SHAPE_TREES)) == SHAPE_CODE ? "bytecode" :
	    (r->shapes & (SHAPE_MARKS | SHAPE_CALLS)) == SHAPE_MARKS ? "trace" : "method trace";
	struct buf title = BUF_INIT;
	bool ok;

	buf_printf(&title, "icecore report: %s ", what);
	text_fit_buf(&title, base_name(file));
	ok = print_title(&r->p, title.bad ? what : title.s, '=', err);
	buf_free(&title);
	return ok && print_made(r, err);
}

/* What to ask next; of files of these shapes, 0: of any. */
static const struct advice {
	unsigned	 shapes;
	const char	*command, *what;
} advice[] = {
	{ 0, "icecore FILE", "open the explorer" },
	{ SHAPE_GRAPH, "icecore -e 'leaktrace @12' FILE", "leak trace of object 12" },
	{ SHAPE_GRAPH, "icecore -e 'fields @12' FILE", "its fields" },
	{ SHAPE_GRAPH, "icecore -e 'dominated @12' FILE", "objects it dominates, largest first" },
	{ SHAPE_GRAPH, "icecore -e 'help findings'", "explanation of each kind of finding" },
	{ SHAPE_TREES, "icecore --text FILE", "call tree as text" },
	{ SHAPE_TASKS, "icecore -e 'tasks | sort -off_cpu' FILE", "tasks by off-CPU time" },
	{ SHAPE_SAMPLES, "icecore -e 'calls' -o folded FILE", "folded stacks for flame graph tools" },
	{ SHAPE_CODE, "icecore -e 'bytecode METHOD' FILE", "instructions of a method" },
	{ 0, "icecore --report -o json FILE", "this report as JSON" },
};

static bool
print_advice(struct report *r, struct err *err)
{
	struct printer *p = &r->p;

	buf_chr(&p->line, '\n');
	if (!print_title(p, "Next steps", '-', err))
		return false;
	for (size_t i = 0; i < NELEM(advice); i++) {
		if (advice[i].shapes != 0 && (advice[i].shapes & r->shapes) == 0)
			continue;
		buf_printf(&p->line, "%-34s  %s\n", advice[i].command, advice[i].what);
		if (!print_line(p, err))
			return false;
	}
	return true;
}

/* ---- json ------------------------------------------------------------------------ */

/* An object a row, with commas between. */
static bool
print_objects(struct report *r, const struct section *s, struct rows *rows, struct err *err)
{
	struct printer *p = &r->p;

	buf_printf(&p->line, "%s\"%s\":[\n", r->printed > 0 ? "," : "", s->name);
	p->rows = rows;
	for (uint64_t row = 0; rows_reach(rows, row + 1) > row; row++) {
		if (row > 0)
			buf_chr(&p->line, ',');
		if (!rows_tick(rows, row) || !json_row(p, row, err))
			return false;
	}
	if (rows_error(rows) != NULL) {
		*err = *rows_error(rows);
		return false;
	}
	buf_str(&p->line, STR("]\n"));
	return print_line(p, err);
}

/* ---- all ------------------------------------------------------------------------- */

static bool
print_sections(struct report *r, bool json, struct err *err)
{
	struct query *q;
	struct rows *rows;
	bool ok = true;

	for (const struct section *s = sections; s < sections + NELEM(sections) && ok; s++) {
		if (!section_wanted(s, r->session, json))
			continue;
		if (!open_query(r, s->query, &q, &rows, err))
			return false;
		if (json)
			ok = print_objects(r, s, rows, err);
		else if (rows_reach(rows, 1) > 0 || s->none != NULL)
			ok = print_section(r, s, rows, err);
		r->printed++;
		rows_close(rows);
		query_free(q);
	}
	return ok;
}

bool
report_print(struct session *session, const char *file, bool json, FILE *to,
    struct work *work, struct err *err)
{
	struct report r = {
		.session = session, .work = work, .shapes = session_shapes(session),
		.p = printer_to(to, REPORT_WIDTH)
	};
	bool ok = true;

	if (json) {
		buf_str(&r.p.line, STR("{\"file\":"));
		json_text(&r.p, base_name(file));
		buf_printf(&r.p.line, ",\"program\":\"%s\",\"bytes\":%llu,\"sha256_of_ends\":\"", PACKAGE_STRING,
		    (unsigned long long)store_source(session_store(session))->size);
		add_digest(&r, &r.p.line);
		buf_str(&r.p.line, STR("\",\n\"sections\":{\n"));
	} else
		ok = print_head(&r, file, err);
	ok = ok && print_sections(&r, json, err);
	if (ok && json) {
		buf_str(&r.p.line, STR("}}\n"));
		ok = print_line(&r.p, err);
	} else if (ok)
		ok = print_advice(&r, err);
	printer_free(&r.p);
	return ok || r.p.closed;
}
