/*
 * signature: the references from a root to an object as text that is the same for the same leak in
 * every dump.
 */
#include "config.h"

#include <string.h>

#include "icecore/leak.h"
#include "pass/heap/heap.h"

#define ENDS 256u		/* of a path that is longer than two of them only the ends are looked at */

/* ---- names that differ from run to run --------------------------------------------- */

/* Where s begins in text, or NULL. */
static const char *
find(struct str text, const char *s)
{
	return text.n == 0 ? NULL : memmem(text.s, text.n, s, strlen(s));
}

static bool
is_lower_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f');
}

/* Length of what stands at p and tells only how many were made before, or where: "12", "/0x0000000800066840". */
static size_t
numbered(const char *from, const char *p, const char *end)
{
	static const char *const before[] = { "$Proxy", "Accessor", "jdk.proxy", "class@" };
	size_t n = 0, k;

	if (end - p > 3 && strchr("./+", p[0]) != NULL && p[1] == '0' && p[2] == 'x') {
		for (n = 3; p + n < end && is_lower_hex(p[n]); n++)
			continue;
		return n;
	}
	for (size_t i = 0; i < NELEM(before) && n == 0; i++) {
		k = strlen(before[i]);
		if ((size_t)(p - from) >= k && memcmp(p - k, before[i], k) == 0)
			while (p + n < end && (i == 3 ? is_lower_hex(p[n]) : is_digit(p[n])))
				n++;
	}
	return n;
}

/* The end of the name proper: behind these marks stands what a generator of classes made up. */
static const char *
made_up(struct str name)
{
	static const char *const marks[] = { "$$Lambda", "ByCGLIB$$", "ByMockitoWithCGLIB$$",
	    "$MockitoMock$", "$ByteBuddy$", "$HibernateProxy$", "_$$_jvst" };
	const char *at;

	for (size_t i = 0; i < NELEM(marks); i++) {
		at = find(name, marks[i]);
		/* Android has "-$$Lambda$Class$...", which a build makes the same each time. */
		if (at != NULL && (at == name.s || at[-1] != '-'))
			return at + strlen(marks[i]);
	}
	return name.s + name.n;
}

static void
add_class(const struct heap *h, uint32_t class, struct buf *b)
{
	struct buf raw = BUF_INIT;
	const char *end;
	struct str name;
	size_t n, depth = 0;

	heap_class_name(h, class, &raw);
	name = buf_view(&raw);
	for (; name.n > 2 && memcmp(name.s + name.n - 2, "[]", 2) == 0; name.n -= 2)
		depth++;
	end = made_up(name);
	for (const char *p = name.s; p < end; ) {
		n = numbered(name.s, p, end);
		if (n == 0)
			buf_chr(b, *p);
		p += n == 0 ? 1 : n;
	}
	while (depth-- > 0)
		buf_str(b, STR("[]"));
	buf_free(&raw);
}

/* ---- steps --------------------------------------------------------------------------- */

struct steps {
	const struct heap	*h;
	struct buf		*to;
	struct buf		 now, last;	/* the step that is being made; the one that was written last */
	bool			 starred;	/* the last one is */
	size_t			 begin;		/* of the text */
};

/* A static lives as long as its class is of use: what holds the class is to blame for nothing. */
static void
begin_anew(struct steps *s)
{
	s->to->n = s->begin;
	buf_clear(&s->now);
	buf_clear(&s->last);
}

static void
end_step(struct steps *s)
{
	struct buf swap;

	if (s->now.n == 0)
		return;
	if (str_eq(buf_view(&s->now), buf_view(&s->last))) {
		if (!s->starred)
			buf_chr(s->to, '*');
		s->starred = true;
	} else {
		if (s->last.n > 0)
			buf_str(s->to, STR(" > "));
		buf_str(s->to, buf_view(&s->now));
		s->starred = false;
	}
	swap = s->last;
	s->last = s->now;
	s->now = swap;
	buf_clear(&s->now);
}

/* Of "java.util.HashMap$Node" "java.util.HashMap"; of what is no node of a collection nothing. */
static struct str
node_of(struct str name)
{
	static const char *const ends[] = { "*Node", "*Entry", "*Link" };
	size_t n = 0;

	while (n < name.n && name.s[n] != '$')
		n++;
	for (size_t i = 0; i < NELEM(ends); i++)
		if (n > 10 && n < name.n && str_glob(str_of(ends[i]), name) &&
		    heap_same_name((struct str){ name.s, 10 }, STR("java.util.")))
			return (struct str){ name.s, n };
	return STR("");
}

/*
 * From one node of a collection to another: how many of them stand in between depends on hashes and on what
 * else is in it.
 */
static bool
is_inner(const struct heap *h, uint32_t holder, uint32_t object)
{
	struct str a = node_of(class_text(h, heap_class(h, holder)));
	struct str b = node_of(class_text(h, heap_class(h, object)));

	return a.n > 0 && b.n > 0 &&
	    (str_eq(a, b) || (find(a, "HashMap") != NULL && find(b, "HashMap") != NULL));
}

static void
add_step(struct steps *s, uint32_t holder, uint32_t object)
{
	uint32_t class = heap_class_of_object(s->h, holder);
	struct heap_slot slot;

	if (heap_is_array(s->h, holder)) {
		if (s->now.n == 0)
			add_class(s->h, heap_class(s->h, holder), &s->now);
		else
			buf_str(&s->now, STR("[]"));
		return;
	}
	if (is_inner(s->h, holder, object))
		return;
	end_step(s);
	if (!heap_link(s->h, holder, object, &slot)) {
		add_class(s->h, class != 0 ? class : heap_class(s->h, holder), &s->now);
		buf_str(&s->now, STR(".?"));
		return;
	}
	switch (slot.kind) {
	case SLOT_LOCAL:
		buf_str(&s->now, STR("<Java Local>"));
		break;
	case SLOT_STATIC:
	case SLOT_FIELD:
		if (slot.kind == SLOT_STATIC) {
			begin_anew(s);
			buf_str(&s->now, STR("static "));
		}
		add_class(s->h, slot.class, &s->now);
		buf_chr(&s->now, '.');
		buf_str(&s->now, slot.name);
		break;
	default:
		add_class(s->h, class != 0 ? class : heap_class(s->h, holder), &s->now);
		buf_chr(&s->now, '.');
		heap_slot_name(s->h, &slot, &s->now);
		break;
	}
}

void
finding_signature(const struct findings *f, const struct finding *finding, struct buf *b)
{
	struct steps s = { .h = f->heap, .to = b, .now = BUF_INIT, .last = BUF_INIT,
	    .begin = b->n };
	uint32_t object = finding->object, class;

	if (object == 0 && finding->class == 0) {
		buf_str(b, str_of(finding_rows[finding->kind].name));
		return;
	}
	if (object != 0 && finding->hops > 0)
		object = finding->hop[finding->hops - 1];
	class = object == 0 ? 0 : heap_class_of_object(s.h, object);
	for (size_t i = 0; i + 1 < finding->hops && object != 0 && class == 0; i++) {
		if (i == ENDS && finding->hops > 2 * ENDS)
			i = finding->hops - ENDS;
		add_step(&s, finding->hop[i], finding->hop[i + 1]);
	}
	end_step(&s);
	if (class != 0)
		buf_str(&s.now, STR("class "));
	if (class == 0)
		class = object != 0 ? heap_class(s.h, object) : finding->class;
	add_class(s.h, class, &s.now);
	end_step(&s);
	buf_free(&s.now);
	buf_free(&s.last);
}
