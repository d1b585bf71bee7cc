/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/programs/mcp: what its files share.
 */
#ifndef MCP_MCP_H
#define MCP_MCP_H

#include "icecore/json.h"
#include "icecore/mcp.h"
#include "icecore/query.h"

/* ---- message: texts of JSON ---------------------------------------------------------------- */

/* A text with quotes, which has passed the gate or is ours; raw: it passes the gate here.  They append. */
void	message_text(struct buf *, struct str fitted);
void	message_raw(struct buf *, struct str raw);

/*
 * A value is a slice of a line that scan_strict accepted; NULL: there is none.  If several members have the
 * same name, the last one counts.
 */
struct str message_member(struct str object, const char *name);
/* the next member; its name without quotes */
bool	message_next(struct json *object, struct str *name, struct str *value);
bool	message_is_object(struct str value);
bool	message_is_string(struct str value);
bool	message_is_integer(struct str value);
/* a slice of the value or of the buffer; empty for other types */
struct str message_string(struct str value, struct buf *);
bool	message_equal(struct str a, struct str b);	/* strings or integers */

/* ---- paths: files beneath the root ------------------------------------------------------- */

/* Identity of a file and its state: differs once the file has changed. */
struct file_id {
	uint64_t	dev, ino, mtime, ctime, size;
};

/*
 * A regular file, or a directory, by the bytes of its path; fails in one way, whatever the reason is.  "":
 * the root.
 */
bool	path_open(const struct mcp_options *, struct str path, bool directory, int *fd, struct file_id *,
    struct err *);

/* ---- calls: one tool, once --------------------------------------------------------------- */

enum call_arg { CALL_FILE, CALL_OTHER, CALL_UNDER, CALL_PATHS, CALL_QUERY = CALL_PATHS, CALL_WORD,
    CALL_CURSOR, CALL_KIND, CALL_TEXTS,
	CALL_LIMIT = CALL_TEXTS, CALL_PID, CALL_SECONDS, CALL_ALL };	/* from CALL_TEXTS on: numbers */

struct call {
	const struct mcp_tool		*tool;
	const struct mcp_options	*o;
	struct files			*files;		/* that are open */
	struct buf			 arguments;	/* JSON, for the log */
	struct buf			 own[CALL_TEXTS];	/* what text points to */
	struct str			 text[CALL_TEXTS];	/* s NULL: not given; of paths the bytes */
	uint64_t			 number[CALL_ALL - CALL_TEXTS];	/* 0: not given */
	bool				 modern;	/* a call of the stateless era */
	bool				 plain;		/* a call of a revision with text alone */
	struct buf			 id, token;	/* JSON; token empty: no progress is wanted */
	struct buf			 out;		/* text */
	struct buf			 object;	/* the same rows as JSON, or empty */
	bool				 failed;	/* out says why */
	bool				 unsaved;	/* the index of the file could not be written */
	bool				 cancelled;	/* nobody waits any more */
	uint64_t			 began, told;	/* ns: of the run, of the last progress */
};

/* ---- tools --------------------------------------------------------------------------- */

struct tool_arg {
	const char	*name;
	enum call_arg	 text;
	bool		 required;
	unsigned	 most;		/* bytes, or the number; 0: behind the last one */
	unsigned	 usual;		/* limit that was not given */
	const char	*what;
};

struct mcp_tool {
	const char		*name, *title, *what;
	const struct tool_arg	*args;
	bool			 rows;		/* the answer of the tool is rows */
	bool			 records;	/* only with --record */
	bool			 changes;	/* the tool does more than read */
	bool			(*run)(struct call *, struct work *, struct err *);
};

const struct mcp_tool *tool_named(const struct mcp_options *, struct str name);
/* Each with its schemas, with commas between; appends. */
void	tools_put(const struct mcp_options *, struct buf *);
/* False: err says what is wrong with these arguments. */
bool	tool_arguments(struct call *, struct str arguments, struct err *);

bool	tool_files(struct call *, struct work *, struct err *);
bool	tool_help(struct call *, struct work *, struct err *);
bool	tool_info(struct call *, struct work *, struct err *);
bool	tool_processes(struct call *, struct work *, struct err *);
bool	tool_overview(struct call *, struct work *, struct err *);
bool	tool_query(struct call *, struct work *, struct err *);
bool	tool_record(struct call *, struct work *, struct err *);
bool	tool_report(struct call *, struct work *, struct err *);

