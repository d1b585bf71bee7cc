/*
 * report_facts: the overview of a report: what the file is and holds, in a few lines.
 */
#include "config.h"

#include "print.h"

#define LABELS 13u		/* columns of the labels in the overview */
#define FIELDS 4u

/* Lines of the overview; each $ stands for the next field of info.  A line whose fields are not all there is left out. */
static const struct fact_line {
	const char	*label, *form;
	const char	*field[FIELDS];
	bool		 some;		/* left out too where the first of them is 0, */
	const char	*unless;	/* or where there is this field; or NULL */
} fact_lines[] = {
	{ "format", "$, addresses of $, layout $", { "format", "id_size", "layout" } },
	{ "written", "$", { "dumped_at" } },
	{ "dump", "$ of $ in the file", { "dump", "dumps" } },
	{ "live", "$ in $ objects", { "live_bytes", "live_objects" } },
	{ "unreachable", "$ in $ objects",
	    { "unreachable_bytes", "unreachable_objects" } },
	{ "contents", "classes $, class loaders $, threads $, GC roots $",
	    { "classes", "loaders", "threads", "roots" } },
	{ "missing", "$ references to missing objects", { "missing" } },
	{ "format", "$, $, clocks $", { "format", "kind", "clock" } },
	{ "clocks", "a guess: $", { "clock_guessed" } },
	{ "format", "$, samples $, total $", { "format", "samples", "total" } },
	{ "before", "total $", { "total_before" } },
	{ "contents", "frames $, threads $, events $", { "methods", "threads", "events" } },
	{ "contents", "switches $, wakeups $, tasks $, userspace markers $",
	    { "switches", "wakeups", "threads_listed", "marks" } },
	{ "records", "$ of $ threads and $ methods", { "records", "threads", "methods" }, .some = true, .unless = "columns" },
	{ "table", "records $, columns $", { "records", "columns" } },
	{ "path", "$", { "path" } },
	{ "weight", "$ in $", { "weight", "unit" } },
	{ "begins", "$ by its clock", { "clock_start" } },
	{ "elapsed", "$", { "elapsed" } },
	{ "stacks", "$, deepest $ frames", { "stacks", "max_depth" } },
	{ "bytecode", "classes $, methods $, size of their code $", { "code.classes", "code.methods", "code.bytes" } },
	{ "DAMAGED", "$", { "loss.reason" } },
};

/* Appends the value of a field of info; false: it has none, or 0 where there must be some. */
static bool
add_fact(struct rows *info, const char *field, bool some, struct buf *b)
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
	size_t in = 0, n;
	bool ok = true;

	text_fit_buf(&fitted, raw);
	for (struct str rest = buf_view(&fitted); rest.n > 0 && ok; in = indent) {
		n = text_words(rest, p->width - in, p->ascii);
		buf_printf(&p->line, "%*s", (int)in, "");
		print_fitted(p, (struct str){ rest.s, n }, p->width - in);
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
	size_t i = 0;

	buf_clear(b);
	if (line->unless != NULL && add_fact(info, line->unless, false, b))
		return false;
	buf_clear(b);
	buf_printf(b, "%-*s", (int)LABELS, line->label);
	for (const char *form = line->form; *form != '\0'; form++) {
		if (*form != '$')
			buf_chr(b, *form);
		else if (!add_fact(info, line->field[i], line->some && i == 0, b))
			return false;
		else
			i++;
	}
	return true;
}

bool
report_facts(struct printer *p, struct rows *info, struct err *err)
{
	struct buf b = BUF_INIT;
	bool ok = true;

	for (size_t i = 0; i < NELEM(fact_lines) && ok; i++)
		if (make_fact(info, &fact_lines[i], &b))
			ok = report_words(p, buf_view(&b), LABELS, err);
	buf_free(&b);
	return ok;
}
