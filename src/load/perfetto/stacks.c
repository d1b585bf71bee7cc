/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stacks: callstacks that packets tell by numbers.  They are read when all calls are known, as frames of calls come first.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "perfetto.h"

enum { FRAMES_MOST = 4096, INLINED_MOST = 64 };

#define MAPPING(F) F(2, build, U64) F(7, parts, NONE)
#define FRAME(F) F(2, function, U64) F(3, mapping, U64) F(4, address, U64) F(5, source, U64) F(6, line, U64)
#define LINE(F) F(1, function, BYTES) F(2, file, BYTES) F(3, line, U64)
SHAPE(stack_mapping, "Mapping", MAPPING)
SHAPE(stack_frame, "Frame", FRAME)
SHAPE(stack_line, "Line", LINE)		/* a line of a symbol, or a frame in the packet itself */

/* A frame in a trace. */
struct frame_told {
	struct str	name, path, build, source;
	uint64_t	address, line;
};

/* ---- names ----------------------------------------------------------------------------------------------- */

/* The number of a kind of text; in a profile packet they are all of one kind. */
static unsigned
kind_of(const struct perfetto *p, uint32_t state, unsigned kind)
{
	return pf_state(p, state)->profile ? NAME_OF_PROFILE : kind;
}

static bool
text_of_kind(const struct perfetto *p, uint32_t state, unsigned kind, uint64_t iid, struct str *text)
{
	*text = STR("");
	return (iid == 0 && pf_state(p, state)->profile) || pf_interned_text(p, state, kind_of(p, state, kind), iid, text);
}

/* The path of a mapping: "/" and each part. */
static bool
mapping_path(struct perfetto *p, uint32_t state, uint64_t iid, struct buf *b, struct str *build)
{
	const struct pf_interned *mapping = pf_interned(p, state, NAME_MAPPING, iid);
	struct shape_numbers parts = { .field = 7 };
	struct stack_mapping m;
	struct str part;
	uint64_t id;
	bool whole;

	buf_clear(b);
	*build = STR("");
	if (mapping == NULL)
		return iid == 0;
	parts.rest = pf_bytes(p, mapping->at, mapping->n);
	parts.packed = STR("");
	whole = stack_mapping_read(parts.rest, &m, NULL);
	if (m.build != 0 && !text_of_kind(p, state, NAME_BUILD, m.build, build))
		return false;
	while (b->n < PF_TEXT_MOST && shape_number(&parts, &id)) {
		if (!text_of_kind(p, state, NAME_PATH, id, &part))
			return true;
		if (part.n > 0 && part.s[0] != '/' && part.s[0] != '[')
			buf_chr(b, '/');
		buf_str(b, part);
	}
	return whole;
}

/* False: what it refers to is missing.  The path is in the buffer. */
static bool
read_frame_told(struct perfetto *p, uint32_t state, const struct pf_interned *told, struct frame_told *frame, struct buf *path)
{
	struct stack_frame f;

	*frame = (struct frame_told){ .name = STR(""), .source = STR("") };
	if (!stack_frame_read(pf_bytes(p, told->at, told->n), &f, NULL) ||
	    (f.function != 0 && !text_of_kind(p, state, NAME_FUNCTION, f.function, &frame->name)) ||
	    !mapping_path(p, state, f.mapping, path, &frame->build))
		return false;
	if (f.source != 0)
		pf_interned_text(p, state, NAME_SOURCE, f.source, &frame->source);
	frame->path = buf_view(path);
	frame->address = f.address;
	frame->line = f.line;
	return !path->bad;
}

static struct str
base_of(struct str path)
{
	struct str base = path, part;

	while (str_split(&path, '/', &part))
		base = part;
	return base;
}

/* ---- frames ----------------------------------------------------------------------------------------------- */

/* One frame of samples. */
static uint32_t
frame_of(struct perfetto *p, const struct frame_told *f, struct str name, struct str source, uint64_t line, struct err *err)
{
	struct str base = base_of(f->path);
	struct buf renamed = BUF_INIT;
	bool kernel = str_has_prefix(f->path, STR("/kernel")) || str_has_prefix(f->path, STR("[kernel"));
	char text[320];
	uint32_t frame;

	if (name.n == 0) {
		snprintf(text, sizeof text, "%.*s+0x%llx", (int)(base.n > 0 ? str_head(base, 256).n : 1), base.n > 0 ? base.s : "?",
		    (unsigned long long)f->address);
		name = str_of(text);
	}
	name = pf_deobfuscated(p, name, f->path, &renamed);
	frame = renamed.bad ? (fail(err, E_SYSTEM, "out of memory (frames)"), 0u) :
	    samples_placed(&p->l->samples, name, source, base, kernel ? 'k' : 0, err);
	buf_free(&renamed);
	if (frame != 0)
		samples_line(&p->l->samples, frame, line);
	return frame;
}

/* A function and those that were inlined into it, as frames of which the last ones are the innermost. */
static uint32_t
inlined_frames(struct perfetto *p, const struct frame_told *frame, struct str lines, struct err *err)
{
	struct pf_symbols *s = &p->symbols;
	struct str one[INLINED_MOST], function;
	struct stack_line line;
	uint32_t n = 0, at = (uint32_t)s->ninlined + 1, id;

	SHAPE_EACH(lines, 2, in)
		if (n < INLINED_MOST)
			one[n++] = in;
	if (!make_add(&s->inlined, &s->ninlined, &n, sizeof n, MAKE_MOST, "inlined frames", err))
		return 0;
	while (n-- > 0) {
		(void)stack_line_read(one[n], &line, NULL);
		function = str_head(line.function.n > 0 ? line.function : STR("?"), PF_TEXT_MOST);
		if ((id = frame_of(p, frame, function, str_head(line.file, PF_TEXT_MOST), line.line, err)) == 0 ||
		    !make_add(&s->inlined, &s->ninlined, &id, sizeof id, MAKE_MOST, "inlined frames", err))
			return 0;
	}
	return at;
}

