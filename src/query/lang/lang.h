/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lang: the parts of commands: tokens and arguments, literals, cells, rows, conditions, calculations.
 *
 * Private to src/query.  Independent of files and of other rooms: code that reads the file is opened by rooms
 * above.
 */
#ifndef ICECORE_QUERY_LANG_H
#define ICECORE_QUERY_LANG_H

#include "icecore/query.h"

struct nested;

/* ---- tokens -------------------------------------------------------------- */

enum token_kind {
	TOKEN_WORD,		/* text as in the query */
	TOKEN_TEXT,		/* quoted text, without quotes and escapes */
	TOKEN_REGEX,		/* between the slashes */
	TOKEN_OP,		/* = != < <= > >= ~ !~ */
	TOKEN_COMMA,
	TOKEN_OPEN,
	TOKEN_CLOSE,
	TOKEN_PIPE,
	TOKEN_QUERY		/* in parentheses, with them: nested */
};

struct token {
	struct str	text;
	uint32_t	at;		/* column in the query, from 0 */
	enum token_kind	kind;
	bool		nocase;		/* a regex that ends in /i */
	const struct nested *nested;
};

struct tokens {
	struct token	*token;
	size_t		 n, cap;
	char		*plain;		/* the unescaped texts of quoted tokens */
};

/* text must stay as long as the tokens. */
bool	tokens_read(struct tokens *, struct str text, struct err *);
void	tokens_free(struct tokens *);
/* An unquoted word that is exactly this. */
bool	token_is(const struct token *, const char *word);
/* Return the place of the ) that closes the ( at i; n: none.  *piped, unless NULL: a | is directly within. */
size_t	token_closing(const struct token *, size_t n, size_t i, bool *piped);
/* A word with * or ? in it that was not quoted. */
bool	token_is_glob(const struct token *);

/* A source must open over a session without a store as well: it checks its arguments and has no rows. */
struct stage {
	const struct command	*command;
	struct str		 word;	/* word of the command as written, such as p95 for a percentile */
	const struct token	*token;	/* arguments of the stage */
	size_t			 n;
	size_t			 at, end;	/* columns of its word and of what follows it */
	unsigned		 shapes;	/* shapes of the file that the stage is opened for */
};

/* Return the shapes of the file, enum shape or-ed; 0: there is no file, or its shapes are unknown. */
unsigned session_shapes(const struct session *);
/* commands[i] fits, and is the first of those that do with its word in its place. */
bool	command_leads(size_t i, unsigned shapes);
/*
 * Prefer a command of that kind and for those shapes; otherwise any command with that word, otherwise NULL.
 */
const struct command *command_find(struct str word, bool source, unsigned shapes);
/* Column of argument i, or of the end of the stage when there are fewer. */
size_t	stage_at(const struct stage *, size_t i);
/* Fails: "'sum' needs COLUMN ..., e.g. 'methods | sum self'" */
bool	fail_needs(const struct stage *, struct err *);
/* Fails when the command needs arguments and the stage has none: no open needs to look for that. */
bool	stage_has_needed(const struct stage *, struct err *);
/* Fails unless the stage has at most that many arguments. */
bool	stage_at_most(const struct stage *, size_t n, struct err *);
/* The columns that the arguments name, commas allowed between. */
struct column_ref {
	size_t	col;
	bool	down;
	bool	abs;		/* what counts is how far its numbers are from 0 */
};
enum ref_forms {
	REFS_PLAIN,		/* names alone */
	REFS_AMOUNTS,		/* "abs(col)", too */
	REFS_ORDERS		/* "-col" and "-abs(col)", too */
};
bool	stage_columns(const struct stage *, struct rows *in, enum ref_forms, struct column_ref **, size_t *n,
    struct err *);
/* The arguments before and after the word per; false: it is not among them, all are in front. */
bool	stage_per(const struct stage *, struct stage *front, struct stage *per);
/* The path that the first argument of at most that many gives; the caller frees it. */
bool	stage_file(const struct stage *, size_t most, char **path, struct err *);
/* The name for a column that argument i gives behind "as"; the caller frees it. */
bool	stage_name(const struct stage *, size_t i, char **name, struct err *);

