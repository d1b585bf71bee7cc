/*
 * columns: which columns of a list are shown, and how wide.
 */
#include "config.h"

#include <string.h>

#include "lines.h"

enum { NAME_MIN = 12, NAME_MAX = 200, NAMING_PERCENT = 45, REST_MIN = 24 };

static bool
is_among(const char *names, const char *name)
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
	return col >= COLUMNS_MAX || l->rows->cols[col].more ||
	    is_among(l->is.hide, l->rows->cols[col].name);
}

/* Text, or values of all types, that can be shown in part. */
static bool
can_be_cut(const struct list *l, size_t col)
{
	return l->rows->cols[col].type == CELL_TEXT || l->rows->cols[col].type == CELL_NONE;
}

int
column_sorted(const struct list *l, bool *falling)
{
	const char	*s = l->sort;

	*falling = *s == '-';
	if (*s == '-')
		s++;
	/* Only one column can be shown as the one. */
	return *s == '\0' || strchr(s, ' ') != NULL ? -1 : rows_column(l->rows, str_of(s));
}

bool
column_is_delta(const char *name)
{
	static const char end[] = "_delta";
	size_t		n = strlen(name);

	return n >= sizeof end && strcmp(name + n - (sizeof end - 1), end) == 0;
}

/* What it grew by, with its sign and in the unit that the column has. */
static void
show_delta(enum cell_type type, const struct cell *c, struct buf *b)
{
	bool		less = c->type == CELL_INT && c->i < 0;
	uint64_t	size = less ? 0 - (uint64_t)c->i : c->u;
	char		text[NUM_TEXT];

	if (type == CELL_TIME)
		num_show_duration(text, sizeof text, size);
	else if (type == CELL_BYTES)
		num_show_size(text, sizeof text, size);
	else
		num_show_count(text, sizeof text, size);
	buf_printf(b, "%s%s", less ? "-" : size > 0 ? "+" : "", text);
}

static bool
text_at(struct list *l, uint64_t row, const char *column, struct cell *c)
{
	int	col = rows_column(l->rows, str_of(column));

	if (col >= 0)
		rows_cell(l->rows, row, (size_t)col, c);
	return col >= 0 && c->type == CELL_TEXT && c->text.n > 0;
}

static void
tell_apart(struct list *l, uint64_t row, struct buf *b)
{
	struct cell	c;

	if (text_at(l, row, "module", &c))
		module_told(c.text, b);
	else if (text_at(l, row, "signature", &c))
		signature_told(c.text, b);
}

void
column_cell(struct list *l, uint64_t row, size_t col, struct buf *b)
{
	struct cell	c;

	buf_clear(b);
	rows_cell(l->rows, row, col, &c);
	if (column_is_delta(l->rows->cols[col].name) && (c.type == CELL_INT || c.type == CELL_TIME ||
	    c.type == CELL_BYTES))
		show_delta(l->rows->cols[col].type, &c, b);
	else {
		if (column_is_delta(l->rows->cols[col].name) && c.type == CELL_DECIMAL && cell_exact(&c).value > 0)
			buf_chr(b, '+');
		cell_show(&c, b);
	}
	if (l->rows->cols[col].function && row >= l->page_top && row - l->page_top < l->nlines && l->alike[row - l->page_top])
		tell_apart(l, row, b);
	screen_fit_from(b, 0);
}

