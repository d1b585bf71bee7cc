/*
 * finding_what: what distinguishes a finding from others, in a few words: "Sessions.open: 450 Session".
 */
#include "config.h"

#include <inttypes.h>

#include "icecore/heap_names.h"
#include "icecore/values.h"
#include "findings.h"

static bool
is_upper(struct str s)
{
	return s.n > 0 && s.s[0] >= 'A' && s.s[0] <= 'Z';
}

/* Append a name without its package; of names without capitals the last two parts stay. */
static void
add_without_package(struct str name, struct buf *b)
{
	struct str part, rest, one, two;

	while (!is_upper(name) && str_divide(name, STR("."), &part, &rest) && (is_upper(rest) || str_divide(rest, STR("."), &one, &two)))
		name = rest;
	buf_str(b, name);
}

/* Append the words without the packages of those that are names. */
static void
add_short(struct str words, struct buf *b)
{
	struct str one;

	for (bool some = false; str_split(&words, ' ', &one); some = true) {
		buf_str(b, some ? STR(" ") : STR(""));
		add_without_package(one, b);
	}
}

/* Bitmaps of one class differ in their sizes. */
static void
add_pixels(const struct findings *f, const struct finding *x, struct buf *b)
{
	struct heap_slot w, h;

	if ((x->kind == FINDING_BITMAP_COPIES || x->kind == FINDING_BITMAP_RECYCLED) && x->object != 0 &&
	    heap_field(f->heap, x->object, STR("mWidth"), 0, &w) && heap_field(f->heap, x->object, STR("mHeight"), 0, &h))
		buf_printf(b, " %" PRIu64 "x%" PRIu64, w.bits, h.bits);
}

void
finding_what(const struct findings *f, const struct finding *x, struct buf *b)
{
	struct buf holder = BUF_INIT, content = BUF_INIT;
	bool leaks = finding_severity(x) == SEVERITY_LEAK;
	struct str held;

	finding_holder(f, x, &holder);
	finding_content(f, x, &content);
	if (content.n == 0 && x->object != 0)
		heap_label(f->heap, x->object, &content);
	held = buf_view(&content);
	held = str_has_prefix(held, STR("class ")) ? str_behind(held, STR("class ").n) : held;
	if (holder.n > 0 && !str_eq(buf_view(&holder), held)) {
		add_short(buf_view(&holder), b);
		buf_str(b, held.n > 0 ? STR(": ") : STR(""));
	}
	if (held.n > 0 && (holder.n > 0 || (x->count > 1 && !leaks))) {
		finding_number(x->count, b);
		buf_chr(b, ' ');
	}
	add_short(held, b);
	add_pixels(f, x, b);
	/* Leaking objects of other classes are counted with the one that retains most. */
	if (leaks && holder.n == 0 && x->count > 1)
		buf_printf(b, " +%" PRIu32, x->count - 1);
	if (b->n == 0)
		buf_str(b, str_of(finding_rows[x->kind].what));
	buf_free(&holder);
	buf_free(&content);
}
