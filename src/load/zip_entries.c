/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zip_entries: inflate entries with bytecode of jar, apk and other zip archives into a bundle.
 *
 * The directory at the end is used; in a truncated archive, entries are read from the front. Names only determine the
 * kind of an entry: no file is written under them.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "zip.h"

#define NESTED_DEEP 4
#define NAME_MOST 4096

static bool	zip_walk(struct bundle *, struct str, const uint8_t *, uint64_t, unsigned depth, struct err *);

/* ---- kinds of entries --------------------------------------------------------------------------- */

enum entry_kind { ENTRY_OTHER, ENTRY_CODE, ENTRY_ARCHIVE, ENTRY_UNREACHED };

static bool
ends(struct str s, const char *end)
{
	return str_has_suffix(s, str_of(end));
}

/* Return the number in "classes.dex" (1), "classes2.dex"; 0: another name. */
static uint64_t
dex_number(struct str name)
{
	uint64_t n;

	if (str_eq(name, STR("classes.dex")))
		return 1;
	if (!str_take(&name, STR("classes")) || !ends(name, ".dex"))
		return 0;
	name.n -= 4;
	return num_u64(name, 10, &n) && n > 1 && name.s[0] != '0' ? n : 0;
}

static enum entry_kind
entry_kind(const struct zip *z, struct str name)
{
	struct str folder, file;

	if (ends(name, ".class"))
		return ENTRY_CODE;
	if (ends(name, ".jar") || ends(name, ".aar") || ends(name, ".war"))
		return ENTRY_ARCHIVE;
	if (!ends(name, ".dex"))
		return ENTRY_OTHER;
	/* Android App Bundles have base/dex/classes.dex. */
	if (str_divide(name, STR("/dex/"), &folder, &file) && memchr(folder.s, '/', folder.n) == NULL)
		return dex_number(file) > 0 ? ENTRY_CODE : ENTRY_UNREACHED;
	return dex_number(name) > 0 && dex_number(name) <= z->dexes ? ENTRY_CODE : ENTRY_UNREACHED;
}

bool
zip_has_code(const struct zip *z)
{
	uint64_t at = z->dir;
	struct zip_entry e;

	while (zip_read_central(z, &at, &e))
		if (entry_kind(z, e.name) != ENTRY_OTHER)
			return true;
	return false;
}

/* For "META-INF/versions/9/a/B.class" return 9 and set the name to a/B.class. 0: another name. */
static unsigned
take_version(struct str *name)
{
	struct str rest = *name, part;
	uint64_t n;

	if (!str_take(&rest, STR("META-INF/versions/")))
		return 0;
	if (!str_divide(rest, STR("/"), &part, &rest) || !num_u64(part, 10, &n) || n < 1 || n > 1000)
		return 1000;
	*name = rest;
	return (unsigned)n;
}

/* ---- names already used -------------------------------------------------------------------------- */

/* *fresh: no earlier entry had the name. */
static bool
zip_entries_note_name(struct zip *z, struct str name, bool *fresh, struct err *err)
{
	uint64_t key = idmap_hash_text(name, 0);

	*fresh = idmap_get(&z->seen, key) == 0;
	return !*fresh || idmap_put(&z->seen, key, 1, err);
}

/* ---- entries -------------------------------------------------------------------------------------- */

/* Add it to the bundle, as "app.jar!a/B.class". */
static bool
put_entry(struct zip *z, enum entry_kind kind, struct str name, struct str bytes, struct err *err)
{
	struct buf full = BUF_INIT;
	bool ok;

	if (z->name.n > 0) {
		buf_str(&full, z->name);
		buf_chr(&full, '!');
	}
	buf_str(&full, name.n < NAME_MOST ? name : (struct str){ name.s, NAME_MOST });
	ok = !full.bad || fail_memory(err, "decompression");
	if (ok && kind == ENTRY_CODE)
		ok = bundle_add(z->b, buf_view(&full), (const uint8_t *)bytes.s, bytes.n, err);
	else if (ok && z->depth + 1 >= NESTED_DEEP)
		z->b->count[BUNDLE_DEEP]++;
	else if (ok) {
		z->b->count[BUNDLE_NESTED]++;
		ok = zip_walk(z->b, buf_view(&full), (const uint8_t *)bytes.s, bytes.n, z->depth + 1, err);
	}
	buf_free(&full);
	return ok;
}