/* ---- files that are open: stores and the rows that were asked last ----------------------------- */

struct opened {
	struct session	 session;
	struct file_id	 id[2];
	char		*path[2];
	size_t		 n;
	struct reply	 asked;
	char		*text;		/* text of the last query; NULL: none was asked yet */
	uint64_t	 used;
};

struct files *files_new(void);
void	files_free(struct files *);	/* NULL is fine */
/* Open one file or two, now or as they were left.  They stay until the next call. */
bool	files_open(struct call *, size_t n, struct opened **, struct work *, struct err *);
/* The rows of a query; the same ones when it is asked again. */
bool	opened_ask(struct opened *, struct str query, struct work *, struct err *);
void	opened_forget(struct opened *);	/* the rows */
/* Saves what was computed, as the index. */
bool	opened_save(struct opened *);

/* ---- pages: rows within a budget ---------------------------------------------------------- */

#define PAGE_TEXT_MOST 512u	/* bytes of a text */

struct page {
	const struct call	*call;
	struct buf		 text, object;	/* both forms so far */
	struct buf		 line, row;	/* of a row on its way */
	size_t			 size;		/* of both forms as they are sent */
	size_t			 cols, rows;	/* so far */
	size_t			 text_most;	/* bytes of a text */
};

void	page_begin(struct page *, const struct call *);
void	page_column(struct page *, const char *name, enum cell_type);
/* A row is begun, gets its cells, and is kept unless it does not fit. */
void	page_row(struct page *);
void	page_cell(struct page *, const struct cell *);
bool	page_keep(struct page *);
/* The row did not fit although it is the first: false, or once more, with shorter texts. */
bool	page_shorten(struct page *, struct err *);
/*
 * cursor: empty unless there are more.  total UINT64_MAX: unknown.  The result goes to the call, notes end
 * with a NULL.
 */
void	page_end(struct page *, struct call *, struct str cursor, uint64_t total, const char *const *notes);
void	page_free(struct page *);

/* ---- cursor: where a page ended ------------------------------------------------------------ */

/* key: of what was asked, and of whom. */
void	cursor_put(struct buf *, uint64_t row, uint64_t key);
bool	cursor_read(struct str, uint64_t key, uint64_t *row, struct err *);
uint64_t cursor_key(struct str asked, const struct file_id *, size_t n);

/* ---- protocol: what a line is answered with ---------------------------------------------------- */

struct server {
	const struct mcp_options	*o;
	struct worker			*worker;	/* NULL: calls are run at once */
	struct files			*files;
	struct buf			 out;		/* to be written */
	bool				 plain;		/* like struct call, after initialize */
	struct call			*running;
	struct call			*waiting[64];
	size_t				 nwaiting;
};

void	server_line(struct server *, struct str line);
/* A line that was longer than LINE_MOST. */
void	server_long_line(struct server *);
/* The running call has ended; the next one begins. */
void	server_ended(struct server *, bool ok, const struct err *);
void	server_progress(struct server *);
void	server_free(struct server *);

/* ---- calls as the protocol sees them: call.c --------------------------------------------------- */

bool	call_run(void *call, struct work *, struct err *);
/* Appends the line that answers a call; nothing if it was cancelled. */
void	call_answer(struct call *, const struct mcp_options *, struct buf *);
void	call_fail(struct call *, const struct err *);
void	call_log(const struct call *, size_t bytes);
void	call_free(struct call *);
/*
 * A line with a result, up to its members, with those that all results of the stateless era have; a member's
 * name.
 */
void	result_begin(struct buf *, struct str id, bool modern, const char *version);
void	result_member(struct buf *, const char *name);
void	server_info(struct buf *, const char *version);

static inline uint64_t
call_number(const struct call *c, enum call_arg arg)
{
	return c->number[arg - CALL_TEXTS];
}

#define LINE_MOST (1u << 20)
#define OUT_MOST (4u << 20)	/* bytes that wait: from there on nothing is read */

#endif
