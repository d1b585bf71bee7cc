/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stacks: stacks and frames of a profile, made from constants, once per chunk.
 */
#include "config.h"

#include <assert.h>

#include "icecore/chunk.h"
#include "jfr.h"

#define TICK 4096u

#define READ_FRAMES CHUNK_OF(8192u)

/* Cache of frames by their bytes: most repeat in other stacks of the chunk. */
struct read_frame {
	uint64_t	bytes;
	uint32_t	frame, chunk;	/* frame 0: unused */
};

/* Type of frame for a method; counted from JFR_AS_METHOD on. */
enum frame_use { USE_JAVA, USE_C, USE_KERNEL };

static uint32_t
stacks_own_frame(struct jfr *j, uint32_t *id, struct str name)
{
	if (*id == 0)
		*id = into_frame(&j->to, name);
	return *id;
}

static uint32_t
unknown_frame(struct jfr *j)
{
	return stacks_own_frame(j, &j->unknown_frame, STR("[unknown]"));
}

/* Identify a frame type by its description, because keys differ between writers. */
static enum frame_use
use_of(struct jfr *j, uint32_t type, uint64_t key)
{
	struct jfr_constant *k = jfr_constant_find(&j->c, type, key);
	struct str text;

	if (k == NULL)
		return USE_JAVA;
	if (k->known[JFR_AS_KIND] == 0) {
		buf_clear(&j->text);
		jfr_constant_text(&j->c, type, key, &j->text);
		text = buf_view(&j->text);
		k->known[JFR_AS_KIND] = 1 + (str_eq(text, STR("Kernel")) ? USE_KERNEL : str_eq(text, STR("C++")) ||
		    (j->writer.native_c && str_eq(text, STR("Native"))) ? USE_C : USE_JAVA);
	}
	assert(k->known[JFR_AS_KIND] <= 1 + USE_KERNEL);
	return (enum frame_use)(k->known[JFR_AS_KIND] - 1);
}

/* Get the name of a class into j->more; false: none. */
static bool
class_symbol(struct jfr *j, uint32_t type, uint64_t key)
{
	struct jfr_constant *k = jfr_constant_find(&j->c, type, key);
	const struct jfr_plan *plan = k == NULL ? NULL : jfr_constant_value(&j->c, k);

	buf_clear(&j->more);
	if (plan != NULL)
		jfr_slot_text(&j->c, plan->slot[CLASS_NAME], j->c.slot[CLASS_NAME], &j->more);
	return plan != NULL;
}

uint32_t
jfr_class_frame(struct jfr *j, uint32_t type, uint64_t key)
{
	struct jfr_constant *k = jfr_constant_find(&j->c, type, key);

	if (k == NULL || k->known[JFR_AS_CLASS] != 0)
		return k == NULL ? 0 : k->known[JFR_AS_CLASS];
	if (!class_symbol(j, type, key) || j->more.n == 0)
		return 0;
	buf_clear(&j->text);
	jfr_text_class(buf_view(&j->more), &j->text);
	k->known[JFR_AS_CLASS] = INTO_ID(&j->to, samples_frame(&j->s, buf_view(&j->text), STR(""), 'c', j->to.err));
	return k->known[JFR_AS_CLASS];
}

/* Get a.b.C.method, or only the name outside Java, into j->text; empty: none. */
static void
stacks_method_name(struct jfr *j, const struct jfr_plan *plan, enum frame_use use)
{
	struct jfr_slot name = plan->slot[METHOD_NAME], class = plan->slot[METHOD_CLASS];
	uint64_t name_key = j->c.slot[METHOD_NAME], class_key = j->c.slot[METHOD_CLASS];
	size_t n;

	buf_clear(&j->text);
	buf_clear(&j->more);
	if (use == USE_JAVA && class.kind == JFR_KEY)
		class_symbol(j, class.type, class_key);
	jfr_text_class(buf_view(&j->more), &j->text);
	n = j->text.n;
	if (n > 0)
		buf_chr(&j->text, '.');
	jfr_slot_text(&j->c, name, name_key, &j->text);
	if (n > 0 && j->text.n == n + 1)
		j->text.n = n;
}

