/*
 * Counters of trace events of Chrome: a series for each key of each name.
 */
#include "config.h"

#include <math.h>

#include "chrome_marks.h"
#include "icecore/columns_marks.h"
#include "icecore/sched.h"

#define DECIMALS 6		/* that tracks keep at most */
#define DIGITS 15		/* that a double keeps */

struct counter {
	uint32_t	process, name, key;
	uint32_t	series;
	uint64_t	points;
	double		min, max, last;
	uint8_t		decimals;
};

struct count {
	uint64_t	time;		/* first: chrome_in_order */
	double		value;
	uint32_t	counter;
};

#define COUNTER(m, i) (&SCRATCH((m)->counters.rows, struct counter)[(i) - 1])

/* ---- while they are read ------------------------------------------------------------ */

/* "name[id]" where there is an id. */
static bool
chrome_counters_name_of(struct chrome_marks *m, const struct chrome_event *e, uint32_t *word, struct err *err)
{
	struct buf *b = &m->l->name;

	if (e->id.at == e->id.size)
		return chrome_word(m, e->name, word, err);
	buf_clear(b);
	buf_str(b, e->name);
	buf_chr(b, '[');
	buf_str(b, jload_word(e->id));
	buf_chr(b, ']');
	return b->bad ? fail(err, E_SYSTEM, "out of memory (name)") : chrome_word(m, buf_view(b), word, err);
}

static bool
chrome_counters_add_value(struct chrome_marks *m, struct counter *new, struct str key, uint64_t time, double value, struct err *err)
{
	struct count count = { .time = time, .value = value };

	if (!chrome_word(m, key, &new->key, err))
		return false;
	count.counter = chrome_set_add(&m->counters, new, offsetof(struct counter, series), sizeof *new, "counters", err);
	return count.counter != 0 &&
	    make_add(&m->counts, &m->ncounts, &count, sizeof count, UINT64_MAX, "values of counters", err);
}

bool
chrome_counter_add(struct chrome_marks *m, const struct chrome_event *e, struct err *err)
{
	struct counter new = { .process = chrome_process(m, e->pid, err) };
	struct json args = e->args;
	struct str key, word;
	double value;

	if (new.process == 0 || !chrome_counters_name_of(m, e, &new.name, err))
		return false;
	if (!scan_open(&args, '{'))
		return true;
	while (scan_member(&args, &key)) {
		if (!scan_plain(&args, &word))
			break;
		if (!num_f64(word, &value) || !isfinite(value))
			m->l->no_number++;
		else if (!chrome_counters_add_value(m, &new, key, e->time, value, err))
			return false;
	}
	return true;
}

/* ---- in order of time ---------------------------------------------------------------- */

/* Return the number of decimals that a number of this size can have exactly. */
static unsigned
decimals_most(double v)
{
	unsigned n = DIGITS;

	for (; v >= 1 && n > 0; v /= 10)
		n--;
	return n < DECIMALS ? n : DECIMALS;
}

static uint64_t
fixed(double v, unsigned decimals)
{
	while (decimals-- > 0)
		v *= 10;
	return v <= 0 ? 0 : v < 9e18 ? (uint64_t)(v + 0.5) : (uint64_t)9e18;
}

static unsigned
decimals_of(double v)
{
	unsigned n = decimals_most(v);
	uint64_t whole = fixed(v, n);

	for (; n > 0 && whole % 10 == 0; whole /= 10)
		n--;
	return n;
}

static void
chrome_counters_take_value(struct counter *c, double v)
{
	unsigned n = decimals_of(v);

	c->min = c->points == 0 || v < c->min ? v : c->min;
	c->max = c->points == 0 || v > c->max ? v : c->max;
	c->last = v;
	c->decimals = n > c->decimals ? (uint8_t)n : c->decimals;
	c->points++;
}

static bool
chrome_counters_series_of(struct chrome_marks *m, struct counter *c, struct err *err)
{
	unsigned most = decimals_most(c->max);
	struct chrome_series new = { .process = c->process, .kind = SERIES_COUNTER };
	struct buf *b = &m->l->name;

	new.decimals = c->decimals < most ? c->decimals : (uint8_t)most;
	c->decimals = new.decimals;
	buf_clear(b);
	buf_str(b, chrome_text(m, c->name));
	buf_chr(b, '.');
	buf_str(b, chrome_text(m, c->key));
	return (!b->bad || fail(err, E_SYSTEM,
	    "out of memory (name)")) && chrome_word_of(m, buf_view(b), &new.name, err) &&
	    chrome_series(m, &new, &c->series, err);
}

static bool
put_levels(struct chrome_marks *m, struct err *err)
{
	const struct count *count;

	if (!chrome_in_order(m, &m->counts, m->ncounts, sizeof *count, err))
		return false;
	count = SCRATCH(m->counts, struct count);
	for (uint64_t i = 0; i < m->ncounts; i++) {
		if (!work_go(m->l->work, m->l->doc.size, err))
			return false;
		chrome_counters_take_value(COUNTER(m, count[i].counter), count[i].value);
		m->negative += count[i].value < 0;
	}
	for (uint32_t i = 1; i <= m->counters.n; i++)
		if (!chrome_counters_series_of(m, COUNTER(m, i), err))
			return false;
	for (uint64_t i = 0; i < m->ncounts; i++) {
		const struct counter *c = COUNTER(m, count[i].counter);

		if (!chrome_level(m, c->series, count[i].time, fixed(count[i].value, c->decimals), err))
			return false;
	}
	return true;
}

bool
chrome_counter_columns(struct chrome_marks *m, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_COUNTER_NAME, counter, name), MAKE(COL_COUNTER_KEY, counter, key),
		MAKE(COL_COUNTER_PROCESS, counter, process), MAKE(COL_COUNTER_POINTS, counter, points),
		MAKE_COLUMN(COL_COUNTER_MIN, counter, min, MAKE_REAL), MAKE_COLUMN(COL_COUNTER_MAX, counter, max, MAKE_REAL),
		MAKE_COLUMN(COL_COUNTER_LAST, counter, last, MAKE_REAL),
	};

	return put_levels(m, err) && make_columns(m->l->st, columns, NELEM(columns),
	    MAKE_ROWS(SCRATCH(m->counters.rows, struct counter), m->counters.n), err);
}
