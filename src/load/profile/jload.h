/*
 * jload: profiles and traces in JSON: speedscope.c and cpuprofile.c read profiles, chrome.c events.
 */
#ifndef LOAD_JLOAD_H
#define LOAD_JLOAD_H

#include "json.h"
#include "profile.h"

struct jload {
	struct json	 doc;		/* at its first value */
	struct store	*st;
	struct work	*work;
	struct samples	 samples;	/* or only its names and threads */
	struct spans_in	 spans;
	struct buf	 text, file, name;
	bool		 timed;		/* there are calls, not samples */
	bool		 cut;
	uint64_t	 bad;		/* entries that make no sense, left out */
	uint64_t	 others;	/* entries of kinds that are not read */
};

bool	speedscope_load(struct jload *, struct err *);
bool	cpuprofile_load(struct jload *, struct err *);
bool	chrome_load(struct jload *, struct err *);

/* For those. */
bool	jload_tick(struct jload *, const struct json *, struct err *);
/* Calls take with each item of the array at j, which may be none; what is cut or damaged ends it, and is counted. */
bool	jload_each(struct jload *, struct json j, bool (*take)(void *, struct json item, struct err *), void *, struct err *);
/* What the value at j says; nothing when there is none. */
struct str jload_word(struct json j);
/* The id of a frame whose name is a string as it stands; 0: failure. */
uint32_t jload_frame(struct jload *, struct str raw, struct err *);
/* The same of a function that the line of a file (0: not told) begins, as a string too; without a name it is called by its place. */
uint32_t jload_function(struct jload *, struct str raw, struct str raw_file, uint64_t line, struct err *);
uint32_t jload_thread(struct jload *, uint32_t pid, uint32_t tid, struct str raw, struct err *);
/* Where the values of the names are, NULL-terminated, in the object at j; those that are not there get at = size. */
void	jload_members(struct jload *, struct json j, const char *const *names, struct json *values);

#endif
