/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * columns: which columns of a list are visible, their widths, and numbers and texts of their cells.
 */
#include "config.h"

#include <string.h>

#include "icecore/name.h"
#include "icecore/pass.h"
#include "icecore/sums.h"
#include "lines.h"

enum { NAME_MIN = 12, CLASS_MIN = 16, NAME_MAX = 200, NAMING_MIN = 30, NAMING_LEAST = 20,
    NAMING_PERCENT = 45, REST_MIN = 24,
	NARROW_W = 60, ROOMY_W = 100 };

static bool
columns_is_among(const char *names, const char *name)
{
	struct str	rest = str_of(names), one;

	while (str_split(&rest, ' ', &one))
		if (str_eq(one, str_of(name)))
			return true;
	return false;
}

bool
column_is_hidden(const struct list *l, size_t col)
{
	return col >= COLUMNS_MAX || l->now.rows->cols[col].more ||
	    columns_is_among(l->is.hide, l->now.rows->cols[col].name);
}

/* Text, or a value that can be shown in part. */
static bool
can_be_cut(const struct list *l, size_t col)
{
	return l->now.rows->cols[col].type == CELL_TEXT || l->now.rows->cols[col].type == CELL_NONE;
}

/* Return the sort key chosen by the user, otherwise the sort stage that ends the query. */
static struct str
sort_of(const struct list *l)
{
	const char *last = strrchr(l->base, '|');
	struct str  stage = str_skip_blanks(str_of(last == NULL ? "" : last + 1));

	if (l->sort[0] != '\0')
		return str_of(l->sort);
	return str_has_prefix(stage, STR("sort ")) ? str_skip_blanks(str_after(stage, 5)) : STR("");
}

/* Return the column with that name in a query; -1: none, or the text has several names. */
static int
column_put(struct rows *r, struct str name)
{
	struct buf	b = BUF_INIT;
	int		col = -1;

	if (!str_has_prefix(name, STR("'")))
		return memchr(name.s, ' ', name.n) != NULL ? -1 : rows_column(r, name);
	for (size_t i = 0; col < 0 && i < r->ncols; i++) {
		buf_clear(&b);
		column_put_name(&r->cols[i], &b);
		col = str_eq(buf_view(&b), name) ? (int)i : -1;
	}
	buf_free(&b);
	return col;
}

int
column_ordered(const struct list *l, struct str s, enum order *order)
{
	*order = str_has_prefix(s, STR("-abs(")) && str_has_suffix(s, STR(")")) ? ORDER_CHANGE :
	    str_has_prefix(s, STR("-")) ?
	    ORDER_FALLING : ORDER_RISING;
	if (*order == ORDER_CHANGE)
		s = (struct str){ s.s + 5, s.n - 6 };
	else
		s = str_after(s, *order == ORDER_FALLING);
	return s.n == 0 ? -1 : column_put(l->now.rows, s);
}

int
column_sorted(const struct list *l, enum order *order)
{
	return column_ordered(l, sort_of(l), order);
}

enum order
column_order(const struct list *l, size_t col)
{
	const struct coldef *def = &l->now.rows->cols[col];

	return column_is_delta(def) ? ORDER_CHANGE : def->type == CELL_TEXT ||
	    def->mostly >= MOSTLY_TEXTS ? ORDER_RISING :
	    ORDER_FALLING;
}

/* Return the name of the column that a delta column compares; n 0 if it is not a delta. */
static struct str
changed_column(const struct coldef *def)
{
	struct str	name = str_of(def->name);

	return (struct str){ name.s, str_has_suffix(name, STR("_delta")) ? name.n - 6 : 0 };
}

bool
column_is_delta(const struct coldef *def)
{
	return changed_column(def).n > 0;
}

int
column_sign(const struct coldef *def, const struct cell *c)
{
	double	by = !column_is_delta(def) ? 0 : c->type == CELL_REAL || c->type == CELL_PERCENT ? c->f :
	    c->type == CELL_DECIMAL ? decimal_real(cell_exact(c)) : c->type == CELL_INT ? (double)c->i :
	    c->type == CELL_NONE || c->type == CELL_TEXT ? 0 : (double)c->u;

	return (by > 0) - (by < 0);
}

void
column_title(const struct coldef *def, struct buf *b)
{
	struct str	changed = changed_column(def);

	buf_str(b, def->head != NULL ? str_of(def->head) : changed.n > 0 ? changed : str_of(def->name));
	if (changed.n > 0)
		buf_str(b, str_of(glyph(GLYPH_DELTA)));
}