/* The interned frame with its frames of samples; NULL: it cannot be read, or failure. */
static const struct pf_interned *
known_frame(struct perfetto *p, uint32_t state, uint64_t iid, struct err *err)
{
	struct pf_interned *told = pf_interned(p, state, NAME_FRAME, iid);
	struct frame_told f;
	struct str lines;

	if (told == NULL || told->bad)
		return NULL;
	if (told->frame != 0)
		return told;
	if (!read_frame_told(p, state, told, &f, &p->text)) {
		if (p->text.bad)
			fail(err, E_SYSTEM, "out of memory (frames)");
		return NULL;
	}
	told->inlined = pf_symbols_find(p, f.path, f.build, f.address, &lines);
	told->frame = told->inlined ? inlined_frames(p, &f, lines, err) : frame_of(p, &f, f.name, f.source, f.line, err);
	return told->frame != 0 ? told : NULL;
}

/* Return a hash of the content of a frame; equal frames have equal hashes. */
static uint64_t
frame_content(struct perfetto *p, uint32_t state, uint64_t iid)
{
	struct pf_interned *told = pf_interned(p, state, NAME_FRAME, iid);
	struct frame_told f;

	if (told == NULL || (told->content == 0 && !read_frame_told(p, state, told, &f, &p->text)))
		return 0;
	if (told->content == 0)
		told->content = idmap_hash(idmap_hash_text(f.name, idmap_hash_text(f.path, idmap_hash_text(f.build, f.line))) ^
		    idmap_hash(f.address)) | 1;
	return told->content;
}

/* ---- stacks ----------------------------------------------------------------------------------------------- */

static struct shape_numbers
frames_of(const struct perfetto *p, const struct pf_interned *stack)
{
	return (struct shape_numbers){ pf_bytes(p, stack->at, stack->n), STR(""), 2 };
}

/* The stack with that frame of a callstack on it; 0: it cannot be read, or failure. */
static uint32_t
push_frame(struct perfetto *p, uint32_t state, uint32_t stack, uint64_t iid, struct err *err)
{
	const struct pf_interned *told = known_frame(p, state, iid, err);
	const uint32_t *inlined;

	if (told == NULL)
		return 0;
	if (!told->inlined)
		return samples_stack(&p->l->samples, stack, told->frame, err);
	inlined = &SCRATCH(p->symbols.inlined, uint32_t)[told->frame - 1];
	for (uint32_t i = 1; i <= inlined[0]; i++)
		if ((stack = samples_stack(&p->l->samples, stack, inlined[i], err)) == 0)
			return 0;
	return stack;
}

/* {2 frames, outermost first}, of which the innermost ones are kept. */
uint32_t
pf_stack(struct perfetto *p, uint32_t state, uint64_t iid, struct err *err)
{
	struct pf_interned *told = pf_interned(p, state, NAME_STACK, iid);
	struct shape_numbers frames;
	uint64_t n = 0, id;
	uint32_t stack = 0;

	if (told == NULL || told->frame != 0 || told->bad)
		return told == NULL ? 0 : told->frame;
	for (frames = frames_of(p, told); shape_number(&frames, &id); )
		n++;
	p->count[PF_CUT_STACKS] += n > FRAMES_MOST;
	for (frames = frames_of(p, told); shape_number(&frames, &id); )
		if (n-- <= FRAMES_MOST && (stack = push_frame(p, state, stack, id, err)) == 0)
			break;
	told->frame = stack;
	told->bad = stack == 0;
	return stack;
}

/* {1 frames}, outermost first. */
uint32_t
pf_stack_inline(struct perfetto *p, struct str m, struct err *err)
{
	struct frame_told frame = { .name = STR(""), .path = STR("") };
	struct stack_line line;
	uint32_t stack = 0, id;
	uint64_t n = 0;

	SHAPE_EACH(m, 1, in) {
		if (n++ == FRAMES_MOST) {
			p->count[PF_CUT_STACKS]++;
			break;
		}
		(void)stack_line_read(in, &line, NULL);
		if ((id = frame_of(p, &frame, str_head(line.function, PF_TEXT_MOST), str_head(line.file, PF_TEXT_MOST), line.line, err)) == 0 ||
		    (stack = samples_stack(&p->l->samples, stack, id, err)) == 0)
			return 0;
	}
	return stack;
}

uint64_t
pf_stack_content(struct perfetto *p, uint32_t state, uint64_t iid)
{
	struct pf_interned *told = pf_interned(p, state, NAME_STACK, iid);
	struct shape_numbers frames;
	uint64_t id, content = 0, one, n = 0;

	if (told == NULL || told->content != 0 || told->bad)
		return told == NULL ? 0 : told->content;
	for (frames = frames_of(p, told); shape_number(&frames, &id); n++) {
		if ((one = frame_content(p, state, id)) == 0) {
			told->bad = true;
			return 0;
		}
		content = idmap_hash(content ^ one) + n;
	}
	told->bad = n == 0;
	return told->content = n == 0 ? 0 : content | 1;
}
