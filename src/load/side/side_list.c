/*
 * Lists of thread ids and names: "tid name" lines, what ps prints with or without a head, and what /proc has.
 */
#include "config.h"

#include <string.h>

#include "side.h"

/* Which words of a line are what, as the head of the list says. */
struct head {
	bool	there;
	size_t	tid, name;	/* words before them */
};

static struct str
next_word(struct str *rest)
{
	struct str word;

	*rest = str_skip_blanks(*rest);
	word = (struct str){ rest->s, 0 };
	while (word.n < rest->n && !is_blank(rest->s[word.n]))
		word.n++;
	*rest = str_behind(*rest, word.n);
	return word;
}

static bool
is_any(struct str word, const char *const *list, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (str_eq(word, str_of(list[i])))
			return true;
	return false;
}

/* "PID TID CMD": the name must come last, because it may have blanks; a thread's id counts before its process's. */
static bool
read_head(struct head *h, struct str line)
{
	static const char *const tids[] = { "TID", "LWP", "SPID" };
	static const char *const pids[] = { "PID" };
	static const char *const names[] = { "COMMAND", "CMD", "COMM", "NAME", "UCMD" };
	bool tid = false, id = false, name = false;
	struct head found = { .there = true };
	struct str word;
	size_t i;

	for (i = 0; (word = next_word(&line)).n > 0; i++) {
		name = is_any(word, names, NELEM(names));
		if (name)
			found.name = i;
		else if (!tid && (is_any(word, tids, NELEM(tids)) ||
		    (!id && is_any(word, pids, NELEM(pids))))) {
			tid = is_any(word, tids, NELEM(tids));
			id = true;
			found.tid = i;
		}
	}
	if (!id || !name)
		return false;
	*h = found;
	return true;
}

/* "124 (name) S 1 ...": a stat file; the name ends at the last parenthesis. */
static struct str
stat_name(struct str rest)
{
	const char *end;

	if (rest.n < 2 || rest.s[0] != '(' || (end = memrchr(rest.s, ')', rest.n)) == NULL)
		return rest;
	if (end + 3 > rest.s + rest.n || end[1] != ' ')
		return rest;
	return (struct str){ rest.s + 1, (size_t)(end - rest.s - 1) };
}

static bool
split_headed(const struct head *h, struct str line, uint64_t *tid, struct str *name)
{
	struct str word;
	size_t i;
	bool ok = false;

	for (i = 0; i < h->name; i++) {
		word = next_word(&line);
		if (i == h->tid)
			ok = str_number_any(&word, tid) && word.n == 0;
	}
	line = str_skip_blanks(line);
	*name = str_trim(line);
	return ok;
}

/* "/proc/100/task/101/comm:name", as grep prints it. */
static bool
split_proc(struct str line, uint64_t *tid, struct str *name)
{
	const char *at = memmem(line.s, line.n, "/comm:", 6), *p = at;
	struct str id;

	if (at == NULL)
		return false;
	while (p > line.s && p[-1] >= '0' && p[-1] <= '9')
		p--;
	id = (struct str){ p, (size_t)(at - p) };
	*name = (struct str){ at + 6, (size_t)(line.s + line.n - at - 6) };
	return str_number_any(&id, tid);
}

static bool
split_line(const struct head *h, struct str line, uint64_t *tid, struct str *name)
{
	struct str word;

	if (h->there)
		return split_headed(h, line, tid, name);
	if (line.n > 0 && line.s[0] == '/')
		return split_proc(line, tid, name);
	word = next_word(&line);
	if (!str_number_any(&word, tid) || word.n > 0)
		return false;
	/* Behind a tab everything is the name. */
	if (line.n > 0 && line.s[0] == '\t')
		*name = (struct str){ line.s + 1, line.n - 1 };
	else {
		line = str_skip_blanks(line);
		*name = stat_name(str_trim(line));
	}
	return true;
}

bool
side_list(struct sides *s, struct str text, bool *any, struct err *err)
{
	struct head head = { .there = false };
	const char *from = text.s;
	struct side_row *row;
	struct str line, name;
	uint64_t tid, ignored = 0;

	*any = false;
	s->dump++;
	work_start(s->work, "list of threads", text.n);
	while (side_line(&text, &line)) {
		if (!work_tick(s->work, (uint64_t)(line.s - from)))
			return fail_cancel(err);
		if (line.n == 0 || line.s[0] == '#' || read_head(&head, line))
			continue;
		if (!split_line(&head, line, &tid, &name) || name.n == 0) {
			ignored++;
			continue;
		}
		row = side_row(s, err);
		if (row == NULL)
			return false;
		row->tid = tid;
		row->name = name;
		*any = true;
	}
	s->ignored += *any ? ignored : 0;
	return true;
}
