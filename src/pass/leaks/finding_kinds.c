/*
 * finding_kinds: the one list of kinds of findings.
 */
#include "config.h"

#include "icecore/leak.h"

const char *const severity_names[SEVERITIES] = { "note", "warning", "leak" };

const struct finding_row finding_rows[FINDINGS] = {
	[FINDING_ACTIVITY] = { "activity", SEVERITY_LEAK, 400,
	    "destroyed Activity still reachable",
	    "Certain: mDestroyed is true, so the system is done with it.  A reference from a root keeps it and all\n"
	    "its views, which are counted with it.",
	    "Follow the leak trace to the last object that is meant to be alive: clear the reference below it in\n"
	    "onDestroy, or do not refer to the Activity there at all." },
	[FINDING_FRAGMENT] = { "fragment", SEVERITY_LEAK, 400,
	    "destroyed Fragment still reachable",
	    "Certain: no FragmentManager has it any more, or its lifecycle is DESTROYED.",
	    "Clear the reference marked in its leak trace when the Fragment is destroyed." },
	[FINDING_VIEW] = { "view", SEVERITY_LEAK, 400,
	    "detached View, or View of a destroyed Activity",
	    "Its context is a destroyed Activity: certain.  Or mAttachInfo is null after it was attached\n"
	    "(mWindowAttachCount): likely, unless the view is kept to be attached again.",
	    "A Fragment that keeps its views must clear them in onDestroyView." },
	[FINDING_STATIC_VIEW] = { "static view", SEVERITY_WARNING, 400,
	    "View in a static field",
	    "A View holds its Activity, and a static field lives as long as the process: it will leak the Activity\n"
	    "when that is destroyed.",
	    "Keep no View in a static field, or clear it in onDestroy.",
	    "held by a static field of {other}; {retained} retained" },
	[FINDING_ROOT_VIEW] = { "root view", SEVERITY_LEAK, 400,
	    "root view of a closed window still reachable",
	    "Certain: a ViewRootImpl without a view, or of a destroyed Activity.",
	    "A dialog, popup or toast was not dismissed, or something holds it: follow its leak trace." },
	[FINDING_CONTEXT] = { "context", SEVERITY_LEAK, 400,
	    "Context wrapping a destroyed Activity",
	    "Certain: its mBase or mOuterContext leads to an Activity whose mDestroyed is true.",
	    "Give the application's context to whatever lives longer than an Activity." },
	[FINDING_SERVICE] = { "service", SEVERITY_LEAK, 400,
	    "stopped Service still reachable",
	    "Certain: ActivityThread.mServices no longer has it.",
	    "Follow its leak trace: a registered listener, a thread or a static field holds it." },
	[FINDING_DIALOG] = { "dialog", SEVERITY_LEAK, 400,
	    "dismissed Dialog, Window or Toast still reachable",
	    "Certain: its window is gone or destroyed.",
	    "Clear the reference marked in its leak trace when it is dismissed." },
	[FINDING_OTHER] = { "ended object", SEVERITY_LEAK, 400,
	    "ended queue, ViewModel or the like, still reachable",
	    "Certain: a field says that it ended: mQuitting, mCleared, disposed, ShutDown, dead; or the view of the editor leaks.",
	    "Nothing should hold it after that: follow its leak trace." },
	[FINDING_WATCHED] = { "watched object", SEVERITY_LEAK, 400,
	    "object watched by LeakCanary and not collected",
	    "A KeyedWeakReference still has its referent and a retained time: the app declared the object done, and it is overdue\n"
	    "since then.",
	    "Follow its leak trace." },
	[FINDING_CURSOR] = { "cursor", SEVERITY_WARNING, 400,
	    "unclosed Cursors or cursor windows",
	    "Certain where nobody is left to close them: only static fields and objects that have ended hold them, or only their\n"
	    "finalizer still reaches them.  What a running method, an adapter, a loader, an Activity that is alive or another\n"
	    "process holds is in use; what other objects hold may be, and is reported when more than 20 are held in the same way.",
	    "Call close(), best by try-with-resources or use.",
	    "{count} open[unreachable?, reachable only by finalizers][static?, held by a static field of {other}]"
	    "[ended?, held by {other}, which has ended]; {retained} retained" },
	[FINDING_BITMAP_RECYCLED] = { "recycled bitmap", SEVERITY_NOTE, 100,
	    "recycled Bitmaps still held",
	    "Certain, and mostly harmless: the pixels are gone, the objects are small.  Reported when one of them still has\n"
	    "its pixel buffer, or when there are ten or more.",
	    "Remove them from the cache or ImageView that holds them: drawing one throws.",
	    "{count was|were} recycled and {count:is|are} still held[, {number} with pixels]; {retained} retained" },
	[FINDING_BITMAP_COPIES] = { "equal bitmaps", SEVERITY_WARNING, 100,
	    "duplicate Bitmaps",
	    "Certain: width, height, format and all bytes are equal.  Reported from 64 KiB of waste, or 1 % of the live\n"
	    "bytes; those held in the same way are one finding.",
	    "Load the image once and share it; the query bitmaps lists the copies.",
	    "{count} bitmaps show [several?only {number} different pictures|the same picture]; {retained} could be saved" },
	[FINDING_FINALIZER] = { "finalizer queue", SEVERITY_WARNING, 200,
	    "many objects wait for finalize()",
	    "Only their finalizers still reach these objects and all that they hold, until finalize() has run.  Reported from\n"
	    "1000 of a class, or from 1 MiB and a fiftieth of the live bytes.  Objects that the collection before the dump has\n"
	    "just found do not count, nor does the queue while the Finalizer thread is idle.",
	    "Look at the stack of the Finalizer thread: it hangs or is too slow.  Close such objects explicitly, or use\n"
	    "java.lang.ref.Cleaner.",
	    "{count} {class} {count:waits|wait} for finalize() and {count:holds|hold} {retained}[; the Finalizer thread is in {finalizer}]" },
	[FINDING_ACCUMULATION] = { "accumulation", SEVERITY_NOTE, 100,
	    "one field holds many objects of one kind",
	    "Found by following the heaviest field down (query 'names') to where many objects of one kind lie side by\n"
	    "side.  Where each of them has many more, and these have most of the bytes, that is followed as well: the queue\n"
	    "of each connection, not the list of connections.  The field named is the nearest of your program above them,\n"
	    "with everything it holds.  A warning if it holds 4 MiB and a tenth of all bytes, or more; fewer than 100 objects\n"
	    "of a library, or in an array without room for more, are a note.  Immutable collections cannot grow and are not\n"
	    "reported.  A cache that is meant to be large looks the same as a leak.",
	    "Find out who adds to that field, and what should remove from it.  Compare two dumps: a leak grows.",
	    "{subject}: [number?{things}{in}[cleared?, most of them cleared: what they referred to is gone]{each}|objects of many kinds]"
	    "{one_of}{also}" },
	[FINDING_POOL] = { "pool queue", SEVERITY_NOTE, 100,
	    "tasks wait in the queue of a thread pool",
	    "Certain: the tasks are in the queue of a ThreadPoolExecutor or ForkJoinPool.  They arrive faster than its threads work, or\n"
	    "these wait for something.  Those of a scheduled pool wait for their time, also when they were cancelled.",
	    "Look at what the threads of the pool wait for.  If the queue has no bound, give it one, and decide what happens\n"
	    "to tasks that do not fit.  Cancel periodic tasks that nobody needs; setRemoveOnCancelPolicy(true) takes cancelled ones\n"
	    "out at once.",
	    "the [local?queue of [program?a thread pool in a local variable of {owner}|[worker?the thread pool of \"{worker}\"|a thread pool]] "
	    "holds {part}|{owners:queue of the thread pool {owner} holds {part}|queues of {owners} thread pools {owner} hold {part} together}]: "
	    "{count} {class} [scheduled?{count:is|are} scheduled[cancelled?, most of them cancelled: see setRemoveOnCancelPolicy]|"
	    "{count:waits|wait}]{workers}{one_of}" },
	[FINDING_LINKED] = { "linked structure", SEVERITY_NOTE, 100,
	    "list, tree or graph of linked objects",
	    "Many objects of the same few classes, each held by another one of them, however deep.  Whoever holds the first one\n"
	    "holds all of them.  A warning as for an accumulation.",
	    "Find the place where nodes should be cut off, or the reference to the first one cleared.",
	    "{subject}: a linked structure of {links}{one_of}" },
	[FINDING_THREAD_LOCAL] = { "thread local", SEVERITY_NOTE, 100,
	    "values of a ThreadLocal",
	    "The values stay as long as their threads run, and those of pools do not end.  Where the ThreadLocal itself was\n"
	    "collected nothing can read its values any more: a leak for certain.",
	    "Call remove() when the work is done, in a finally block.",
	    "[lost?values whose ThreadLocal is gone hold|ThreadLocal {owner} holds] {part}[static_local? in {threads thread|threads}]: "
	    "{count} {class}; [lost?nothing can read them any more|kept until remove() is called or the thread ends]" },
	[FINDING_THREAD] = { "thread", SEVERITY_NOTE, 100,
	    "a local variable of a running method holds much",
	    "Certain, but only while the method runs: it has not returned.  Often it reads a result that is too large in one go.",
	    "Look at the stack of the thread; read in pages, or stream.",
	    "[calls?calls of {owner} that have not returned keep {part} in local variables|{keepers} {part} in local variables of {owner}]: "
	    "[number?{things}|one {class}]" },
	[FINDING_LARGE] = { "large object", SEVERITY_NOTE, 100,
	    "one very large object",
	    "Certain: an array, or a string or collection with its array, mostly a buffer that grew.  A warning if it has 16 MiB and a quarter of all bytes, or more.",
	    "Read or write in pieces, or give the buffer a limit.",
	    "{subject}: one {class}[ of {elements} elements]{one_of}" },
	[FINDING_DIRECT] = { "direct memory", SEVERITY_NOTE, 100,
	    "buffers and memory segments: memory outside the heap",
	    "Certain: the sizes of direct ByteBuffers, memory segments and open arenas that are reachable, each byte counted\n"
	    "once; what zlib takes for an Inflater or a Deflater is an estimate.  The memory of a buffer is freed when that is\n"
	    "collected, that of an arena, a stream or a library when it is closed.  -XX:MaxDirectMemorySize limits buffers,\n"
	    "-Xmx none of it.",
	    "Reuse buffers, or release them; close arenas; call end() of Inflaters and Deflaters.  sun.nio.ch.Util.bufferCache\n"
	    "has those into which the JDK copies what a thread reads and writes by buffers of the heap:\n"
	    "-Djdk.nio.maxCachedBufferSize=BYTES keeps only smaller ones.",
	    "{owner} keeps [zlib?about ]{native} outside the heap[zlib? (what zlib takes, estimated)]: {count} {class}{one_of}"
	    "[static_local?; see -Djdk.nio.maxCachedBufferSize]" },
	[FINDING_NETTY] = { "netty pool", SEVERITY_NOTE, 100,
	    "pooled Netty buffers in use",
	    "The pool keeps a chunk as long as one buffer in it is in use.  That these should have been released is a\n"
	    "guess.",
	    "Whoever holds the buffers has to call release(); -Dio.netty.leakDetection.level=paranoid shows where they\n"
	    "were allocated.",
	    "Netty's buffer pool has {part}; {count} buffers are in use, most of them held by {owner}: perhaps release() is missing" },
	[FINDING_CACHE] = { "bounded cache", SEVERITY_NOTE, 100,
	    "a cache with a bound",
	    "No leak: it is as large as it may get.  Recognised: caches of Caffeine that have half of their maximum or more,\n"
	    "those of Guava with a weight, maps of a program that extend LinkedHashMap, objects with a field such as maxEntries\n"
	    "or capacity that has just the number of things, and bounded queues of the JDK with fewer than 1000 objects, or\n"
	    "with buffers: more are a backlog, and an accumulation.",
	    "Ask whether the bound is right for this heap.",
	    "{subject}: {things}; the cache is bounded" },
	[FINDING_HASH] = { "bad hash", SEVERITY_WARNING, 100,
	    "most keys of a hash table collide",
	    "Certain: computed from the table.  Reported if it has 500 entries or more and 60 % of them share a bucket with another one;\n"
	    "good hashes have 17 to 30 %.  Each look-up compares with all of a bucket.  It is a\n"
	    "warning if buckets in use have 8 entries or more on average.",
	    "Look at hashCode() of the keys.",
	    "{owner}: {count} entries, {collide} of them collide; look at hashCode() of {class}" },
	[FINDING_THREADS] = { "many threads", SEVERITY_WARNING, 100,
	    "many threads of one kind, outside any pool",
	    "Reported if 50 threads or more have names that differ only in numbers, or are in the same calls outside the JDK, and none\n"
	    "of them works for an executor: something starts one each time and never stops it.  Each also takes its stack outside\n"
	    "the heap.",
	    "Close whatever starts them (a client, a producer, a timer), or use one pool.",
	    "{count} threads {pattern} ({class}) run, belong to no pool and keep {part}[number?; one of them is in [frame?{frame}|JDK code]]: "
	    "close whatever starts them" },
	[FINDING_POOLS] = { "thread pools", SEVERITY_WARNING, 100,
	    "many thread pools of one kind, or very many threads in one",
	    "Certain: that many pools of one class and core size exist, with threads whose names differ only in numbers or that\n"
	    "one factory made; those of a class outside the JDK with any.  Reported from 50 pools on, from 20 with 200 threads in\n"
	    "all, and where a pool has 1000 threads.  A pool that nobody refers to lives on as long as it has threads, idle ones too.",
	    "Make one pool and share it; shut down those that were made for one job, with try-with-resources or shutdown().\n"
	    "Give a pool that may have any number of threads a bound.",
	    "{count} thread {count:pool|pools} {class} {count:has|have} [single?{count:1 threads|one thread each}|{number} threads]"
	    "[has_other? ([of_thread?{pattern}|made by {factory}])] and {count:keeps|keep} {part}"
	    "[of_thread?; [single?the thread of one|one of these threads] is [frame?in {frame}|idle, in JDK code]][; held by {held}]" },
	[FINDING_VIRTUAL] = { "virtual threads", SEVERITY_NOTE, 150,
	    "many virtual threads at one place",
	    "Certain: they are in that method, outside the JDK, or have a task of that class where the dump has no stacks of\n"
	    "virtual threads.  Dumps of JDK 21, and those of the serviceability agent (jhsdb jmap), lack them, and what only these\n"
	    "hold counts as unreachable.  Reported from 500 on; a warning with 4 MiB and a tenth of all bytes from 5000 on, or from\n"
	    "100 on with 8 KiB each, or when their local variables hold as much as for an accumulation.",
	    "Find out what they wait for, and why that does not come; bound how many are started (a Semaphore), and let waits end\n"
	    "by a timeout.",
	    "{count} virtual threads {does} [frame?in|with task] {place} and keep {part}"
	    "[locals?[most_local?, most of it|, also] {held_count} {class} in local variables of {field}]{awaited}"
	    "[stack?|; the dump lacks their stacks: what only their local variables hold counts as unreachable[, {unreachable_size} are]]" },
	[FINDING_LOADER] = { "class loader", SEVERITY_WARNING, 400,
	    "class loaders that should have been unloaded",
	    "Likely.  The loader was closed or stopped.  Or nothing refers to the loader, only to objects or classes of it, and\n"
	    "it is one of several with the same classes, or has at most 1000 objects, at most 8 references to them from\n"
	    "outside, and no thread in its code.  Loaders of code generated at run time (Groovy, Janino, Byte Buddy, JSP) are\n"
	    "reported from 1000 on.  One that is neither closed nor one of several may still be in use, and is a note.",
	    "A module or web application was undeployed while a thread local, a driver or a listener in a static field holds on to\n"
	    "it: its leak trace shows which.",
	    "{count:class loader {object} seems|{count} class loaders {label} seem} abandoned[some? (of {number} of that class)] "
	    "but {count:is|are} still reachable, with {part}: "
	    "[has_other?{count:|the largest is }kept alive by [held_class?class|an instance of] {class} in {loader_place}|"
	    "{count:it|one} has class {class}]"
	    "{kept_otherwise}[unsure?; no leak if that is still in use]" },
	[FINDING_CLASSES] = { "generated classes", SEVERITY_WARNING, 100,
	    "very many classes of one name but for numbers",
	    "Certain: such classes are made while the program runs (proxies, scripts, hidden classes).  Each takes some KiB outside\n"
	    "the heap, too, and stays as long as its class loader does, or, if it is hidden, as it is used.  Reported from 1000 of\n"
	    "one name on, a warning from 3000 on; of lambdas and what else the JDK makes for itself from 3000 and 20 000 on.",
	    "Make each class once and keep it; look at what is different each time: the list of interfaces, the text of a\n"
	    "script, the class loader.",
	    "{count} classes {names} of [number?{number} class loaders|[has_other?class loader {other}|the boot class loader]] keep {part}, "
	    "and more outside the heap: each was made while the program ran[; held by {held}]" },
	[FINDING_EMPTY] = { "empty collections", SEVERITY_NOTE, 1,
	    "mostly empty collections",
	    "Certain: less than a fifth of their capacity is used, and those of one class waste 1 MiB and a twentieth of the live\n"
	    "bytes.",
	    "Create them when the first element comes, or with the right capacity.",
	    "{count} {class} are mostly empty[, {number} of them without any element]: they waste {part}[, most of it in {most_in}]" },
	[FINDING_STRING_COPIES] = { "equal strings", SEVERITY_NOTE, 1,
	    "many Strings with the same value",
	    "Certain: all but one of each value waste 1 MiB and a twentieth of the live bytes.",
	    "Keep one of each (a map of your own, intern(), -XX:+UseStringDeduplication), or use an enum.  The query duplicates\n"
	    "lists them.",
	    "{count} Strings have [several?only {number} different values|the same value]: the copies waste {part}; "
	    "[several?[most?most of that|the worst] is ]\"{string}\"" },
	[FINDING_ARRAY_COPIES] = { "equal arrays", SEVERITY_NOTE, 1,
	    "duplicate arrays",
	    "Certain: all but one of each content waste 1 MiB and a twentieth of the live bytes.",
	    "Share one of them, or do not allocate those that hold nothing but zeros.  The query duplicates lists them.",
	    "{count} arrays have [several?only {number} different contents|the same content]: the copies waste {part}; "
	    "[several?[most?most of that|the worst] is ]{object}[zeros?, of nothing but zeros]" }
};
