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

/* Appends one character as UTF-8. */
void	code_add(uint32_t c, struct buf *);

#endif
