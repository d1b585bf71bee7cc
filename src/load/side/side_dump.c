/*
 * Thread dumps: of HotSpot (jstack, jcmd Thread.print, kill -3, JMX, Thread.dump_to_file), ART (ANR) and OpenJ9
 * (javacore).
 *
 * Line formats: javaThread.cpp, osThread.cpp and threadDumper.cpp of HotSpot, thread.cc of ART, javadump.cpp of
 * OpenJ9.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "side.h"

struct dump {
	struct sides	*s;
	uint64_t	 row;		/* 1 + the row of the current stack; 0: none */
	bool		 any;
};

/* Texts that may follow the name of a thread, beginning with the blank. */
static const char *const behind[] = {
	" #", " daemon", " prio=", " os_prio=", " virtual", " - Thread t@", " id=", " tid=", " nid="
};

static bool
side_dump_has(struct str line, const char *start)
{
	return str_has_prefix(line, str_of(start));
}

/* ---- header line of a thread --------------------------------------------------------------- */

/* A name may contain quotes: it ends at the last quote that is followed by thread data. */
static bool
side_dump_split_name(struct str line, struct str *name, struct str *rest)
{
	const char *q, *end = line.s + line.n;

	if (line.n < 2 || line.s[0] != '"')
		return false;
	while ((q = memrchr(line.s + 1, '"', (size_t)(end - line.s - 1))) != NULL) {
		*rest = (struct str){ q + 1, (size_t)(line.s + line.n - q - 1) };
		for (size_t i = 0; i < NELEM(behind); i++)
			if (side_dump_has(*rest, behind[i])) {
				*name = (struct str){ line.s + 1, (size_t)(q - line.s - 1) };
				return true;
			}
		end = q;
		if (end == line.s + 1)
			break;
	}
	return false;
}

/* "runnable  [0x0007]": without the stack address. */
static struct str
side_dump_state_of(struct str rest)
{
	size_t n = rest.n;

	if (n > 0 && rest.s[n - 1] == ']')
		while (n > 0 && rest.s[n - 1] != '[')
			n--;
	n -= n > 0 && n < rest.n;
	return str_trim((struct str){ rest.s, n });
}

/* "#19", "[30467]", "daemon", "cpu=0.44ms", "tid=0x7f92", "nid=0x2a42", then the state. */
static void
side_dump_read_words(struct side_row *row, struct str rest)
{
	bool numbered = false;
	struct str word;
	uint64_t value;

	while (str_split(&rest, ' ', &word)) {
		if (str_take(&word, STR("nid="))) {
			if (str_number_any(&word, &value) && word.n == 0)
				row->tid = value;
			row->state = side_dump_state_of(rest);
			return;
		}
		if (side_dump_has(word, "id=") || side_dump_has(word, "t@")) {
			row->state = str_take(&rest, STR("in ")) ? rest : STR("");
			return;
		}
		if (side_dump_has(word, "tid="))
			row->state = side_dump_state_of(rest);
		row->virtual |= side_dump_has(word, "virtual");
		if (numbered && word.n > 2 && word.s[0] == '[') {
			word = (struct str){ word.s + 1, word.n - 2 };
			if (str_number_any(&word, &value) && word.n == 0)
				row->tid = value;
		}
		/* After the first key=value, brackets contain an address, not an id. */
		numbered = (numbered && memchr(word.s, '=', word.n) == NULL) || side_dump_has(word, "#");
	}
}

/* A partial dump may lack its heading. */
static struct side_row *
new_row(struct dump *d, struct str name, struct err *err)
{
	struct side_row *row;

	d->s->dump += !d->any;
	d->any = true;
	row = side_row(d->s, err);
	if (row != NULL)
		row->name = name;
	d->row = d->s->nrows;
	return row;
}

static bool
side_dump_read_thread(struct dump *d, struct str line, struct err *err)
{
	struct str name, rest;
	struct side_row *row;

	d->row = 0;
	if (!side_dump_split_name(line, &name, &rest))
		return true;
	row = new_row(d, name, err);
	if (row != NULL)
		side_dump_read_words(row, rest);
	return row != NULL;
}

/* '#21 "name" virtual', of Thread.dump_to_file, which has no system ids. */
static bool
read_numbered(struct dump *d, struct str line, struct err *err)
{
	struct str rest = str_behind(line, 1), name;
	struct side_row *row;
	uint64_t id;

	if (!str_number_any(&rest, &id) || !str_take(&rest, STR(" \"")) || !str_divide_last(rest, '"', &name, &rest))
		return true;
	row = new_row(d, name, err);
	d->row = 0;
	if (row != NULL)
		row->virtual = memmem(rest.s, rest.n, "virtual", 7) != NULL;
	return row != NULL;
}

/* ---- lines of a stack -------------------------------------------------------------------------- */

