/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * image_encode: pictures as terminals read them, decoded here by other means, are the pixels that they were; and dithered
 * colours are on average nearer to the true ones.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "ui/heap/image.h"

enum { SIDE_MOST = 1024 };

/* The picture that a terminal has drawn. */
struct drawn {
	uint32_t	w, h;
	uint8_t		rgb[SIDE_MOST * SIDE_MOST][3];
	bool		set[SIDE_MOST * SIDE_MOST];
	unsigned	covers_w, covers_h;	/* cells, if given */
	unsigned	quiet;		/* kitty: 0: report success and errors, 1: errors */
};

static struct drawn	drawn;

static void
draw(uint32_t x, uint32_t y, unsigned r, unsigned g, unsigned b)
{
	size_t	at = (size_t)y * SIDE_MOST + x;

	assert_true(x < SIDE_MOST && y < SIDE_MOST && r < 256 && g < 256 && b < 256);
	drawn.rgb[at][0] = (uint8_t)r;
	drawn.rgb[at][1] = (uint8_t)g;
	drawn.rgb[at][2] = (uint8_t)b;
	drawn.set[at] = true;
	drawn.w = x >= drawn.w ? x + 1 : drawn.w;
	drawn.h = y >= drawn.h ? y + 1 : drawn.h;
}

/* ---- terminals --------------------------------------------------------------- */

static void
expects(const char **s, const char *text)
{
	assert_memory_equal(*s, text, strlen(text));
	*s += strlen(text);
}

static unsigned
number(const char **s)
{
	char	*end;
	unsigned long n = strtoul(*s, &end, 10);

	assert_ptr_not_equal(end, *s);
	*s = end;
	return (unsigned)n;
}

/* The device attributes of sixels: DEC STD 070, chapter 9. */
static void
read_sixels(const char *s)
{
	unsigned	palette[256][3] = { { 0 } }, colour = 0, x = 0, y = 0, n, w, h;

	expects(&s, "\033P0;1;0q\"1;1;");
	w = number(&s);
	expects(&s, ";");
	h = number(&s);
	while (*s != '\033')
		if (*s == '#') {
			s++;
			colour = number(&s);
			assert_true(colour < 256);
			if (*s == ';') {
				expects(&s, ";2");
				for (int i = 0; i < 3; i++) {
					expects(&s, ";");
					palette[colour][i] = number(&s) * 255 / 100;
				}
			}
		} else if (*s == '$') {
			x = 0;
			s++;
		} else if (*s == '-') {
			x = 0;
			y += 6;
			s++;
		} else {
			n = 1;
			if (*s == '!') {
				s++;
				n = number(&s);
			}
			assert_in_range(*s, '?', '~');
			for (; n > 0; n--, x++)
				for (unsigned k = 0; k < 6; k++)
					if ((*s - '?') >> k & 1)
						draw(x, y + k, palette[colour][0], palette[colour][1], palette[colour][2]);
			s++;
		}
	expects(&s, "\033\\");
	assert_int_equal(*s, '\0');
	assert_int_equal(drawn.w, w);
	assert_int_equal(drawn.h, h);
}

static unsigned
digit(char c)
{
	return c >= 'A' && c <= 'Z' ? (unsigned)(c - 'A') : c >= 'a' && c <= 'z' ? (unsigned)(c - 'a') + 26 :
	    c >= '0' && c <= '9' ? (unsigned)(c - '0') + 52 : c == '+' ? 62 : c == '/' ? 63 : c == '=' ? 0 : 64;
}

/* The graphics protocol of kitty: https://sw.kovidgoyal.net/kitty/graphics-protocol/ */
static void
read_kitty(const char *s)
{
	unsigned	w, h, at = 0, more, c[4], rgb[3];
	const char	*chunk;

	expects(&s, "\033_Ga=T,f=24,i=462,s=");
	w = number(&s);
	expects(&s, ",v=");
	h = number(&s);
	expects(&s, ",c=");
	drawn.covers_w = number(&s);
	expects(&s, ",r=");
	drawn.covers_h = number(&s);
	expects(&s, ",C=1,q=");
	drawn.quiet = number(&s);
	for (;;) {
		expects(&s, ",m=");
		more = number(&s);
		expects(&s, ";");
		chunk = s;
		for (; *s != '\033'; s += 4, at++) {
			for (int i = 0; i < 4; i++)
				assert_true((c[i] = digit(s[i])) < 64);
			rgb[0] = c[0] << 2 | c[1] >> 4;
			rgb[1] = (c[1] & 15) << 4 | c[2] >> 2;
			rgb[2] = (c[2] & 3) << 6 | c[3];
			draw(at % w, at / w, rgb[0], rgb[1], rgb[2]);
		}
		assert_true(s - chunk <= 4096);
		expects(&s, "\033\\");
		if (more == 0)
			break;
		expects(&s, "\033_Gq=");
		assert_int_equal(number(&s), drawn.quiet);
	}
	assert_int_equal(*s, '\0');
	assert_int_equal(at, w * h);
}