void
jfr_about(struct jfr *j, struct jfr_slot slot, uint64_t value, struct buf *to)
{
	struct str type = slot.kind == JFR_KEY ? jfr_word(&j->c, jfr_type(&j->c, slot.type)->name) : STR("");
	struct jfr_constant *k;
	const struct jfr_plan *plan;

	if (str_eq(type, STR("java.lang.Class"))) {
		class_symbol(j, slot.type, value);
		jfr_text_class(buf_view(&j->more), to);
	} else if (str_eq(type, STR("jdk.types.Method"))) {
		k = jfr_constant_find(&j->c, slot.type, value);
		if (k == NULL || (plan = jfr_constant_value(&j->c, k)) == NULL)
			return;
		stacks_method_name(j, plan, USE_JAVA);
		buf_str(to, buf_view(&j->text));
	} else
		jfr_slot_text(&j->c, slot, value, to);
}

static uint32_t
method_frame(struct jfr *j, uint32_t type, uint64_t key, enum frame_use use)
{
	static const char kinds[] = { [USE_JAVA] = 'j', [USE_C] = 0, [USE_KERNEL] = 'k' };
	struct jfr_constant *k = jfr_constant_find(&j->c, type, key);
	const struct jfr_plan *plan;

	if (k != NULL && k->known[JFR_AS_METHOD + use] != 0)
		return k->known[JFR_AS_METHOD + use];
	if (k == NULL || (plan = jfr_constant_value(&j->c, k)) == NULL)
		return unknown_frame(j);
	stacks_method_name(j, plan, use);
	k->known[JFR_AS_METHOD + use] = j->text.n == 0 ? unknown_frame(j) :
	    INTO_ID(&j->to, samples_frame(&j->s, buf_view(&j->text), STR(""), kinds[use], j->to.err));
	if (hook_told(buf_view(&j->text)) && j->nhooks < JFR_HOOKS)
		j->hook[j->nhooks++] = k->known[JFR_AS_METHOD + use];
	return k->known[JFR_AS_METHOD + use];
}

/* Make the frame in the slots of the plan; NULL: none. */
static uint32_t
slots_frame(struct jfr *j, const struct jfr_plan *plan)
{
	const uint64_t *slot = j->c.slot;
	uint64_t method = slot[FRAME_METHOD], line = slot[FRAME_LINE];
	enum frame_use use;
	uint32_t frame;

	if (plan == NULL || plan->slot[FRAME_METHOD].kind != JFR_KEY)
		return unknown_frame(j);
	use = plan->slot[FRAME_KIND].kind != JFR_KEY ? USE_JAVA :
	    use_of(j, plan->slot[FRAME_KIND].type, slot[FRAME_KIND]);
	frame = method_frame(j, plan->slot[FRAME_METHOD].type, method, use);
	/* Recordings lack the line where a method begins, so the sampled line is used. */
	if (frame != 0 && frame != j->unknown_frame && plan->slot[FRAME_LINE].kind == JFR_NUMBER &&
	    line <= INT32_MAX)
		samples_line(&j->s, frame, line);
	return frame;
}

/* Return a frame that is a constant.  It is read once, however many stacks contain it. */
static uint32_t
constant_frame(struct jfr *j, uint32_t type, uint64_t key)
{
	struct jfr_constant *k = jfr_constant_find(&j->c, type, key);

	if (k == NULL)
		return slots_frame(j, NULL);
	if (k->known[JFR_AS_FRAME] == 0)
		k->known[JFR_AS_FRAME] = slots_frame(j, jfr_constant_value(&j->c, k));
	return k->known[JFR_AS_FRAME];
}

/* Return the cache entry of the frame at a place, and its length; NULL: too long. */
static struct read_frame *
stacks_find_read(const struct jfr *j, const struct jfr_plan *plan, const struct jfr_in *in, uint64_t *bytes,
    unsigned *n)
{
	uint64_t ends;

	if (plan->numbers == 0 || jfr_left(in) < sizeof *bytes)
		return NULL;
	*bytes = le64(in->at);
	ends = ~*bytes & UINT64_C(0x8080808080808080);
	for (unsigned i = 1; i < plan->numbers; i++)
		ends &= ends - 1;
	if (ends == 0)
		return NULL;
	*n = (unsigned)__builtin_ctzll(ends) / 8 + 1;
	*bytes &= ends ^ (ends - 1);
	return &SCRATCH(j->read, struct read_frame)[idmap_hash(*bytes) % READ_FRAMES];
}

