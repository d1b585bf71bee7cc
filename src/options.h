/*
 * options: what the command line says.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "icecore/ui.h"

struct options {
	struct asks		 asks;
	bool			 ask;		/* for answers, be the script empty */
	bool			 stop_on_error;
	const char		*file;
	size_t			 format;	/* FORMATS: what suits the output */
	size_t			 clock;		/* CLOCKS: the first one the file has */
	size_t			 refs, sizes;
	struct store_options	 store;
	const char		*keys;
	bool			 script_stdin;	/* a script was read from there */
	bool			 no_history, text, report, list_formats, version, help;
};

/* From argv to what main needs; asks_free(&o->asks) releases, also after a failure. */
bool	options_read(struct options *, int argc, char **argv, struct err *);
void	options_help(void);

#endif
