/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plan: the stages that change the input of a source: hide, keep, drop, fold, by, per, range, event, state,
 * label, dump, diff, file.
 * Adjacent ones make one view.  And the sources that follow rows of threads.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/columns_trace.h"
#include "icecore/facts.h"

#include "run.h"

struct pattern {
	const struct token	*token;
	struct regex		*regex;		/* or NULL */
	struct plan		*plan;
};

struct plan {
	const struct session	*session;
	struct view		 view;
	struct view_rule	 rule[STAGES_MAX];
	struct pattern		 pattern[STAGES_MAX], state, labelled[STAGES_MAX];
	struct view_label	 label[STAGES_MAX];
	size_t			 n;		/* rules */
	size_t			 file;		/* from 1; 0: the one that queries are about */
	bool			 differs;
	const struct stage	*event;		/* that chooses one; or NULL */
	const struct stage	*stage;		/* the last one: where a failure is shown */
	struct err		 err;		/* a pattern took too long */
};

/* ---- patterns ------------------------------------------------------------ */

/* Match like ~, except that a quoted pattern must be the whole name. */
static bool
plan_matches(void *arg, struct str name)
{
	struct pattern *p = arg;
	struct str text = p->token->text;
	bool either = !str_has_capital(text), yes = false;

	if (p->regex != NULL) {
		if (p->plan->err.kind == E_NONE &&
		    !regex_test(p->regex, name, &yes, &p->plan->err))
			return false;
		return yes;
	}
	if (p->token->kind == TOKEN_TEXT)
		return str_eq(name, text);
	if (token_is_glob(p->token))
		return (either ? str_glob_nocase : str_glob)(text, name);
	return (either ? str_has_nocase : str_has)(name, text);
}

/* Read the argument at a place, which is the last one. */
static bool
plan_pattern(struct plan *p, const struct stage *s, size_t at, struct pattern *to, struct err *err)
{
	const struct token *t = &s->token[at];

	if (t->kind != TOKEN_WORD && t->kind != TOKEN_TEXT && t->kind != TOKEN_REGEX)
		return fail_at(err, E_USAGE, stage_at(s, at),
		    "'%s' needs a /regex/ or a name (* is a wildcard), e.g. "
		    "'%s'", s->command->word, s->command->example);
	if (!stage_at_most(s, at + 1, err))
		return false;
	to->token = t;
	to->plan = p;
	return t->kind != TOKEN_REGEX || regex_compile(&to->regex, t, err);
}

static bool
plan_state(struct plan *p, const struct stage *s, struct err *err)
{
	if (p->view.state != NULL)
		return fail_at(err, E_USAGE, s->at,
		    "use 'state' once: a regex takes several states, e.g. state /RUNNABLE|DEFAULT/");
	p->view.state = plan_matches;
	p->view.state_arg = &p->state;
	return plan_pattern(p, s, 0, &p->state, err);
}

/* Return whether a token is a label as columns name it, such as label.service; *key: what follows label. */
static bool
is_label(const struct token *t, struct str *key)
{
	*key = t->text;
	return (t->kind == TOKEN_WORD || t->kind == TOKEN_TEXT) && str_take(key, STR("label.")) && key->n > 0;
}

static bool
plan_label(struct plan *p, const struct stage *s, struct err *err)
{
	size_t n = p->view.nlabels;
	struct str key;

	if (s->n < 2 || (s->token[0].kind != TOKEN_WORD && s->token[0].kind != TOKEN_TEXT))
		return fail_at(err, E_USAGE, stage_at(s, s->n < 2 ? s->n : 0),
		    "'label' needs a label and its value, e.g. '%s'", s->command->example);
	if (!is_label(&s->token[0], &key))
		key = s->token[0].text;
	p->label[n] = (struct view_label){ key, plan_matches, &p->labelled[n] };
	p->view.nlabels++;
	return plan_pattern(p, s, 1, &p->labelled[n], err);
}

static bool
plan_frames(struct plan *p, const struct stage *s, struct err *err)
{
	const enum view_rule_kind *kind = s->command->source;
	struct pattern *to = &p->pattern[p->n];

	if (!plan_pattern(p, s, 0, to, err))
		return false;
	p->rule[p->n] = (struct view_rule){ *kind, plan_matches, to };
	p->n++;
	return true;
}

/* ---- stores ------------------------------------------------------------------ */

bool
diff_has_two(const struct session *session, const struct stage *s, struct err *err)
{
	return session->nstores != 1 || fail_at(err, E_USAGE, s->at,
	    "'diff' needs two files: icecore BEFORE AFTER");
}