bool
column_order_told(const struct list *l, size_t col, enum order order, struct buf *b)
{
	static const char *const words[] = { [ORDER_RISING] = " decrease", [ORDER_FALLING] = " increase",
	    [ORDER_CHANGE] = " change" };
	struct str	changed = changed_column(&l->now.rows->cols[col]);

	buf_str(b, changed);
	if (changed.n > 0)
		buf_str(b, str_of(words[order]));
	return changed.n > 0;
}

/* Show a delta with its sign, in the unit of the compared column. */
static void
show_delta(struct list *l, uint64_t row, size_t col, const struct cell *c, struct buf *b)
{
	const struct coldef *def = &l->now.rows->cols[col];
	int		sign = column_sign(def, c), of = rows_column(l->now.rows, changed_column(def));
	enum cell_type	type = def->type;
	struct cell	amount = *c, whole;

	/* If units differ by row, use the unit of the row's value. */
	if (type == CELL_NONE && of >= 0) {
		rows_cell(l->now.rows, row, (size_t)of, &whole);
		type = whole.type;
	}
	if (sign != 0)
		buf_chr(b, sign > 0 ? '+' : '-');
	if (c->type == CELL_DECIMAL && sign < 0)
		cell_decimal(&amount, decimal_minus(cell_exact(c)), c->currency);
	else if (c->type == CELL_REAL) {
		amount.type = of >= 0 && l->now.rows->cols[of].type == CELL_PERCENT ? CELL_PERCENT :
		    CELL_REAL;
		amount.f = sign < 0 ? -c->f : c->f;
	} else if (c->type != CELL_DECIMAL) {
		amount.type = type == CELL_TIME || type == CELL_BYTES ? type : CELL_COUNT;
		amount.u = sign < 0 ? 0 - c->u : c->u;
	}
	cell_show(&amount, b);
}

/* True for an empty amount in a comparison: this file lacks the row. */
static bool
is_missing(const struct list *l, size_t col, const struct cell *c)
{
	enum cell_type	type = l->now.rows->cols[col].type;

	return c->type == CELL_NONE && type >= CELL_COUNT && type != CELL_BOOL && type != CELL_TEXT &&
	    rows_column(l->now.rows, STR("change")) >= 0;
}

static bool
columns_text_at(struct list *l, uint64_t row, const char *column, struct cell *c)
{
	int	col = rows_column(l->now.rows, str_of(column));

	if (col >= 0)
		rows_cell(l->now.rows, row, (size_t)col, c);
	return col >= 0 && c->type == CELL_TEXT && c->text.n > 0;
}

static void
columns_tell_apart(struct list *l, uint64_t row, struct buf *b)
{
	struct cell	c;

	if (columns_text_at(l, row, "module", &c))
		module_told(c.text, b);
	else if (columns_text_at(l, row, "signature", &c))
		signature_told(c.text, b);
}

static void
show_bars(struct str digits, struct buf *b)
{
	for (size_t i = 0; i < digits.n; i++)
		buf_str(b, str_of(screen_bar(use_of_digit(digits.s[i]))));
}

/* On wide screens show the frame type as a word, not a letter. */
static void
show_kind(struct str kind, struct buf *b)
{
	const char	*word = kind.n == 1 ? kind_word(kind.s[0]) : NULL;
	int		h, w;

	screen_size(&h, &w);
	buf_str(b, word != NULL && w >= ROOMY_W ? str_of(word) : kind);
}

uint64_t
list_number_at(struct rows *r, uint64_t row, const char *column)
{
	int		col = rows_column(r, str_of(column));
	struct cell	c = { .type = CELL_NONE };

	if (col >= 0)
		rows_cell(r, row, (size_t)col, &c);
	return c.type == CELL_NONE || c.type == CELL_TEXT ? 0 : c.u;
}

void
column_cell(struct list *l, uint64_t row, size_t col, struct buf *b)
{
	struct cell	c;

	buf_clear(b);
	rows_cell(l->now.rows, row, col, &c);
	if (column_is_delta(&l->now.rows->cols[col]) && c.type != CELL_NONE)
		show_delta(l, row, col, &c, b);
	else if (l->now.rows->cols[col].bars && c.type == CELL_TEXT)
		show_bars(c.text, b);
	else if (l->now.rows->cols[col].kinds && c.type == CELL_TEXT)
		show_kind(c.text, b);
	else if (is_missing(l, col, &c))
		buf_str(b, str_of(glyph(GLYPH_DASH)));
	else
		cell_show_in(&l->now.rows->cols[col], &c, b);
	if (l->now.rows->cols[col].function && row >= l->page.top && row - l->page.top < l->page.nlines &&
	    l->page.alike[row - l->page.top])
		columns_tell_apart(l, row, b);
	screen_fit_from(b, 0);
}

