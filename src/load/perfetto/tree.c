/*
 * tree: scans of the processes that run, and their threads.
 */
#include "config.h"

#include <stdio.h>

#include "perfetto.h"

enum { KTHREADD = 2 };	/* the parent of the kernel's threads */

/* argv[0]; of one element the first word. */
static struct str
command_name(struct str first, unsigned n)
{
	return n == 1 ? str_until(first, ' ') : first;
}

/* A worker of the kernel is called by its queue as well, "kworker/0:1-events", which changes. */
static struct str
worker_name(struct str name)
{
	size_t n = 0;

	if (!str_has_prefix(name, STR("kworker/")))
		return name;
	while (n < name.n && name.s[n] != '-' && name.s[n] != '+')
		n++;
	return str_head(name, n);
}

/* What a process was started as: by whom, for which user, and with which command line. */
static bool
process_started(struct perfetto *p, uint32_t process, uint32_t parent, const struct proto_field *uid, struct str args, struct err *err)
{
	struct pf_process *r = pf_process_at(p, process);
	struct proto_field f;
	char digits[16];
	bool bad = false;

	buf_clear(&p->text);
	while (proto_next_whole(&args, &f, &bad))
		if (f.number == 3 && f.wire == PROTO_BYTES && p->text.n < PF_TEXT_MOST) {
			buf_str(&p->text, p->text.n > 0 ? STR(" ") : STR(""));
			buf_str(&p->text, str_head(f.in, PF_TEXT_MOST));
		}
	r->parent = parent != 0 && parent != process ? parent : r->parent;
	snprintf(digits, sizeof digits, "%u", (unsigned)uid->value);
	return (p->text.n == 0 || marks_word_of(&p->marks, buf_view(&p->text), &r->command, err)) &&
	    (uid->number == 0 || marks_word_of(&p->marks, str_of(digits), &r->uid, err));
}

/* {1 pid, 2 parent, 3 command line, 5 uid, 9 that is the name of the thread}: the parent is a process as well. */
static bool
tree_take_process(struct perfetto *p, struct str m, struct err *err)
{
	struct proto_field f, uid = { .number = 0 };
	struct str name = STR(""), all = m;
	uint32_t pid = 0, parent = 0, process, parent_at = 0;
	unsigned args = 0;
	bool bad = false, of_thread = false;

	while (proto_next_whole(&m, &f, &bad)) {
		if (f.number == 1 && f.wire == PROTO_VARINT)
			pid = (uint32_t)f.value;
		if (f.number == 2 && f.wire == PROTO_VARINT)
			parent = (uint32_t)f.value;
		if (f.number == 3 && f.wire == PROTO_BYTES && args++ == 0)
			name = f.in;
		if (f.number == 5 && f.wire == PROTO_VARINT)
			uid = f;
		of_thread |= f.number == 9 && f.value != 0;
	}
	if (args == 0 || bad || pid == 0)
		return true;
	if ((parent != 0 && (parent_at = pf_process(p, parent, err)) == 0) || (process = pf_process(p, pid, err)) == 0 ||
	    !process_started(p, process, parent_at, &uid, all, err))
		return false;
	pf_process_at(p, process)->kernel = parent == KTHREADD;
	name = parent == KTHREADD ? worker_name(name) : name;
	return pf_process_name(p, process, command_name(name, args), PF_NAMED_TRACK, err) &&
	    (!of_thread || pf_task_name(p, pf_task(p, pid, err), name, PF_NAMED_TREE, err));
}

/* {1 tid, 2 name, 3 pid} */
static bool
tree_take_thread(struct perfetto *p, struct str m, struct err *err)
{
	struct proto_field f;
	struct str name = STR("");
	struct pf_task *t;
	uint32_t tid = 0, pid = 0;
	bool bad = false;

	while (proto_next_whole(&m, &f, &bad)) {
		if (f.number == 1 && f.wire == PROTO_VARINT)
			tid = (uint32_t)f.value;
		if (f.number == 2 && f.wire == PROTO_BYTES)
			name = f.in;
		if (f.number == 3 && f.wire == PROTO_VARINT)
			pid = (uint32_t)f.value;
	}
	if (bad)
		return true;
	t = pf_task_in(p, tid, pid, err);
	if (t != NULL && tid == pid && t->process != 0 && pf_process_at(p, t->process)->kernel)
		name = worker_name(name);
	return pf_task_name(p, t, name, PF_NAMED_TREE, err);
}

bool
pf_tree(struct perfetto *p, struct str m, struct err *err)
{
	struct proto_field f;
	bool bad = false;

	while (proto_next_whole(&m, &f, &bad))
		if (f.wire == PROTO_BYTES && ((f.number == 1 && !tree_take_process(p, f.in, err)) || (f.number == 2 && !tree_take_thread(p,
		    f.in, err))))
			return false;
	p->count[PF_BAD_PACKETS] += bad;
	return true;
}
