/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decode a file into another one, layer by layer; for example, gzip of UTF-16 text has two layers.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "icecore/facts.h"
#include "icecore/inflate.h"

#include "decode.h"

#define LAYERS 4
#define PACKED_LAYERS 2	/* maximum number of layers; each may expand a thousandfold */
#define RATIO 2000u		/* limit for all layers together, checked from RATIO_FROM bytes on */
#define RATIO_FROM ((uint64_t)64 << 20)
#define LOOK 64			/* bytes examined to detect UTF-16 without a byte order mark */
#define HEAD 512		/* atrace may print messages before "TRACE:" */

const struct decode_word decode_words[DECODE_KINDS] = {
	[DECODE_GZIP] = { "gzip", "gzip data", FACT_LOSS_GZIP },
	[DECODE_LZ4] = { "LZ4", "LZ4 data", FACT_LOSS_LZ4 },
	[DECODE_ZSTD] = { "zstd", "zstd data", FACT_LOSS_ZSTD },
	[DECODE_XZ] = { "xz", "xz data", FACT_LOSS_XZ },
	[DECODE_BZIP2] = { "bzip2", "bzip2 data", FACT_LOSS_BZIP2 },
	[DECODE_ZLIB] = { "zlib", "zlib data", FACT_LOSS_ZLIB },
	[DECODE_HTML] = { "HTML", "systrace page", FACT_LOSS_HTML },
	[DECODE_UTF8] = { "UTF-8 mark", NULL, 0 },
	[DECODE_UTF16_LE] = { "UTF-16LE", NULL, 0 },
	[DECODE_UTF16_BE] = { "UTF-16BE", NULL, 0 },
	[DECODE_ZIP] = { "zip", "zip archive", FACT_LOSS_ARCHIVE },
	[DECODE_TAR] = { "tar", "tar archive", FACT_LOSS_ARCHIVE },
	[DECODE_LOG] = { "log entries", NULL, 0 },
};

static bool
decode_copy(struct decode *d, const uint8_t *p, const uint8_t *end, struct err *err)
{
	size_t n;

	for (; p < end; p += n) {
		n = end - p < DECODE_CHUNK ? (size_t)(end - p) : DECODE_CHUNK;
		if (!work_go(d->work, (uint64_t)(p - d->in->data), err) || !decode_put(d, p, n, err))
			return false;
	}
	return true;
}

/* ---- packed data ------------------------------------------------------------------------- */

static_assert(DECODE_BZIP2 == (int)INFLATE_BZIP2 && DECODE_ZLIB == (int)INFLATE_ZLIB, "the same order");

/* Offset of the zlib data in an atrace capture; 0: not one. */
static uint64_t
decode_zlib_at(const struct map *m)
{
	size_t n = m->size < HEAD ? (size_t)m->size : HEAD, at;
	const uint8_t *hit = n > 0 ? memmem(m->data, n, "TRACE:", 6) : NULL;

	if (hit == NULL || (hit > m->data && hit[-1] != '\n'))
		return 0;
	at = (size_t)(hit - m->data) + 6;
	while (at < n && m->data[at] == '\r')
		at++;
	if (at + 3 > n || m->data[at] != '\n' || m->data[at + 1] != 0x78 ||
	    (m->data[at + 1] * 256u + m->data[at + 2]) % 31 != 0)
		return 0;
	return at + 1;
}

/* A pipe works for any name of the file. */
static bool
fail_packed(const struct decode *d, const char *why, const char *library, const char *option, struct err *err)
{
	const char *name = decode_words[d->kind].name;

	return fail(err, E_UNREADABLE, "%s data%s%s; open it through a pipe: %s -dc%s FILE | icecore -",
	    name, why, library, name, option);
}