size_t
diff_file(size_t at)
{
	return at == 0 ? 1 : at;
}

/* Return the file that the plan works on; for a diff the one that its file is compared with. */
static size_t
file_of(const struct plan *p)
{
	size_t at = p->file > 0 ? p->file - 1 : p->session->at;

	return p->differs ? diff_file(at) : at;
}

static struct store *
plan_store(const struct plan *p)
{
	if (p->file == 0 && !p->differs)
		return session_store(p->session);
	return file_of(p) < p->session->nstores ? p->session->store[file_of(p)] : store_blank();
}

/* ---- the other arguments -------------------------------------------------- */

static bool
plan_by(struct plan *p, const struct stage *s, struct err *err)
{
	static const char *const words[] = {
		[VIEW_METHOD] = "method", [VIEW_CLASS] = "class",
		[VIEW_PACKAGE] = "package", [VIEW_FILE] = "file", [VIEW_MODULE] = "module", [VIEW_NAME] = "name"
	};

	for (size_t i = 0; s->n > 0 && i < NELEM(words); i++)
		if (token_is(&s->token[0], words[i])) {
			p->view.group = (enum view_group)i;
			return stage_at_most(s, 1, err);
		}
	return fail_at(err, E_USAGE, stage_at(s, 0),
	    "'by' needs class, package, file, module, name or method, e.g. '%s'",
	    s->command->example);
}

static bool
plan_per(struct plan *p, const struct stage *s, struct err *err)
{
	static const char *const words[] = { [PER_THREAD] = "thread", [PER_STATE] = "state",
	    [PER_DUMP] = "dump", [PER_POOL] = "pool", [PER_LABELS] = "labels" };

	for (size_t i = 0; s->n > 0 && i < NELEM(words); i++)
		if (token_is(&s->token[0], words[i])) {
			p->view.per = (enum view_per)i;
			return stage_at_most(s, 1, err);
		}
	if (s->n > 0 && is_label(&s->token[0], &p->view.per_key)) {
		p->view.per = PER_LABEL;
		return stage_at_most(s, 1, err);
	}
	return fail_at(err, E_USAGE, stage_at(s, 0),
	    "'per' needs state, labels, label.KEY, dump, pool or thread, e.g. '%s'",
	    s->command->example);
}

static bool
plan_dump(struct plan *p, const struct stage *s, struct err *err)
{
	uint64_t n = DUMP_LAST;

	if (s->n == 0 || s->token[0].kind != TOKEN_WORD ||
	    (!token_is(&s->token[0], "last") && (!num_u64(s->token[0].text, 10, &n) || n == 0 ||
	    n >= DUMP_LAST)))
		return fail_at(err, E_USAGE, stage_at(s, 0),
		    "'dump' needs the number of a stack dump, or last, e.g. '%s'", s->command->example);
	p->view.dump = (uint32_t)n;
	return stage_at_most(s, 1, err);
}

/* Read a time of the trace, a day (bank statements), or a date and time. */
static bool
plan_moment(struct plan *p, const struct token *t, struct cell *c, bool *dated, struct err *err)
{
	const struct store *st = plan_store(p);

	if ((t->kind == TOKEN_WORD || t->kind == TOKEN_TEXT) && moment_is(t->text)) {
		*dated = true;
		c->u = 0;
		if (store_is_blank(st) || moment_read(st, t->text, &c->u, err))
			return true;
		err->at = t->at;
		return false;
	}
	return (t->kind == TOKEN_WORD && (store_is_blank(st) || (load_shapes(st) & SHAPE_MONEY) != 0) &&
	    money_moment(st, t->text, &c->u)) || literal_read(t, CELL_TIME, c, err);
}

/* Read a range; several ranges are intersected. */
static bool
plan_range(struct plan *p, const struct stage *s, struct err *err)
{
	const struct store *st = plan_store(p);
	bool dated = false, dots = s->n == 3 && token_is(&s->token[1], "..");
	const struct token *last = s->n > 1 ? &s->token[1 + dots] : NULL;
	struct cell from, to;

	if (s->n < 2)
		return fail_at(err, E_USAGE, stage_at(s, s->n), "'range' needs two times, e.g. '%s'",
		    s->command->example);
	if (!plan_moment(p, &s->token[0], &from, &dated, err) || !plan_moment(p, last, &to, &dated, err) ||
	    !stage_at_most(s, 2u + dots, err))
		return false;
	if (from.u > to.u)
		return fail_at(err, E_USAGE, last->at, "range ends before it starts");
	if (dated && !store_is_blank(st) && !moments_within(st, from.u, to.u, err)) {
		err->at = s->token[0].at;
		return false;
	}
	if (!p->view.ranged || from.u > p->view.from)
		p->view.from = from.u;
	if (!p->view.ranged || to.u < p->view.to)
		p->view.to = to.u;
	p->view.ranged = true;
	return true;
}