/* Read the frame at a place; 0: failed, or the array is truncated. */
static uint32_t
array_frame(struct jfr *j, const struct jfr_plan *plan, struct jfr_in *in)
{
	uint64_t bytes = 0;
	unsigned n = 0;
	struct read_frame *read = stacks_find_read(j, plan, in, &bytes, &n);
	uint32_t frame, chunk = (uint32_t)j->chunks;

	if (read != NULL && read->bytes == bytes && read->chunk == chunk && read->frame != 0) {
		in->at += n;
		return read->frame;
	}
	if (!jfr_steps_run(&j->c, plan, in) || (frame = slots_frame(j, plan)) == 0)
		return 0;
	if (read != NULL)
		*read = (struct read_frame){ bytes, frame, chunk };
	return frame;
}

/*
 * Read an array of frames, or of keys of frames, at a place, innermost first, into j->frames. Return their
 * number.
 */
static uint64_t
stacks_read_frames(struct jfr *j, struct jfr_slot array, uint64_t at)
{
	struct jfr_chunk *c = &j->c;
	struct jfr_in in = jfr_at(c, at);
	uint64_t count = jfr_count(&in), key, n = 0;
	const struct jfr_plan *plan = jfr_constant_element(c, array.type);
	bool keys = array.kind == JFR_KEYS;
	uint32_t frame;

	INTO(&j->to, scratch_array(&j->read, READ_FRAMES, sizeof(struct read_frame), j->to.err));
	while (plan != NULL && n < count && !j->to.bad) {
		if (n % TICK == TICK - 1)
			into_go(&j->to, at);
		key = keys ? jfr_u64(&in) : 0;
		frame = in.bad ? 0 : keys ? constant_frame(j, array.type, key) : array_frame(j, plan, &in);
		if (in.bad || (!keys && plan->bad))
			break;
		INTO_ROW(&j->to, j->frames, n, frame, "frames");
	}
	return n;
}

/* How many of the innermost frames are the profiler's own. */
static uint64_t
own_frames(const struct jfr *j, uint64_t n)
{
	const uint32_t *frame = SCRATCH(j->frames, uint32_t);
	uint64_t own = 0;
	bool found = true;

	for (; own < n && found; own += found) {
		found = false;
		for (unsigned i = 0; i < j->nhooks; i++)
			found |= frame[own] == j->hook[i];
	}
	return own;
}

/* Omitted frames are the outermost ones. */
static uint32_t
build_stack(struct jfr *j, const struct jfr_constant *k)
{
	const struct jfr_plan *plan = jfr_constant_value(&j->c, k);
	struct jfr_slot frames = plan == NULL ? (struct jfr_slot){ 0 } : plan->slot[STACK_FRAMES];
	bool truncated = plan != NULL && plan->slot[STACK_TRUNCATED].kind == JFR_NUMBER &&
	    j->c.slot[STACK_TRUNCATED] != 0;
	uint64_t n = (frames.kind == JFR_ARRAY || frames.kind == JFR_KEYS) && frames.type != UINT32_MAX ?
	    stacks_read_frames(j, frames, j->c.slot[STACK_FRAMES]) : 0;
	uint32_t stack = truncated ? into_stack(&j->to, 0,
	    stacks_own_frame(j, &j->truncated_frame, STR("[truncated]"))) : 0;

	assert(n <= UINT32_MAX);
	for (uint64_t own = j->nhooks > 0 ? own_frames(j, n) : 0; n-- > own; )
		stack = into_stack(&j->to, stack, SCRATCH(j->frames, uint32_t)[n]);
	return stack;
}

uint32_t
jfr_stack_of(struct jfr *j, uint32_t type, uint64_t key)
{
	struct jfr_constant *k = jfr_constant_find(&j->c, type, key);

	if (key == 0)
		return 0;
	if (k == NULL) {
		j->lost.stacks++;
		return into_stack(&j->to, 0, stacks_own_frame(j, &j->lost_frame, STR("[lost stack]")));
	}
	/* Store id + 1, because a stack without frames has id 0. */
	if (k->known[JFR_AS_STACK] == 0)
		k->known[JFR_AS_STACK] = build_stack(j, k) + 1;
	return k->known[JFR_AS_STACK] - 1;
}