/* Arguments that files of several kinds know. */
extern const struct arg_type arg_thread;

/*
 * Words of other query languages: what to write instead; the stage that takes the same arguments. NULL: none.
 */
const char *hint_of(struct str word);
const char *hint_use(struct str word);
#define HINT_ALL_ROWS "use 'count', 'sum x'; per group: 'group KEY: sum x'"

/* ---- literals -------------------------------------------------------------- */

/*
 * The value a word has for a column of that type: 10k is 10240 bytes but
 * 10000 calls, 2ms only a time.  CELL_NONE takes any number.
 */
bool	literal_read(const struct token *, enum cell_type, struct cell *, struct err *);
#define TIME_EXAMPLE "250us, 2ms or 1.5s"
/* Return an example of a value of that type; for a time TIME_EXAMPLE. */
const char *literal_example(enum cell_type);
/* ---- cells ----------------------------------------------------------------- */

double	cell_real(const struct cell *);		/* 0 unless it is a number */
void	cell_abs(struct cell *, enum cell_type column);	/* without its sign, as a cell of that column */
bool	is_real(enum cell_type);		/* .f of a cell is its number */
/* Equal numbers of any type become the same cell.  Times, sizes and money are not numbers here: they stay. */
struct cell cell_normal(struct cell);
/* A text in a column of numbers, such as "n/a". */
bool	cell_is_word(const struct cell *, const struct coldef *);
/* Compare cells for sorting; down: largest first.  Words among numbers come after the numbers either way. */
int	cell_order(const struct cell *, const struct cell *, const struct coldef *, bool down);
/* Sort key for cell_order: a cell never has a greater key than a cell that sorts after it. */
uint64_t cell_place(const struct cell *, const struct coldef *, bool down);
/*
 * Key of a number of any type, ordered by value.  Return false if a different number may have the same key.
 */
bool	cell_number_key(const struct cell *, uint64_t *key);
/* The text in b; rows->err is filled when there was no memory for it. */
void	cell_text(struct rows *, struct cell *, const struct buf *b);

/* ---- rows --------------------------------------------------------------------- */

/* Make rows as rows_new does, with the columns of the command. */
void	*rows_of_command(size_t size, const struct rows_ops *, struct session *, const struct stage *,
    struct rows *in, struct err *);
/* End an open: hand out the rows if ok, otherwise close them.  Returns ok. */
bool	rows_opened(struct rows *, bool ok, struct rows **out);
/* For .reach and .cell of rows that are the rows of in. */
uint64_t same_reach(struct rows *, uint64_t n);
void	same_cell(struct rows *, uint64_t row, size_t col, struct cell *);
/* For .touch: of rows that show those of in and take .reads; of rows that only take these. */
uint64_t touch_same(struct rows *, uint64_t mine, struct touching *);
uint64_t touch_own(struct rows *, uint64_t mine, struct touching *);
uint64_t columns_of_refs(const struct column_ref *, size_t n);
/* False when the work was cancelled: err is filled, end the loop. */
bool	rows_tick(struct rows *, uint64_t done);
/* Return the rows whose columns these rows have: new columns are made there. */
struct rows *rows_origin(struct rows *);
/* Promise that only the first n rows will be read. */
void	rows_limit(struct rows *, uint64_t n);
/* The column that a token names, whole or from some byte on. */
int	rows_need_column(struct rows *, const struct token *, struct str name, struct err *);

/* ---- expressions ----------------------------------------------------------------- */

struct expr;

