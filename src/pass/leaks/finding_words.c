/*
 * finding_words: values of the letters in text templates of findings: numbers, owners, threads.
 */
#include "config.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "icecore/heap_facts.h"
#include "icecore/heap_names.h"
#include "findings.h"

/* ---- words ----------------------------------------------------------------------------- */

static void
add_size(uint64_t bytes, struct buf *b)
{
	char text[NUM_TEXT];

	num_show_size(text, sizeof text, bytes);
	buf_str(b, str_of(text));
}

void
finding_number(uint64_t n, struct buf *b)
{
	char text[NUM_TEXT];

	num_show_count(text, sizeof text, n);
	buf_str(b, str_of(text));
}

double
finding_percent(const struct findings *f, const struct finding *x)
{
	static const enum fact_id parts[] = { FACT_LIVE_BYTES, FACT_DIRECT_BYTES, FACT_ZLIB_BYTES, FACT_REGISTERED_BYTES };
	uint64_t live = 0;

	for (size_t i = 0; i < NELEM(parts); i++)
		live = num_add(live, heap_fact(f->heap->st, parts[i], f->heap->refs, f->heap->sizes));
	/* Live bytes exclude objects that only finalizers reach. */
	if (x->kind == FINDING_FINALIZER)
		live = num_add(live, x->retained);
	return live == 0 ? 0 : 100.0 * (double)x->retained / (double)live;
}

/* "12.4 MiB (63%)" */
static void
finding_words_add_part(const struct findings *f, const struct finding *x, struct buf *b)
{
	add_size(x->retained, b);
	buf_printf(b, " (%.0f%%)", finding_percent(f, x));
}

static void
finding_words_add_object(const struct findings *f, uint32_t object, struct buf *b)
{
	heap_label(f->heap, object, b);
	if (heap_class_of_object(f->heap, object) == 0)
		buf_printf(b, " @%" PRIu32, object);
}

/* ---- owners: what the tree of names tells ---------------------------------------------------- */

static void
finding_words_add_field(const struct name_node *n, struct buf *b)
{
	buf_str(b, n->holder);
	if (n->holder.n > 0)
		buf_chr(b, '.');
	buf_str(b, n->label);
}

/* The field, without what kind it is of. */
static void
add_owner(const struct findings *f, const struct finding *x, struct buf *b)
{
	struct name_node n;

	if (x->owner == 0)
		return;
	names_get(f->heap, x->owner, &n);
	if (n.holder.n == 0 && (n.label.n == 0 || n.kind == NAME_GC_ROOT)) {
		buf_str(b, n.class);
		return;
	}
	finding_words_add_field(&n, b);
}

uint32_t
finding_owners(const struct findings *f, const struct finding *x)
{
	struct name_node n = { .count = 1 };

	if (x->owner != 0)
		names_get(f->heap, x->owner, &n);
	/*
	 * A finding below a single object (x->one) has one owner.  Shared objects are held by one field, however many objects
	 * have this field.  The queues of a ForkJoinPool belong to one pool.
	 */
	if (n.count - n.folded <= 1 || x->one != 0)
		return 1;
	return n.kind == NAME_SHARED && (x->owner == x->content || str_glob(STR("*.ForkJoinPool$WorkQueue"), n.class)) ? 1 : n.count - n.folded;
}

/*
 * "shop.Shop.orders holds "; of several owners "the fields shop.Shard.map of 4 objects hold ".  What others hold as well is no
 * field's alone: "3 shop.Page of shop.Shop.pages hold ", and those of the JDK say nothing.
 */
static void
add_owners(const struct findings *f, const struct finding *x, struct buf *b)
{
	uint32_t n = finding_owners(f, x);
	struct name_node owner;

	if (n == 1) {
		add_owner(f, x, b);
		buf_str(b, STR(" holds "));
		return;
	}
	names_get(f->heap, x->owner, &owner);
	if (owner.kind == NAME_FIELD && owner.holder.n > 0) {
		buf_str(b, STR("the fields "));
		finding_words_add_field(&owner, b);
		buf_str(b, STR(" of "));
		finding_number(n, b);
		buf_str(b, STR(" objects"));
	} else {
		finding_number(n, b);
		buf_chr(b, ' ');
		if (owner.kind == NAME_SHARED) {
			buf_str(b, owner.class);
			if (owner.holder_whose & ~(unsigned)CLASS_JDK)
				buf_str(b, STR(" of "));
		}
		if (owner.kind != NAME_SHARED || (owner.holder_whose & ~(unsigned)CLASS_JDK))
			add_owner(f, x, b);
	}
	buf_str(b, STR(" hold "));
}

/* "shop.Shop.orders holds 9.28 MiB (76%)"; of several owners "... hold ... together". */
static void
add_subject(const struct findings *f, const struct finding *x, struct buf *b)
{
	add_owners(f, x, b);
	finding_words_add_part(f, x, b);
	if (finding_owners(f, x) > 1)
		buf_str(b, STR(" together"));
}

