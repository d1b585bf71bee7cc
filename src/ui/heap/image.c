/*
 * image: a picture drawn in cells of a terminal: two pixels a cell by half
 * blocks, in 256 or 8 colours; without colours by how dense a character is.
 */
#include "config.h"

#include "image.h"

enum { TIMES_MAX = 8, TILE = 4, GREY_A = 0x50, GREY_B = 0x78, CLEAR = 32, FAINT = 56, CONTRAST = 32 };

struct rgb {
	int	c[3];
};

/* ---- sizes --------------------------------------------------------------- */

/* A cell is about twice as high as it is wide: half of it is square. */
void
image_fit(uint32_t *w, uint32_t *h, int columns, int lines)
{
	uint64_t	room_w = columns > 0 ? (uint64_t)columns : 1;
	uint64_t	room_h = lines > 0 ? 2 * (uint64_t)lines : 2;
	uint64_t	fw = *w, fh = *h;

	if (fw > room_w) {
		fh = (fh * room_w + fw / 2) / fw;
		fw = room_w;
	}
	if (fh > room_h) {
		fw = (*w * room_h + *h / 2) / *h;
		fh = room_h;
	}
	*w = fw > 0 ? (uint32_t)fw : 1;
	*h = fh > 0 ? (uint32_t)fh : 1;
}

/* ---- pixels -------------------------------------------------------------- */

/* Blend a transparent pixel over tiles of two greys. */
static struct rgb
over_grey(const uint8_t *p, bool tile)
{
	int		grey = tile ? GREY_B : GREY_A;
	struct rgb	out;

	for (int i = 0; i < 3; i++)
		out.c[i] = (p[i] * p[3] + grey * (255 - p[3]) + 127) / 255;
	return out;
}

/* With few colours grey tiles would look like noise: draw tiles only where clear, otherwise blend over black. */
static struct rgb
over_black(const struct image *im, const uint8_t *p, bool tile, enum image_colours n)
{
	int		range = im->brightest > 0 ? im->brightest : 255;
	struct rgb	out = { { 0, 0, 0 } };

	for (int i = 0; i < 3; i++) {
		if (p[3] < CLEAR)
			out.c[i] = !tile ? 0 : n == IMAGE_MONO ? FAINT : i == 2 ? 255 : 0;
		else
			out.c[i] = p[i] * p[3] / range;
		out.c[i] = out.c[i] < 255 ? out.c[i] : 255;
	}
	return out;
}

static const uint8_t *
pixel_at(const struct image *im, uint32_t x, uint32_t y)
{
	return im->rgba + 4 * ((size_t)y * im->w + x);
}

static struct rgb
image_pixel(const struct image *im, enum image_colours n, uint32_t times, uint32_t x, uint32_t y)
{
	uint32_t	px = x / times, py = y / times;
	bool		tile = (x / TILE + y / TILE) % 2 != 0;

	if (px >= im->w || py >= im->h)
		return (struct rgb){ { 0, 0, 0 } };
	return n == IMAGE_256 ? over_grey(pixel_at(im, px, py), tile) :
	    over_black(im, pixel_at(im, px, py), tile, n);
}

void
image_level(struct image *im)
{
	const uint8_t	*p;

	im->brightest = 0;
	for (uint32_t y = 0; y < im->h; y++)
		for (uint32_t x = 0; x < im->w; x++) {
			p = pixel_at(im, x, y);
			for (int i = 0; i < 3; i++)
				if (p[3] >= CLEAR && p[i] * p[3] / 255 > im->brightest)
					im->brightest = p[i] * p[3] / 255;
		}
	if (im->brightest < CONTRAST)
		im->brightest = 255;
}

static struct rgb
mean(struct rgb a, struct rgb b)
{
	for (int i = 0; i < 3; i++)
		a.c[i] = (a.c[i] + b.c[i]) / 2;
	return a;
}

/* ---- colours ------------------------------------------------------------- */

static int
distance(struct rgb a, struct rgb b)
{
	int	sum = 0;

	for (int i = 0; i < 3; i++)
		sum += (a.c[i] - b.c[i]) * (a.c[i] - b.c[i]);
	return sum;
}

/* The nearest of the cube of 6 * 6 * 6 from 16 on, and of the greys from 232 on. */
static int
colour_256(struct rgb c)
{
	static const int levels[] = { 0, 95, 135, 175, 215, 255 };
	struct rgb	near, grey;
	int		k, cube = 0, sum = 0, step;

	for (int i = 0; i < 3; i++) {
		for (k = 0; k < 5 && 2 * c.c[i] >= levels[k] + levels[k + 1]; k++)
			;
		near.c[i] = levels[k];
		cube = cube * 6 + k;
		sum += c.c[i];
	}
	step = (sum / 3 - 3) / 10;
	step = step < 0 ? 0 : step > 23 ? 23 : step;
	for (int i = 0; i < 3; i++)
		grey.c[i] = 8 + 10 * step;
	return distance(c, grey) < distance(c, near) ? 232 + step : 16 + cube;
}

