/*
 * q_events: the events of a profile, of which one counts.
 */
#include "config.h"

#include "query/trace/trace.h"

static struct str
event_unit(const struct store *st, uint32_t id)
{
	return column_text(store_column(st, COL_EVENT_TEXT), column_get(store_column(st, COL_EVENT_UNIT), id - 1));
}

/* Times in units that the file says, others as the decimals of its weights want it. */
static void
weight_cell(const struct store *st, uint32_t id, struct cell *c)
{
	uint64_t scale = store_fact_get(st, "weight.scale"), v = column_get(store_column(st, COL_EVENT_WEIGHT), id - 1);
	uint64_t type = column_get(store_column(st, COL_EVENT_TYPE), id - 1);
	struct weights w = { .scale = scale };
	struct decimal d = { (__int128)v, weights_places(&w) };

	if (type == WEIGHT_MONEY) {
		cell_decimal(c, d, money_currency(event_unit(st, id)));
		return;
	}
	if (type == WEIGHT_TIME) {
		weights_of(st, &w);
		c->type = CELL_TIME;
		c->u = v / (scale > 1 ? scale : 1) * (w.type == WEIGHT_TIME && w.tick > 0 ? w.tick : 1);
		return;
	}
	c->type = type == WEIGHT_BYTES ? CELL_BYTES : CELL_COUNT;
	c->u = type == WEIGHT_WHOLE && scale > 1 ? v / scale : v;
	if (scale > 1 && type != WEIGHT_WHOLE)
		cell_decimal(c, d, MONEY_NO_CURRENCY);
}

static void
name_cell(const struct store *st, uint32_t id, struct cell *c)
{
	c->text = event_name(st, id);
}

static void
unit_cell(const struct store *st, uint32_t id, struct cell *c)
{
	c->text = column_get(store_column(st, COL_EVENT_TYPE), id - 1) == WEIGHT_TIME ? STR("") :
	    event_unit(st, id);
}

static void
counts_cell(const struct store *st, uint32_t id, struct cell *c)
{
	c->u = store_fact_get(st, "event") == id;
}

static const struct coldef event_cols[] = {
	{ "id", CELL_ID, "event number in file order", true, FIELD_ID, COL_EVENT_NAME },
	{ "name", CELL_TEXT, "event", false, FIELD_CELL, .cell = name_cell },
	{ "samples", CELL_COUNT, "samples", false, FIELD_NUMBER, COL_EVENT_SAMPLES },
	{ "weight", CELL_NONE, "total weight", false, FIELD_CELL, .cell = weight_cell },
	{ "unit", CELL_TEXT, "unit of the weight; empty: time", false, FIELD_CELL, .cell = unit_cell },
	{ "current", CELL_BOOL, "current event: most samples, or --event", false, FIELD_CELL, .cell = counts_cell,
	    .was = "counts" }
};

const struct command source_events = {
	TABLE_SOURCE("events", "events of a profile; the current one has most samples", "events",
	    SHAPE_SAMPLES | SHAPE_EVENTS, event_cols),
	.names = { "name" }
};