bool	expr_compile(struct expr **, const struct stage *, struct rows *, struct err *);
void	expr_free(struct expr *);
/* The columns it reads. */
uint64_t expr_touches(const struct expr *);
bool	expr_test(struct expr *, struct rows *, uint64_t row, bool *, struct err *);
/* Decide rows [first, first + n), n <= BATCH, without reading them one by one.  known: enum known each. */
void	expr_tell(struct expr *, struct rows *, uint64_t first, size_t n, uint8_t *known);
/*
 * Find a text that matches except for case, if the condition is a single test of a text; false: none found.
 */
bool	expr_other_case(struct expr *, struct rows *, struct str *);

/* ---- calculations ------------------------------------------------------------------ */

/* A column, or what is computed from some. */
struct operand {
	struct calc	*calc;		/* NULL: the column */
	size_t		 col;
};

/*
 * Reads one expression from argument *i on; *i becomes the argument behind
 * it, which can be a parenthesis that closes none of its own.
 */
bool	operand_compile(struct operand *, const struct stage *, size_t *i, struct rows *, struct err *);
/* The argument is a word with an operator in it, or a name with one behind it. */
bool	calc_begins(const struct stage *, size_t i);
/* The argument begins with an operator. */
bool	calc_continues(const struct stage *, size_t i);
/* The argument begins a calculation: an operator follows, or it is abs( or distance(. */
bool	calc_goes_on(const struct stage *, size_t i);
/*
 * The argument, a word, is a column or contains one and operators; a word that begins with a digit is none.
 */
bool	calc_has_column(const struct stage *, size_t i, struct rows *);
void	operand_free(struct operand *);
uint64_t operand_touches(const struct operand *);	/* the columns it reads */
/* Name and type of an operand.  A calculation is named by its text without blanks, as long as it lives. */
struct coldef operand_column(const struct operand *, const struct rows *);
/* Empty when a cell is, and when it divides by 0. */
void	operand_cell(const struct operand *, struct rows *, uint64_t row, struct cell *);

/* ---- regexes ----------------------------------------------------------------------- */

struct regex;

bool	regex_compile(struct regex **, const struct token *, struct err *);
void	regex_free(struct regex *);
/* Fails when the text would take too many steps: no pattern can hang. */
bool	regex_test(struct regex *, struct str, bool *, struct err *);

/* ---- traces ------------------------------------------------------------------------ */

/*
 * Columns of calls, merged and inverted.  Profiles have those from CALL_FUNCTION on in the places of those
 * from CALL_METHOD on.
 */
enum call_col { CALL_ID, CALL_PARENT, CALL_THREAD, CALL_DEPTH, CALL_METHOD, CALL_CALLS, CALL_SELF_WALL,
    CALL_TOTAL_WALL,
	CALL_SELF_CPU, CALL_TOTAL_CPU, CALL_SELF_OFF, CALL_TOTAL_OFF, CALL_FUNCTION,
	    CALL_THREAD_ID = 2 * CALL_FUNCTION - CALL_METHOD,
	CALL_METHOD_ID, CALL_SELF_PCT, CALL_TOTAL_PCT, CALL_PACKAGE, CALL_KIND, CALL_MODULE, CALL_PROCESS,
	    CALL_DETAIL, CALL_COLS };

/* The columns of a list that a file has, and the index of each in the list. */
#define COLUMN_SET_MAX 60
struct column_set {
	struct coldef	col[COLUMN_SET_MAX];
	uint8_t		from[COLUMN_SET_MAX];
	size_t		n;
};

/*
 * Column any of calls, merged and inverted: the frames of a stack, a line each, the outermost first.  Made
 * when it is named.
 */
#define COLUMN_ANY "any"

/* Methods from a frame outwards. */
struct any {
	uint32_t	*method;
	size_t		 n, cap;
};

/* Return the place of a column, where column any is made when it is first named; -1: no such column. */
int	any_find(struct rows *, struct column_set *, struct str name);
/* Add a column that a query names; there is room for it.  Return its place. */
int	column_set_add(struct rows *, struct column_set *, struct coldef);
/* For .known of such rows. */
bool	any_known(struct rows *, uint64_t i, struct str *name);
bool	any_add(struct any *, uint32_t method);
/* Append the names of the frames, and remove the frames. */
void	any_text(struct any *, const struct store *, struct buf *);

