/*
 * columns: which columns of a list are shown, and how wide.
 */
#include "config.h"

#include <string.h>

#include "lines.h"

enum { NAME_MIN = 12, NAME_MAX = 200 };

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
			l->width[col] = strlen(l->rows->cols[col].name) + 1;
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

/*
 * The column that can best be narrower, or be left out: the widest text; the last id, where
 * columns were not chosen by us; the last number that the rows are not sorted by.  The first stays.
 */
static size_t
column_to_cut(const struct list *l, const size_t *width, size_t n, size_t least)
{
	size_t	widest = COLUMNS_MAX, id = COLUMNS_MAX, number = COLUMNS_MAX, shown = 0;
	bool	falling;
	int	sorted = column_sorted(l, &falling);

	for (size_t i = 0; i < n; i++) {
		if (width[i] == 0)
			continue;
		shown++;
		if (can_be_cut(l, i)) {
			if (width[i] > least &&
			    (widest == COLUMNS_MAX || width[i] > width[widest]))
				widest = i;
		} else if (shown > 1 && l->is.hide == NULL && l->rows->cols[i].type == CELL_ID)
			id = i;
		else if (shown > 1 && (int)i != sorted)
			number = i;
	}
	if (widest != COLUMNS_MAX)
		return widest;
	return id != COLUMNS_MAX ? id : number;
}

/* Half of the room is for names, however many texts share it. */
static size_t
least_text(const struct list *l, const size_t *width, size_t n, size_t room)
{
	size_t	texts = 0;

	for (size_t i = 0; i < n; i++)
		texts += width[i] > 0 && can_be_cut(l, i);
	return texts > 0 && room / 2 / texts > NAME_MIN ? room / 2 / texts : NAME_MIN;
}

/* What was left when a column was left out. */
static void
widen_texts(const struct list *l, size_t *width, size_t n, size_t room)
{
	size_t	more, sum = sum_of(width, n);

	for (size_t i = 0; i < n && sum < room; i++) {
		if (width[i] == 0 || !can_be_cut(l, i))
			continue;
		more = l->width[i] - width[i];
		more = more < room - sum ? more : room - sum;
		width[i] += more;
		sum += more;
	}
}

void
columns_fit(const struct list *l, size_t room, size_t *width)
{
	size_t	col, over, least;
	size_t	n = l->rows->ncols < COLUMNS_MAX ? l->rows->ncols : COLUMNS_MAX;

	for (col = 0; col < n; col++)
		width[col] = col < l->left || column_is_hidden(l, col) ||
		    is_among(l->is.quiet, l->rows->cols[col].name) ? 0 : l->width[col];
	least = least_text(l, width, n, room);
	while ((over = sum_of(width, n)) > room) {
		col = column_to_cut(l, width, n, least);
		if (col == COLUMNS_MAX)
			break;
		width[col] = can_be_cut(l, col) ? width[col] - 1 : 0;
	}
	/* Many texts: those at the right are left out. */
	for (col = n; col-- > l->left && over > room;)
		if (width[col] > 0 && over > width[col] + COLUMN_GAP) {
			over -= width[col] + COLUMN_GAP;
			width[col] = 0;
		}
	widen_texts(l, width, n, room);
}