static void
read_direct(const char *s)
{
	unsigned	fg[3] = { 0 }, bg[3] = { 0 }, x = 0, y = 0, *c;
	bool		lower = false;

	while (*s != '\0')
		if (*s == '\n') {
			x = 0;
			y += 2;
			lower = false;
			s++;
		} else if (*s == '\033') {
			expects(&s, "\033[");
			c = number(&s) == 38 ? fg : bg;
			lower |= c == bg;
			expects(&s, ";2");
			for (int i = 0; i < 3; i++) {
				expects(&s, ";");
				c[i] = number(&s);
			}
			expects(&s, "m");
		} else {
			expects(&s, "▀");
			draw(x, y, fg[0], fg[1], fg[2]);
			if (lower)
				draw(x, y + 1, bg[0], bg[1], bg[2]);
			x++;
		}
}

/* ---- pictures ---------------------------------------------------------------- */

static uint8_t	pixels[4 * SIDE_MOST * SIDE_MOST];

/* Smooth, with lines of the corners of the cube, nowhere transparent. */
static struct image
picture(uint32_t w, uint32_t h, bool cube)
{
	uint8_t	*p = pixels;

	for (uint32_t y = 0; y < h; y++)
		for (uint32_t x = 0; x < w; x++, p += 4) {
			p[0] = (uint8_t)(cube ? (x / 3 + y) % 6 * 51 : 255 * x / w);
			p[1] = (uint8_t)(cube ? (x + y / 2) % 6 * 51 : 255 * y / h);
			p[2] = (uint8_t)(cube ? (7 * x + y) % 6 * 51 : 255 - 255 * x / w);
			p[3] = 255;
		}
	return (struct image){ .w = w, .h = h, .rgba = pixels };
}

/* Encode it for so many cells, have a terminal read it. */
static void
shown(const struct image *im, const struct picture_how *how, int columns, int lines, int w, int h)
{
	struct buf	b = BUF_INIT;
	int		got_w, got_h;

	memset(&drawn, 0, sizeof drawn);
	assert_true(image_encode(im, how, columns, lines, &b, &got_w, &got_h));
	assert_false(b.bad);
	assert_int_equal(got_w, w);
	assert_int_equal(got_h, h);
	(how->form == PICTURE_KITTY ? read_kitty : how->form == PICTURE_SIXEL ? read_sixels : read_direct)(b.s);
	buf_free(&b);
}

static void
is_exact(const struct image *im, uint32_t times)
{
	size_t	at;

	assert_int_equal(drawn.w, im->w * times);
	assert_int_equal(drawn.h, im->h * times);
	for (uint32_t y = 0; y < drawn.h; y++)
		for (uint32_t x = 0; x < drawn.w; x++) {
			at = (size_t)y * SIDE_MOST + x;
			assert_true(drawn.set[at]);
			assert_memory_equal(drawn.rgb[at], im->rgba + 4 * ((size_t)(y / times) * im->w + x / times), 3);
		}
}

/* Means over blocks of 8 * 8 pixels are as they were. */
static void
is_near(const struct image *im, int most)
{
	int	sum;

	for (uint32_t y = 0; y + 8 <= im->h; y += 8)
		for (uint32_t x = 0; x + 8 <= im->w; x += 8)
			for (unsigned k = 0; k < 3; k++) {
				sum = 0;
				for (uint32_t i = 0; i < 64; i++)
					sum += drawn.rgb[(size_t)(y + i / 8) * SIDE_MOST + x + i % 8][k] -
					    im->rgba[4 * ((size_t)(y + i / 8) * im->w + x + i % 8) + k];
				assert_in_range(sum / 64 + most, 0, 2 * most);
			}
}

static void
direct_cells(void **state)
{
	struct picture_how	how = { PICTURE_DIRECT, true, 1, 2, false };
	struct image		im = picture(70, 31, false);

	(void)state;
	im.reduced = true;
	shown(&im, &how, 80, 24, 70, 16);
	is_exact(&im, 1);
	im = picture(3, 5, false);
	shown(&im, &how, 80, 24, 24, 20);
	is_exact(&im, 8);
}

static void
kitty(void **state)
{
	struct picture_how	how = { PICTURE_KITTY, true, 10, 20, false };
	struct image		im = picture(301, 200, false);

	(void)state;
	shown(&im, &how, 80, 24, 61, 20);
	is_exact(&im, 1);
	assert_int_equal(drawn.covers_w, 61);
	assert_int_equal(drawn.covers_h, 20);
	assert_int_equal(drawn.quiet, 1);
	how.acknowledge = true;
	/* A reduced picture still fills its room. */
	im = picture(400, 100, false);
	im.reduced = true;
	shown(&im, &how, 80, 24, 80, 10);
	is_exact(&im, 1);
	assert_int_equal(drawn.quiet, 0);
	im = picture(1, 1, false);
	shown(&im, &how, 80, 24, 8, 4);
}