/* Damage ends decoding; earlier output is kept. */
static bool
decode_packed(struct decode *d, struct err *err)
{
	uint64_t from = d->kind == DECODE_ZLIB ? decode_zlib_at(d->in) : 0;
	struct inflate_step io = { .in = d->in->data + from, .left = d->in->size - from };
	enum inflate_form form = (enum inflate_form)d->kind;
	enum inflate_end end = INFLATE_MORE;
	struct inflating *s;
	bool ok = true;

	assert(from <= d->in->size && form < INFLATE_RAW);
	if (inflate_lacks(form) != NULL)
		return fail_packed(d, ", and icecore was built without ", inflate_lacks(form), "", err);
	if ((s = inflate_open(form)) == NULL)
		return fail_memory(err, "decompression");
	while (ok && end == INFLATE_MORE) {
		io.to = d->out;
		io.room = DECODE_CHUNK;
		end = inflate_some(s, &io);
		d->n = DECODE_CHUNK - io.room;
		ok = work_go(d->work, d->in->size - io.left, err) && decode_flush(d, err);
	}
	inflate_close(s);
	if (ok && end == INFLATE_STARVED)
		return fail_memory(err, "decompression");
	if (ok && end == INFLATE_WIDE && d->to->n == 0)
		return fail_packed(d, " with a window over 128 MiB", "",
		    d->kind == DECODE_ZSTD ? " --long=31" : "", err);
	d->done->cut[d->kind] |= end != INFLATE_END;
	return ok;
}

/* ---- UTF-16 ------------------------------------------------------------------------------- */

#define TICK 65536u		/* units between two clock reads */

static uint32_t
unit_at(const struct decode *d, uint64_t at)
{
	const uint8_t *p = d->in->data + at;

	return d->kind == DECODE_UTF16_LE ? p[0] | (uint32_t)p[1] << 8 : p[1] | (uint32_t)p[0] << 8;
}

/* Decode one character at an offset. Unpaired surrogates and half a unit become U+FFFD. */
static uint64_t
character(struct decode *d, uint64_t at, uint32_t *c)
{
	uint64_t left = d->in->size - at;
	uint32_t low;

	*c = 0xfffd;
	if (left < 2) {
		d->done->replaced++;
		return left;
	}
	*c = unit_at(d, at);
	if (*c < 0xd800 || *c > 0xdfff)
		return 2;
	low = left >= 4 ? unit_at(d, at + 2) : 0;
	if (*c < 0xdc00 && low >= 0xdc00 && low <= 0xdfff) {
		*c = 0x10000 + ((*c - 0xd800) << 10) + (low - 0xdc00);
		return 4;
	}
	*c = 0xfffd;
	d->done->replaced++;
	return 2;
}

static bool
decode_utf16(struct decode *d, struct err *err)
{
	uint64_t at = d->in->size >= 2 && unit_at(d, 0) == 0xfeff ? 2 : 0, next = at;
	uint32_t c;

	while (at < d->in->size) {
		if (at >= next) {
			next = at + 2 * TICK;
			if (!work_go(d->work, at, err))
				return false;
		}
		if (d->n + 4 > DECODE_CHUNK && !decode_flush(d, err))
			return false;
		at += character(d, at, &c);
		assert(at <= d->in->size && c <= 0x10ffff);
		d->n += text_encode(c, (char *)d->out + d->n);
	}
	return true;
}

/* ---- systrace pages ------------------------------------------------------------------------ */

/* The trace is the text of scripts with class trace-data or, in pages from 2012, a JavaScript string. */
#define STRING "linuxPerfData = \"\\"
#define LOOK_FOR_TAG 1024	/* bytes; blanks and a comment may precede it */

static bool
decode_begins(const uint8_t *p, uint64_t left, const char *word)
{
	size_t n = strlen(word);

	return left >= n && strncasecmp((const char *)p, word, n) == 0;
}

static const uint8_t *
decode_find(const uint8_t *p, const uint8_t *end, const char *word)
{
	return p < end ? memmem(p, (size_t)(end - p), word, strlen(word)) : NULL;
}

static bool
decode_is_html(const struct map *m)
{
	const uint8_t *end = m->data + m->size;
	uint64_t i;

	for (i = 0; i < m->size && i < LOOK_FOR_TAG; i++)
		if (memchr(" \t\r\n", m->data[i], 4) == NULL)
			break;
	if (!decode_begins(m->data + i, m->size - i, "<!doctype html") &&
	    !decode_begins(m->data + i, m->size - i, "<html"))
		return false;
	return decode_find(m->data, end, "trace-data") != NULL || decode_find(m->data, end, STRING) != NULL;
}

/* Write the character that a backslash and byte c encode. A backslash before a newline writes nothing. */
static bool
put_escape(struct decode *d, uint8_t c, struct err *err)
{
	static const char from[] = "ntrbf", to[] = "\n\t\r\b\f";
	const char *hit = c != 0 ? strchr(from, c) : NULL;

	if (c == '\n' || c == '\r')
		return true;
	return decode_put(d, hit != NULL ? (const void *)&to[hit - from] : &c, 1, err);
}

