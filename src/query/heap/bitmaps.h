/*
 * Private to src/query: what the source "bitmaps" and the sink "png" share.
 */
#ifndef ICECORE_QUERY_BITMAPS_H
#define ICECORE_QUERY_BITMAPS_H

#include "heap.h"

struct bitmap_view {
	struct heap_view	 view;
	struct bitmaps		*list;		/* NULL: not opened yet */
	struct heap_routes	*routes;	/* NULL: likewise */
	uint64_t		*waste;		/* of each bitmap; NULL: likewise */
};

void	bitmap_view_close(struct bitmap_view *);
/* Finds the bitmaps, on the first call. */
bool	bitmap_view_list(struct bitmap_view *, struct work *, struct err *);
/* Finds paths to these bitmaps, n of them, on the first call; object NULL: to all. */
bool	bitmap_view_routes(struct bitmap_view *, const uint32_t *object, size_t n, struct work *,
	    struct err *);
/* Bytes of all that are equal to the bitmap in a row but one, told of the first of them only. */
bool	bitmap_view_waste(struct bitmap_view *, uint64_t row, uint64_t *waste, struct work *,
	    struct err *);
/* "android.widget.ImageView.mDrawable", "static a.b.C.sIcon": the reference that leads from holder to object; appends. */
void	bitmap_link(const struct heap *, uint32_t holder, uint32_t object, struct buf *);
/* "<jni global>": what a row of root.* is, 0: the dump has none; appends. */
void	bitmap_root(const struct heap *, uint32_t row, struct buf *);

/* How pixels are to be read, "RGB_565", or a part of it that no other has: "565". */
bool	bitmap_format_read(const struct token *, enum bitmap_format *, struct err *);

#endif
