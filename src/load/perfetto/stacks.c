/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stacks: callstacks that packets tell by numbers.  They are read when all calls are known, as frames of
 * calls come first.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "perfetto.h"

enum { FRAMES_MOST = 4096, INLINED_MOST = 64 };

SHAPE(stack_mapping, "Mapping", FIELDS_MAPPED)
SHAPE(stack_frame, "Frame", FIELDS_FRAME)
SHAPE(stack_line, "Line", FIELDS_LINE)		/* a line of a symbol, or a frame in the packet itself */

/* A frame in a trace. */
struct frame_in {
	struct str	name, path, build, source;
	uint64_t	address, line;
};

/* ---- names --------------------------------------------------------------------------------------------- */

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
	return (iid == 0 && pf_state(p, state)->profile) ||
	    pf_interned_text(p, state, kind_of(p, state, kind), iid, text);
}

/* The path of a mapping: "/" and each part. */
static bool
mapping_path(struct perfetto *p, uint32_t state, uint64_t iid, struct buf *b, struct str *build)
{
	const struct pf_interned *mapping = pf_interned(p, state, NAME_MAPPING, iid);
	struct shape_numbers parts;
	struct stack_mapping m;
	struct str part;
	uint64_t id;
	bool whole;

	buf_clear(b);
	*build = STR("");
	if (mapping == NULL)
		return iid == 0;
	parts = shape_numbers(pf_bytes(p, mapping->at, mapping->n), 7, false);
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
read_frame_in(struct perfetto *p, uint32_t state, const struct pf_interned *interned,
    struct frame_in *frame, struct buf *path)
{
	struct stack_frame f;

	*frame = (struct frame_in){ .name = STR(""), .source = STR("") };
	if (!stack_frame_read(pf_bytes(p, interned->at, interned->n), &f, NULL) ||
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

/* ---- frames -------------------------------------------------------------------------------------------- */

/* Return a frame of samples; 0: failure.  made: a buffer that may have the name. */
static uint32_t
placed_frame(struct perfetto *p, const struct frame_in *f, const struct buf *made, struct str name,
    struct str source, uint64_t line, struct err *err)
{
	bool kernel = str_has_prefix(f->path, STR("/kernel")) || str_has_prefix(f->path, STR("[kernel"));
	uint32_t frame = made->bad ? (fail(err, E_SYSTEM, "out of memory (frames)"), 0u) :
	    samples_placed(&p->l->samples, name, source, base_of(f->path), kernel ? 'k' : 0, err);

	if (frame != 0)
		samples_line(&p->l->samples, frame, line);
	return frame;
}

/* Return a frame with a name from the trace, which may be renamed, or its address; 0: failure. */
static uint32_t
frame_of(struct perfetto *p, const struct frame_in *f, struct str name, struct str source, uint64_t line,
    struct err *err)
{
	OWN_BUF renamed = BUF_INIT;
	struct str base;
	char text[320];

	if (name.n == 0) {
		base = base_of(f->path);
		base = base.n > 0 ? str_head(base, 256) : STR("?");
		snprintf(text, sizeof text, "%.*s+0x%llx", (int)base.n, base.s, (unsigned long long)f->address);
		name = str_of(text);
	}
	name = pf_deobfuscated(p, name, f->path, &renamed);
	return placed_frame(p, f, &renamed, name, source, line, err);
}

/* Add the frames of a line of a renamed method, outermost first, to the inlined frames. */
static bool
add_retraced(struct perfetto *p, const struct frame_in *f, const struct pf_retraced *chain, unsigned n,
    struct err *err)
{
	OWN_BUF name = BUF_INIT;
	uint32_t id;

	while (n-- > 0) {
		buf_clear(&name);
		pf_retraced_name(p, &chain[n], &name);
		id = placed_frame(p, f, &name, buf_view(&name), STR(""), chain[n].line, err);
		if (id == 0 || !PF_ADD(p->symbols, inlined, id, "inlined frames", err))
			return false;
	}
	return true;
}

static bool
stacks_add_inlined(struct perfetto *p, const struct frame_in *f, struct str name, struct str source,
    uint64_t line, struct err *err)
{
	struct pf_retraced chain[PF_RETRACED_MOST];
	unsigned n = pf_retraced(p, name, f->path, line, chain);
	uint32_t id;

	if (n > 0)
		return add_retraced(p, f, chain, n, err);
	return (id = frame_of(p, f, name, source, line, err)) != 0 &&
	    PF_ADD(p->symbols, inlined, id, "inlined frames", err);
}

/*
 * A function and those that were inlined into it, as frames of which the last ones are the innermost.
 * lines: message of its symbol; empty: only the frame itself is known.
 */
static uint32_t
inlined_frames(struct perfetto *p, const struct frame_in *frame, struct str lines, struct err *err)
{
	struct pf_symbols *s = &p->symbols;
	uint32_t n = 0, at = (uint32_t)s->ninlined + 1;
	struct str one[INLINED_MOST];
	struct stack_line line;
	bool ok;

	SHAPE_EACH(lines, 2, in)
		if (n < INLINED_MOST)
			one[n++] = in;
	if (!PF_ADD(*s, inlined, n, "inlined frames", err))
		return 0;
	ok = lines.n > 0 || stacks_add_inlined(p, frame, frame->name, frame->source, frame->line, err);
	while (ok && n-- > 0) {
		(void)stack_line_read(one[n], &line, NULL);
		ok = stacks_add_inlined(p, frame, str_head(line.function.n > 0 ? line.function : STR("?"),
		    PF_TEXT_MOST), str_head(line.file, PF_TEXT_MOST), line.line, err);
	}
	SCRATCH(s->inlined, uint32_t)[at - 1] = (uint32_t)s->ninlined - at;
	return ok ? at : 0;
}

/* The interned frame with its frames of samples; NULL: it cannot be read, or failure. */
static const struct pf_interned *
known_frame(struct perfetto *p, uint32_t state, uint64_t iid, struct err *err)
{
	struct pf_interned *interned = pf_interned(p, state, NAME_FRAME, iid);
	struct frame_in f;
	struct str lines;

	if (interned == NULL || interned->bad)
		return NULL;
	if (interned->frame != 0)
		return interned;
	if (!read_frame_in(p, state, interned, &f, &p->text)) {
		if (p->text.bad)
			fail(err, E_SYSTEM, "out of memory (frames)");
		return NULL;
	}
	lines = STR("");
	interned->inlined = pf_symbols_find(p, f.path, f.build, f.address, &lines) ||
	    (p->symbols.renamed && f.line != 0);
	interned->frame = interned->inlined ? inlined_frames(p, &f, lines, err) :
	    frame_of(p, &f, f.name, f.source, f.line, err);
	return interned->frame != 0 ? interned : NULL;
}

/* Return a hash of the content of a frame; equal frames have equal hashes. */
static uint64_t
frame_content(struct perfetto *p, uint32_t state, uint64_t iid)
{
	struct pf_interned *interned = pf_interned(p, state, NAME_FRAME, iid);
	struct frame_in f;

	if (interned == NULL || (interned->content == 0 && !read_frame_in(p, state, interned, &f, &p->text)))
		return 0;
	if (interned->content == 0)
		interned->content = idmap_hash(idmap_hash_text(f.name,
		    idmap_hash_text(f.path, idmap_hash_text(f.build, f.line))) ^ idmap_hash(f.address)) | 1;
	return interned->content;
}

/* ---- stacks -------------------------------------------------------------------------------------------- */

static struct shape_numbers
frames_of(const struct perfetto *p, const struct pf_interned *stack)
{
	return shape_numbers(pf_bytes(p, stack->at, stack->n), 2, false);
}

/* The stack with that frame of a callstack on it; 0: it cannot be read, or failure. */
static uint32_t
push_frame(struct perfetto *p, uint32_t state, uint32_t stack, uint64_t iid, struct err *err)
{
	const struct pf_interned *interned = known_frame(p, state, iid, err);
	const uint32_t *inlined;

	if (interned == NULL)
		return 0;
	if (!interned->inlined)
		return samples_stack(&p->l->samples, stack, interned->frame, err);
	inlined = &SCRATCH(p->symbols.inlined, uint32_t)[interned->frame - 1];
	for (uint32_t i = 1; i <= inlined[0]; i++)
		if ((stack = samples_stack(&p->l->samples, stack, inlined[i], err)) == 0)
			return 0;
	return stack;
}

/* {2 frames, outermost first}, of which the innermost ones are kept. */
uint32_t
pf_stack(struct perfetto *p, uint32_t state, uint64_t iid, struct err *err)
{
	struct pf_interned *interned = pf_interned(p, state, NAME_STACK, iid);
	struct shape_numbers frames;
	uint64_t n = 0, id;
	uint32_t stack = 0;

	if (interned == NULL || interned->frame != 0 || interned->bad)
		return interned == NULL ? 0 : interned->frame;
	for (frames = frames_of(p, interned); shape_number(&frames, &id); )
		n++;
	p->count[PF_CUT_STACKS] += n > FRAMES_MOST;
	for (frames = frames_of(p, interned); shape_number(&frames, &id); )
		if (n-- <= FRAMES_MOST && (stack = push_frame(p, state, stack, id, err)) == 0)
			break;
	interned->frame = stack;
	interned->bad = stack == 0;
	return stack;
}

/* {1 frames}, outermost first. */
uint32_t
pf_stack_inline(struct perfetto *p, struct str m, struct err *err)
{
	struct frame_in frame = { .name = STR(""), .path = STR("") };
	struct stack_line line;
	uint32_t stack = 0, id;
	uint64_t n = 0;

	SHAPE_EACH(m, 1, in) {
		if (n++ == FRAMES_MOST) {
			p->count[PF_CUT_STACKS]++;
			break;
		}
		(void)stack_line_read(in, &line, NULL);
		if ((id = frame_of(p, &frame, str_head(line.function, PF_TEXT_MOST),
		    str_head(line.file, PF_TEXT_MOST), line.line, err)) == 0 ||
		    (stack = samples_stack(&p->l->samples, stack, id, err)) == 0)
			return 0;
	}
	return stack;
}

uint64_t
pf_stack_content(struct perfetto *p, uint32_t state, uint64_t iid)
{
	struct pf_interned *interned = pf_interned(p, state, NAME_STACK, iid);
	struct shape_numbers frames;
	uint64_t id, content = 0, one, n = 0;

	if (interned == NULL || interned->content != 0 || interned->bad)
		return interned == NULL ? 0 : interned->content;
	for (frames = frames_of(p, interned); shape_number(&frames, &id); n++) {
		if ((one = frame_content(p, state, id)) == 0) {
			interned->bad = true;
			return 0;
		}
		content = idmap_hash(content ^ one) + n;
	}
	interned->bad = n == 0;
	return interned->content = n == 0 ? 0 : content | 1;
}
