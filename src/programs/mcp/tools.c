/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tools: what can be called: names, arguments, schemas.
 */
#include "config.h"

#include <string.h>

#include "mcp.h"

#define FILE_ARG(key, text, must, says) { key, text, .required = must, .most = 1024, .what = says }
#define LIMIT_ARG(by_default) { "limit", CALL_LIMIT, .most = 500, .usual = by_default, \
    .what = "maximum number of rows per page" }
#define CURSOR_ARG { "cursor", CALL_CURSOR, .most = 256, .what = "cursor from the previous page" }
#define END_ARG { .most = 0 }

static const struct tool_arg files_args[] = {
	FILE_ARG("under", CALL_UNDER, false, "directory below the root (default: the whole root)"),
	LIMIT_ARG(100), CURSOR_ARG, END_ARG
}, help_args[] = {
	{ "word", CALL_WORD, .most = 64, .what = "command to explain, with its columns" },
	FILE_ARG("file", CALL_FILE, false, "list only the commands that work on this file"),
	END_ARG
}, file_args[] = {
	FILE_ARG("file", CALL_FILE, true, "path below the root, as files lists it"),
	END_ARG
}, overview_args[] = {
	FILE_ARG("file", CALL_FILE, true, "path below the root, as files lists it"),
	LIMIT_ARG(100), CURSOR_ARG, END_ARG
}, query_args[] = {
	FILE_ARG("file", CALL_FILE, true, "path below the root, as files lists it"),
	{ "query", CALL_QUERY, .required = true, .most = 4096,
	    .what = "source and stages, e.g. classes | top 10 retained" },
	FILE_ARG("other", CALL_OTHER, false, "second file; the stage diff compares it with the first"),
	LIMIT_ARG(50), CURSOR_ARG, END_ARG
}, record_args[] = {
	{ "kind", CALL_KIND, .required = true, .most = 15, .what = "heap, histogram, threads, jfr, cpu or sched" },
	{ "pid", CALL_PID, .most = INT32_MAX, .what = "process, as processes lists it; sched takes none" },
	{ "seconds", CALL_SECONDS, .most = 600, .what = "how long to record; for jfr, cpu and sched" },
	END_ARG
}, no_args[] = { END_ARG };

static const struct mcp_tool tools[] = {
	{ "files", "List files", "List the files that icecore can open, with format, size and time.",
	    files_args, .rows = true, .run = tool_files },
	{ "help", "Explain the query language",
	    "Explain the query language: its sources and stages, or one of them with its columns.", help_args,
	    .run = tool_help },
	{ "info", "Describe a file", "Describe a file: format, size, record counts, repairs and losses.",
	    file_args, .rows = true, .run = tool_info },
	{ "overview", "Summarise a file", "Summarise a file in a few lines: what is largest, what is slowest and what "
	    "looks wrong. "
	    "Each line contains a query for the details. If computing a line takes "
	    "too long, the line says so.", overview_args, .rows = true, .run = tool_overview },
	{ "query", "Query a file", "Run a query over a heap dump, trace or profile and return rows, e.g. "
	    "classes | top 10 retained.", query_args, .rows = true, .run = tool_query },
	{ "report", "Report on a file", "Write a one-page report on a file: its format and size, "
	    "suspected leaks, and what uses the memory or the time.", file_args, .run = tool_report },
	{ "processes", "List processes", "List the processes that can be recorded, as icecore ps does: JVMs, and "
	    "processes that use a CPU.",
	    no_args, .records = true, .run = tool_processes },
	{ "record", "Record a process", "Record a running process; the answer names the new file below the root, or "
	    "contains the histogram. "
	    "A heap dump stops a JVM for seconds.", record_args, .records = true, .changes = true,
	    .run = tool_record },
};

static const char rows_schema[] =
    "{\"type\":\"object\",\"properties\":{\"columns\":{\"type\":\"array\",\"items\":{\"type\":\"object\","
    "\"properties\":{"
    "\"name\":{\"type\":\"string\"},\"type\":{\"type\":\"string\"},\"unit\":{\"type\":\"string\"}},"
    "\"required\":[\"name\",\"type\"]}},"
    "\"rows\":{\"type\":\"array\",\"items\":{\"type\":\"array\"}},\"more\":{\"type\":\"boolean\"},"
    "\"cursor\":{\"type\":\"string\"},"
    "\"total\":{\"type\":\"integer\"},\"notes\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}},"
    "\"required\":[\"columns\",\"rows\",\"more\"]}";

const struct mcp_tool *
tool_named(const struct mcp_options *o, struct str name)
{
	for (size_t i = 0; i < NELEM(tools); i++)
		if ((o->record || !tools[i].records) && str_eq(name, str_of(tools[i].name)))
			return &tools[i];
	return NULL;
}

/* ---- schemas ----------------------------------------------------------------------------- */