/* "queue of the thread pool shop.Mail.pool holds ..."; "queues of 4 thread pools shop.Shard.pool hold ... together" */
static void
add_pool(const struct findings *f, const struct finding *x, struct buf *b)
{
	uint32_t n = finding_owners(f, x);

	buf_str(b, n == 1 ? STR("queue of the thread pool ") : STR("queues of "));
	if (n > 1) {
		finding_number(n, b);
		buf_str(b, STR(" thread pools "));
	}
	add_owner(f, x, b);
	buf_str(b, n == 1 ? STR(" holds ") : STR(" hold "));
	finding_words_add_part(f, x, b);
	if (n > 1)
		buf_str(b, STR(" together"));
}

/* "; one shop.Account of 1 000 has most of it" */
static void
add_one_of(const struct findings *f, const struct finding *x, struct buf *b)
{
	struct name_node n;

	if (x->one == 0)
		return;
	names_get(f->heap, x->one, &n);
	buf_str(b, STR("; one "));
	buf_str(b, n.class);
	buf_str(b, STR(" of "));
	finding_number(n.count, b);
	buf_str(b, STR(" has most of it"));
}

/* ---- who else holds it ------------------------------------------------------------------------ */

#define REFERRERS 12u	/* of a shared object that are looked at */
#define ALSO 2u		/* that are named */

/* Find the first node, from the content up to the owner, whose objects are not held by the node above alone. */
static uint32_t
shared_node(const struct findings *f, const struct finding *x, struct name_node *n)
{
	for (uint32_t id = x->content; id > 1; id = n->parent) {
		names_get(f->heap, id, n);
		if (n->kind == NAME_SHARED ||
		    (n->kind == NAME_ELEMENT && names_of(f->heap, heap_above(f->heap, n->object)) != n->parent))
			return id;
		if (id == x->owner)
			break;
	}
	return 0;
}

/*
 * Append the field by which an object of a node holds another one; for a part of a collection, the field that has the
 * collection.  Skip fields of libraries: the reader cannot fix them, and they may hold the object for the owner.
 */
static void
finding_words_add_holder(const struct findings *f, uint32_t id, uint32_t object, uint32_t held, struct buf *b)
{
	struct heap_slot slot;
	struct name_node n;

	names_get(f->heap, id, &n);
	if ((n.role == ROLE_PLAIN || n.role == ROLE_CLASS) && heap_link(f->heap, object, held, &slot)) {
		if (!(n.whose & CLASS_PROGRAM))
			return;
		heap_stable_name(f->heap, slot.class, b);
		buf_chr(b, '.');
		buf_str(b, slot.name);
		return;
	}
	while (n.kind == NAME_ELEMENT && n.parent != 0)
		names_get(f->heap, n.parent, &n);
	if (!(n.holder_whose & CLASS_PROGRAM))
		return;
	finding_words_add_field(&n, b);
}

/* "; also held by shop.ByName.PARCELS": the bytes of what several share count for one of them alone. */
static void
add_also(const struct findings *f, const struct finding *x, struct buf *b)
{
	struct buf owner = BUF_INIT, name = BUF_INIT, first = BUF_INIT;
	struct name_node n;
	struct heap_walk walk;
	uint32_t id = shared_node(f, x, &n), from, at, told = 0;

	if (id == 0)
		return;
	add_owner(f, x, &owner);
	heap_in(f->heap, n.object, &walk);
	for (uint32_t i = 0; i < REFERRERS && told < ALSO && (from = heap_next(&walk, NULL)) != 0; i++) {
		at = names_of(f->heap, from);
		if (at == 0 || (at >= id && at < id + n.size))
			continue;
		buf_clear(&name);
		finding_words_add_holder(f, at, from, n.object, &name);
		if (name.n == 0 || str_eq(buf_view(&name), buf_view(&owner)) || str_eq(buf_view(&name), buf_view(&first)))
			continue;
		buf_str(b, told++ == 0 ? STR("; also held by ") : STR(" and "));
		buf_str(b, buf_view(&name));
		buf_str(&first, buf_view(&name));
	}
	buf_free(&owner);
	buf_free(&name);
	buf_free(&first);
}

/* ", most of it in shop.Order.attributes" */
static void
add_most_in(const struct findings *f, const struct finding *x, struct buf *b)
{
	struct name_node n = { .kind = NAME_ROOT };

	for (uint32_t id = x->content; id > 1 && (n.kind == NAME_ROOT || n.kind == NAME_ELEMENT); id = n.parent)
		names_get(f->heap, id, &n);
	if (n.holder.n == 0)
		return;
	buf_str(b, STR(", most of it in "));
	finding_words_add_field(&n, b);
}