/* Width of the part of a cell that must stay: of functions the own name, of classes the last name. */
static size_t
core_width(const struct coldef *def, struct str s)
{
	const char	*dot = def->cut == CUT_FRONT ? memrchr(s.s, '.', s.n) : NULL;
	size_t		all = text_width(s), core = all;

	if (s.n > 0 && def->function)
		core = text_width(name_parts(s).own) + 1;
	else if (dot != NULL)
		core = text_width(str_after(s, (size_t)(dot - s.s)));
	return core < all ? core : all;
}

void
columns_measure(struct list *l, uint64_t top, uint64_t end)
{
	struct buf	b = BUF_INIT;
	size_t		w, core;
	int		h, screen;

	screen_size(&h, &screen);

	for (size_t col = 0; col < l->now.rows->ncols && col < COLUMNS_MAX; col++) {
		if (l->page.width[col] == 0) {
			buf_clear(&b);
			column_title(&l->now.rows->cols[col], &b);
			l->page.width[col] = text_width(buf_view(&b)) + 1;
		}
		for (uint64_t row = top; row < end; row++) {
			column_cell(l, row, col, &b);
			w = text_width(buf_view(&b));
			l->page.filled[col] = l->page.filled[col] || w > 0;
			core = core_width(&l->now.rows->cols[col], buf_view(&b));
			/* A name that takes most of the screen leaves other columns their room. */
			if (core > l->page.core[col] && core <= (size_t)screen * 3 / 4)
				l->page.core[col] = core;
			if (w > NAME_MAX)
				w = NAME_MAX;
			if (w > l->page.width[col])
				l->page.width[col] = w;
		}
	}
	buf_free(&b);
}

static size_t
sum_of(const size_t *width, size_t n)
{
	size_t	sum = 0;

	for (size_t col = 0; col < n; col++)
		if (width[col] > 0)
			sum += width[col] + (sum > 0 ? COLUMN_GAP : 0);
	return sum;
}

/* State of fitting columns into the page width: current widths, and the column that names the rows. */
struct fitting {
	const struct list	*l;
	size_t			*width, n, room;
	size_t			 naming;	/* COLUMNS_MAX: no column names the rows */
};

static bool
is_quiet(const struct list *l, size_t col)
{
	return column_is_hidden(l, col) || columns_is_among(l->is.quiet, l->now.rows->cols[col].name);
}

/* Return the naming column that the list specifies, or NULL. */
static const char *
naming_name(const struct list *l)
{
	return l->is.naming != NULL ? l->is.naming : l->is.named;
}

/* Rank how well a text column names its row: one that takes the remaining width, a function, a class, any text. */
static int
names_row(const struct coldef *def)
{
	return def->type != CELL_TEXT ? 0 : def->rest ? 4 : def->function ? 3 : def->cut == CUT_FRONT ? 2 : 1;
}

/* True if rows were drawn and the column was empty in all of them. */
static bool
columns_is_empty(const struct list *l, size_t col)
{
	return l->now.known > 0 && !l->page.filled[col];
}

/*
 * Return the naming column of the list, otherwise the text column with the best names_row, except without
 * (COLUMNS_MAX: no exception).  Of equal columns the first wins, except for plain texts, where the last
 * wins.  Skip empty columns.
 */
static size_t
naming_column(const struct list *l, size_t n, size_t without)
{
	const char *name = naming_name(l);
	int	col = name == NULL || n == 0 ? -1 : rows_column(l->now.rows, str_of(name)), most = 0, now;
	size_t	best = COLUMNS_MAX;

	if (col >= 0 && (size_t)col < n && !is_quiet(l, (size_t)col) && !columns_is_empty(l, (size_t)col))
		return (size_t)col;
	for (size_t i = 0; i < n; i++) {
		now = i == without || is_quiet(l, i) || columns_is_empty(l, i) ? 0 :
		    names_row(&l->now.rows->cols[i]);
		if (now > most || (now == 1 && most == 1)) {
			most = now;
			best = i;
		}
	}
	return best;
}

