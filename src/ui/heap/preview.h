/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * preview: decode a bitmap of a heap dump on the worker, and draw it.
 */
#ifndef UI_PREVIEW_H
#define UI_PREVIEW_H

#include "image.h"
#include "ui/core/core.h"

/* A request: the bitmap, its pixel format, the available room and the terminal's graphics. */
struct wish {
	uint32_t		 object;	/* 0: none */
	enum bitmap_format	 format;	/* BITMAP_UNKNOWN: detect it */
	int			 columns, lines;
	struct picture_how	 how;
};

/* A picture encoded for the terminal, unless it is drawn in cells, and the cells that it covers. */
struct encoded {
	struct buf	bytes;
	int		w, h;
	uint64_t	serial;		/* unique among pictures */
};

/* A pixel format chosen by the user for a bitmap. */
struct format_choice {
	uint32_t		 object;
	enum bitmap_format	 format;
};

struct preview {
	struct task	 task;
	struct heap	 heap;
	struct bitmaps	*bitmaps;	/* used by the worker; NULL: not opened yet */
	struct wish	 asked, got;	/* number of the last request, and of the last answer */
	uint64_t	 since;		/* time of the request */
	struct bitmap	 bitmap, new_bitmap;
	uint8_t		*rgba, *new_rgba;
	struct image	 image, new_image;
	struct encoded	 encoded, new_encoded;
	char		 lack[480];	/* reason for a missing picture; or "" */
	struct format_choice	*choice;
	size_t		 nchoices, cap;
};

void	preview_init(struct preview *, struct pane *);
void	preview_free(struct preview *);
void	preview_reset(struct preview *);
/* Draw the bitmap, or why it cannot be drawn.  If it is not decoded yet, ask the worker for it. */
void	preview_draw(struct preview *, uint32_t object, struct area);
/* Return the decoded properties of the bitmap; NULL if they are not known yet. */
const struct bitmap *preview_bitmap(const struct preview *, uint32_t object);
/* Choose the next pixel format that fits the bytes of the bitmap; false: no other fits. */
bool	preview_next_format(struct preview *, uint32_t object);
enum bitmap_format preview_choice(const struct preview *, uint32_t object);	/* BITMAP_UNKNOWN: none */

#endif
