/*
 * details: all that is known of what is selected, with nothing cut.
 */
#include "config.h"

#include "overlay.h"

/* What y copies, line by line, where the pane says no more of it. */
static void
add_lines(struct pane *p, struct items *items)
{
	struct buf	b = BUF_INIT;
	struct str	line;

	p->does.copy(p, &b);
	for (struct str rest = buf_view(&b); str_split(&rest, '\n', &line);)
		if (line.n > 0)
			items_add(items, STR(""), line, STR(""));
	buf_free(&b);
}

static void
fill(const struct overlay_of *of, struct items *items)
{
	struct pane	*p = ui_pane(of->ui);

	if (p->does.details != NULL && !p->stale)
		p->does.details(p, items);
	if (items->n == 0 && p->does.copy != NULL && !p->stale)
		add_lines(p, items);
}

const struct overlay_kind overlay_details = {
	.name = "Details", .verb = VERB_DETAILS, .where = IN_OVERLAY, .empty = "nothing selected", .fill = fill
};