/* Ordered dithering: each channel is on or off, on more often if it is stronger. */
static int
colour_8(struct rgb c, uint32_t x, uint32_t y)
{
	static const int bayer[4][4] = {
		{ 0, 8, 2, 10 }, { 12, 4, 14, 6 }, { 3, 11, 1, 9 }, { 15, 7, 13, 5 }
	};
	int	least = 16 * bayer[y % 4][x % 4] + 8;

	return (c.c[0] > least) | (c.c[1] > least) << 1 | (c.c[2] > least) << 2;
}

static int
colour(enum image_colours n, struct rgb c, uint32_t x, uint32_t y)
{
	return n == IMAGE_256 ? colour_256(c) : colour_8(c, x, y);
}

static const char *
shade(struct rgb c, bool blocks)
{
	static const char *const ascii[] = { " ", ".", ":", "-", "=", "+", "*", "#", "%", "@" };
	static const char *const block[] = { " ", "░", "▒", "▓", "█" };
	int	light = (299 * c.c[0] + 587 * c.c[1] + 114 * c.c[2]) / 1000;

	return blocks ? block[light * (int)NELEM(block) / 256] :
	    ascii[light * (int)NELEM(ascii) / 256];
}

/* ---- cells --------------------------------------------------------------- */

/* Use one order for two colours, to save colour pairs of the terminal. */
static void
half_blocks(int upper, int lower, struct image_cell *cell)
{
	cell->glyph = upper == lower ? " " : upper > lower ? "▀" : "▄";
	cell->fg = upper > lower ? upper : lower;
	cell->bg = upper > lower ? lower : upper;
}

void
image_cell(const struct image *im, uint32_t times, enum image_colours n, bool blocks,
    uint32_t x, uint32_t y, struct image_cell *cell)
{
	struct rgb	upper = image_pixel(im, n, times, x, 2 * y), lower;
	bool		both = 2 * y + 1 < im->h * times;

	lower = both ? image_pixel(im, n, times, x, 2 * y + 1) : upper;
	cell->fg = cell->bg = -1;
	if (n == IMAGE_MONO) {
		cell->glyph = shade(mean(upper, lower), blocks);
		return;
	}
	if (blocks && both) {
		half_blocks(colour(n, upper, x, 2 * y), colour(n, lower, x, 2 * y + 1), cell);
		return;
	}
	cell->fg = cell->bg = colour(n, mean(upper, lower), x, y);
	cell->glyph = " ";
	if (blocks) {
		cell->glyph = "▀";
		cell->bg = -1;
	}
}

/* Scale small bitmaps up by an integer factor, at most TIMES_MAX. */
static uint32_t
times_of(const struct image *im, struct area a)
{
	uint32_t	across = (uint32_t)a.w / im->w, down = 2 * (uint32_t)a.h / im->h;
	uint32_t	times = across < down ? across : down;

	return times < 1 ? 1 : times > TIMES_MAX ? TIMES_MAX : times;
}

/* If the terminal has no colour pair left, draw the cell with fewer colours. */
static void
draw_cell(const struct image *im, uint32_t times, int top, int left, uint32_t x, uint32_t y)
{
	enum image_colours	n = (enum image_colours)screen_colours();
	struct image_cell	cell;

	image_cell(im, times, n, screen_utf8(), x, y, &cell);
	if (screen_cell(top + (int)y, left + (int)x, cell.glyph, cell.fg, cell.bg))
		return;
	image_cell(im, times, IMAGE_8, screen_utf8(), x, y, &cell);
	screen_cell(top + (int)y, left + (int)x, cell.glyph, cell.fg, cell.bg);
}

void
image_draw(const struct image *im, struct area a)
{
	uint32_t	times, w, h;

	if (im->w == 0 || im->h == 0 || a.w <= 0 || a.h <= 0)
		return;
	times = times_of(im, a);
	w = im->w * times;
	h = (im->h * times + 1) / 2;
	w = w < (uint32_t)a.w ? w : (uint32_t)a.w;
	h = h < (uint32_t)a.h ? h : (uint32_t)a.h;
	for (uint32_t y = 0; y < h; y++)
		for (uint32_t x = 0; x < w; x++)
			draw_cell(im, times, a.y + (a.h - (int)h) / 2,
			    a.x + (a.w - (int)w) / 2, x, y);
}
