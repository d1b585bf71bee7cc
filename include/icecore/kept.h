/*
 * kept: the numbers in objects that the analysis reads by name.  A dump without them would have other findings, sizes of
 * collections and of bitmaps; they say nothing of what the program worked with.  Belongs to layer pass.
 */
#ifndef ICECORE_KEPT_H
#define ICECORE_KEPT_H

#include <stdbool.h>
#include <stddef.h>

/* A field of numbers or flags that a class, with dots, or one that it extends declares; or a static field. */
struct kept_field {
	const char	*class, *name;
	const char	*of_class, *of_name;	/* the field that refers to the objects in which it is read; NULL: any */
};

/* The ith; false: no more.  Some occur twice. */
bool	kept_field(size_t i, struct kept_field *);
/* The ith text that is compared with names of threads and enum constants; NULL: no more. */
const char *kept_word(size_t i);

#endif
