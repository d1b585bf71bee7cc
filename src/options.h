/*
 * options: what the command line says.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "icecore/ui.h"

struct options {
	struct asks		 asks;
	const char		*file;
	size_t			 format;	/* FORMATS: what suits the output */
	size_t			 clock;		/* CLOCKS: the first one the file has */
	struct store_options	 store;
	const char		*keys;
	bool			 text, list_formats, version, help;
};

/* From argv to what main needs; asks_free(&o->asks) releases, also after a failure. */
bool	options_read(struct options *, int argc, char **argv, struct err *);
void	options_help(void);

#endif