/* Copy a string up to its closing quote. */
static bool
decode_put_string(struct decode *d, const uint8_t *p, const uint8_t *end, struct err *err)
{
	const uint8_t *from;

	while (p < end && *p != '"') {
		for (from = p; p < end && *p != '\\' && *p != '"'; p++)
			;
		if (!decode_copy(d, from, p, err))
			return false;
		if (p + 1 < end && *p == '\\') {
			if (!put_escape(d, p[1], err))
				return false;
			/* The line end may have two bytes. */
			p += 2 + (p[1] == '\r' && p + 2 < end && p[2] == '\n');
		} else if (p < end && *p == '\\')
			p++;
	}
	d->done->cut[d->kind] |= p >= end;
	return true;
}

/* Write the text of a script element if its tag marks it as data, otherwise the trace string in it. */
static bool
put_script(struct decode *d, const uint8_t *tag, const uint8_t *text, const uint8_t *end, struct err *err)
{
	const uint8_t *p;

	assert(tag <= text && text <= end);
	if (decode_find(tag, text, "trace-data") != NULL) {
		p = text < end && *text == '\n' ? text + 1 : text;
		return decode_copy(d, p, end, err) && (end == text || end[-1] == '\n' || decode_put(d, "\n", 1, err));
	}
	if ((p = decode_find(text, end, STRING)) == NULL)
		return true;
	/* The backslash at the end of the first line belongs to the string. */
	return decode_put_string(d, p + strlen(STRING) - 1, end, err);
}

static bool
decode_html(struct decode *d, struct err *err)
{
	const uint8_t *p = d->in->data, *end = p + d->in->size;
	const uint8_t *tag, *text, *close;

	for (; (tag = decode_find(p, end, "<script")) != NULL; p = close) {
		if ((text = decode_find(tag, end, ">")) == NULL)
			break;
		text++;
		close = decode_find(text, end, "</script>");
		if (close == NULL) {
			d->done->cut[d->kind] = true;
			close = end;
		}
		if (!work_go(d->work, (uint64_t)(tag - d->in->data), err) || !put_script(d, tag, text, close, err))
			return false;
	}
	return true;
}

/* ---- archives ------------------------------------------------------------------------------ */

static bool
decode_zip(struct decode *d, struct err *err)
{
	struct bundle b;
	bool files;

	if (!decode_zip_files(d, &files, err))
		return false;
	if (files)
		return true;
	return bundle_begin(&b, d->to, d->work, err) && bundle_zip(&b, STR(""), d->in->data, d->in->size, err) &&
	    bundle_end(&b, err);
}

/* ---- detecting layers ---------------------------------------------------------------------- */

/* Mostly ASCII text has zeros at every second byte, and only there. */
static enum decode_kind
utf16_kind(const struct map *m)
{
	size_t n = m->size < LOOK ? (size_t)m->size : LOOK, zeros[2] = { 0, 0 };

	if (m->size >= 2 && memcmp(m->data, "\xff\xfe", 2) == 0)
		return DECODE_UTF16_LE;
	if (m->size >= 2 && memcmp(m->data, "\xfe\xff", 2) == 0)
		return DECODE_UTF16_BE;
	for (size_t i = 0; i < n; i++)
		zeros[i & 1] += m->data[i] == 0;
	if (n < 8 || (zeros[0] == 0) == (zeros[1] == 0) || zeros[0] + zeros[1] != n / 2)
		return DECODE_NONE;
	return zeros[0] == 0 ? DECODE_UTF16_LE : DECODE_UTF16_BE;
}

enum decode_kind
decode_kind(const struct map *m, bool log)
{
	enum inflate_form form;

	if (m->size == 0)
		return DECODE_NONE;
	form = inflate_form((struct str){ (const char *)m->data, (size_t)m->size });
	if (form != INFLATE_NONE)
		return (enum decode_kind)form;
	if (m->size >= 3 && memcmp(m->data, "\xef\xbb\xbf", 3) == 0)
		return DECODE_UTF8;
	if (decode_zlib_at(m) != 0)
		return DECODE_ZLIB;
	if (decode_is_html(m))
		return DECODE_HTML;
	if (zip_is(m->data, m->size))
		return DECODE_ZIP;
	if (decode_is_tar(m))
		return DECODE_TAR;
	if (log && decode_is_log(m))
		return DECODE_LOG;
	return utf16_kind(m);
}

