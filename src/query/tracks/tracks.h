/*
 * Private to src/query: what the sources and stages of tracks share.
 */
#ifndef ICECORE_QUERY_TRACKS_H
#define ICECORE_QUERY_TRACKS_H

#include "icecore/track.h"
#include "query/lang/stage.h"

/* The tracks of one name by their threads; starts from a name and zeros. */
struct track_index {
	const char	*name;
	struct idmap	 places;	/* thread to 1 + place of its track */
	bool		 made;
};

#define TRACK_INDEX(name) ((struct track_index){ (name), IDMAP_INIT, false })

/* As track_find; false too when there is no memory. */
bool	track_index_find(struct track_index *, const struct store *, uint32_t thread, struct track *);

/* A value of the track, as a time, bytes or a number. */
void	cell_track(const struct track *, uint64_t value, struct cell *);
/* Growth a second, of what the unit says; nothing for no time. */
void	cell_rate(uint64_t growth, uint64_t ns, struct cell *);
/* CPU time as part of a time; nothing for no time. */
void	cell_use(uint64_t cpu, uint64_t ns, struct cell *);
/* CPU time in a piece of time from the thread's track: CELL_NONE where there is none.  The index is of "cpu". */
void	cell_cpu_inside(struct track_index *, const struct store *, uint32_t thread, uint64_t from, uint64_t to,
	    struct cell *cpu, struct cell *use);
/* The name of a thread, nothing for thread 0. */
void	cell_track_thread(struct rows *, const struct store *, uint32_t thread, struct buf *, struct cell *);
/* Where the last state of a track ends: with the file's last record or point. */
uint64_t tracks_end(const struct store *);

#endif
