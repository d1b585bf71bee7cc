/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kept: the numbers in objects that the analysis reads by name: those of the rules for collections, the flags
 * of the inspectors, and what functions here, in src/pass/heap, content and names ask for.
 */
#include "config.h"

#include "icecore/collection.h"
#include "bounds.h"
#include "inspect.h"
#include "pools.h"

#define BITMAP "android.graphics.Bitmap"
#define VIRTUAL "java.lang.VirtualThread"
#define FOREIGN "jdk.internal.foreign."
#define WATCHED "leakcanary.KeyedWeakReference"

static const struct kept_field asked[] = {
	/* Texts and threads. */
	{ "java.lang.String", "coder" }, { "java.lang.String", "count" }, { "java.lang.String", "offset" },
	{ "java.lang.Thread", "threadStatus" }, { "java.lang.Thread", "tid" },
	{ "java.lang.Thread", "daemon" },
	{ "java.lang.Thread$FieldHolder", "threadStatus" }, { "java.lang.Thread$FieldHolder", "daemon" },
	{ "java.util.concurrent.ThreadPoolExecutor", "corePoolSize" },
	{ "jdk.internal.vm.StackChunk", "size" },
	{ "io.netty.util.concurrent.FastThreadLocal", "index" },
	/* Virtual threads, and the constants that number their states in the JDK of the dump. */
	{ VIRTUAL, "state" },
	{ VIRTUAL, "NEW" }, { VIRTUAL, "STARTED" }, { VIRTUAL, "RUNNABLE" }, { VIRTUAL, "RUNNING" },
	{ VIRTUAL, "PARKING" }, { VIRTUAL, "PARKED" }, { VIRTUAL, "PINNED" }, { VIRTUAL, "TIMED_PARKING" },
	{ VIRTUAL, "TIMED_PARKED" }, { VIRTUAL, "TIMED_PINNED" }, { VIRTUAL, "UNPARKED" },
	{ VIRTUAL, "YIELDING" }, { VIRTUAL, "YIELDED" }, { VIRTUAL, "BLOCKING" }, { VIRTUAL, "BLOCKED" },
	{ VIRTUAL, "UNBLOCKED" }, { VIRTUAL, "WAITING" }, { VIRTUAL, "WAIT" }, { VIRTUAL, "TIMED_WAITING" },
	{ VIRTUAL, "TIMED_WAIT" }, { VIRTUAL, "TERMINATED" },
	/* Bitmaps. */
	{ BITMAP, "mWidth" }, { BITMAP, "mHeight" }, { BITMAP, "mRecycled" }, { BITMAP, "mNativePtr" },
	{ BITMAP, "mNativeBitmap" }, { BITMAP, "mIsPremultiplied" }, { BITMAP, "mRequestPremultiplied" },
	{ BITMAP "$DumpData", "count" },
	/* Native memory. */
	{ "libcore.util.NativeAllocationRegistry", "size" },
	{ "libcore.util.NativeAllocationRegistry$CleanerThunk", "nativePtr" },
	{ "java.nio.Buffer", "address" }, { "java.nio.Buffer", "capacity" },
	{ "java.util.zip.ZStreamRef", "address" }, { "java.util.zip.Deflater$DeflaterZStreamRef", "address" },
	{ "java.util.zip.Inflater$InflaterZStreamRef", "address" },
	{ FOREIGN "AbstractMemorySegmentImpl", "length" }, { FOREIGN "NativeMemorySegmentImpl", "min" },
	{ FOREIGN "MemorySessionImpl", "state" }, { FOREIGN "SharedScope", "state" },
	{ FOREIGN "ConfinedScope", "closed" },
	{ FOREIGN "SegmentFactories$1", "val$allocationBase" },
	{ FOREIGN "SegmentFactories$1", "val$allocationSize" },
	{ FOREIGN "NativeMemorySegmentImpl$1", "val$buf" },
	{ FOREIGN "NativeMemorySegmentImpl$1", "val$alignedSize" },
	{ "org.apache.arrow.memory.ArrowBuf", "addr" }, { "org.apache.arrow.memory.ArrowBuf", "capacity" },
	{ "com.sun.jna.Pointer", "peer" }, { "com.sun.jna.Memory", "size" },
	/* Inspectors with rules of their own. */
	{ "androidx.fragment.app.Fragment", "mCalled" },
	{ "android.view.View", "mWindowAttachCount" }, { "android.view.View", "mID" },
	{ "androidx.lifecycle.viewmodel.internal.ViewModelImpl", "isCleared" },
	{ WATCHED, "watchUptimeMillis" }, { WATCHED, "retainedUptimeMillis" },
	{ WATCHED, "heapDumpUptimeMillis" },
	{ "android.database.CursorWindow", "nWindow" }, { "java.io.FileDescriptor", "fd" },
	{ "java.io.FileDescriptor", "descriptor" },
	/* Class loaders and caches. */
	{ "jdk.internal.loader.URLClassPath", "closed" }, { "sun.misc.URLClassPath", "closed" },
	{ "java.util.LinkedHashMap", "accessOrder" },
	{ "java.util.HashMap", "modCount" }, { "java.util.AbstractList", "modCount" },
	{ "java.util.TreeMap", "modCount" }, { "java.util.TimerTask", "state" }
};

/* Names of threads, and states of loaders, life cycles and recomposers. */
static const char *const texts[] = {
	"main", "FinalizerWatchdogDaemon", "STOPPED", "CREATED", "STARTED", "RESUMED", "INITIALIZED",
	    "DESTROYED", "ShutDown",
	"ShuttingDown", "Idle", "PendingWork"
};

const char *
kept_word(size_t i)
{
	return i < NELEM(texts) ? texts[i] : NULL;
}

bool
kept_field(size_t i, struct kept_field *f)
{
	if (i < NELEM(asked)) {
		*f = asked[i];
		return true;
	}
	i -= NELEM(asked);
	return bound_number(&i, f) || pool_number(&i, f) || collection_number(&i, f) || inspect_number(&i, f) ||
	    resource_number(&i, f);
}
