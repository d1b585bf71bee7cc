/*
 * finding_kinds: the one list of kinds of findings.
 */
#include "config.h"

#include "icecore/leak.h"

const char *const severity_names[SEVERITIES] = { "note", "warning", "leak" };

const struct finding_row finding_rows[FINDINGS] = {
	[FINDING_ACTIVITY] = { "activity", SEVERITY_LEAK, 400,
	    "an Activity that was destroyed and can still be reached",
	    "mDestroyed is true, so the system is done with it; a reference from a root keeps it and all\n"
	    "its views, which are counted with it.  Follow the path to the last object that is meant to be alive:\n"
	    "the reference below it has to be cleared in onDestroy, or must not hold the Activity." },
	[FINDING_FRAGMENT] = { "fragment", SEVERITY_LEAK, 400,
	    "a Fragment that was destroyed and can still be reached",
	    "It belongs to no FragmentManager any more, or its lifecycle is DESTROYED.  Clear the reference\n"
	    "that is marked on its path when the Fragment goes away." },
	[FINDING_VIEW] = { "view", SEVERITY_LEAK, 400,
	    "a View that was taken from its window, or whose Activity is destroyed",
	    "mAttachInfo is null after it was attached (mWindowAttachCount), or its context is a destroyed\n"
	    "Activity.  A Fragment that keeps its views must drop them in onDestroyView." },
	[FINDING_STATIC_VIEW] = { "static view", SEVERITY_WARNING, 400,
	    "a static field of a class of the app holds a View",
	    "A View holds its Activity, and a static lives as long as the process: it will leak the Activity\n"
	    "when that is destroyed.  Keep no View in a static, or clear it in onDestroy.",
	    "held by a static of %L; %r retained" },
	[FINDING_ROOT_VIEW] = { "root view", SEVERITY_LEAK, 400,
	    "the root of a window that was closed and can still be reached",
	    "ViewRootImpl without a view, or of a destroyed Activity: a dialog, popup or toast was not\n"
	    "dismissed, or something holds it.  Follow its path." },
	[FINDING_CONTEXT] = { "context", SEVERITY_LEAK, 400,
	    "a Context that wraps a destroyed Activity",
	    "Its mBase or mOuterContext leads to an Activity with mDestroyed.  What lives longer than an\n"
	    "Activity should be given the application's context." },
	[FINDING_SERVICE] = { "service", SEVERITY_LEAK, 400,
	    "a Service that was stopped and can still be reached",
	    "It is not among the services of ActivityThread (mServices) any more.  Follow its path: a\n"
	    "registered listener, a thread or a static holds it." },
	[FINDING_DIALOG] = { "dialog", SEVERITY_LEAK, 400,
	    "a Dialog, Window or Toast that was dismissed and can still be reached",
	    "Its window is gone or destroyed.  Drop the reference that is marked on its path when it is\n"
	    "dismissed." },
	[FINDING_OTHER] = { "ended object", SEVERITY_LEAK, 400,
	    "something that was shut down (a quit message queue, a cleared ViewModel, a disposed composition) and is held",
	    "A field of it says that it ended: mQuitting, mCleared, disposed, dead.  Nothing should hold it\n"
	    "then; follow its path." },
	[FINDING_WATCHED] = { "watched object", SEVERITY_LEAK, 400,
	    "an object that LeakCanary expected to go away, and that did not",
	    "A KeyedWeakReference has its referent and a time since which it counts as retained.  The app said\n"
	    "that it was done with the object; follow its path." },
	[FINDING_CURSOR] = { "cursor", SEVERITY_WARNING, 400,
	    "Cursors or their windows that were not closed",
	    "An open one is what it should be while it is used.  Told are those that a static keeps, those that only\n"
	    "wait for their finalizer, and more than 20 that are held in one way.  Call close(), best by\n"
	    "try-with-resources or use.",
	    "%n {1is|are} open{m and only wait for their finalizer}; %r retained" },
	[FINDING_BITMAP_RECYCLED] = { "recycled bitmap", SEVERITY_NOTE, 100,
	    "Bitmaps that were recycled and are still held",
	    "Their pixels are gone, the objects are small: reported when one still has its pixel buffer, or when\n"
	    "there are ten or more.  A cache or an ImageView keeps what is of no use; using one throws.",
	    "%n {1was|were} recycled and {1is|are} held{m, %m with pixels}; %r retained" },
	[FINDING_BITMAP_COPIES] = { "equal bitmaps", SEVERITY_WARNING, 100,
	    "several Bitmaps with the same pixels",
	    "Sides, format and all bytes are equal.  Reported from 64 KiB of waste, or 1 % of the live heap; those\n"
	    "that are held in one way are one finding.\n"
	    "Load the image once and share it; the query bitmaps lists the copies.",
	    "%n bitmaps show {2only %m different pictures|the same picture}; %r could be saved" },
	[FINDING_FINALIZER] = { "finalizer queue", SEVERITY_WARNING, 200,
	    "many objects wait for finalize()",
	    "Only the finalizer still holds them, with all that hangs on them, until finalize() has run: reported from 1000 of a\n"
	    "class, or when they hold 1 MiB and a fiftieth of the live bytes.  The thread Finalizer hangs or is too slow: look at\n"
	    "its stack.  Close such objects by hand, or use java.lang.ref.Cleaner.",
	    "%n %c {1waits|wait} for finalize() and {1holds|hold} %r%q" },
	[FINDING_ACCUMULATION] = { "accumulation", SEVERITY_NOTE, 100,
	    "one field holds many objects of one kind",
	    "The tree of names (the query names) is followed from the top as long as one thing holds the most, to where there are\n"
	    "many alike.  Told is the nearest field of your program above, with all that it holds.  It is a warning from 4 MiB and\n"
	    "a tenth of all bytes on, with 100 objects or more.  Ask who adds to it and who should remove.",
	    "%S: {C%n %c%D|objects of many kinds}%Q" },
	[FINDING_POOL] = { "pool queue", SEVERITY_NOTE, 100,
	    "tasks wait in the queue of a thread pool",
	    "They come faster than its threads work, and the queue has no bound.  Give it one, and decide what happens to\n"
	    "tasks that do not fit; or find out what the threads wait for.",
	    "the queue of the thread pool %S: %n %c {1waits|wait}%w%Q" },
	[FINDING_LINKED] = { "linked structure", SEVERITY_NOTE, 100,
	    "a list, tree or graph of objects that hold each other",
	    "Its nodes are one row of the tree of names, however deep it is.  Who holds the first holds all: look for what should\n"
	    "cut it.",
	    "%S: a linked structure of %n %c%Q" },
	[FINDING_THREAD_LOCAL] = { "thread local", SEVERITY_NOTE, 100,
	    "values of a ThreadLocal",
	    "Threads of a pool do not end, so their values stay.  Call remove() when the work is done.  Where the ThreadLocal\n"
	    "itself is gone nothing can read its values any more: that is a leak.",
	    "{gvalues whose ThreadLocal is gone hold %p|ThreadLocal %W holds %p}{s in %V}: %n %c; "
	    "{gnothing can read them any more|threads of a pool do not end, call remove()}" },
	[FINDING_THREAD] = { "thread", SEVERITY_NOTE, 100,
	    "a local variable of a running method holds much",
	    "The method has not returned: often it reads a result that is too large in one go.  The stack of the thread shows\n"
	    "what it was doing.",
	    "{Mcalls of %W that have not returned keep %p in local variables|thread %t keeps %p in local variables of %W}: "
	    "{C%n %c|one %c}" },
	[FINDING_LARGE] = { "large object", SEVERITY_NOTE, 100,
	    "one object is very large",
	    "An array or a text, mostly a buffer that grew.  It is a warning from 16 MiB and a quarter of all bytes on.",
	    "%S: one %c%E%Q" },
	[FINDING_DIRECT] = { "direct memory", SEVERITY_NOTE, 100,
	    "buffers that take memory outside the heap",
	    "A direct ByteBuffer is small; its memory is not in the heap, and goes when the buffer does.  Limits are those of\n"
	    "-XX:MaxDirectMemorySize, not -Xmx.  Use one again, or release it.",
	    "%W keeps %N outside the heap: %n %c%Q" },
	[FINDING_NETTY] = { "netty pool", SEVERITY_NOTE, 100,
	    "buffers of Netty's pool that are in use",
	    "The pool keeps its chunks as long as one buffer of them is in use.  Who holds the buffers has to call release();\n"
	    "-Dio.netty.leakDetection.level=paranoid tells where they came from.",
	    "Netty's buffer pool has %p; %n buffers are in use, most of them held by %W: release() is missing" },
	[FINDING_CACHE] = { "bounded cache", SEVERITY_NOTE, 100,
	    "a cache that keeps no more than so many",
	    "It is as large as it may be, and no leak.  Is its bound right for this heap?",
	    "%S: %n %c; the cache has a bound" },
	[FINDING_HASH] = { "bad hash", SEVERITY_WARNING, 100,
	    "most keys of a hash table collide",
	    "From 500 entries on, when 60 % of them share a bucket with another one; even hashes have 17 to 30 %.  Each look-up\n"
	    "compares with all of a bucket: look at hashCode() of the keys.  It is a warning from 8 entries in a bucket on.",
	    "%W: %n entries, %k of them collide; look at hashCode() of %c" },
	[FINDING_THREADS] = { "many threads", SEVERITY_WARNING, 100,
	    "many threads of one kind that belong to no pool",
	    "50 or more whose names differ in numbers only, and none works for an executor: something starts one each time and\n"
	    "never ends it.  Each takes its stack outside of the heap.  Close what starts them.",
	    "%n threads %K (%c) run and belong to no pool, and keep %p: close what starts them" },
	[FINDING_LOADER] = { "class loader", SEVERITY_WARNING, 400,
	    "class loaders that should be gone: something holds what they loaded",
	    "It was closed or stopped; or nobody refers to the loader, only to objects or classes of it, and it is\n"
	    "one of several with the same classes, or has at most 1000 objects, at most 8 references to them from\n"
	    "outside, and no thread in its code.  Loaders of code that is made at run time (Groovy, Janino, Byte\n"
	    "Buddy, JSP) are told from 1000 on.  A module or a web application was thrown away while something\n"
	    "holds on to it: a thread local, a driver, a listener in a static.  Its path shows what.  One that is neither closed\n"
	    "nor one of several may still be in use, and is a note.",
	    "{1class loader %o seems|%n class loaders %l seem} to be given up{N (of %m of that class)} and cannot go, "
	    "with %p: {1it|one} loaded class %c{o, which %O holds}{u; no leak if that is still in use}" },
	[FINDING_EMPTY] = { "empty collections", SEVERITY_NOTE, 1,
	    "collections that are mostly empty",
	    "Less than a fifth of the places are taken, and those of one class waste a twentieth of the live bytes, and 1 MiB.  Make\n"
	    "them when the first element comes, or with the right capacity.",
	    "%n %c are mostly empty, %m have no element: they waste %p" },
	[FINDING_STRING_COPIES] = { "equal strings", SEVERITY_NOTE, 1,
	    "many Strings with the same text",
	    "All but one of each waste a twentieth of the live bytes, and 1 MiB.  Keep one of each (a map of your own,\n"
	    "intern(), -XX:+UseStringDeduplication), or an enum.  The query duplicates lists them.",
	    "%n Strings have {2only %m different texts|the same text}: the copies waste %p; {2most of that is }%s" },
	[FINDING_ARRAY_COPIES] = { "equal arrays", SEVERITY_NOTE, 1,
	    "many arrays with the same content",
	    "All but one of each waste a twentieth of the live bytes, and 1 MiB.  Share one of them, or leave those out\n"
	    "that hold nothing but zeros.  The query duplicates lists them.",
	    "%n arrays have {2only %m different contents|the same content}: the copies waste %p; {2most of that is }%o"
	    "{z, of nothing but zeros}" }
};