/* Append the length of the array that a finding is about. */
static void
finding_words_add_elements(const struct findings *f, const struct finding *x, struct buf *b)
{
	if (x->other == 0 || !heap_is_array(f->heap, x->other))
		return;
	buf_str(b, STR(" of "));
	finding_number(heap_length(f->heap, x->other), b);
	buf_str(b, STR(" elements"));
}

static void
finding_words_add_threads(const struct findings *f, const struct finding *x, struct buf *b)
{
	struct name_node n = { .count = 0 };

	if (x->owner != 0)
		names_get(f->heap, x->owner, &n);
	finding_number(n.count - n.folded, b);
	buf_str(b, n.count - n.folded == 1 ? STR(" thread") : STR(" threads"));
}

static void
finding_words_add_string(const struct findings *f, uint32_t object, struct buf *b)
{
	size_t from = b->n + 1;

	buf_chr(b, '"');
	heap_string(f->heap, object, 40, b);
	mask_text(b, from);
	buf_chr(b, '"');
}

/* ---- by letter ----------------------------------------------------------------------------- */

static void
add_owner_value(const struct findings *f, const struct finding *x, char letter, struct buf *b)
{
	static const struct {
		char	letter;
		void	(*add)(const struct findings *, const struct finding *, struct buf *);
	} values[] = {
		{ 'W', add_owner }, { 'S', add_subject }, { 'T', add_pool }, { 'D', finding_in }, { 'Q', add_one_of }, { 'H', add_also },
		{ 'A', finding_kept }, { 'G', finding_things }, { 'I', finding_each }, { 'B', finding_links },
		{ 'R', finding_cleared }, { 'Y', finding_waits }, { 'E', finding_words_add_elements }, { 'V',
		    finding_words_add_threads }, { 'M', add_most_in },
		{ 'w', finding_workers }, { 'P', finding_pool }, { 't', finding_keepers }, { 'q', finding_finalizer }, { 'K', finding_pattern },
		{ 'a', finding_at }, { 'g', finding_pool_threads }, { 'h', finding_held }, { 'b', finding_parked },
		{ 'd', finding_kept_locals }, { 'e', finding_stackless }, { 'i', finding_awaited }, { 'x', finding_names },
		{ 'F', finding_of_loader }, { 'X', finding_kept_otherwise }
	};
	size_t i = 0;

	while (i < NELEM(values) && values[i].letter != letter)
		i++;
	assert(i < NELEM(values));
	values[i].add(f, x, b);
}

void
finding_word(const struct findings *f, const struct finding *x, char letter, struct buf *b)
{
	uint32_t object = letter >= 'a' ? x->object : x->other;

	switch (letter) {
	case 'n':
		finding_number(x->count, b);
		break;
	case 'm':
		finding_number(x->number, b);
		break;
	case 'r':
		add_size(x->retained, b);
		break;
	case 'p':
		finding_words_add_part(f, x, b);
		break;
	case 'o':
	case 'O':
		finding_words_add_object(f, object, b);
		break;
	case 'l':	/* without its number */
	case 'L':
		heap_label(f->heap, object, b);
		break;
	case 'c':
		finding_class(f, x, b);
		break;
	case 's':
		finding_words_add_string(f, x->object, b);
		break;
	case 'N':
		add_size(x->native, b);
		break;
	case 'k':	/* hundredths of a percent */
		buf_printf(b, "%.4g%%", (double)x->number / 100);
		break;
	default:
		add_owner_value(f, x, letter, b);
		break;
	}
}

/* The last field on the path that is of no collection and no wrapper of a Cursor. */
static void
add_last_field(const struct findings *f, const struct finding *x, struct buf *b)
{
	size_t i = x->hops, end = i > DEEP ? i - DEEP : 0;
	struct heap_slot slot;

	while (i > end + 1 && cursor_passed_on(f->heap, x->hop[i - 2]))
		i--;
	if (i < end + 2 || !heap_link(f->heap, x->hop[i - 2], x->hop[i - 1], &slot) || slot.class == 0 || slot.name.n == 0)
		return;
	heap_class_name(f->heap, slot.class, b);
	buf_chr(b, '.');
	buf_str(b, slot.name);
}

void
finding_holder(const struct findings *f, const struct finding *x, struct buf *b)
{
	if (x->kind == FINDING_CURSOR)
		add_last_field(f, x, b);
	else if (x->kind == FINDING_VIRTUAL)
		finding_place(f, x, b);
	else
		add_owner(f, x, b);
}

void
finding_content(const struct findings *f, const struct finding *x, struct buf *b)
{
	if (x->kind == FINDING_VIRTUAL && !finding_most_local(f, x))
		heap_stable_name(f->heap, x->class, b);
	else if (x->kind == FINDING_CLASSES)
		finding_names(f, x, b);
	else if (x->content != 0 || (x->class != 0 && x->kind != FINDING_LOADER))
		finding_class(f, x, b);
}
