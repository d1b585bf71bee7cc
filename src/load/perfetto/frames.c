/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * frames: frames of FrameTimeline: of an app, named by its token, and of the display, which shows frames of
 * apps.  Each has an actual time and usually an expected one.
 */
#include "config.h"

#include "icecore/columns_marks.h"
#include "perfetto.h"

enum { PRESENT_LATE = 2, PRESENT_DROPPED = 4 };

/* Bits of jank types. */
enum {
	JANK_NONE = 1, JANK_SCHEDULING = 2, JANK_PREDICTION = 4, JANK_HAL = 8, JANK_CPU = 16, JANK_GPU = 32,
	    JANK_APP = 64, JANK_STUFFING = 128,
	JANK_UNKNOWN = 256, JANK_FLINGER_STUFFING = 512, JANK_DROPPED = 1024, JANK_NOT_ANIMATING = 2048,
	    JANK_JITTER = 4096,
	JANK_DISPLAY_OFF = 8192, JANK_MODE = 16384, JANK_POWER = 32768,
	JANK_OF_APP = JANK_APP | JANK_UNKNOWN | JANK_JITTER,
	JANK_OF_DISPLAY = JANK_SCHEDULING | JANK_PREDICTION | JANK_HAL | JANK_CPU | JANK_GPU,
	/* Prediction errors are drift of the predicted time, which users do not see. */
	JANK_SEEN = JANK_OF_APP | (JANK_OF_DISPLAY & ~JANK_PREDICTION)
};

static const struct { uint32_t bit; const char *name; } kinds[] = {
	{ JANK_SCHEDULING, "SurfaceFlinger Scheduling" }, { JANK_PREDICTION, "Prediction Error" },
	{ JANK_HAL, "Display HAL" },
	{ JANK_CPU, "SurfaceFlinger CPU Deadline Missed" },
	{ JANK_GPU, "SurfaceFlinger GPU Deadline Missed" },
	{ JANK_APP, "App Deadline Missed" }, { JANK_JITTER, "App Resynced Jitter" },
	{ JANK_STUFFING, "Buffer Stuffing" },
	{ JANK_UNKNOWN, "Unknown Jank" }, { JANK_FLINGER_STUFFING, "SurfaceFlinger Stuffing" },
	{ JANK_DROPPED, "Dropped Frame" },
	{ JANK_NOT_ANIMATING, "Non Animating" }, { JANK_DISPLAY_OFF, "Display not ON" },
	{ JANK_MODE, "ModeChange" },
	{ JANK_POWER, "PowerModeChange" }
};

#define END(F) F(1, cookie, U64)
SHAPE(frame_display, "frame_timeline_event.display_frame", FIELDS_DISPLAY)
SHAPE(frame_surface, "frame_timeline_event.surface_frame", FIELDS_SURFACE)
SHAPE(frame_event, "frame_timeline_event", FIELDS_FRAME_EVENT)
SHAPE(frame_end, "frame_timeline_event.frame_end", END)

struct frame_in {
	uint64_t	cookie, token, display_token;
	struct str	layer;
	bool		display, actual;
	/* Numbers of an actual frame. */
	uint64_t	present, on_time, gpu, jank, prediction, severity;
	uint32_t	pid, name, types;	/* words: its token; its jank types */
};

/* A frame with an actual time. */
struct frame_row {
	uint64_t	start, expected_key;
	uint32_t	actual, expected, process, layer, display, jank;
	uint32_t	before;		/* frame of an app, from 1, that the same frame of the display shows; 0: none */
	uint8_t		kind, tag, present, prediction, severity, on_time, gpu, late;
};

#define FRAME(p, i) (&SCRATCH((p)->frame.frames, struct frame_row)[(i) - 1])

/* False: damaged, or a field is missing. */
static bool
frame_read(struct perfetto *p, const struct frame_event *e, struct frame_in *f)
{
	bool of_display = e->has_expected_display || e->has_actual_display,
	    actual = e->has_actual_display || e->has_actual_surface, whole;
	struct frame_surface s;
	struct frame_display d;

	if (of_display) {
		whole = frame_display_read(actual ? e->actual_display : e->expected_display, &d, &p->unread);
		*f = (struct frame_in){ d.cookie, d.token, 0, STR(""), true, actual, d.present, d.on_time, d.gpu,
		    d.jank, d.prediction,
		    d.has_severity ? d.severity : d.jank == JANK_NONE, (uint32_t)d.pid, 0, 0 };
		return whole && d.has_cookie && d.has_token && d.has_pid;
	}
	whole = frame_surface_read(actual ? e->actual_surface : e->expected_surface, &s, &p->unread);
	*f = (struct frame_in){ s.cookie, s.token, s.display_token, str_head(s.layer, PF_TEXT_MOST), false, actual,
	    s.present, s.on_time, s.gpu,
	    s.jank, s.prediction, s.has_severity ? s.severity : s.jank == JANK_NONE, (uint32_t)s.pid, 0, 0 };
	return whole && s.has_cookie && s.has_token && s.has_display_token && s.has_pid;
}

