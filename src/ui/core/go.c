/*
 * go: the ways from one pane to another.
 */
#include "config.h"

#include "state.h"

/* Why there is no pane that answers. */
static const char *
lack(enum place to)
{
	switch (to) {
	case PLACE_METHOD: case PLACE_CALLS: case PLACE_THREADS:
		return "there are no calls in this file";
	case PLACE_TIME:
		return "this file does not say what came first";
	default:
		return NULL;
	}
}

struct pane *
ui_answers(const struct ui *ui, enum place to)
{
	for (size_t i = 0; i < ui->npanes; i++)
		if (ui->pane[i]->kind->places >> to & 1)
			return ui->pane[i];
	return NULL;
}

/* One of a kind that is opened when it is asked for. */
static struct pane *
call(struct ui *ui, const struct visit *v)
{
	const struct pane_kind *const *kind = called_panes;
	struct err	 err;

	while (*kind != NULL && ((*kind)->places >> v->to & 1) == 0)
		kind++;
	if (*kind == NULL)
		return NULL;
	if (!ui_add(ui, *kind, v->query != NULL ? v->query : "", &err)) {
		ui_fail(ui, &err);
		return NULL;
	}
	ui_pane(ui)->entered = v->query != NULL;
	return ui_pane(ui);
}

bool
ui_visit(struct ui *ui, const struct visit *v)
{
	struct pane	*p = v->query == NULL ? ui_answers(ui, v->to) : NULL;
	struct visit	 visit = *v;
	struct pane	*was = ui_pane(ui);
	const struct pane_kind *came;

	/* Lists of objects have rows that are about none. */
	if (v->id == 0 && v->to >= PLACE_OBJECT && v->to <= PLACE_RETAINED)
		return false;
	if (p == NULL && (p = call(ui, v)) == NULL) {
		if (lack(v->to) != NULL)
			ui_say(ui, "%s", lack(v->to));
		return false;
	}
	came = p->came;
	visit.asker = was;
	if (p != was)
		p->came = was->kind;
	ui_show(ui, p);
	if (p->does.go == NULL || p->does.go(p, &visit))
		return true;
	p->came = came;
	ui_show(ui, was);
	return false;
}

bool
ui_go(struct ui *ui, enum place to, uint32_t id)
{
	return ui_visit(ui, &(struct visit){ .to = to, .id = id });
}

bool
ui_ask(struct ui *ui, const char *query)
{
	return ui_visit(ui, &(struct visit){ .to = PLACE_QUERY, .query = query });
}

bool
ui_go_time(struct ui *ui, uint32_t thread, uint32_t method)
{
	return ui_visit(ui, &(struct visit){ .to = PLACE_TIME, .id = thread, .method = method });
}

bool
ui_go_threads(struct ui *ui, const uint32_t *ids, size_t n)
{
	return ui_visit(ui, &(struct visit){ .to = PLACE_THREADS, .ids = ids, .n = n });
}

bool
ui_leave(struct pane *p)
{
	struct pane	*to = p->came != NULL ? ui_find(p->ui, p->came) : NULL;

	if (to != NULL)
		ui_show(p->ui, to);
	return to != NULL;
}
