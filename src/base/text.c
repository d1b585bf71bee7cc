/*
 * text: the one gate for strings on their way to a terminal, file or prompt.
 */
#include "config.h"

#include <string.h>

#include "icecore/base.h"
#include "range.h"

#define REPLACEMENT 0xfffd
#define MARKS_MAX 2	/* combining marks on one character */

/* Code points that a terminal may act on, hide, or draw out of order. */
static const struct range unsafe[] = {
	{ 0x0000, 0x001f },	/* C0 controls */
	{ 0x007f, 0x009f },	/* DEL and C1 controls */
	{ 0x00ad, 0x00ad },	/* soft hyphen */
	{ 0x034f, 0x034f },	/* combining grapheme joiner */
	{ 0x061c, 0x061c },	/* Arabic letter mark */
	{ 0x115f, 0x1160 },	/* Hangul fillers */
	{ 0x17b4, 0x17b5 },	/* Khmer inherent vowels */
	{ 0x180b, 0x180f },	/* Mongolian selectors, vowel separator */
	{ 0x200b, 0x200f },	/* zero width, directional marks */
	{ 0x2028, 0x202e },	/* separators, embeddings, overrides */
	{ 0x2060, 0x206f },	/* invisible operators, isolates */
	{ 0x3164, 0x3164 },	/* Hangul filler */
	{ 0xd800, 0xf8ff },	/* surrogates, private use */
	{ 0xfdd0, 0xfdef },	/* noncharacters */
	{ 0xfe00, 0xfe0f },	/* variation selectors */
	{ 0xfeff, 0xfeff },	/* byte order mark */
	{ 0xffa0, 0xffa0 },	/* half width Hangul filler */
	{ 0xfff0, 0xfffb },	/* annotation controls */
	{ 0x1bca0, 0x1bca3 },	/* shorthand format controls */
	{ 0x1d173, 0x1d17a },	/* musical format controls */
	{ 0xe0000, 0x10ffff },	/* tags, selectors, private use */
};

static bool
is_unsafe(uint32_t cp)
{
	if (cp >= 0x20 && cp < 0x7f)
		return false;
	return range_has(unsafe, NELEM(unsafe), cp) || (cp & 0xfffe) == 0xfffe;
}

size_t
text_decode(struct str src, uint32_t *cp)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *s = (const unsigned char *)src.s;
	size_t need, i;
	uint32_t c = s[0];

	*cp = c;
	if (c < 0x80)
		return 1;
	*cp = REPLACEMENT;
	need = c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;
	if (need == 0 || need > src.n)
		return 1;
	c &= 0x7fu >> need;
	for (i = 1; i < need; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 1;
		c = c << 6 | (s[i] & 0x3f);
	}
	if (c < least[need] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return 1;
	*cp = c;
	return need;
}

size_t
text_encode(uint32_t cp, char *to)
{
	static const uint8_t lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	size_t n = cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;

	for (size_t i = n; i-- > 1; cp >>= 6)
		to[i] = (char)(0x80 | (cp & 0x3f));
	to[0] = (char)(lead[n] | cp);
	return n;
}

/*
 * Takes the next character from *src and returns what to show for it.  *room
 * is how many marks may still join the character before: none
 * at the start and after a stand-in, so that a second pass changes nothing.
 */
static struct str
next_fit(struct str *src, unsigned *room)
{
	uint32_t cp;
	struct str as_is = { src->s, text_decode(*src, &cp) };

	*src = str_behind(*src, as_is.n);
	if (cp == REPLACEMENT || is_unsafe(cp)) {
		*room = 0;
		return STR("\xef\xbf\xbd");
	}
	if (char_cols(cp) > 0) {
		*room = MARKS_MAX;
		return as_is;
	}
	if (*room == 0)
		return STR("\xef\xbf\xbd");
	--*room;
	return as_is;
}

size_t
text_fit(char *dst, size_t size, struct str src)
{
	size_t out = 0, used = 0;
	unsigned room = 0;

	while (src.n > 0) {
		struct str c = next_fit(&src, &room);

		if (used == out && out + c.n < size) {
			memcpy(dst + out, c.s, c.n);
			used += c.n;
		}
		out += c.n;
	}
	if (size > 0)
		dst[used] = '\0';
	return out;
}

void
text_fit_buf(struct buf *b, struct str src)
{
	unsigned room = 0;

	while (src.n > 0 && !b->bad)
		buf_str(b, next_fit(&src, &room));
}

size_t
text_fit_ascii(char *dst, size_t size, struct str src)
{
	size_t out = 0;
	uint32_t cp;

	while (src.n > 0) {
		src = str_behind(src, text_decode(src, &cp));
		if (out + 1 < size)
			dst[out] = cp >= 0x20 && cp < 0x7f ? (char)cp : '?';
		out++;
	}
	if (size > 0)
		dst[out < size ? out : size - 1] = '\0';
	return out;
}

size_t
text_step(struct str fitted, size_t *cols)
{
	uint32_t cp;
	size_t n, next;

	*cols = 0;
	if (fitted.n == 0)
		return 0;
	n = text_decode(fitted, &cp);
	*cols = char_cols(cp);
	while (n < fitted.n && (unsigned char)fitted.s[n] >= 0x80) {
		next = text_decode(str_behind(fitted, n), &cp);
		if (char_cols(cp) > 0)
			break;
		n += next;
	}
	return n;
}

size_t
text_cut(struct str fitted, size_t cols, size_t *used)
{
	size_t at = 0, width = 0, n, step;

	while ((n = text_step(str_behind(fitted, at), &step)) > 0 &&
	    step <= cols - width) {
		at += n;
		width += step;
	}
	if (used != NULL)
		*used = width;
	return at;
}

size_t
text_width(struct str fitted)
{
	size_t width;

	text_cut(fitted, SIZE_MAX, &width);
	return width;
}

size_t
text_columns(struct str fitted, bool ascii)
{
	char none[1];

	return ascii ? text_fit_ascii(none, sizeof none, fitted) : text_width(fitted);
}

size_t
text_words(struct str s, size_t width, bool ascii)
{
	size_t i, end = 0;

	for (i = 1; i <= s.n; i++) {
		if (i < s.n && s.s[i] != ' ')
			continue;
		if (end > 0 && text_columns((struct str){ s.s, i }, ascii) > width)
			break;
		end = i;
	}
	return end;
}
