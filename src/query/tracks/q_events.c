/*
 * q_events: the events of a profile, of which one counts.
 */
#include "config.h"

#include "query/trace/trace.h"

enum event_col { EVENT_ID, EVENT_NAME, EVENT_SAMPLES, EVENT_WEIGHT, EVENT_UNIT, EVENT_CHOSEN, EVENT_COLS };

static const struct coldef event_cols[EVENT_COLS] = {
	[EVENT_ID] = { "id", CELL_ID, "number of the event, in the order of the file", true },
	[EVENT_NAME] = { "name", CELL_TEXT, "what was sampled", false },
	[EVENT_SAMPLES] = { "samples", CELL_COUNT, "samples of this event", false },
	[EVENT_WEIGHT] = { "weight", CELL_NONE, "their weights together: a time, or so many of the unit", false },
	[EVENT_UNIT] = { "unit", CELL_TEXT, "what the weight counts; nothing for times", false },
	[EVENT_CHOSEN] = { "chosen", CELL_BOOL, "it is the one that all other answers are about", false }
};

struct events {
	struct rows		 rows;
	const struct store	*st;
	const struct column	*name, *samples, *weight, *type, *unit, *text;
};

static uint64_t
events_reach(struct rows *r, uint64_t n)
{
	const struct events *e = (const struct events *)r;

	(void)n;
	return e->name == NULL ? 0 : e->name->rows;
}

/* Times in units that the file says, others as the decimals of its weights want it. */
static void
weight_cell(const struct events *e, uint64_t row, struct cell *c)
{
	uint64_t scale = store_fact_get(e->st, "weight.scale"), v = column_get(e->weight, row);
	struct weights w;

	if (column_get(e->type, row) == WEIGHT_TIME) {
		weights_of(e->st, &w);
		c->type = CELL_TIME;
		c->u = v / (scale > 1 ? scale : 1) * (w.type == WEIGHT_TIME && w.tick > 0 ? w.tick : 1);
		return;
	}
	c->type = column_get(e->type, row) == WEIGHT_BYTES ? CELL_BYTES : CELL_COUNT;
	c->u = v;
	if (scale > 1) {
		c->type = CELL_REAL;
		c->f = (double)v / (double)scale;
	}
}

static void
events_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	const struct events *e = (const struct events *)r;

	c->type = r->cols[col].type;
	switch ((enum event_col)col) {
	case EVENT_ID:
		c->u = row + 1;
		break;
	case EVENT_NAME:
		c->text = event_name(e->st, (uint32_t)row + 1);
		break;
	case EVENT_SAMPLES:
		c->u = column_get(e->samples, row);
		break;
	case EVENT_WEIGHT:
		weight_cell(e, row, c);
		break;
	case EVENT_UNIT:
		c->text = column_get(e->type, row) == WEIGHT_TIME ? STR("") :
		    column_text(e->text, column_get(e->unit, row));
		break;
	case EVENT_CHOSEN:
		c->u = store_fact_get(e->st, "event") == row + 1;
		break;
	case EVENT_COLS:
		break;
	}
}

static const struct rows_ops events_ops = { .reach = events_reach, .cell = events_cell };

static bool
events_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct events *e;

	(void)in;
	if (!stage_at_most(stage, 0, err))
		return false;
	if ((e = rows_new(sizeof *e, &events_ops, session, NULL, err)) == NULL)
		return false;
	e->rows.cols = event_cols;
	e->rows.ncols = NELEM(event_cols);
	e->st = session_store(session);
	if (e->st != NULL) {
		e->name = store_column(e->st, "event.name");
		e->samples = store_column(e->st, "event.samples");
		e->weight = store_column(e->st, "event.weight");
		e->type = store_column(e->st, "event.type");
		e->unit = store_column(e->st, "event.unit");
		e->text = store_column(e->st, "event.text");
	}
	*out = &e->rows;
	return true;
}

const struct command source_events = {
	.word = "events",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_SAMPLES,
	.what = "the events of a profile: what was sampled, how often; one of them counts",
	.example = "events",
	.cols = event_cols,
	.ncols = NELEM(event_cols),
	.names = { "name" },
	.open = events_open
};