static struct str
name_of_event(void *st, uint64_t i)
{
	return event_name(st, (uint32_t)i + 1);
}

static bool
plan_event(struct plan *p, const struct stage *s, struct err *err)
{
	const struct token *t = &s->token[0];

	if (t->kind != TOKEN_WORD && t->kind != TOKEN_TEXT)
		return fail_at(err, E_USAGE, stage_at(s, 0), "'event' needs an event name, e.g. '%s'",
		    s->command->example);
	p->event = s;
	return stage_at_most(s, 1, err);
}

/* Find the event; called after all stages, as "file" may choose another store. */
static bool
plan_find_event(struct plan *p, struct err *err)
{
	struct store *st = plan_store(p);

	if (p->event == NULL || store_is_blank(st))
		return true;
	p->view.event = event_find(st, p->event->token[0].text);
	return p->view.event != 0 || fail_no_name(&p->event->token[0], "event", "events", name_of_event,
	    st, column_rows(store_column(st, COL_EVENT_TYPE)), err);
}

bool
query_has_events(const struct query *q, const struct session *session)
{
	for (size_t i = 0; i < q->nstages; i++)
		if (q->stage[i].command->view == plan_event &&
		    event_find(session_store(session), q->stage[i].token[0].text) == 0)
			return false;
	return true;
}

bool
names_event(const struct query *q)
{
	for (size_t i = 0; i < q->nstages; i++)
		if (q->stage[i].command->view == plan_event)
			return true;
	return false;
}

static bool
plan_diff(struct plan *p, const struct stage *s, struct err *err)
{
	if (s->n > 0 && !token_is(&s->token[0], "normalised") && !token_is(&s->token[0], "normalized"))
		return fail_at(err, E_USAGE, stage_at(s, 0),
		    "unknown argument of 'diff'; use normalised or columns");
	if (!stage_at_most(s, 1, err))
		return false;
	p->view.normalised |= s->n > 0;
	p->differs = true;
	return diff_has_two(p->session, s, err);
}

static bool
plan_file(struct plan *p, const struct stage *s, struct err *err)
{
	uint64_t n;

	if (s->token[0].kind != TOKEN_WORD || !num_u64(s->token[0].text, 10, &n) || n == 0)
		return fail_at(err, E_USAGE, stage_at(s, 0), "'file' needs a file number, e.g. '%s'",
		    s->command->example);
	if (!stage_at_most(s, 1, err))
		return false;
	if (p->session->nstores > 0 && n > p->session->nstores)
		return fail_at(err, E_USAGE, s->token[0].at, "no file %llu; %zu %s open",
		    (unsigned long long)n, p->session->nstores, p->session->nstores == 1 ? "is" : "are");
	p->file = (size_t)n;
	return true;
}

/* ---- plans ------------------------------------------------------------------ */

static bool
add_stage(struct plan *p, const struct stage *source, const struct stage *s, struct err *err)
{
	p->stage = s;
	if (p->view.times && s->command->views != VIEWS_OF_TIMES)
		return fail_at(err, E_USAGE, s->at, "'%s' works on call trees; after '%s' use range or file",
		    s->command->word, source->command->word);
	if (source->command->views == VIEWS_OF_SAMPLES && s->command->views == VIEWS_OF_TREES)
		return fail_at(err, E_USAGE, s->at,
		    "'%s' works on call trees; after '%s' use label, state, event, range or file", s->command->word,
		    source->command->word);
	return stage_has_needed(s, err) && s->command->view(p, s, err);
}

bool
plan_open(struct plan **out, const struct session *session, const struct stage *source, size_t n,
    struct err *err)
{
	struct plan *p = mem_array(1, sizeof *p);
	bool ok = true;

	*out = NULL;
	if (p == NULL)
		return fail(err, E_SYSTEM, "out of memory (query)");
	p->session = session;
	p->view.times = source->command->views == VIEWS_OF_TIMES;
	for (size_t i = 1; ok && i <= n; i++)
		ok = add_stage(p, source, &source[i], err);
	if (!ok || !plan_find_event(p, err)) {
		plan_close(p);
		return false;
	}
	p->view.rule = p->rule;
	p->view.nrules = p->n;
	p->view.label = p->label;
	*out = p;
	return true;
}