static bool
zip_entries_take_entry(struct zip *z, struct zip_entry *e, const uint8_t *data, struct err *err)
{
	struct str name = e->name, bytes;
	enum entry_kind kind = entry_kind(z, name);
	unsigned version = take_version(&name);
	bool fresh, ok;
	uint8_t *own;

	z->b->count[BUNDLE_ENTRIES]++;
	if (kind == ENTRY_OTHER || kind == ENTRY_UNREACHED) {
		zip_count(z, kind == ENTRY_OTHER ? BUNDLE_OTHERS : BUNDLE_UNREACHED);
		return true;
	}
	if (version > 0 && version != z->version) {
		zip_count(z, BUNDLE_VERSIONS);
		return true;
	}
	if (!zip_entries_note_name(z, name, &fresh, err))
		return false;
	if (!fresh) {
		zip_count(z, version == 0 && z->version > 0 ? BUNDLE_VERSIONS : BUNDLE_DOUBLES);
		return true;
	}
	if (data == NULL && !zip_data_of(z, e, &data)) {
		zip_count(z, BUNDLE_BOUNDS);
		return true;
	}
	ok = !zip_unpack(z, e, data, &bytes, &own) || put_entry(z, kind, e->name, bytes, err);
	free(own);
	return ok;
}

/* Return whether the first section of the manifest has Multi-Release: true, too short to be continued. */
static bool
says_versions(struct zip *z, struct zip_entry *e)
{
	static const char wanted[] = "multi-release: true";
	const uint8_t *data;
	struct str bytes, line;
	uint8_t *own = NULL;
	bool yes = false;

	if (!zip_data_of(z, e, &data) || e->size > 1u << 20 || !zip_unpack(z, e, data, &bytes, &own)) {
		free(own);
		return false;
	}
	while (!yes && str_split(&bytes, '\n', &line)) {
		line.n -= line.n > 0 && line.s[line.n - 1] == '\r';
		if (line.n == 0)
			break;
		yes = line.n == sizeof wanted - 1;
		for (size_t i = 0; yes && i < line.n; i++)
			yes = (line.s[i] | (wanted[i] >= 'a' ? 32 : 0)) == wanted[i];
	}
	free(own);
	return yes;
}

/* Find the applicable version in META-INF/versions, and the last consecutive dex file. */
static void
zip_entries_look_ahead(struct zip *z)
{
	uint64_t at = z->dir, there = 0, n;
	bool versions = false;
	unsigned highest = 0, version;
	struct zip_entry e;
	struct str name;

	while (zip_read_central(z, &at, &e)) {
		name = e.name;
		version = take_version(&name);
		highest = version > highest && version < 1000 && version >= 9 ? version : highest;
		if (str_eq(e.name, STR("META-INF/MANIFEST.MF")))
			versions = versions || says_versions(z, &e);
		n = dex_number(e.name);
		if (n >= 1 && n <= 64)
			there |= (uint64_t)1 << (n - 1);
	}
	z->version = versions ? highest : 0;
	while (z->dexes < 64 && (there >> z->dexes & 1) != 0)
		z->dexes++;
}

/* Entries of the applicable version come first, so that they get the names. */
static bool
walk_directory(struct zip *z, bool versions, struct err *err)
{
	uint64_t at = z->dir, n = 0;
	struct zip_entry e;
	struct str name;

	while (zip_read_central(z, &at, &e)) {
		name = e.name;
		if (n++ % 64 == 0 && !work_go(z->b->work, 0, err))
			return false;
		if (z->version > 0 && versions != (take_version(&name) == z->version))
			continue;
		if (!zip_entries_take_entry(z, &e, NULL, err))
			return false;
	}
	/* The end record claims entries that the directory lacks. */
	if (versions == (z->version > 0) && (at != z->end || n != z->entries))
		z->b->count[BUNDLE_CUT]++;
	return true;
}