static bool
run_decoder(struct decode *d, struct err *err)
{
	switch (d->kind) {
	case DECODE_GZIP:
	case DECODE_LZ4:
	case DECODE_ZSTD:
	case DECODE_XZ:
	case DECODE_BZIP2:
	case DECODE_ZLIB: return decode_packed(d, err);
	case DECODE_HTML: return decode_html(d, err);
	case DECODE_UTF8: return decode_copy(d, d->in->data + 3, d->in->data + d->in->size, err);
	case DECODE_UTF16_LE:
	case DECODE_UTF16_BE: return decode_utf16(d, err);
	case DECODE_ZIP: return decode_zip(d, err);
	case DECODE_TAR: return decode_tar(d, err);
	case DECODE_LOG: return decode_log(d, err);
	case DECODE_NONE:
	case DECODE_KINDS: break;
	}
	return true;
}

/* ---- decoding layers ------------------------------------------------------------------------- */

/* All layers of a file. bytes: total size of decoded layers. */
struct layers {
	const struct map	*in;
	const struct intake_check	*known;
	struct decoded		*done;
	struct work		*work;
	uint64_t		 most, bytes;
	unsigned		 packed;
};

bool
decode_is_packed(enum decode_kind kind)
{
	return kind <= DECODE_ZLIB || kind == DECODE_ZIP;
}

static bool	decode_layers(struct layers *, struct map *, const char *path, struct file *, struct err *);

/* Decode the first part of each layer as far as possible, and ask known about the last one. */
static bool
layers_known(const struct map *m, const void *arg, struct err *err)
{
	const struct layers *outer = arg;
	struct decoded done = { .log = outer->done == NULL || outer->done->log };
	enum decode_kind kind = decode_kind(m, done.log);
	struct layers l = { .in = m, .done = &done, .work = outer->work, .most = INTAKE_LOOK, .packed = outer->packed };
	struct file file = FILE_INIT;
	struct map out = { .slot = -1 };
	bool ok;

	if (kind == DECODE_NONE)
		return outer->known->ok(m, outer->known->arg, err);
	/* All files of an archive decide which one is opened. */
	if (kind == DECODE_ZIP || kind == DECODE_TAR)
		return true;
	ok = decode_layers(&l, &out, NULL, &file, err) && outer->known->ok(&out, outer->known->arg, err);
	map_close(&out);
	file_abandon(&file);
	return ok;
}

bool
decode_known(const struct map *m, const struct intake_check *known, struct err *err)
{
	return layers_known(m, &(struct layers){ .known = known }, err);
}

/* Decode one layer into a file, and map the file. */
static bool
decode_layer(struct layers *l, struct map *out, const struct map *in, int fd, enum decode_kind kind, struct err *err)
{
	const struct intake_check known = { layers_known, l };
	uint64_t honest = l->in->size < RATIO_FROM ? RATIO_FROM + l->in->size * RATIO :
	    UINT64_MAX, left = l->most - l->bytes;
	struct intake to = { .fd = fd, .known = l->known != NULL ? &known : NULL,
	    .most = left < honest ? left : honest };
	struct decode d = { .in = in, .work = l->work, .done = l->done, .kind = kind, .to = &to };
	struct err why = { .reason = REASON_NONE };
	bool ok;

	if ((d.out = mem_array(DECODE_CHUNK, 1)) == NULL)
		return fail_memory(err, "decompression");
	work_start_bytes(l->work, "unpacking", in->size);
	ok = run_decoder(&d, &why) && decode_flush(&d, &why);
	free(d.out);
	l->bytes += to.n;
	if (!ok && (why.reason != REASON_LIMIT || (kind == DECODE_ZIP && left <= honest)))
		return fail_for(err, why.reason == REASON_LIMIT ? REASON_NONE : why.reason, why.kind, why.at,
		    "%s", why.text);
	if (!ok && left > honest)
		return fail(err, E_UNREADABLE, "unpacks to more than %u times its size; decompress it first", RATIO);
	l->done->full |= !ok;
	return map_open_fd(out, fd, NULL, l->work, err);
}

