/*
 * inspect_jvm: classes, class loaders, threads, and what there is only one of.
 */
#include "config.h"

#include "inspect.h"

void
inspect_singleton(struct inspector *in, uint32_t object, struct verdict *v)
{
	(void)in;
	(void)object;
	verdict_not(v, "there is one, as long as the process lives");
}

/* ---- class loaders ------------------------------------------------------------------ */

/* Applications may load classes by loaders of their own and drop them, where that is not Android. */
static bool
lives_forever(const struct inspector *in, uint32_t loader)
{
	static const char *const names[] = {
		"jdk.internal.loader.BuiltinClassLoader", "sun.misc.Launcher$AppClassLoader",
		"sun.misc.Launcher$ExtClassLoader", "java.lang.BootClassLoader"
	};
	size_t i;

	if (loader == 0 || in->android)
		return true;
	for (i = 0; i < NELEM(names); i++)
		if (inspect_named(in, loader, names[i]))
			return true;
	return false;
}

void
inspect_loader(struct inspector *in, uint32_t object, struct verdict *v)
{
	if (lives_forever(in, object))
		verdict_not(v, "a class loader that stays");
}

void
inspect_class_object(struct inspector *in, uint32_t object, struct verdict *v)
{
	uint32_t class = heap_class_of_object(&in->h, object);
	uint64_t loader = column_get(in->class_loader, class - 1ull);

	if (class != 0 && lives_forever(in,
	    (uint32_t)column_get(in->loader_object, loader - 1)))
		verdict_not(v, "a class");
}

/* ---- threads -------------------------------------------------------------------------- */

static void
make_running(struct inspector *in)
{
	const struct column *threads = in->h.jthread_object;
	uint64_t i, object;

	in->running_made = true;
	for (i = 0; threads != NULL && i < threads->rows; i++) {
		object = column_get(threads, i);
		if (object != 0 && !idmap_put(&in->running, object, 1, NULL))
			return;
	}
}

void
inspect_thread(struct inspector *in, uint32_t object, struct verdict *v)
{
	static const struct inspect_field text = { "java.lang.Thread", "name" };
	uint32_t name = field_object(in, object, &text);
	struct buf b = BUF_INIT;

	if (!in->running_made)
		make_running(in);
	if (idmap_get(&in->running, object) == 0)
		return;
	(void)(heap_string(&in->h, name, 8, &b) || heap_chars(&in->h, name, 8, &b));
	verdict_not(v, str_eq(buf_view(&b), STR("main")) ? "the main thread" : "a running thread");
	buf_free(&b);
}
