/*
 * report_facts: the overview of a report: what the file is and holds, in a few lines.
 */
#include "config.h"

#include "report.h"

#define FIELDS 4u

/* Lines of the overview.  Each $ is the next field of info.  A line with a missing field is omitted. */
static const struct fact_line {
	const char	*label, *form;
	const char	*field[FIELDS];
	bool		 head;		/* the line is in the header */
	bool		 differ;	/* the second only where it is another text than the first */
	bool		 some;		/* left out too where the first of them is 0, */
	const char	*unless, *nor;	/* or where there is one of these fields; or NULL */
} fact_lines[] = {
	{ "format", "$; addresses of $; layout $", { "format", "id_size", "layout" }, .head = true },
	{ "format", "$; $; clocks $", { "format", "kind", "clock" }, .head = true },
	{ "format", "$", { "format" }, .head = true, .unless = "id_size", .nor = "kind" },
	{ "encoding", "$; $ decoded", { "encoding", "unpacked" }, .head = true },
	{ "written", "$", { "dumped_at" } },
	{ "dump", "$ of $ in the file", { "dump", "dumps" } },
	{ "reachable", "$ in $ objects", { "live_bytes", "live_objects" } },
	{ "unreachable", "$ in $ objects", { "unreachable_bytes", "unreachable_objects" } },
	{ "no stacks", "virtual threads $: what only their local variables hold counts as unreachable", { "stackless_threads" } },
	{ "contents", "classes $, class loaders $, threads $, GC roots $", { "classes", "loaders", "threads", "roots" } },
	{ "missing", "$ references to missing objects", { "missing" } },
	{ "clocks", "a guess: $", { "clock_guessed" } },
	{ "samples", "$, total $", { "samples", "total" }, .unless = "statements" },
	{ "contents", "transactions $, statements $, accounts $", { "transactions", "statements", "threads" } },
	{ "before", "total $", { "total_before" } },
	{ "contents", "frames $, threads $, events $", { "methods", "threads", "events" }, .unless = "statements" },
	{ "contents", "switches $, wakeups $, tasks $, userspace markers $",
	    { "switches", "wakeups", "threads_listed", "marks" } },
	{ "records", "$ of $ threads and $ methods", { "records", "threads", "methods" }, .some = true, .unless = "columns" },
	{ "table", "records $, columns $", { "records", "columns" } },
	{ "contents", "dumps $, findings $, signatures $", { "dumps", "findings", "signatures" } },
	{ "path", "$", { "path" } },
	{ "weight", "$ in $", { "weight", "unit" }, .differ = true },
	{ "begins", "$ (trace clock)", { "clock_start" } },
	{ "duration", "$ of $ (truncated)", { "elapsed", "elapsed_claimed" } },
	{ "duration", "$", { "elapsed" }, .unless = "elapsed_claimed" },
	{ "stacks", "$, depth up to $", { "stacks", "max_depth" }, .unless = "statements" },
	{ "bytecode", "classes $, methods $, size of their code $", { "code.classes", "code.methods", "code.bytes" } },
};

/* Append the value of a field of info; false: it has none, or it is 0 and must not be. */
static bool
report_facts_add_fact(struct rows *info, const char *field, bool some, struct buf *b)
{
	struct cell c;

	for (uint64_t row = 0; field != NULL && rows_reach(info, row + 1) > row; row++) {
		rows_cell(info, row, 0, &c);
		if (c.type != CELL_TEXT || !str_eq(c.text, str_of(field)))
			continue;
		rows_cell(info, row, 1, &c);
		if (c.type == CELL_TEXT)
			buf_str(b, c.text);
		else
			cell_show(&c, b);
		return !some || (c.type != CELL_COUNT && c.type != CELL_BYTES) || c.u > 0;
	}
	return false;
}

bool
report_words(struct printer *p, struct str raw, unsigned indent, struct err *err)
{
	struct buf fitted = BUF_INIT;
	size_t in = 0, n, width = p->width == 0 ? SIZE_MAX : p->width;
	bool ok = true;

	text_fit_buf(&fitted, raw);
	for (struct str rest = buf_view(&fitted); rest.n > 0 && ok; in = indent) {
		n = text_words(rest, width - in, p->ascii);
		buf_printf(&p->line, "%*s", (int)in, "");
		print_fitted(p, (struct str){ rest.s, n }, width - in);
		ok = print_end(p, err);
		n += n < rest.n;
		rest.s += n;
		rest.n -= n;
	}
	p->line.bad |= fitted.bad;
	buf_free(&fitted);
	return ok;
}

static bool
make_fact(struct rows *info, const struct fact_line *line, struct buf *b)
{
	size_t i = 0, from, first = 0;

	buf_clear(b);
	if (report_facts_add_fact(info, line->unless, false, b) || report_facts_add_fact(info, line->nor, false, b))
		return false;
	buf_clear(b);
	for (const char *form = line->form; *form != '\0'; form++) {
		if (*form != '$') {
			buf_chr(b, *form);
			continue;
		}
		from = b->n;
		if (!report_facts_add_fact(info, line->field[i], line->some && i == 0, b))
			return false;
		if (i++ == 0)
			first = b->n;
		else if (line->differ && str_eq(str_behind(buf_view(b), from), (struct str){ b->s, first }))
			b->n = first;
	}
	return true;
}

bool
report_facts(struct printer *p, struct rows *info, bool head, bool first, struct err *err)
{
	struct buf b = BUF_INIT;
	bool ok = true;

	for (const struct fact_line *line = fact_lines; line < fact_lines + NELEM(fact_lines) && ok; line++)
		if (line->head == head && make_fact(info, line, &b)) {
			ok = report_pair(p, line->label, buf_view(&b), first, err);
			first = false;
		}
	buf_free(&b);
	return ok;
}
