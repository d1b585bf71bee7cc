/*
 * mask: what objects hold, on its way to somebody who may not see it.
 */
#include "config.h"

#include "heap.h"
#include "icecore/os.h"

static bool masked;

void
mask_begin(void)
{
	masked = true;
}

bool
mask_hides(unsigned type, bool element)
{
	return masked && type != HEAP_OBJECT && (element || type == HEAP_CHAR || heap_width(type, 4) == 8);
}

void
mask_text(struct buf *b, size_t from)
{
	struct str text = str_behind(buf_view(b), from);
	unsigned hash;

	if (!masked || b->bad || from >= b->n)
		return;
	hash = (unsigned)(idmap_hash_text(text, 0) & 0xffffff);
	b->n = from;
	buf_printf(b, "\xe2\x80\xb9text %zu bytes #%06x\xe2\x80\xba", text.n, hash);
}
