/*
 * What the readers of values share: walking the slots of an object without reading each value.
 */
#ifndef PASS_SLOTS_H
#define PASS_SLOTS_H

#include "icecore/values.h"

/* The next slot, all but its value: of references neither bits nor object. */
bool	slots_next(struct heap_slots *, struct heap_slot *);
/* Reads the value that lies at slot->at; the type becomes 0 when the record ends before it. */
void	slots_read(const struct heap_slots *, struct heap_slot *);

/* The class of that name (with dots) in the chain of superclasses that begins with class; 0: none. */
uint32_t class_named(const struct heap *, uint32_t class, struct str name);

/* ---- texts ------------------------------------------------------------------------ */

/* A field of java.lang.String: where it lies in the values; type 0: there is none. */
struct text_field {
	uint32_t	at;
	uint8_t		type;
};

struct text_fields {
	struct text_field value, coder, offset, count;
};

void	text_fields_open(const struct heap *, struct text_fields *);
/* The address of the array of a String whose record this is; 0: null. */
uint64_t text_value(const struct heap *, const struct text_fields *, const struct heap_record *);
/* What heap_text says of it, from the records of the String and its array; false: the array has no characters. */
bool	text_take(const struct heap *, const struct text_fields *, const struct heap_record *string,
	    uint32_t array, const struct heap_record *chars, struct heap_text *);

/* Appends one character as UTF-8. */
void	code_add(uint32_t c, struct buf *);

#endif