static void
sixels(void **state)
{
	struct picture_how	how = { PICTURE_SIXEL, true, 10, 20, false };
	struct image		im = picture(203, 101, true);

	(void)state;
	im.reduced = true;
	shown(&im, &how, 80, 24, 21, 6);
	is_exact(&im, 1);
	im = picture(11, 7, true);
	shown(&im, &how, 80, 24, 75, 24);
	is_exact(&im, 68);
	im = picture(256, 256, false);
	im.reduced = true;
	shown(&im, &how, 80, 24, 26, 13);
	is_near(&im, 6);
}

/* Of noise a sixel picture has most bytes for a pixel. */
static void
too_large(void **state)
{
	struct picture_how	how = { PICTURE_KITTY, true, 20, 40, false };
	struct image		im = picture(1024, 1024, false);
	struct buf		b = BUF_INIT;
	int			w, h;

	(void)state;
	assert_false(image_encode(&im, &how, 200, 50, &b, &w, &h));
	im.h = 1000;
	assert_true(image_encode(&im, &how, 200, 50, &b, &w, &h));
	assert_true(b.n <= IMAGE_BYTES);
	srand(1);
	for (size_t i = 0; i < sizeof pixels; i++)
		pixels[i] = (uint8_t)(i % 4 == 3 ? 255 : rand());
	how.form = PICTURE_SIXEL;
	assert_false(image_encode(&im, &how, 200, 50, &b, &w, &h));
	assert_true(b.n < 2 * IMAGE_BYTES);
	buf_free(&b);
}

/* ---- 256 colours ---------------------------------------------------------------- */

static void
colour_of_256(int n, int *rgb)
{
	static const int	cube[] = { 0, 95, 135, 175, 215, 255 };

	for (int i = 0; i < 3; i++)
		rgb[i] = n >= 232 ? 8 + 10 * (n - 232) : cube[(n - 16) / (i == 0 ? 36 : i == 1 ? 6 : 1) % 6];
}

static int
nearest_256(const uint8_t *rgba)
{
	int	rgb[3], sum, least = 1 << 30, best = 16;

	for (int n = 16; n < 256; n++) {
		colour_of_256(n, rgb);
		sum = 0;
		for (int i = 0; i < 3; i++)
			sum += (rgb[i] - rgba[i]) * (rgb[i] - rgba[i]);
		if (sum < least) {
			least = sum;
			best = n;
		}
	}
	return best;
}

/* The sum of what means over blocks of 8 * 8 pixels are wrong by, of a picture drawn in 256 colours. */
static long
error_of(const struct image *im, bool dithered)
{
	struct image_cell	cell;
	long			error = 0;
	int			sum[3], rgb[3], n;

	for (uint32_t y = 0; y + 8 <= im->h; y += 8)
		for (uint32_t x = 0; x + 8 <= im->w; x += 8) {
			memset(sum, 0, sizeof sum);
			for (uint32_t i = 0; i < 64; i++) {
				const uint8_t	*p = im->rgba + 4 * ((size_t)(y + i / 8) * im->w + x + i % 8);

				image_cell(im, 1, IMAGE_256, true, x + i % 8, (y + i / 8) / 2, &cell);
				n = (i / 8 % 2 == 0) == (strcmp(cell.glyph, "▄") != 0) ? cell.fg : cell.bg;
				colour_of_256(dithered ? n : nearest_256(p), rgb);
				for (int k = 0; k < 3; k++)
					sum[k] += rgb[k] - p[k];
			}
			for (int k = 0; k < 3; k++)
				error += labs(sum[k] / 64);
		}
	return error;
}

static void
dithered(void **state)
{
	struct image	im = picture(128, 96, false);
	uint8_t		*p = pixels;

	(void)state;
	assert_true(error_of(&im, true) * 4 < error_of(&im, false));
	/* Dark violet, as of a sky, which was grey and navy. */
	for (size_t i = 0; i < (size_t)im.w * im.h; i++, p += 4) {
		p[0] = (uint8_t)(30 + i % im.w / 3);
		p[1] = (uint8_t)(20 + i / im.w / 4);
		p[2] = (uint8_t)(60 + i % im.w / 2);
	}
	assert_true(error_of(&im, true) * 4 < error_of(&im, false));
}

TOOL(unit, image_encode)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(direct_cells),
		cmocka_unit_test(kitty),
		cmocka_unit_test(sixels),
		cmocka_unit_test(too_large),
		cmocka_unit_test(dithered),
	};

	return cmocka_run_group_tests_name("image_encode", tests, NULL, NULL);
}
