/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/query: the sink "png": its rows, and its pictures as files.
 */
#ifndef ICECORE_QUERY_PICTURES_H
#define ICECORE_QUERY_PICTURES_H

#include "query/heap/heap.h"

#define PNG_LABEL "pictures"	/* label of the work */

/* The result of exporting a picture. */
enum picture_fate { PICTURE_EMPTY, PICTURE_REFUSED, PICTURE_EQUAL, PICTURE_THERE, PICTURE_WRITTEN };

/* Texts that are stored in a file. */
enum note { NOTE_CLASS, NOTE_SIZE, NOTE_FORMAT, NOTE_SOURCE, NOTE_PATH, NOTES };

struct picture {
	uint32_t	object;
	uint32_t	equal;		/* the picture, from 1, that it is equal to; 0: none */
	uint8_t		format;		/* enum bitmap_format that was chosen; BITMAP_UNKNOWN: none */
	uint8_t		fate;		/* enum picture_fate */
	size_t		why;		/* where what is wrong with it begins in reasons; 0: nothing is */
	uint64_t	size;		/* bytes of the file */
};

struct png_rows {
	struct rows		 rows;
	struct heap		 heap;
	struct bitmap_view	 bitmaps;
	char			*folder;
	bool			 single;	/* folder is the name of one file */
	size_t			 at;		/* place of the name in the query */
	size_t			 col;		/* column of in with the objects */
	int			 format_col;	/* column of in with the formats; -1: there is none */
	enum bitmap_format	 choice;	/* the same for all; BITMAP_UNKNOWN: none */
	bool			 done, folder_made, listed;
	struct scratch		 list;		/* struct picture */
	uint64_t		 pictures, n;	/* all, and those that are dealt with */
	struct idmap		 equal;		/* key_of to the picture that represents the equal ones */
	struct picture		 list_file;	/* object 0 */
	struct buf		 reasons;	/* texts with a NUL behind each */
	struct buf		 path, text, note[NOTES];
};

static inline struct picture *
picture_at(const struct png_rows *s, uint64_t i)
{
	return &SCRATCH(s->list, struct picture)[i];
}

/* ---- one picture: png_file.c ------------------------------------------------------- */

/* Read the bitmap in the format that was chosen. */
void	picture_bitmap(const struct png_rows *, const struct picture *, struct bitmap *);
/* "0x12c0_96x64_ARGB_8888.png"; of object 0 the name of the list.  Appends. */
void	picture_name(const struct png_rows *, const struct picture *, struct buf *);
/* Return the path of the file, with its folder; NULL: no memory.  Valid until the next call. */
const char *picture_path(struct png_rows *, const struct picture *);
void	picture_refuse(struct png_rows *, struct picture *, const char *why);
/* Fills fate and size.  False: nothing more can be written.  A fault of this picture alone refuses it. */
bool	picture_write(struct png_rows *, struct picture *, const struct bitmap *);

/* ---- png_list.c ---------------------------------------------------------------------- */

/*
 * Adds lines to the list of equal pictures at path, which may be there: sorted, each once.  *why: of
 * PICTURE_REFUSED, because what is there is no such list.
 */
bool	png_list(const char *path, struct str lines, enum picture_fate *, uint64_t *size,
	    const char **why, struct err *);

/* ---- png_write.c --------------------------------------------------------------------- */

/* A text chunk, UTF-8. */
struct png_note {
	const char	*key, *text;
};

/*
 * Deflate level.  With the Paeth filter alone, level 2 is two to five times as fast as level 6 with all
 * filters.  Files are a tenth larger, drawings up to a quarter.
 */
#define PNG_LEVEL 2

/* Append pixels, w * h times R G B A, as a PNG. */
bool	png_pixels(const uint8_t *rgba, uint32_t w, uint32_t h, struct buf *);
/* Pixels as 8-bit RGBA.  done: for work_tick, which is called between rows. */
bool	png_write(struct file *, const struct bitmap *, const struct png_note *, size_t n,
	    struct work *, uint64_t done, struct err *);

#endif
