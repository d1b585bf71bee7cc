/*
 * pages: what the rows say, as pages of HTML: the groups, the dumps, and the findings of each dump.
 */
#include "config.h"

#include <unistd.h>

#include "fleet.h"

#define PAGE "page"

/* Link to a page by the hash of the path, because names may be too long and contain any character. */
static void
pages_add_link(struct str path, struct buf *b)
{
	char hash[HASH_TEXT];

	hash_text(path, hash);
	buf_printf(b, "%s.html", hash);
}

static bool
write_page(struct session *session, const char *query, const struct draw_options *how, const char *path, struct err *err)
{
	struct reply a;
	uint64_t n, size;
	bool ok = query_ask(&a, str_of(query), 0, session, NULL, err) && rows_write(a.rows, FORMAT_HTML, how, path, true, &n, &size, err);

	reply_close(&a);
	return ok;
}

struct paging {
	struct session	*session;
	struct buf	 path, title, text;
	size_t		 folder;	/* bytes of path */
};

static void
pages_path_in(struct paging *p, const char *name)
{
	p->path.n = p->folder;
	buf_str(&p->path, str_of(name));
}

/* Rows of dumps are numbered as they come. */
static bool
page_of_dump(void *to, struct rows *r, uint64_t row, struct err *err)
{
	static const char *const told[][2] = { { "state", ": " }, { "dumped_at", ", " }, { "reason", "; " } };
	struct paging *p = to;
	struct draw_options how = { .next = "index.html", .next_title = "All groups" };
	char query[160];

	(void)rows_text(r, row, "path", &p->title);
	pages_path_in(p, "");
	pages_add_link(buf_view(&p->title), &p->path);
	if (!p->path.bad && access(p->path.s, F_OK) == 0)
		return true;
	for (size_t i = 0; i < NELEM(told); i++)
		if (rows_text(r, row, told[i][0], &p->text)) {
			buf_str(&p->title, str_of(told[i][1]));
			buf_str(&p->title, buf_view(&p->text));
		}
	if (p->path.bad || p->title.bad)
		return fail(err, E_SYSTEM, "out of memory (page)");
	how.title = buf_view(&p->title);
	snprintf(query, sizeof query, "findings | where dump = %llu | select severity kind retained percent count holder content why "
	    "signature hash", (unsigned long long)row + 1);
	return write_page(p->session, query, &how, p->path.s, err);
}

static bool
make_all(struct paging *p, struct err *err)
{
	const struct draw_options groups = { .title = STR("Leaks and warnings by signature"), .linked = "exemplar", .link = pages_add_link,
	    .next = "dumps.html", .next_title = "All dumps" };
	const struct draw_options dumps = { .title = STR("Heap dumps"), .linked = "path", .link = pages_add_link, .next = "index.html",
	    .next_title = "All groups" };

	/* Write the pages of the dumps first: the tables link to them. */
	if (!rows_each(p->session, "dumps | select path state dumped_at reason", NULL, page_of_dump, p, err))
		return false;
	pages_path_in(p, "dumps.html");
	if (!write_page(p->session, "dumps", &dumps, p->path.s, err))
		return false;
	pages_path_in(p, "index.html");
	/* The most important columns and the link come first, so that they fit a window without scrolling. */
	return write_page(p->session, "groups | select dumps retained_max kind content holder exemplar first last builds signature hash",
	    &groups, p->path.s, err);
}

bool
pages_make(const struct out_dir *out, struct err *err)
{
	struct session session = { .nstores = 0 };
	struct paging p = { .session = &session, .path = BUF_INIT, .title = BUF_INIT, .text = BUF_INIT };
	struct out_dir page = OUT_DIR_INIT;
	struct buf text = BUF_INIT;
	bool ok = out_read(out, &text, err);

	if (ok && text.n > 0 && (ok = outdir_below(&page, out, PAGE, true, err))) {
		outdir_path(&page, "", &p.path);
		p.folder = p.path.n;
		ok = rows_session(&session, &text, err) && (make_all(&p, err) || outdir_fail(&page, p.path.bad ? "" : p.path.s + p.folder, err));
	}
	session_close(&session);
	outdir_close(&page);
	buf_free(&p.path);
	buf_free(&p.title);
	buf_free(&p.text);
	buf_free(&text);
	return ok;
}

void
pages_forget(const struct out_dir *out, struct str path)
{
	struct buf b = BUF_INIT, shown = BUF_INIT;
	struct out_dir page;
	struct err ignored;

	text_escape(&shown, path);
	pages_add_link(buf_view(&shown), &b);
	if (outdir_below(&page, out, PAGE, false, &ignored) && !b.bad && !shown.bad)
		(void)unlinkat(page.fd, b.s, 0);
	outdir_close(&page);
	buf_free(&b);
	buf_free(&shown);
}