size_t
column_naming(const struct list *l)
{
	size_t	n = l->now.rows == NULL ? 0 : l->now.rows->ncols < COLUMNS_MAX ? l->now.rows->ncols :
	    COLUMNS_MAX;
	size_t	col = naming_column(l, n, COLUMNS_MAX);

	return col < n ? col : SIZE_MAX;
}

/* Minimum width of a column while other columns can be narrowed or dropped. */
static size_t
least_width(const struct fitting *f, size_t col)
{
	size_t	least = f->room * NAMING_PERCENT / 100, most = f->room * 2 / 5;
	const struct coldef *def = &f->l->now.rows->cols[col];

	if (col != f->naming)
		return names_row(def) > 1 ? CLASS_MIN : NAME_MIN;
	/* Beside another list all columns are narrow. */
	if (most < NAMING_MIN)
		return most < NAMING_LEAST ? NAMING_LEAST : most;
	least = naming_name(f->l) == NULL || least < NAMING_MIN ? NAMING_MIN : least;
	/* Of other texts it is a guess that they name the row. */
	if (def->rest || (naming_name(f->l) == NULL && names_row(def) == 1) || f->l->page.core[col] < least)
		return least;
	return f->l->page.core[col];
}

/* Return the widest text column above its minimum width. */
static size_t
column_to_cut(const struct fitting *f)
{
	size_t	widest = COLUMNS_MAX;

	for (size_t i = 0; i < f->n; i++)
		if (f->width[i] > 0 && can_be_cut(f->l, i) && f->width[i] > least_width(f, i) &&
		    (widest == COLUMNS_MAX || f->width[i] > f->width[widest]))
			widest = i;
	return widest;
}

/* Drop empty columns if the page is too narrow. */
static void
drop_empty(const struct fitting *f)
{
	enum order order;
	int	sorted = column_sorted(f->l, &order);

	for (size_t i = f->n; i-- > 1 && sum_of(f->width, f->n) > f->room;)
		if (columns_is_empty(f->l, i) && i != f->naming && (int)i != sorted)
			f->width[i] = 0;
}

/* Drop the columns that the list can spare if the page is too narrow. */
static void
drop_spare(const struct fitting *f)
{
	for (size_t i = f->n; i-- > 0 && sum_of(f->width, f->n) > f->room;)
		if (columns_is_among(f->l->is.spare, f->l->now.rows->cols[i].name))
			f->width[i] = 0;
}

/*
 * Choose the column to drop: the last id, unless the list hides columns itself; then the last number; then
 * the last text that does not name the rows.  The first column and the sort column stay.
 */
static size_t
column_to_drop(const struct fitting *f)
{
	size_t	id = COLUMNS_MAX, number = COLUMNS_MAX, text = COLUMNS_MAX, shown = 0;
	enum order order;
	int	sorted = column_sorted(f->l, &order);

	for (size_t i = 0; i < f->n; i++) {
		if (f->width[i] == 0 || shown++ == 0 || i == f->naming || (int)i == sorted)
			continue;
		if (can_be_cut(f->l, i))
			text = i;
		else if (f->l->is.hide == NULL && f->l->now.rows->cols[i].type == CELL_ID)
			id = i;
		else
			number = i;
	}
	return id != COLUMNS_MAX ? id : number != COLUMNS_MAX ? number : text;
}

/* Limit texts that do not name the rows to a third of the width, brief columns to brief_w. */
static void
cap_texts(const struct fitting *f)
{
	size_t	most;

	for (size_t i = 0; i < f->n; i++) {
		most = columns_is_among(f->l->is.brief, f->l->now.rows->cols[i].name) ? f->l->is.brief_w :
		    f->room / 3;
		if (can_be_cut(f->l, i) && f->naming != COLUMNS_MAX && i != f->naming && f->width[i] > most)
			f->width[i] = most;
	}
}

/* Use the room of a dropped column to widen texts, first the naming one. */
static void
widen_texts(const struct fitting *f, const size_t *wanted)
{
	size_t	more, sum = sum_of(f->width, f->n), i;

	for (size_t turn = 0; turn <= f->n && sum < f->room; turn++) {
		i = turn == 0 && f->naming < f->n ? f->naming : turn == 0 ? 0 : turn - 1;
		if (i >= f->n || f->width[i] == 0 || f->width[i] >= wanted[i] || !can_be_cut(f->l, i) ||
		    columns_is_among(f->l->is.brief, f->l->now.rows->cols[i].name))
			continue;
		more = wanted[i] - f->width[i];
		more = more < f->room - sum ? more : f->room - sum;
		f->width[i] += more;
		sum += more;
	}
}

