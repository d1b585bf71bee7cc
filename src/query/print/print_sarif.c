/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * print_sarif: rows of bugs or findings as a document of SARIF 2.1.0, which CI systems show beside the
 * source.
 */
#include "config.h"

#include <string.h>

#include "icecore/texts.h"
#include "print.h"

enum { KIND, SEVERITY, WHY, WHAT, HASH, RULE, METHOD, CLASS, DOING, SOURCE, LINE, FAULT_LINE, PIECE,
    SARIF_COLS };

static const char *const sarif_names[SARIF_COLS] = { "kind", "severity", "why", "what", "hash", "rule",
    "method", "class", "doing", "source",
	"line", "fault_line", "file" };

struct sarif {
	struct printer		*p;
	const struct command	*source;	/* bugs or findings */
	bool			 bugs;
	int			 col[SARIF_COLS];	/* -1: these rows lack it */
	struct text_pool	 rules;		/* kinds of the printed rows, by number from 1 */
	struct buf		 text;
};

/* Append the text of a cell, empty if there is none, to s->text. */
static struct str
sarif_add_text(struct sarif *s, uint64_t row, unsigned what)
{
	struct cell c = { .type = CELL_NONE };

	if (s->col[what] >= 0)
		rows_cell(s->p->rows, row, (size_t)s->col[what], &c);
	if (c.type == CELL_TEXT)
		buf_str(&s->text, c.text);
	return buf_view(&s->text);
}

static struct str
sarif_text(struct sarif *s, uint64_t row, unsigned what)
{
	buf_clear(&s->text);
	return sarif_add_text(s, row, what);
}

/* Return 0 if the line is unknown. */
static uint64_t
sarif_line(struct sarif *s, uint64_t row, unsigned what)
{
	struct cell c = { .type = CELL_NONE };

	if (s->col[what] >= 0)
		rows_cell(s->p->rows, row, (size_t)s->col[what], &c);
	return c.type == CELL_COUNT && c.u < INT32_MAX ? c.u : 0;
}

/*
 * A path as a relative URI: all bytes that need it are encoded, so that a text from a file cannot end the
 * reference.
 */
static void
put_uri(struct buf *b, struct str path)
{
	while (str_take(&path, STR("/")))
		;
	buf_chr(b, '"');
	for (size_t i = 0; i < path.n; i++) {
		uint8_t c = (uint8_t)path.s[i];

		if (is_digit(path.s[i]) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		    is_one_of(c, "-._~/!$+=@"))
			buf_chr(b, path.s[i]);
		else
			buf_printf(b, "%%%02X", c);
	}
	buf_chr(b, '"');
}

static const char *
sarif_level(struct str severity)
{
	return str_eq(severity, STR("leak")) || str_eq(severity, STR("high")) ? "error" :
	    str_eq(severity, STR("warning")) || str_eq(severity, STR("low")) ? "warning" : "note";
}

/* The source of the class, else the class file; of a finding the dump. */
static void
put_physical(struct sarif *s, uint64_t row, uint64_t line)
{
	struct buf *b = &s->p->line;
	struct str path = sarif_text(s, row, SOURCE);

	if (path.n == 0) {
		line = 0;
		path = sarif_text(s, row, PIECE);
	}
	if (path.n == 0)
		path = str_of(store_path(session_store(s->p->rows->session)));
	buf_str(b, STR("\"physicalLocation\":{\"artifactLocation\":{\"uri\":"));
	put_uri(b, path);
	buf_chr(b, '}');
	if (line > 0)
		buf_printf(b, ",\"region\":{\"startLine\":%u}", (unsigned)line);
	buf_chr(b, '}');
}

static void
put_locations(struct sarif *s, uint64_t row)
{
	uint64_t line = sarif_line(s, row, LINE), fault = sarif_line(s, row, FAULT_LINE);
	struct buf *b = &s->p->line;
	struct str name;

	buf_str(b, STR(",\"locations\":[{"));
	put_physical(s, row, line);
	name = sarif_text(s, row, s->bugs ? METHOD : s->col[DOING] >= 0 ? DOING : CLASS);
	if (name.n > 0) {
		buf_str(b, STR(",\"logicalLocations\":[{\"fullyQualifiedName\":"));
		print_quoted(s->p, name);
		buf_printf(b, ",\"kind\":\"%s\"}]", s->bugs || s->col[DOING] >= 0 ? "function" : "type");
	}
	buf_str(b, STR("}]"));
	if (fault == 0 || fault == line)
		return;
	buf_str(b, STR(",\"relatedLocations\":[{"));
	put_physical(s, row, fault);
	buf_str(b, STR(",\"message\":{\"text\":\"lost here\"}}]"));
}

