/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * jfr_words: what the words of the metadata mean, by the elements that use them.
 */
#include "config.h"

#include <assert.h>

#include "icecore/name.h"
#include "teller.h"

/* Uses of a word of the metadata; the greatest counts. */
enum { WORD_UNUSED, WORD_CLASS, WORD_NAME, WORD_TEXT, WORD_FORM };

static void
use_word(struct teller *t, uint64_t word, int use)
{
	uint8_t *had = SCRATCH(t->words, uint8_t) + word;

	assert(word < t->nwords);
	*had = use > *had ? (uint8_t)use : *had;
}

static struct str
told_word(const struct teller *t, uint64_t word)
{
	return jfr_word(&t->c, SCRATCH(t->c.words, struct jfr_word)[word]);
}

/* The name of a platform class would stay, but types of the application may have such names. */
static int
type_use(struct str name)
{
	return name_is_platform(name) ? WORD_NAME : WORD_CLASS;
}

/* Use of a value in an annotation of a class or field of the application. */
static int
annotation_use(const struct teller *t, const struct jfr_element *e, struct str value)
{
	struct str type = jfr_told_type(t, jfr_type_row(&t->c, e->type));

	if (str_eq(type, STR("jdk.jfr.Label")) || str_eq(type, STR("jdk.jfr.Description")))
		return WORD_TEXT;
	if (str_eq(type, STR("jdk.jfr.Name")))
		return type_use(value);
	if (str_eq(type, STR("jdk.jfr.Category")))
		return WORD_NAME;
	return jfr_word_is_value(value) ? WORD_FORM : WORD_TEXT;
}

static int
value_use(const struct teller *t, const struct jfr_element *e, struct str key, struct str value)
{
	bool name = str_eq(key, STR("name")), setting = e->tag == JFR_TAG_OTHER &&
	    str_eq(told_word(t, e->word), STR("setting"));

	if (t->vendor && (e->tag != JFR_TAG_OTHER || setting))
		return WORD_FORM;
	switch (e->tag) {
	case JFR_TAG_CLASS:
		if (name || str_eq(key, STR("superType")))
			return jfr_is_vendor(value) ? WORD_FORM : type_use(value);
		break;
	case JFR_TAG_FIELD:
		if (name)
			return jfr_word_is_field(value) ? WORD_FORM : WORD_NAME;
		break;
	case JFR_TAG_ANNOTATION: return str_eq(key, STR("class")) &&
	    jfr_word_is_value(value) ? WORD_FORM : annotation_use(t, e, value);
	case JFR_TAG_OTHER:
		if (setting && name)
			return jfr_word_is_setting(value) ? WORD_FORM : WORD_NAME;
		if (setting && jfr_word_is_set(value))
			return WORD_FORM;
		break;
	}
	return jfr_word_is_value(value) ? WORD_FORM : WORD_TEXT;
}

static void
tell_element(void *teller, const struct jfr_element *e)
{
	struct teller *t = teller;
	struct jfr_in in = e->attributes;
	uint64_t key, value;

	if (e->tag == JFR_TAG_CLASS)
		t->vendor = jfr_is_vendor(jfr_word(&t->c, e->name));
	use_word(t, e->word, jfr_word_is_tag(told_word(t, e->word)) ? WORD_FORM : WORD_NAME);
	for (uint64_t n = jfr_count(&in); n > 0; n--) {
		key = jfr_u64(&in);
		value = jfr_u64(&in);
		use_word(t, key, jfr_word_is_key(told_word(t, key)) ||
		    (t->vendor && e->tag != JFR_TAG_OTHER) ? WORD_FORM : WORD_NAME);
		use_word(t, value, value_use(t, e, told_word(t, key), told_word(t, value)));
	}
}

/* The words, then numbers of words. */
static void
tell_words(struct teller *t, struct jfr_in in)
{
	static const struct jfr_meaning by_use[] = {
		[WORD_UNUSED] = { NULL, NULL, MEANT_TEXT, NULL }, [WORD_CLASS] = { NULL, NULL, MEANT_CLASS, NULL },
		[WORD_NAME] = { NULL, NULL, MEANT_NAME, NULL }, [WORD_TEXT] = { NULL, NULL, MEANT_TEXT, NULL },
		[WORD_FORM] = { NULL, NULL, MEANT_FORM, NULL },
	};
	const uint8_t *uses = SCRATCH(t->words, uint8_t);
	struct jfr_text text;
	uint64_t n;

	jfr_skip(&in, 3);
	n = jfr_count(&in);
	for (uint64_t i = 0; i < n && jfr_text_take(&in, &text); i++)
		jfr_tell_text(t, &text, &by_use[uses[i]], "metadata");
}

void
jfr_tell_metadata(struct teller *t, const struct jfr_event *e)
{
	struct jfr_in in = e->body;

	t->nwords = jfr_left(&in) + 1;
	if (INTO(&t->to, scratch_array(&t->words, t->nwords, 1, t->to.err)))
		return;
	memset(t->words.data, WORD_UNUSED, t->nwords);
	t->vendor = false;
	if (jfr_metadata_each(&t->c, &in, tell_element, t))
		tell_words(t, e->body);
	else
		in.at = e->body.at;
	if (in.at < e->body.end)
		jfr_tell_lost(t, in.at, e->body.end);
}