void
columns_measure(struct list *l, uint64_t top, uint64_t end)
{
	struct buf	b = BUF_INIT;
	size_t		w;

	for (size_t col = 0; col < l->rows->ncols && col < COLUMNS_MAX; col++) {
		if (l->width[col] == 0)
			l->width[col] = strlen(column_title(&l->rows->cols[col])) + 1;
		for (uint64_t row = top; row < end; row++) {
			column_cell(l, row, col, &b);
			w = text_width(buf_view(&b));
			if (w > NAME_MAX)
				w = NAME_MAX;
			if (w > l->width[col])
				l->width[col] = w;
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

/* What is said of a column in a page: how narrow it may be made, and that it tells what its row is. */
struct fitting {
	const struct list	*l;
	size_t			*width, n, room;
	size_t			 naming;	/* COLUMNS_MAX: no column does */
	size_t			 shared;	/* what each text keeps then */
};

/* What the list says, else a text that takes the rest. */
static size_t
naming_column(const struct fitting *f)
{
	int	col = f->l->is.naming == NULL ? -1 : rows_column(f->l->rows, str_of(f->l->is.naming));

	if (col >= 0 && (size_t)col < f->n && f->width[col] > 0)
		return (size_t)col;
	for (size_t i = 0; i < f->n; i++)
		if (f->width[i] > 0 && f->l->rows->cols[i].rest)
			return i;
	return COLUMNS_MAX;
}

/* What the list says, else the last text that it shows. */
size_t
column_naming(const struct list *l)
{
	int	col = l->is.naming == NULL || l->rows == NULL ? -1 : rows_column(l->rows, str_of(l->is.naming));
	size_t	last = SIZE_MAX;

	for (size_t i = 0; col < 0 && l->rows != NULL && i < l->rows->ncols; i++)
		if (!column_is_hidden(l, i) && l->rows->cols[i].type == CELL_TEXT &&
		    (last == SIZE_MAX || !l->rows->cols[last].function))
			last = i;
	return col >= 0 ? (size_t)col : last;
}

/* Where none names the row, half of the room is for texts, however many share it. */
static size_t
shared_width(const struct fitting *f)
{
	size_t	texts = 0;

	for (size_t i = 0; i < f->n; i++)
		texts += f->width[i] > 0 && can_be_cut(f->l, i);
	return texts > 0 && f->room / 2 / texts > NAME_MIN ? f->room / 2 / texts : NAME_MIN;
}

/* The width that a column keeps as long as others can be narrower, or be left out. */
static size_t
least_width(const struct fitting *f, size_t col)
{
	size_t	least = f->l->is.naming == NULL ? 0 : f->room * NAMING_PERCENT / 100;

	if (col != f->naming)
		return f->naming == COLUMNS_MAX ? f->shared : NAME_MIN;
	return least < REST_MIN ? REST_MIN : least;
}

/* The widest text that has more than it has to keep. */
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

/*
 * What the rows can best do without: the last id, where columns were not chosen by us; the last number that they are not
 * sorted by; the last text that does not name them.  The first stays.
 */
static size_t
column_to_drop(const struct fitting *f)
{
	size_t	id = COLUMNS_MAX, number = COLUMNS_MAX, text = COLUMNS_MAX, shown = 0;
	bool	falling;
	int	sorted = column_sorted(f->l, &falling);

	for (size_t i = 0; i < f->n; i++) {
		if (f->width[i] == 0 || shown++ == 0 || i == f->naming)
			continue;
		if (can_be_cut(f->l, i))
			text = i;
		else if (f->l->is.hide == NULL && f->l->rows->cols[i].type == CELL_ID)
			id = i;
		else if ((int)i != sorted)
			number = i;
	}
	return id != COLUMNS_MAX ? id : number != COLUMNS_MAX ? number : text;
}

/* As long as there is little room, one that does not tell what a row is takes a third at most, or what its list says. */
static void
cap_texts(const struct fitting *f)
{
	size_t	most;

	for (size_t i = 0; i < f->n; i++) {
		most = is_among(f->l->is.brief, f->l->rows->cols[i].name) ? f->l->is.brief_w : f->room / 3;
		if (can_be_cut(f->l, i) && f->naming != COLUMNS_MAX && i != f->naming && f->width[i] > most)
			f->width[i] = most;
	}
}

/* What was left when a column was left out: first for the one that names. */
static void
widen_texts(const struct fitting *f, const size_t *wanted)
{
	size_t	more, sum = sum_of(f->width, f->n), i;

	for (size_t turn = 0; turn <= f->n && sum < f->room; turn++) {
		i = turn == 0 && f->naming < f->n ? f->naming : turn == 0 ? 0 : turn - 1;
		if (i >= f->n || f->width[i] == 0 || f->width[i] >= wanted[i] || !can_be_cut(f->l, i) ||
		    is_among(f->l->is.brief, f->l->rows->cols[i].name))
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

	f->naming = naming_column(f);
	f->shared = shared_width(f);
	if (sum_of(f->width, f->n) <= f->room && f->l->is.brief == NULL)
		return;
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
	widen_texts(f, f->l->width);
}

static void
fit(struct list *l, size_t room, size_t *width)
{
	struct fitting	f = { l, width, l->rows->ncols < COLUMNS_MAX ? l->rows->ncols : COLUMNS_MAX, room, COLUMNS_MAX, NAME_MIN };
	size_t		had = 0, kept = 0, rest = COLUMNS_MAX;

	for (int again = 0; again < 2; again++) {
		for (size_t i = had = 0; i < f.n; i++) {
			width[i] = i < l->left || i == rest || column_is_hidden(l, i) ||
			    is_among(l->is.quiet, l->rows->cols[i].name) ? 0 : l->width[i];
			had += width[i] > 0 || i == rest;
		}
		squeeze(&f);
		if (f.naming == COLUMNS_MAX || !l->rows->cols[f.naming].rest || width[f.naming] >= REST_MIN ||
		    width[f.naming] >= l->width[f.naming])
			break;
		rest = f.naming;
	}
	for (size_t i = 0; i < f.n; i++)
		kept += width[i] > 0;
	l->more = kept < had;
}

void
columns_fit(struct list *l, size_t room, size_t *width)
{
	fit(l, room, width);
	/* The mark of those that are left out stands behind the others. */
	if (l->more && sum_of(width, l->rows->ncols < COLUMNS_MAX ? l->rows->ncols : COLUMNS_MAX) >= room && room > 1)
		fit(l, room - 1, width);
}