/* Hashes of different rules cannot be compared: the rule is a part of the name. */
static void
put_fingerprint(struct sarif *s, uint64_t row)
{
	struct buf *b = &s->p->line;

	if (sarif_text(s, row, HASH).n == 0 || sarif_text(s, row, RULE).n == 0)
		return;
	buf_clear(&s->text);
	buf_str(&s->text, STR("icecoreSignature/"));
	buf_str(b, STR(",\"partialFingerprints\":{"));
	print_quoted(s->p, sarif_add_text(s, row, RULE));
	buf_chr(b, ':');
	print_quoted(s->p, sarif_text(s, row, HASH));
	buf_chr(b, '}');
}

static void
sarif_result(struct sarif *s, uint64_t row)
{
	struct buf *b = &s->p->line;
	uint32_t rule;
	struct str text;

	if (!texts_number(&s->rules, sarif_text(s, row, KIND), &rule, s->p->err)) {
		s->p->ended = true;
		return;
	}
	buf_str(b, row > 0 ? STR(",\n{\"ruleId\":") : STR("\n{\"ruleId\":"));
	print_quoted(s->p, buf_view(&s->text));
	buf_printf(b, ",\"ruleIndex\":%u,\"level\":\"%s\",\"message\":{\"text\":", (unsigned)rule - 1,
	    sarif_level(sarif_text(s, row, SEVERITY)));
	text = sarif_text(s, row, s->col[WHY] >= 0 ? WHY : WHAT);
	print_quoted(s->p, text.n > 0 ? text : sarif_text(s, row, KIND));
	buf_chr(b, '}');
	put_locations(s, row);
	put_fingerprint(s, row);
	buf_str(b, STR(",\"properties\":"));
	print_members(s->p, row);
	buf_chr(b, '}');
	b->bad |= s->text.bad;
	print_line(s->p);
}

/*
 * Append a rule with the help of the source about its kind: the first topic is its meaning, topics of rules
 * and advice follow.
 */
static void
sarif_rule(struct sarif *s, struct str id)
{
	struct buf *b = &s->p->line;
	struct topic topic;
	bool mine = false, open = false;

	buf_str(b, STR("{\"id\":"));
	print_quoted(s->p, id);
	buf_clear(&s->text);
	for (uint64_t i = 0; s->source->topic != NULL && s->source->topic(i, &topic); i++) {
		if (!str_eq(topic.kind, STR("rule")) && !str_eq(topic.kind, STR("advice")))
			mine = str_eq(topic.item, id);
		if (!mine)
			continue;
		if (!open) {
			buf_str(b, STR(",\"shortDescription\":{\"text\":"));
			print_quoted(s->p, topic.meaning);
			buf_chr(b, '}');
		}
		open = true;
		buf_str(&s->text, s->text.n > 0 ? STR(" ") : STR(""));
		buf_str(&s->text, topic.meaning);
	}
	buf_str(b, STR(",\"help\":{\"text\":"));
	print_quoted(s->p, s->text.n > 0 ? buf_view(&s->text) : id);
	buf_str(b, STR("}}"));
}

static void
put_tool(struct sarif *s)
{
	struct buf *b = &s->p->line;
	bool damaged = store_damaged(session_store(s->p->rows->session));

	buf_printf(b, "],\n\"tool\":{\"driver\":{\"name\":\"icecore\",\"version\":\"%s\",\"rules\":[",
	    base_version);
	for (uint32_t i = 1; i <= s->rules.n; i++) {
		buf_str(b, i > 1 ? STR(",\n") : STR("\n"));
		sarif_rule(s, texts_get(&s->rules, i));
	}
	buf_printf(b, "]}},\n\"invocations\":[{\"executionSuccessful\":%s}]}]}", damaged ? "false" : "true");
	print_end(s->p);
}

void
sarif_print(struct printer *p, uint64_t *n)
{
	struct sarif s = { .p = p };

	for (struct rows *r = p->rows; r != NULL; r = r->in)
		if (r->command != NULL && (strcmp(r->command->word, "bugs") == 0 ||
		    strcmp(r->command->word, "findings") == 0))
			s.source = r->command;
	for (unsigned i = 0; i < SARIF_COLS; i++)
		s.col[i] = rows_column(p->rows, str_of(sarif_names[i]));
	if (s.source == NULL || s.col[KIND] < 0 || s.col[SEVERITY] < 0 ||
	    (s.col[WHY] < 0 && s.col[WHAT] < 0)) {
		print_unless(p, fail(p->err, E_USAGE,
		    "sarif is for rows of 'bugs' or 'findings' with their columns kind, severity, and why or what"));
		return;
	}
	s.bugs = strcmp(s.source->word, "bugs") == 0;
	rows_reach(p->rows, 1);
	print_unless(p, rows_error(p->rows) == NULL);
	buf_str(&p->line, STR("{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\","
	    "\"runs\":[{\n\"results\":["));
	print_line(p);
	for (; !p->ended && rows_reach(p->rows, *n + 1) > *n; *n += !p->ended) {
		print_unless(p, rows_tick(p->rows, *n));
		sarif_result(&s, *n);
	}
	put_tool(&s);
	texts_free(&s.rules);
	buf_free(&s.text);
}
