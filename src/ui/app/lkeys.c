/*
 * lkeys: what keys do to the session's view.
 */
#include "config.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "look.h"

/* ---- patterns ------------------------------------------------------------ */

/*
 * As it is looked for with /: a regular expression, either case when it has no capitals.  Quotes and slashes say it
 * themselves.
 */
static void
add_pattern(struct buf *b, const char *line)
{
	const char	*flag = "i", *s;

	if (line[0] == '/' || line[0] == '\'' || line[0] == '"') {
		buf_str(b, str_of(line));
		return;
	}
	buf_chr(b, '/');
	for (s = line; *s != '\0'; s++) {
		if (*s == '\\' && s[1] != '\0')
			buf_chr(b, *s++);
		else if (*s == '/')
			buf_chr(b, '\\');
		else if (isupper((unsigned char)*s))
			flag = "";
		buf_chr(b, *s);
	}
	buf_printf(b, "/%s", flag);
}

static void
entered(struct ui *ui, const char *word, const char *line)
{
	struct buf	b = BUF_INIT;

	if (line == NULL || *line == '\0')
		return;
	buf_printf(&b, "%s ", word);
	add_pattern(&b, line);
	look_add(ui, NULL, buf_view(&b));
	buf_free(&b);
}

static void
hide_entered(struct ui *ui, const char *line)
{
	entered(ui, "hide", line);
}

static void
keep_entered(struct ui *ui, const char *line)
{
	entered(ui, "keep", line);
}

static void
fold_entered(struct ui *ui, const char *line)
{
	entered(ui, "fold", line);
}

static void
view_entered(struct ui *ui, const char *line)
{
	struct buf	b = BUF_INIT;

	if (line == NULL)
		return;
	look_split(line, &b);
	if (!b.bad)
		look_set(ui, b.n > 0 ? b.s : "", true);
	buf_free(&b);
}

/* A pattern to begin with: everything of the class of that name, or of its package. */
static void
ask_pattern(struct ui *ui, const char *label, struct str name, bool package,
    void (*take)(struct ui *, const char *))
{
	struct buf	b = BUF_INIT;
	size_t		i, dots = package ? 2 : 1, n;

	for (n = name.n; n > 0 && dots > 0; n--)
		if (name.s[n - 1] == '.' && --dots == 0)
			break;
	n = n > 0 ? n : name.n;
	if (n > 0)
		buf_chr(&b, '^');
	for (i = 0; i < n; i++) {
		if (strchr("\\^$.[]|()*+?{}", name.s[i]) != NULL)
			buf_chr(&b, '\\');
		buf_chr(&b, name.s[i]);
	}
	prompt_open(ui, label, b.n > 0 && !b.bad ? b.s : "", take);
	buf_free(&b);
}

static void
ask_view(struct ui *ui)
{
	struct buf	b = BUF_INIT;

	look_join(ui->look.want, " | ", &b);
	prompt_open(ui, VIEW_LABEL, b.n > 0 && !b.bad ? b.s : "", view_entered);
	buf_free(&b);
}

/* ---- what keys do -------------------------------------------------------- */

static void
add_exact(struct ui *ui, const char *word, struct str name)
{
	struct buf	b = BUF_INIT;

	buf_printf(&b, "%s ", word);
	if (name.n == 0)
		ui_say(ui, "this is no frame that could be hidden or kept");
	else if (!list_quote(name, &b))
		ui_say(ui, "the name is too long; X takes a pattern");
	else
		look_add(ui, NULL, buf_view(&b));
	buf_free(&b);
}

static void
next_group(struct ui *ui)
{
	static const char *const groups[] = { "", "by class", "by package", "by file" };
	struct str	now = look_stage(ui->look.want, "by");
	size_t		i;

	for (i = 0; i < NELEM(groups) && !str_eq(now, str_of(groups[i])); i++)
		;
	i = (i + 1) % NELEM(groups);
	look_add(ui, "by", str_of(groups[i]));
	ui_say(ui, "frames by %s", i == 0 ? "method" : groups[i] + 3);
}

static bool
event_stage(const struct store *st, uint64_t i, struct buf *b)
{
	buf_clear(b);
	buf_str(b, STR("event "));
	return list_quote(store_text(st, column_get(store_column(st, "event.name"), i)), b);
}