static struct side_row *
side_dump_row_of(const struct dump *d)
{
	assert(d->row != 0 && d->row <= d->s->nrows);
	return &SCRATCH(d->s->rows, struct side_row)[d->row - 1];
}

static void
read_detail(struct side_row *row, struct str line)
{
	struct str rest = str_skip_blanks(line), id;
	uint64_t tid;

	if (str_take(&rest, STR("at ")))
		row->top = row->top.n > 0 ? row->top : rest;
	else if (str_take(&rest, STR("java.lang.Thread.State: ")))
		row->state = str_trim(rest);
	else if (side_dump_has(rest, "Carrying virtual thread"))
		row->state = rest;
	else if (side_dump_has(rest, "| ") && str_divide(rest, STR("sysTid="), &rest, &id) && str_number_any(&id, &tid))
		row->tid = tid;
}

/* ---- OpenJ9: each line begins with a tag ----------------------------------------------------------- */

static struct str
core_state(struct str line)
{
	static const struct { struct str tag, word; } states[] = {
		{ STR("state:R,"), STR("runnable") }, { STR("state:CW,"), STR("waiting on condition") },
		{ STR("state:B,"), STR("blocked") }, { STR("state:P,"), STR("parked") },
		{ STR("state:S,"), STR("suspended") }, { STR("state:Z,"), STR("dead") },
	};

	for (size_t i = 0; i < NELEM(states); i++)
		if (memmem(line.s, line.n, states[i].tag.s, states[i].tag.n) != NULL)
			return states[i].word;
	return STR("");
}

/* "native thread ID:0x64", in older versions "native ID:0x64". */
static void
read_core_id(struct side_row *row, struct str line)
{
	struct str before, rest;
	uint64_t tid;

	if ((str_divide(line, STR("native thread ID:"), &before, &rest) ||
	    str_divide(line, STR("native ID:"), &before, &rest)) && str_number_any(&rest, &tid))
		row->tid = tid;
}

/*
 * '"main" J9VMThread:0x20200, omrthread_t:0x7F, java/lang/Thread:0x72, state:CW, prio=5'; its id is on the next line.
 */
static bool
read_core_thread(struct dump *d, struct str line, struct err *err)
{
	struct side_row *row;
	struct str tag, name, rest;

	d->row = 0;
	/* Native threads have no names. */
	if (!str_divide(line, STR("\""), &tag, &rest) || (!str_divide(rest, STR("\" J9VMThread:"), &name, &rest) &&
	    !str_divide(rest, STR("\" (TID:"), &name, &rest)))
		return true;
	row = new_row(d, name, err);
	if (row == NULL)
		return false;
	row->state = core_state(rest);
	read_core_id(row, rest);
	return true;
}

static bool
read_core_line(struct dump *d, struct str line, struct err *err)
{
	struct str rest = line;

	if (str_take(&rest, STR("4XESTACKTRACE ")) && d->row != 0) {
		side_dump_row_of(d)->slashes = true;
		read_detail(side_dump_row_of(d), rest);
	}
	if (side_dump_has(line, "3XMTHREADINFO "))
		return read_core_thread(d, line, err);
	if (side_dump_has(line, "3XMTHREADINFO1 ") && d->row != 0)
		read_core_id(side_dump_row_of(d), line);
	d->s->deadlocks += side_dump_has(line, "1LKDEADLOCK ");
	if (side_dump_has(line, "0SECTION       TITLE ")) {
		d->s->dump++;
		d->any = true;
	}
	return true;
}

static bool
is_head(struct str line)
{
	return side_dump_has(line, "Full thread dump") || side_dump_has(line, "----- pid ");
}

static bool
side_dump_read_line(struct dump *d, struct str line, struct err *err)
{
	if (line.n == 0) {
		d->row = 0;
		return true;
	}
	if (is_head(line)) {
		d->s->dump++;
		d->any = true;
		d->row = 0;
		return true;
	}
	switch (line.s[0]) {
	case '"':
		return side_dump_read_thread(d, line, err);
	case '#':
		return read_numbered(d, line, err);
	case ' ':
	case '\t':
		if (d->row != 0)
			read_detail(side_dump_row_of(d), line);
		return true;
	case '0':
	case '1':
	case '3':
	case '4':
		return read_core_line(d, line, err);
	case 'F':
		d->s->deadlocks += side_dump_has(line, "Found one Java-level deadlock");
		return true;
	default:
		return true;
	}
}

bool
side_dump(struct sides *s, struct str text, bool *any, struct err *err)
{
	struct dump d = { .s = s };
	const char *from = text.s;
	struct str line;

	work_start_bytes(s->work, "thread dump", text.n);
	while (side_line(&text, &line)) {
		if (!work_go(s->work, (uint64_t)(line.s - from), err) || !side_dump_read_line(&d, line, err))
			return false;
	}
	*any = d.any;
	return true;
}