/* The rows of the call tree that rows came from, in which all callers are; NULL: they came from none. */
struct rows *tree_rows(struct rows *);
/*
 * The row of a call there; they are in the order of their ids.  False: it is not known yet, or there is none.
 */
bool	tree_row(struct rows *tree, uint64_t id, uint64_t *row);

/*
 * The arguments of a stage one after the other, from *i = 0 on, commas between them left out; NULL: no more.
 */
const struct token *stage_next(const struct stage *, size_t *i);
/*
 * There is no thread, class, ... of that name: the nearest of n names is shown, else the query that lists
 * them.
 */
bool	fail_no_name(const struct token *, const char *what, const char *query,
	    struct str (*name)(void *, uint64_t), void *arg, uint64_t n, struct err *);
#include "keys.h"
#include "icecore/batch.h"

/* ---- sifted ------------------------------------------------------------------------ */

/*
 * Part of the manual of src/query/lang: rows that are some of others, found as far as they are
 * asked for.
 */

/* Whether a row matches, as far as that is known without reading the row alone. */
enum known { KNOWN_NOT, KNOWN_FALSE, KNOWN_TRUE };

struct sifted {
	struct rows	 rows;
	struct rows	*from;		/* the others; NULL: in */
	/* Decides about row next; false: no more rows, or rows.err is filled. */
	bool		(*wants)(struct sifted *, bool *yes);
	/* Set known of n rows from next on; wants is called for those that are KNOWN_NOT.  NULL: all are. */
	void		(*tell)(struct sifted *, size_t n, uint8_t *known);
	uint64_t	 asked, told;	/* known is about these rows and all rows before them */
	uint8_t		 known[BATCH];
	/* u64: row of from for each row; nobody will look at it where no column is read */
	struct scratch	 found;
	uint64_t	 n, next;	/* rows known, next row of from to look at */
	bool		 ended;
	struct batch	*piece;		/* batch of from; or NULL */
};

/* Make rows as rows_new does; size: bytes of a struct that begins with a struct sifted. */
void	*sifted_new(size_t size, const struct rows_ops *, bool (*wants)(struct sifted *, bool *yes),
    struct session *,
	    struct rows *in, struct err *);
void	sifted_close(struct sifted *);	/* frees what it holds itself */
uint64_t sifted_reach(struct rows *, uint64_t n);
void	sifted_cell(struct rows *, uint64_t row, size_t col, struct cell *);
bool	sifted_batch(struct rows *, uint64_t first, size_t n, size_t col, struct batch *);

/* ---- nested ------------------------------------------------------------------------ */

/*
 * Part of the manual of src/query/lang: queries in parentheses, and sets of the cells that they
 * give.
 */

struct stage;
struct token;

#define NESTED_MAX 4		/* in one another */

/* The query of a TOKEN_QUERY.  It reads the file of the query around it, without the views of that query. */
struct nested {
	/* session: that of the stage that contains the query. */
	bool	(*open)(const struct nested *, struct session *, unsigned shapes, struct rows **,
	    struct err *);
	/* Do the same as rows_touch, for rows that open gave. */
	void	(*touch)(const struct nested *, struct rows *, uint64_t columns, struct touching *);
	size_t	 diff;		/* column of a stage that compares files; 0: it has none */
};

/* Name the cells of a column in a message: "object", "string", "time". */
const char *column_meaning(const struct coldef *);

/* ---- sets of cells ------------------------------------------------------------------- */

/* The cells of the one column of a query, read at the first look-up. */
struct answer;

/* def: of the column that the cells are compared with; query: its token. */
bool	answer_open(struct answer **, const struct stage *, const struct token *query, struct rows *in,
    const struct coldef *def,
	    struct err *);
bool	answer_has(struct answer *, struct rows *in, const struct cell *, bool *yes, struct err *);
void	answer_close(struct answer *);

#endif