static void
put_arg(struct buf *b, const struct tool_arg *a)
{
	message_text(b, str_of(a->name));
	if (a->text >= CALL_TEXTS) {
		buf_printf(b, ":{\"type\":\"integer\",\"minimum\":1,\"maximum\":%u", a->most);
		if (a->usual > 0)
			buf_printf(b, ",\"default\":%u", a->usual);
	} else
		buf_printf(b, ":{\"type\":\"string\",\"maxLength\":%u", a->most);
	buf_str(b, STR(",\"description\":"));
	message_text(b, str_of(a->what));
	buf_chr(b, '}');
}

static void
put_schema(struct buf *b, const struct tool_arg *args)
{
	bool some = false;

	buf_str(b, STR("{\"type\":\"object\",\"properties\":{"));
	for (const struct tool_arg *a = args; a->most > 0; a++) {
		buf_str(b, a > args ? STR(",") : STR(""));
		put_arg(b, a);
	}
	buf_chr(b, '}');
	for (const struct tool_arg *a = args; a->most > 0; a++) {
		if (!a->required)
			continue;
		buf_str(b, some ? STR(",") : STR(",\"required\":["));
		message_text(b, str_of(a->name));
		some = true;
	}
	buf_str(b, some ? STR("],\"additionalProperties\":false}") : STR(",\"additionalProperties\":false}"));
}

void
tools_put(const struct mcp_options *o, struct buf *b)
{
	for (const struct mcp_tool *t = tools; t < tools + NELEM(tools); t++) {
		if (t->records && !o->record)
			continue;
		buf_str(b, t > tools ? STR(",{\"name\":") : STR("{\"name\":"));
		message_text(b, str_of(t->name));
		buf_str(b, STR(",\"title\":"));
		message_text(b, str_of(t->title));
		buf_str(b, STR(",\"description\":"));
		message_text(b, str_of(t->what));
		buf_str(b, STR(",\"inputSchema\":"));
		put_schema(b, t->args);
		if (t->rows)
			buf_printf(b, ",\"outputSchema\":%s", rows_schema);
		buf_printf(b, ",\"annotations\":{\"readOnlyHint\":%s,\"destructiveHint\":false,\"idempotentHint\":%s,"
		    "\"openWorldHint\":false}}", t->changes ? "false" : "true",
		    t->changes ? "false" : "true");
	}
}

/* ---- arguments --------------------------------------------------------------------------- */

static bool
take_number_arg(struct call *c, const struct tool_arg *a, struct str value, struct err *err)
{
	uint64_t *number = &c->number[a->text - CALL_TEXTS];

	*number = a->usual;
	return value.n == 0 || (message_is_integer(value) && num_u64(value, 10, number) && *number > 0 &&
	    *number <= a->most) || fail(err, E_USAGE, "%s must be a number from 1 to %u", a->name, a->most);
}

/* Paths are given as files lists them. */
static bool
take_text_arg(struct call *c, const struct tool_arg *a, struct str value, struct err *err)
{
	struct buf *own = &c->own[a->text], plain = BUF_INIT;
	struct str text = message_string(value, &plain);

	if (value.n == 0)
		return !a->required || fail(err, E_USAGE, "%s needs %s", c->tool->name, a->name);
	if (!message_is_string(value) || text.n > a->most) {
		buf_free(&plain);
		return fail(err, E_USAGE, "%s must be a string of at most %u bytes", a->name, a->most);
	}
	(a->text < CALL_PATHS ? text_unescape : buf_str)(own, text);
	own->bad |= plain.bad;
	buf_free(&plain);
	c->text[a->text] = buf_view(own);
	return !own->bad || fail(err, E_SYSTEM, "out of memory");
}

static const struct tool_arg *
arg_named(const struct mcp_tool *t, struct str name)
{
	for (const struct tool_arg *a = t->args; a->most > 0; a++)
		if (str_eq(name, str_of(a->name)))
			return a;
	return NULL;
}

static bool
fail_unknown(const struct mcp_tool *t, struct str name, struct err *err)
{
	struct buf b = BUF_INIT;

	text_fit_buf(&b, str_head(name, 64));
	buf_printf(&b, "'; %s takes%s", t->name, t->args->most > 0 ? "" : " none");
	for (const struct tool_arg *a = t->args; a->most > 0; a++)
		buf_printf(&b, "%s %s", a > t->args ? "," : "", a->name);
	fail(err, E_USAGE, "no argument '%s", b.bad ? "" : b.s);
	buf_free(&b);
	return false;
}

bool
tool_arguments(struct call *c, struct str arguments, struct err *err)
{
	struct json j = { .base = arguments.s, .size = arguments.n };
	struct str name, value;
	struct buf b = BUF_INIT;
	bool ok = true;

	if (arguments.n > 0 && scan_open(&j, '{'))
		while (ok && message_next(&j, &name, &value)) {
			name = scan_unescape(name, &b);
			ok = arg_named(c->tool, name) != NULL || fail_unknown(c->tool, name, err);
		}
	for (const struct tool_arg *a = c->tool->args; ok && a->most > 0; a++)
		ok = (a->text < CALL_TEXTS ? take_text_arg : take_number_arg)(c, a,
		    message_member(arguments, a->name), err);
	buf_free(&b);
	return ok;
}