static void
next_event(struct ui *ui)
{
	const struct store *st = ui->session->store[ui->session->at];
	const struct column *name = store_column(st, "event.name");
	struct str	now = look_stage(ui->look.want, "event");
	uint64_t	i, n = name != NULL ? name->rows : 0, at = store_fact_get(st, "event");
	struct buf	b = BUF_INIT;

	for (i = 0; i < n; i++)
		if (event_stage(st, i, &b) && str_eq(now, buf_view(&b)))
			at = i + 1;
	if (n < 2)
		ui_say(ui, "this file has one kind of samples only");
	else if (event_stage(st, at % n, &b)) {
		look_add(ui, "event", buf_view(&b));
		ui_say(ui, "%s", b.s);
	}
	buf_free(&b);
}

void
ui_view_range(struct ui *ui, uint64_t from, uint64_t to)
{
	struct buf	b = BUF_INIT;

	if (from != to)
		buf_printf(&b, "range %" PRIu64 "ns %" PRIu64 "ns", from, to);
	look_add(ui, "range", buf_view(&b));
	buf_free(&b);
}

static bool
read_time(struct str s, uint64_t *ns)
{
	return num_u64(s, 0, ns) || num_duration(s, ns);
}

bool
ui_range(const struct ui *ui, uint64_t *from, uint64_t *to)
{
	struct str	rest = look_stage(ui->look.want, "range"), word, begin, end;

	return str_split(&rest, ' ', &word) && str_split(&rest, ' ', &begin) &&
	    str_split(&rest, ' ', &end) && read_time(begin, from) && read_time(end, to);
}

static void
undo(struct ui *ui)
{
	struct look_state *l = &ui->look;

	if (l->npast == 0)
		ui_say(ui, "there is nothing to take back");
	else
		look_set(ui, l->past[--l->npast], false);
}

static void
other_file(struct ui *ui)
{
	ui->look.at = (ui->look.at + 1) % ui->session->nstores;
	look_make(ui);
}

/* What is compared are the first file and this one, or the second. */
bool
look_two(const struct ui *ui, unsigned shapes)
{
	const struct session *s = ui->session;

	return s->nstores > 1 && (load_shapes(s->store[0]) & shapes) != 0 &&
	    (load_shapes(s->store[s->at != 0 ? s->at : 1]) & shapes) != 0;
}

static void
next_delta(struct ui *ui, enum verb verb)
{
	struct str	now = look_stage(ui->look.want, "diff");

	if (ui_shapes(ui) & SHAPE_GRAPH)
		ui_say(ui, "what differs between two heap dumps is shown by classes; b changes to the other");
	else if (look_two(ui, SHAPE_TASKS) && !look_two(ui, SHAPE_TREES))
		ui_say(ui, "what differs between two scheduler traces is shown by tasks and by CPUs");
	else if (!look_two(ui, SHAPE_TREES))
		ui_say(ui, "one of the two files has no call tree that could be compared");
	else if (verb == VERB_DELTA)
		look_add(ui, "diff", now.n > 0 ? STR("") : STR("diff"));
	else
		look_add(ui, "diff", str_eq(now, STR("diff normalised")) ? STR("diff") : STR("diff normalised"));
}

bool
look_act(struct ui *ui, enum verb verb, struct str name)
{
	switch (verb) {
	case VERB_HIDE: case VERB_KEEP:
		add_exact(ui, verb == VERB_HIDE ? "hide" : "keep", name);
		return true;
	case VERB_HIDE_LIKE:
		ask_pattern(ui, "hide: ", name, false, hide_entered);
		return true;
	case VERB_KEEP_LIKE:
		ask_pattern(ui, "keep: ", name, false, keep_entered);
		return true;
	case VERB_FOLD_LIKE:
		ask_pattern(ui, "fold: ", name, true, fold_entered);
		return true;
	case VERB_BY:
		next_group(ui);
		return true;
	case VERB_VIEW:
		ask_view(ui);
		return true;
	case VERB_VIEW_UNDO:
		undo(ui);
		return true;
	case VERB_VIEW_ALL:
		look_set(ui, "", true);
		return true;
	case VERB_EVENT:
		next_event(ui);
		return true;
	case VERB_OTHER:
		other_file(ui);
		return true;
	case VERB_DELTA: case VERB_SCALE:
		next_delta(ui, verb);
		return true;
	default:
		return false;
	}
}