void
plan_close(struct plan *p)
{
	if (p == NULL)
		return;
	for (size_t i = 0; i < STAGES_MAX; i++) {
		regex_free(p->pattern[i].regex);
		regex_free(p->labelled[i].regex);
	}
	regex_free(p->state.regex);
	free(p);
}

/* The calls that samples fill are an event as well, and still calls. */
static bool
names_calls(const struct plan *p)
{
	const struct store *st = plan_store(p);

	return str_is(p->event->token[0].text, "calls") && (store_is_blank(st) || fact_value(st, FACT_TRACE_CALLS) > 0);
}

bool
plan_samples(const struct plan *p)
{
	return p->differs || (p->event != NULL && !names_calls(p));
}

void
plan_limits(const struct plan *p, uint64_t *from, uint64_t *to)
{
	if (!p->view.ranged)
		return;
	*from = p->view.from;
	*to = p->view.to;
}

/* Only another file was asked for: there is nothing to make. */
static bool
plan_is_plain(const struct plan *p)
{
	return p->file > 0 && !p->differs && p->n == 0 && !p->view.ranged && p->view.event == 0 &&
	    p->view.state == NULL && p->view.nlabels == 0 &&
	    p->view.per == PER_THREAD && p->view.dump == 0 && p->view.group == VIEW_METHOD &&
	    p->view.threads == NULL;
}

bool
plan_run(struct plan *p, const uint32_t *threads, size_t nthreads, struct made *m, struct work *work,
    struct err *err)
{
	struct store *base = plan_store(p);
	struct err why = { .at = ERR_NOWHERE };

	m->session = *p->session;
	m->view = NULL;
	m->under = base;
	if (p->file > 0 || p->differs) {
		m->session.at = file_of(p);
		m->session.view = NULL;
	}
	p->view.threads = threads;
	p->view.nthreads = nthreads;
	p->view.clock = p->session->clock;
	if (p->differs)
		p->view.before = p->session->store[0];
	if (plan_is_plain(p))
		return true;
	if (view_open(&m->view, base, &p->view, work, &why) && p->err.kind == E_NONE) {
		m->session.view = m->view;
		/* The clock chose what is compared; of the two weights "self" is the one after. */
		if (p->differs)
			m->session.clock = CLOCK_WALL;
		return true;
	}
	store_close_pile(m->view, base);
	m->view = NULL;
	if (p->err.kind != E_NONE)
		why = p->err;
	else if (why.kind == E_USAGE && why.at == ERR_NOWHERE && p->stage != NULL)
		why.at = p->stage->at;
	*err = why;
	return false;
}

/* ---- commands -------------------------------------------------------------------- */

static const struct arg_type arg_pattern = { .name = "PATTERN", .hint = "/regex/, or name with * as wildcard",
	.regex = true, .look = LOOK_NAMES, .query = "methods", .column = "method", .quoted = true };
static const struct arg_type arg_event = { .name = "EVENT", .hint = "event of the profile",
    .look = LOOK_NAMES,
	.query = "events", .column = "name", .quoted = true };

#define LABEL_NAMES "labels | columns | where name ~ /^label[.]/"
static const struct arg_type arg_label = { .name = "KEY", .hint = "name of a label", .look = LOOK_NAMES,
	.query = LABEL_NAMES, .column = "name" };
static const struct arg_type arg_value = { .name = "VALUE", .hint = "/regex/, or value of the label", .regex = true,
	.quoted = true };
static const struct arg_type arg_labelled = { .name = "label.KEY", .look = LOOK_NAMES,
	.query = LABEL_NAMES, .column = "name" };
static const struct arg_type arg_state = { .name = "STATE", .hint = "/regex/, or state of threads, e.g. SLEEPING",
    .regex = true,
	.quoted = true };

#define VIEW(word, does, behind, says, query) STAGE(word, says, query, NULL), .view = (does), .views = (behind)
#define FRAMES(word, rule, says, query) { VIEW(word, plan_frames, VIEWS_OF_TREES, says, query), .shapes = SHAPE_TREES, \
	.args = ARGS({ &arg_pattern }), .source = &(const enum view_rule_kind){ rule } }
#define SHAPES_OF_TIMES (SHAPE_TREES | SHAPE_INTERVALS | SHAPE_TRACKS | SHAPE_TASKS)

const struct command stage_view_hide = FRAMES("hide", VIEW_HIDE,
    "remove matching frames; self time goes to the caller",
    "calls | hide /^icecore\\.os\\./ | where total > 1ms");