static void
squeeze(struct fitting *f)
{
	size_t	capped[COLUMNS_MAX], col;

	if (sum_of(f->width, f->n) <= f->room && f->l->is.brief == NULL)
		return;
	drop_empty(f);
	drop_spare(f);
	cap_texts(f);
	memcpy(capped, f->width, f->n * sizeof *capped);
	while (sum_of(f->width, f->n) > f->room) {
		if ((col = column_to_cut(f)) != COLUMNS_MAX)
			f->width[col]--;
		else if ((col = column_to_drop(f)) != COLUMNS_MAX)
			f->width[col] = 0;
		else if (f->naming != COLUMNS_MAX && f->width[f->naming] > 1)
			f->width[f->naming]--;
		else
			break;
	}
	widen_texts(f, capped);
	widen_texts(f, f->l->page.width);
}

/* The naming column stays when others are scrolled away.  A narrow screen shows it and the sort column. */
static bool
columns_is_wanted(const struct fitting *f, size_t col, bool narrow, int sorted)
{
	if (col == f->naming)
		return true;
	if (narrow && f->naming != COLUMNS_MAX && sorted >= 0 && (size_t)sorted != f->naming &&
	    f->l->left == 0)
		return (int)col == sorted;
	return col >= f->l->left;
}

/* Return a column that takes the remaining width and got less than REST_MIN; COLUMNS_MAX if none. */
static size_t
narrow_rest(const struct fitting *f)
{
	size_t	i = 0;

	while (i < f->n && (!f->l->now.rows->cols[i].rest || f->width[i] == 0 || f->width[i] >= REST_MIN ||
	    f->width[i] >= f->l->page.width[i]))
		i++;
	return i < f->n ? i : COLUMNS_MAX;
}

static void
fit(struct list *l, size_t room, size_t *width)
{
	struct fitting	f = { l, width, l->now.rows->ncols < COLUMNS_MAX ? l->now.rows->ncols : COLUMNS_MAX,
	    room, COLUMNS_MAX };
	size_t		had = 0, kept = 0, rest = COLUMNS_MAX;
	enum order	order;
	int		w = l->pane->area.w, sorted = column_sorted(l, &order);

	for (int again = 0;; again++) {
		f.naming = naming_column(l, f.n, rest);
		for (size_t i = had = 0; i < f.n; i++) {
			had += !is_quiet(l, i) && !columns_is_empty(l, i) && (i >= l->left || i == f.naming);
			width[i] = i == rest || is_quiet(l, i) ||
			    !columns_is_wanted(&f, i, w < NARROW_W, sorted) ? 0 : l->page.width[i];
		}
		squeeze(&f);
		if (again > 0 || (rest = narrow_rest(&f)) == COLUMNS_MAX)
			break;
	}
	for (size_t i = 0; i < f.n; i++)
		kept += width[i] > 0 && !columns_is_empty(l, i);
	l->page.more = had > kept ? had - kept : 0;
}

bool
columns_fallen(const struct list *l, bool earlier, size_t w, struct buf *b)
{
	struct buf	names = BUF_INIT;
	size_t		n = 0, end = 0, naming = column_naming(l);

	for (size_t col = 0; l->now.rows != NULL && col < l->now.rows->ncols && col < COLUMNS_MAX; col++) {
		if (is_quiet(l, col) || columns_is_empty(l, col) || l->page.shown[col] > 0 ||
		    (col != naming && (col < l->left) != earlier))
			continue;
		if (end == names.n || n == 0) {
			buf_str(&names, n > 0 ? STR(", ") : STR(""));
			column_title(&l->now.rows->cols[col], &names);
			end = n > 0 && text_width(buf_view(&names)) > w ? end : names.n;
		}
		n++;
	}
	if (n > 0)
		buf_printf(b, "+%zu", n);
	if (n > 0 && w > 0)
		buf_printf(b, ": %.*s%s%s", (int)end, names.s, end < names.n ? ", " : "",
		    end < names.n ? glyph(GLYPH_CUT) : "");
	buf_free(&names);
	return n > 0;
}

void
columns_fit(struct list *l, size_t room, size_t *width)
{
	fit(l, room, width);
	/* Leave one column for the mark of dropped columns. */
	if (l->page.more && sum_of(width, l->now.rows->ncols < COLUMNS_MAX ? l->now.rows->ncols :
	    COLUMNS_MAX) >= room && room > 1)
		fit(l, room - 1, width);
}