/* ---- archives without a directory ------------------------------------------------------------------ */

/* Read the entry at *at by its local header; if its sizes follow the data, it must be inflated to find its end. */
static bool
take_local(struct zip *z, uint64_t *at, struct err *err)
{
	const uint8_t *p = z->data + *at, *data;
	uint64_t left = z->size - *at, most;
	struct inflated out = { .n = 0 };
	struct zip_entry e;

	if (left < LOCAL_BYTES || memcmp(p, "PK\3\4", 4) != 0 ||
	    left - LOCAL_BYTES < (uint64_t)le16(p + 26) + le16(p + 28)) {
		*at = z->size;
		return true;
	}
	e = (struct zip_entry){ .name = { (const char *)p + LOCAL_BYTES, le16(p + 26) }, .flags = le16(p + 6),
	    .method = le16(p + 8),
	    .crc = le32(p + 14), .packed = le32(p + 18), .size = le32(p + 22), .at = *at };
	data = p + LOCAL_BYTES + le16(p + 26) + le16(p + 28);
	left = z->size - (uint64_t)(data - z->data);
	if (e.flags & 8) {
		most = z->b->budget - z->b->inflated;
		if (e.method != 8 || !inflate_all((struct str){ (const char *)data, (size_t)left }, INFLATE_RAW, 4096,
		    (size_t)(most < ENTRY_MOST ? most : ENTRY_MOST), &out)) {
			*at = z->size;
			free(out.data);
			return true;
		}
		e.crc = (uint32_t)crc32(0, out.data, (uInt)out.n);
		e.packed = out.used;
		e.size = out.n;
		z->b->inflated += out.n;
		free(out.data);
	}
	if (e.packed > left) {
		*at = z->size;
		return true;
	}
	*at = (uint64_t)(data - z->data) + e.packed;
	if (e.flags & 8 && z->size - *at >= 16)
		*at += memcmp(z->data + *at, "PK\7\10", 4) == 0 ? 16 : 12;
	return zip_entries_take_entry(z, &e, data, err);
}

static bool
walk_locals(struct zip *z, struct err *err)
{
	uint64_t at = 0;

	z->b->count[BUNDLE_CUT]++;
	z->prefix = 0;
	z->dexes = 64;
	while (at < z->size)
		if (!work_go(z->b->work, at, err) || !take_local(z, &at, err))
			return false;
	return true;
}

static bool
zip_walk(struct bundle *b, struct str name, const uint8_t *data, uint64_t size, unsigned depth, struct err *err)
{
	struct zip z = { .b = b, .data = data, .size = size, .name = name, .depth = depth };
	bool ok;

	if (zip_read_end(&z)) {
		b->count[BUNDLE_PREFIX] += z.prefix;
		zip_entries_look_ahead(&z);
		ok = (z.version == 0 || walk_directory(&z, true, err)) && walk_directory(&z, false, err);
	} else
		ok = walk_locals(&z, err);
	idmap_free(&z.seen);
	return ok;
}

bool
bundle_zip(struct bundle *b, struct str name, const uint8_t *data, uint64_t size, struct err *err)
{
	uint64_t more = size > UINT64_MAX / 200 ? UINT64_MAX : size * 200, refused = mem_refused();

	/* Limit all entries together: ten thousand entries may share the same bytes. */
	b->budget = b->inflated + (more > ENTRY_MOST ? more : ENTRY_MOST);
	/* Report entries that were not unpacked for lack of memory as out of memory, not as damage. */
	return zip_walk(b, name, data, size, 0, err) && mem_whole(refused, err);
}