/* Return whose fault it is that a frame was late, as Perfetto says it. */
static enum frame_tag
frame_tag_of(const struct frame_in *f)
{
	uint64_t of_display = f->jank & JANK_OF_DISPLAY, of_app = f->jank & JANK_OF_APP;

	if (f->jank == 0)
		return TAG_UNKNOWN;
	if (f->display ? of_display != 0 : of_app != 0)
		return TAG_SELF;
	if (!f->display && of_display != 0)
		return TAG_OTHER;
	if (!f->display && f->jank == JANK_STUFFING)
		return TAG_STUFFING;
	if (f->jank == JANK_FLINGER_STUFFING)
		return TAG_FLINGER_STUFFING;
	if (f->display ? f->jank == JANK_DROPPED : f->present == PRESENT_DROPPED)
		return TAG_DROPPED;
	return f->jank == JANK_NOT_ANIMATING || f->jank == JANK_DISPLAY_OFF || f->jank == JANK_POWER ?
	    TAG_UNSEEN : TAG_NONE;
}

/* ---- spans --------------------------------------------------------------------------------------------- */

static uint64_t
frame_key(uint64_t cookie)
{
	return async_key('f', cookie);
}

/* Name a frame by its token; an actual frame also has its jank types. */
static bool
frame_about(struct perfetto *p, struct frame_in *f, struct pf_about *a, struct err *err)
{
	struct str track = f->actual ? STR("Actual Timeline") : STR("Expected Timeline"), types = STR("");

	a->pid = f->pid;
	if (!marks_word_of(&p->marks, track, &a->track, err))
		return false;
	a->kind = a->track;
	buf_clear(&p->text);
	buf_str(&p->text, track);
	for (size_t i = 0; f->actual && i < NELEM(kinds); i++)
		if (f->jank & kinds[i].bit) {
			buf_str(&p->text, p->text.n == track.n ? STR(": ") : STR(", "));
			buf_str(&p->text, str_of(kinds[i].name));
		}
	if (!pf_text_word(p, &a->cat, err))
		return false;
	if (p->text.n > track.n)
		types = str_after(buf_view(&p->text), track.n + 2);
	if (!marks_word_of(&p->marks, types, &f->types, err))
		return false;
	PF_TEXT(p, "%lld", (long long)f->token);
	if (!pf_text_word(p, &a->name, err))
		return false;
	f->name = a->name;
	return true;
}

/* ---- frames with an actual time ------------------------------------------------------------------------ */

enum { SHOWN_BY_NONE = 1 };	/* 1 + the number of a frame; 0 is not a value */

/* The last frame of an app that a frame of the display shows; 0: none. */
static uint32_t
last_shown(const struct perfetto *p, uint64_t key)
{
	uint32_t at = idmap_get(&p->frame.by_display, key);

	return at <= SHOWN_BY_NONE ? 0 : at - SHOWN_BY_NONE;
}

/* An arrow from each frame of an app that a frame of the display shows.  Its token is then free again. */
static bool
frame_arrows(struct perfetto *p, const struct frame_in *f, uint64_t time, struct err *err)
{
	uint64_t key = async_key('d', f->token);
	uint32_t shown = last_shown(p, key);
	struct flow_stop to = { .time = time, .name = f->name };

	if (shown == 0)
		return true;
	if (!idmap_put(&p->frame.by_display, key, SHOWN_BY_NONE, err) ||
	    !marks_word_of(&p->marks, STR("frame"), &to.cat, err))
		return false;
	for (; shown != 0; shown = FRAME(p, shown)->before) {
		struct flow_stop from = { .time = FRAME(p, shown)->start, .cat = to.cat };

		from.name = marks_span(&p->marks, FRAME(p, shown)->actual)->name;
		if (!flow_arrow(&p->player.flows, &p->marks, &from, &to, 0, err))
			return false;
	}
	return true;
}

