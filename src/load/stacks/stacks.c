/*
 * Loader of stack dumps: what the threads of a process do at a moment, as JVMs, Go, debuggers and others write it.
 */
#include "config.h"

#include "icecore/json.h"

#include "forms.h"

#define LOOK (1u << 20)		/* bytes in which a form must show */

static bool
stacks_sniff(const uint8_t *head, size_t n)
{
	return stack_form_of((struct str){ (const char *)head, n }, LOOK, NULL) != NULL;
}

/* JSON is read whole or not at all. */
static bool
json_whole(struct str text, struct err *err)
{
	struct json j = { .base = text.s, .size = text.n };
	char c = scan_peek(&j);

	return (c != '{' && c != '[') || scan_skip(&j) ||
	    fail_at(err, E_UNREADABLE, text.n, "a thread dump as JSON that ends inside a value");
}

static bool
stacks_load(struct store *st, struct work *w, struct err *err)
{
	struct dumps_in in;
	struct buf others = BUF_INIT;
	const struct stack_form *form;
	bool ok = false;

	dumps_open(&in, st, w, err);
	str_take(&in.text, STR("\xef\xbb\xbf"));
	in.lines.rest = in.text;
	if ((form = stack_form_of(in.text, LOOK, &others)) == NULL)
		form = stack_form_of(in.text, in.text.n, &others);
	if (form == NULL) {
		fail(err, E_UNREADABLE, "no stack dump in this file");
	} else if (form < stack_forms + STACK_TEXT_FORMS || json_whole(in.text, err)) {
		scratch_budget_rows(in.text.n / 64);
		work_start_bytes(w, "thread dump", in.text.n);
		dump_lines_prefix(&in.lines);
		form->read(&in);
		ok = dumps_columns(&in, form->name, others.n > 0 ? others.s : "");
	}
	dumps_close(&in);
	buf_free(&others);
	return ok;
}

const struct loader load_stacks = {
	"stacks", "stack dumps of Java, Android, Go, Python, .NET, Node.js, Erlang, gdb, lldb and Linux",
	SHAPE_SAMPLES | SHAPE_TRACKS | SHAPE_DUMPS, stacks_sniff, stacks_load, .whole = true
};
