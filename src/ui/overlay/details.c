/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * details: all information about the selection, not truncated.
 */
#include "config.h"

#include <inttypes.h>

#include "icecore/keys.h"
#include "overlay.h"

/* Add the text that y copies, line by line, if the pane has no details of its own. */
static void
details_add_lines(struct pane *p, struct items *items)
{
	struct buf	b = BUF_INIT;
	struct str	line;

	pane_tell(p, TELL_COPY, &b);
	for (struct str rest = buf_view(&b); str_split(&rest, '\n', &line);)
		if (line.n > 0)
			items_add(items, STR(""), line, "");
	buf_free(&b);
}

/* In a heap dump add the full name and the address of the selected object. */
static void
details_add_object(struct pane *p, struct items *items)
{
	uint32_t	object = pane_selected(p);
	struct buf	b = BUF_INIT;
	struct heap	h;

	if (object == 0 || !ui_heap(p->ui, &h))
		return;
	object_name(&h, object, &b);
	items_add(items, STR("full name"), buf_view(&b), "of the selected object");
	buf_clear(&b);
	buf_printf(&b, "0x%" PRIx64, heap_addr(&h, object));
	items_add(items, STR("address"), buf_view(&b), "of the selected object, in the dump");
	buf_free(&b);
}

static void
details_fill(const struct overlay_of *of, struct items *items)
{
	struct pane	*p = ui_pane(of->ui);
	size_t		 n;

	if (p->stale)
		return;
	details_add_object(p, items);
	n = items->n;
	if (PANE_DOES(p, details) != NULL)
		PANE_DOES(p, details)(p, items);
	if (items->n == n)
		details_add_lines(p, items);
}

const struct overlay_kind overlay_details = {
	.name = "Details", .verb = VERB_DETAILS, .where = IN_OVERLAY, .empty = "nothing selected",
	.fill = details_fill
};