/* The actual span of the frame is the last one. */
static bool
frame_add(struct perfetto *p, const struct frame_in *f, uint64_t key, uint64_t time, struct err *err)
{
	struct frame_row new = { .start = time, .expected_key = key, .actual = (uint32_t)p->marks.nspans,
	    .jank = f->types, .process = marks_span(&p->marks, p->marks.nspans)->process,
	    .kind = f->display, .tag = (uint8_t)frame_tag_of(f), .present = (uint8_t)(f->present <= 5 ?
	    f->present : 0), .prediction = (uint8_t)(f->prediction <= 3 ? f->prediction : 0),
	    .severity = (uint8_t)(f->severity <= 3 ? f->severity : 0), .on_time = f->on_time != 0,
	    .gpu = f->gpu != 0, .late = f->present == PRESENT_LATE && (f->jank & JANK_SEEN) != 0 };
	uint64_t display = async_key('d', f->display_token);

	if (f->display)
		return frame_arrows(p, f, time, err) && PF_ADD(p->frame, frames, new, "frames", err);
	PF_TEXT(p, "%lld", (long long)f->display_token);
	new.before = last_shown(p, display);
	return marks_word_of(&p->marks, f->layer, &new.layer, err) && pf_text_word(p, &new.display, err) &&
	    PF_ADD(p->frame, frames, new, "frames", err) &&
	    idmap_put(&p->frame.by_display, display, (uint32_t)p->frame.nframes + SHOWN_BY_NONE, err);
}

bool
pf_play_frame(struct perfetto *p, const struct pf_row *r, struct str m, struct err *err)
{
	struct pf_about a = { .pid = 0 };
	uint64_t time = r->time - p->first, key;
	struct frame_event e;
	struct frame_end end;
	struct frame_in f;
	uint32_t found;

	if (frame_event_read(m, &e, &p->unread) && e.has_end && frame_end_read(e.end, &end, &p->unread) &&
	    end.has_cookie)
		return pf_async_end(p, frame_key(end.cookie), time, err);
	if (!frame_read(p, &e, &f))
		return pf_count(p, PF_NO_VALUE);
	key = idmap_hash(f.token ^ (uint64_t)f.pid << 32) | 1;
	if (!f.actual) {
		if (!idmap_enter(&p->frame.by_frame, key, (uint32_t)p->marks.nspans + 1, &found, err))
			return false;
		/* A second expected frame of a process and a token says nothing new. */
		if (!f.display && found <= p->marks.nspans)
			return true;
	}
	return frame_about(p, &f, &a, err) && pf_async_begin(p, frame_key(f.cookie), time, &a, err) &&
	    (!f.actual || frame_add(p, &f, key, time, err));
}

/* ---- columns ------------------------------------------------------------------------------------------- */

bool
pf_frame_columns(struct perfetto *p, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_FRAME_START, frame_row, start), MAKE(COL_FRAME_ACTUAL, frame_row, actual),
		MAKE(COL_FRAME_EXPECTED, frame_row, expected), MAKE(COL_FRAME_PROCESS, frame_row, process),
		MAKE(COL_FRAME_LAYER, frame_row, layer), MAKE(COL_FRAME_DISPLAY, frame_row, display),
		MAKE(COL_FRAME_JANK, frame_row, jank), MAKE(COL_FRAME_KIND, frame_row, kind),
		MAKE(COL_FRAME_TAG, frame_row, tag), MAKE(COL_FRAME_PRESENT, frame_row, present),
		MAKE(COL_FRAME_PREDICTION, frame_row, prediction),
		MAKE(COL_FRAME_SEVERITY, frame_row, severity), MAKE(COL_FRAME_ON_TIME, frame_row, on_time),
		MAKE(COL_FRAME_GPU, frame_row, gpu), MAKE(COL_FRAME_LATE, frame_row, late)
	};

	for (uint64_t i = 1; i <= p->frame.nframes; i++) {
		struct frame_row *f = FRAME(p, i);
		uint32_t at = idmap_get(&p->frame.by_frame, f->expected_key);

		/* Two frames may have one key. */
		if (at != 0 && at <= p->marks.nspans &&
		    marks_span(&p->marks, at)->name == marks_span(&p->marks, f->actual)->name &&
		    marks_span(&p->marks, at)->process == f->process)
			f->expected = at;
	}
	return p->frame.nframes == 0 || make_columns(p->l->st, columns, NELEM(columns),
	    MAKE_ROWS(SCRATCH(p->frame.frames, struct frame_row), p->frame.nframes), err);
}
