/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * report_facts: the overview of a report: what the file is and holds, in a few lines.
 */
#include "config.h"

#include "icecore/phrase.h"
#include "query/trace/trace.h"
#include "report.h"

/* Lines of the overview: phrases of fields of info.  A line that says nothing is omitted. */
static const struct fact_line {
	const char	*label, *phrase;
	bool		 head;		/* the line is in the header */
	bool		 some;		/* fields that are 0 are missing too */
} fact_lines[] = {
	{ "format", "[{format}; addresses of {id_size}; layout {layout}]", .head = true },
	{ "format", "[{format}; {kind}; clocks {clock}]", .head = true },
	{ "format", "[kind?|[id_size?|[{format}]]]", .head = true },
	{ "encoding", "[{encoding}; {unpacked} decoded]", .head = true },
	{ "written", "[{dumped_at}]" },
	{ "dump", "[{dump} of {dumps} in the file]" },
	{ "reachable", "[{live_bytes} in {live_objects} objects]" },
	{ "unreachable", "[{unreachable_bytes} in {unreachable_objects} objects]" },
	{ "no stacks", "[virtual threads {stackless_threads}: objects held only by their local variables count as "
	    "unreachable]" },
	{ "contents", "[classes {classes}, class loaders {loaders}, threads {threads}, GC roots {roots}]" },
	{ "missing", "[{missing} references to missing objects]" },
	{ "clocks", "[a guess: {clock_guessed}]" },
	{ "samples", "[statements?|[{samples}, total {total}]]" },
	{ "contents", "[transactions {transactions}, statements {statements}, accounts {threads}]" },
	{ "request", "[{request}]" },
	{ "contents", "[accounts listed {accounts_listed}, elements {elements}]" },
	{ "before", "[total {total_before}]" },
	{ "contents", "[statements?|[frames {methods}, threads {threads}, events {events}]]" },
	{ "contents", "[switches {switches}, wakeups {wakeups}, tasks {threads_listed}, userspace markers {marks}]" },
	{ "records", "[columns?|[{records} of {threads} threads and {methods} methods]]", .some = true },
	{ "table", "[records {records}, columns {columns}]" },
	{ "contents", "[dumps {dumps}, findings {findings}, signatures {signatures}]" },
	{ "path", "[{path}]" },
	{ "weight", "[unit?[{weight}[same_unit?| in {unit}]]]" },
	{ "begins", "[{clock_start} (trace clock)]" },
	{ "duration", "[{elapsed} of {elapsed_claimed} (truncated)]" },
	{ "duration", "[elapsed_claimed?|[{elapsed}]]" },
	{ "stacks", "[statements?|[{stacks}, depth up to {max_depth}]]" },
	{ "bytecode", "[classes {code.classes}, methods {code.methods}, size of their code {code.bytes}]" },
};

struct facts_said {
	struct rows		*info;
	const struct fact_line	*line;
};

static void
report_facts_add(void *of, struct str name, struct buf *b)
{
	const struct facts_said *said = of;
	struct cell c;

	if (info_find(said->info, name, &c) == NULL)
		return;
	if (c.type == CELL_TEXT)
		buf_str(b, c.text);
	else
		cell_show(&c, b);
}

/* Return whether the unit is the name of the weight, so that it says nothing more. */
static bool
report_facts_same_unit(struct facts_said *said)
{
	struct buf b = BUF_INIT;
	size_t n;
	bool same;

	report_facts_add(said, STR("weight"), &b);
	n = b.n;
	report_facts_add(said, STR("unit"), &b);
	same = str_eq(str_after(buf_view(&b), n), str_head(buf_view(&b), n));
	buf_free(&b);
	return same;
}

static enum amount
report_facts_amount(void *of, struct str name)
{
	struct facts_said *said = of;
	struct cell c;

	if (str_eq(name, STR("same_unit")))
		return report_facts_same_unit(said) ? AMOUNT_MANY : AMOUNT_NONE;
	return info_find(said->info, name, &c) != NULL &&
	    (!said->line->some || (c.type != CELL_COUNT && c.type != CELL_BYTES) || c.u > 0) ? AMOUNT_MANY :
	    AMOUNT_NONE;
}

void
report_facts(struct printer *p, struct rows *info, bool head, bool first)
{
	struct buf b = BUF_INIT;

	for (const struct fact_line *line = fact_lines; line < fact_lines + NELEM(fact_lines); line++) {
		buf_clear(&b);
		if (line->head == head)
			phrase_add(str_of(line->phrase), &(struct phrase_fields){ report_facts_amount,
			    report_facts_add, &(struct facts_said){ info, line } }, &b);
		if (b.n == 0)
			continue;
		page_pair(p, line->label, buf_view(&b), first);
		first = false;
	}
	buf_free(&b);
}