static void
note_kind(struct decoded *done, enum decode_kind kind)
{
	size_t n = strlen(done->how);

	assert(kind > DECODE_NONE && kind < DECODE_KINDS);
	snprintf(done->how + n, sizeof done->how - n, "%s%s", n > 0 ? ", " : "", decode_words[kind].name);
}

/* The last layer stays in *file, mapped by *out. */
static bool
decode_layers(struct layers *l, struct map *out, const char *path, struct file *file, struct err *err)
{
	enum decode_kind kind = decode_kind(l->in, l->done->log);
	struct map last = *l->in;

	for (unsigned layer = 0; layer < LAYERS && kind != DECODE_NONE; layer++) {
		struct file next = FILE_INIT;
		bool ok;

		l->packed += decode_is_packed(kind);
		ok = (l->packed <= PACKED_LAYERS ||
		    fail(err, E_UNREADABLE, "compressed more than twice; decompress it first")) &&
		    (path != NULL ? file_begin(&next, path, err) : fd_temporary(&next.fd, NULL, err)) &&
		    decode_layer(l, out, &last, next.fd, kind, err);
		if (layer > 0) {
			map_close(&last);
			file_abandon(file);
		}
		*file = next;
		if (!ok) {
			*out = (struct map){ .slot = -1 };
			return false;
		}
		last = *out;
		note_kind(l->done, kind);
		if (kind == DECODE_ZIP || kind == DECODE_TAR)
			l->done->member = NULL;
		kind = l->done->full || l->done->listed ? DECODE_NONE : decode_kind(&last, l->done->log);
	}
	return true;
}

bool
decode_file(struct map *out, const struct map *in, const char *path, const struct intake_check *known,
    struct decoded *done, struct work *w, struct err *err)
{
	struct layers l = { .in = in, .known = known, .done = done, .work = w, .most = intake_allowed() };
	struct file file = FILE_INIT;

	*done = (struct decoded){ .log = done->log, .member = done->member, .path = done->path };
	memset(out, 0, sizeof *out);
	out->slot = -1;
	if (!decode_layers(&l, out, path, &file, err)) {
		file_abandon(&file);
		return false;
	}
	if (path == NULL || done->full || done->listed)
		file_abandon(&file);
	else if (!file_commit(&file, true, err)) {
		map_close(out);
		return false;
	}
	return true;
}

bool
decode_is_cut(const struct store *st)
{
	for (size_t i = 0; i < DECODE_KINDS; i++)
		if (decode_words[i].what != NULL && fact_value(st, decode_words[i].lost) > 0)
			return true;
	return false;
}

/* ---- text side files --------------------------------------------------------------------------- */

static bool
decode_is_text(const struct map *m, const void *arg, struct err *err)
{
	(void)arg;
	return (memchr(m->data, '\0', (size_t)m->size) == NULL && memchr(m->data, '\n', (size_t)m->size) != NULL) ||
	    fail(err, E_UNREADABLE, "not a text file");
}

bool
unpacked_open_both(struct map *m, struct map *packed, const char *path, const struct intake_check *known,
    bool *cut, struct work *w,
    struct err *err)
{
	const struct intake_check layers = { layers_known, &(const struct layers){ .known = known, .work = w } };
	struct decoded done = { .log = false };
	bool ok;

	*cut = false;
	if (!map_open_known(packed, path, NULL, &layers, w, err))
		return false;
	*cut = packed->cut;
	if (decode_kind(packed, false) == DECODE_NONE) {
		*m = *packed;
		*packed = (struct map){ .size = 0 };
		return true;
	}
	ok = decode_file(m, packed, NULL, known, &done, w, err);
	if (!ok)
		map_close(packed);
	*cut |= done.full;
	for (size_t i = 0; ok && i < DECODE_KINDS; i++)
		*cut |= done.cut[i];
	return ok;
}

bool
unpacked_open(struct map *m, const char *path, const struct intake_check *known, bool *cut, struct work *w,
    struct err *err)
{
	struct map packed;
	bool ok = unpacked_open_both(m, &packed, path, known, cut, w, err);

	if (ok)
		map_close(&packed);
	return ok;
}

bool
text_file_open(struct map *m, const char *path, bool *cut, struct work *w, struct err *err)
{
	return unpacked_open(m, path, &(const struct intake_check){ decode_is_text, NULL }, cut, w, err);
}