const struct command stage_view_keep = FRAMES("keep", VIEW_KEEP, "keep only stacks through a matching frame",
    "merged | keep /print/");
const struct command stage_view_drop = FRAMES("drop", VIEW_DROP, "keep only stacks without a matching frame",
    "methods | drop icecore.ui.* | top 10 self");
const struct command stage_view_fold = FRAMES("fold", VIEW_FOLD,
    "collapse chains of matching frames into one", "calls | fold /^icecore\\.query\\./");

const struct command stage_view_by = {
	VIEW("by", plan_by, VIEWS_OF_TREES, "group frames by class, package, file, module or name",
	    "methods | by package | sort -self"),
	.shapes = SHAPE_TREES,
	.args = ARGS({ NULL, 0, "class" }, { NULL, ARG_OR, "package" }, { NULL, ARG_OR, "file" },
	    { NULL, ARG_OR, "module" }, { NULL, ARG_OR, "name" })
};

const struct command stage_view_range = {
	VIEW("range", plan_range, VIEWS_OF_TIMES, "limit to a time range; also 14:03:10 .. 14:03:20",
	    "calls | range 1s 2s"),
	.shapes = SHAPES_OF_TIMES,
	.args = ARGS({ .type = &arg_time, .name = "FROM" }, { .type = &arg_time, .name = "TO" })
};

const struct command stage_view_event = {
	VIEW("event", plan_event, VIEWS_OF_SAMPLES, "use another event, or an event instead of the calls",
	    "methods | event page-faults"),
	.shapes = SHAPE_SAMPLES | SHAPE_EVENTS | SHAPE_COSTS,
	.args = ARGS({ &arg_event })
};

const struct command stage_view_state = {
	VIEW("state", plan_state, VIEWS_OF_SAMPLES, "keep only samples of threads in matching states",
	    "methods | event wall | state RUNNABLE"),
	.shapes = SHAPE_SAMPLES,
	.args = ARGS({ &arg_state })
};

const struct command stage_view_label = {
	VIEW("label", plan_label, VIEWS_OF_SAMPLES, "keep only samples that have a label with a matching value",
	    "methods | label service users | sort -self"),
	.shapes = SHAPE_SAMPLES,
	.args = ARGS({ &arg_label }, { &arg_value })
};

const struct command stage_view_per = {
	VIEW("per", plan_per, VIEWS_OF_TREES, "one tree per thread state, label, stack dump or pool",
	    "calls | per state"),
	.shapes = SHAPE_SAMPLES,
	.args = ARGS({ &arg_labelled }, { NULL, ARG_OR, "state" }, { NULL, ARG_OR, "dump" },
	    { NULL, ARG_OR, "pool" }, { NULL, ARG_OR, "labels" }, { NULL, ARG_OR, "thread" })
};

const struct command stage_view_dump = {
	VIEW("dump", plan_dump, VIEWS_OF_SAMPLES, "keep only the threads of one stack dump", "merged | dump 2"),
	.shapes = SHAPE_DUMPS,
	.args = ARGS({ .type = &arg_number, .name = "NUMBER" }, { NULL, ARG_OR, "last" })
};

const struct command stage_view_diff = {
	VIEW("diff", plan_diff, VIEWS_OF_TREES, "compare the second file with the first",
	    "methods | diff | sort -total_delta"),
	.args = ARGS({ NULL, ARG_OPTIONAL, "normalised" }, { &arg_column, ARG_OR | ARG_MANY }),
	.compares = true
};

const struct command stage_view_file = {
	VIEW("file", plan_file, VIEWS_OF_TIMES, "read another open file",
	    "methods | file 2 | top 10 self"),
	.shapes = SHAPES_OF_TIMES, .names_file = true,
	.args = ARGS({ &arg_number })
};

/* ---- behind threads -------------------------------------------------------------- */

#define OF_THREADS(word, says, query) { VIEW(word, NULL, VIEWS_OF_TREES, says, query), .shapes = SHAPE_TREES, \
	.of_threads = true }

const struct command stage_calls_of_threads = OF_THREADS("calls", "call trees of the threads",
    "threads | where name ~ main | calls");
const struct command stage_merged_of_threads = OF_THREADS("merged", "one merged call tree of the threads",
    "threads | where name ~ worker | merged");
const struct command stage_inverted_of_threads = OF_THREADS("inverted", "bottom-up tree of the threads",
    "threads | where name ~ main | inverted | where depth = 0");
const struct command stage_methods_of_threads = OF_THREADS("methods", "methods of the threads",
    "threads | where name ~ main | methods | top 10 self");
