/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * meanings: meanings of the texts of a recording.  Texts without a rule are contents.
 */
#include "config.h"

#include <string.h>

#include "meanings.h"

#define ONE_OF(s, ...) str_is_one((const char *const[]){ __VA_ARGS__ }, NELEM(((const char *const[]){ __VA_ARGS__ })), \
    s)

/* ---- words --------------------------------------------------------------------------------------- */

bool
jfr_word_is_tag(struct str s)
{
	return ONE_OF(s, "root", "metadata", "class", "field", "annotation", "setting", "region");
}

bool
jfr_word_is_field(struct str s)
{
	return ONE_OF(s, "startTime", "duration", "eventThread", "stackTrace", "thread", "sampledThread",
	    "state", "value");
}

/* At most 24 digits, with dots, a sign and an exponent. */
static bool
meanings_is_number(struct str s)
{
	size_t digits = 0;

	for (size_t i = 0; i < s.n; i++) {
		digits += is_digit(s.s[i]);
		if (!is_digit(s.s[i]) && s.s[i] != '.' && !(s.s[i] == '-' && i == 0) && !(s.s[i] == 'E' && i > 0))
			return false;
	}
	return digits > 0 && s.n <= 24;
}

bool
jfr_word_is_key(struct str s)
{
	return ONE_OF(s, "id", "name", "class", "superType", "simpleType", "constantPool", "dimension",
	    "value", "defaultValue", "locale",
	    "gmtOffset", "dst", "ticksToMillis") ||
	    (str_has_prefix(s, STR("value-")) && meanings_is_number(str_after(s, 6)));
}

bool
jfr_word_is_value(struct str s)
{
	return meanings_is_number(s) || ONE_OF(s, "true", "false", "TICKS", "NANOSECONDS", "MICROSECONDS",
	    "MILLISECONDS", "SECONDS", "NANOSECONDS_SINCE_EPOCH",
	    "MILLISECONDS_SINCE_EPOCH", "SECONDS_SINCE_EPOCH", "BYTES", "BITS", "HERTZ", "PERCENTAGE");
}

bool
jfr_word_is_setting(struct str s)
{
	return ONE_OF(s, "enabled", "threshold", "stackTrace", "period", "cutoff", "throttle", "level",
	    "version", "event", "interval", "alloc",
	    "live", "wall", "lock", "cpu", "nativemem", "jstackdepth", "ring", "features", "clock", "begin", "end");
}

/* "20 ms", "150/s", "everyChunk". */
bool
jfr_word_is_set(struct str s)
{
	size_t n = 0;
	struct str unit;

	if (jfr_word_is_value(s) || ONE_OF(s, "everyChunk", "beginChunk", "endChunk", "infinity", "off",
	    "none", "all", "forced", "cpu", "wall", "itimer",
	    "ctimer", "alloc", "lock", "cycles", "instructions", "cache-misses", "branch-misses", "page-faults",
	    "context-switches", "nativemem"))
		return true;
	while (n < s.n && is_digit(s.s[n]))
		n++;
	unit = str_after(s, n);
	return n > 0 && n <= 20 && ONE_OF(unit, "ns", "us", "ms", "s", "m", "h", "d", " ns", " us", " ms",
	    " s", " m", " h", " d", "/s", "/ms", "/m", "/h");
}

static bool
meanings_is_vm(struct str s)
{
	return ONE_OF(s, "OpenJDK 64-Bit Server VM", "OpenJDK Server VM", "OpenJDK 64-Bit Zero VM",
	    "Java HotSpot(TM) 64-Bit Server VM",
	    "OpenJDK 64-Bit Client VM", "Substrate VM");
}

static bool
meanings_is_container(struct str s)
{
	return ONE_OF(s, "cgroupv1", "cgroupv2");
}

static bool
meanings_is_loader(struct str s)
{
	return ONE_OF(s, "bootstrap", "platform", "app");
}

static bool
meanings_is_level(struct str s)
{
	return ONE_OF(s, "TRACE", "DEBUG", "INFO", "WARN", "ERROR", "NONE");
}

static bool
meanings_is_loopback(struct str s)
{
	return ONE_OF(s, "lo", "lo0");
}

static bool
meanings_is_protocol(struct str s)
{
	return ONE_OF(s, "SSLv3", "TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3");
}

/* ---- fields ------------------------------------------------------------------------------------------ */

#define FORM(type, field) { type, field, MEANT_FORM, NULL }

const struct jfr_meaning jfr_meaning_platform = { NULL, NULL, MEANT_FORM, NULL };
const struct jfr_meaning jfr_meaning_native = { NULL, NULL, MEANT_NAME, NULL };

static const struct jfr_meaning rules[] = {
	/* Constants. */
	{ "java.lang.Thread", NULL, MEANT_WHO, NULL }, { "jdk.types.ThreadGroup", NULL, MEANT_WHO, NULL },
	{ "java.lang.Class", "name", MEANT_CLASS, NULL }, { "jdk.types.Package", "name", MEANT_CLASS, NULL },
	{ "jdk.types.Module", "name", MEANT_CLASS, NULL },
	{ "jdk.types.ClassLoader", "name", MEANT_NAME, meanings_is_loader },
	{ "jdk.types.Method", "name", MEANT_MEMBER, NULL }, { "jdk.types.Method", "descriptor", MEANT_CLASS, NULL },
	{ "jdk.types.CalleeMethod", "type", MEANT_CLASS, NULL },
	{ "jdk.types.CalleeMethod", "name", MEANT_MEMBER, NULL },
	{ "jdk.types.CalleeMethod", "descriptor", MEANT_CLASS, NULL },
	{ "jdk.types.OldObjectField", "name", MEANT_MEMBER, NULL },
	{ "jdk.types.NetworkInterfaceName", NULL, MEANT_WHO, meanings_is_loopback },
	{ "profiler.types.LogLevel", NULL, MEANT_TEXT, meanings_is_level },
	/* Words of the VM. */
	FORM("jdk.types.Bytecode", NULL), FORM("jdk.types.CodeBlobType", NULL),
	    FORM("jdk.types.CompilerPhaseType", NULL),
	FORM("jdk.types.CompilerType", NULL), FORM("jdk.types.DeoptimizationAction", NULL),
	    FORM("jdk.types.DeoptimizationReason", NULL),
	FORM("jdk.types.FlagValueOrigin", NULL), FORM("jdk.types.FrameType", NULL),
	    FORM("jdk.types.G1HeapRegionType", NULL),
	FORM("jdk.types.G1YCType", NULL), FORM("jdk.types.GCCause", NULL), FORM("jdk.types.GCName", NULL),
	FORM("jdk.types.GCThresholdUpdater", NULL), FORM("jdk.types.GCWhen", NULL),
	    FORM("jdk.types.InflateCause", NULL),
	FORM("jdk.types.MetadataType", NULL), FORM("jdk.types.MetaspaceObjectType", NULL),
	    FORM("jdk.types.NMTType", NULL),
	FORM("jdk.types.NarrowOopMode", NULL), FORM("jdk.types.OldObjectRootSystem", NULL),
	    FORM("jdk.types.OldObjectRootType", NULL),
	FORM("jdk.types.PinnedReason", NULL), FORM("jdk.types.ReferenceType", NULL),
	    FORM("jdk.types.ShenandoahHeapRegionState", NULL),
	FORM("jdk.types.ThreadState", NULL), FORM("jdk.types.VMOperationType", NULL),
	    FORM("jdk.types.VMThreadState", NULL),
	FORM("jdk.types.ZPageTypeType", NULL), FORM("jdk.types.ZStatisticsCounterType", NULL),
	    FORM("jdk.types.ZStatisticsSamplerType", NULL),
	FORM("jdk.GCPhasePause", "name"), FORM("jdk.GCPhasePauseLevel1", "name"),
	    FORM("jdk.GCPhasePauseLevel2", "name"),
	FORM("jdk.GCPhasePauseLevel3", "name"), FORM("jdk.GCPhasePauseLevel4", "name"),
	    FORM("jdk.GCPhaseConcurrent", "name"),
	FORM("jdk.GCPhaseConcurrentLevel1", "name"), FORM("jdk.GCPhaseConcurrentLevel2", "name"),
	    FORM("jdk.GCPhaseParallel", "name"),
	FORM("jdk.GCHeapMemoryPoolUsage", "name"), FORM("jdk.SafepointCleanupTask", "name"),
	    FORM("jdk.ZThreadPhase", "name"),
	FORM("jdk.BooleanFlag", "name"), FORM("jdk.DoubleFlag", "name"), FORM("jdk.IntFlag", "name"),
	    FORM("jdk.LongFlag", "name"),
	FORM("jdk.StringFlag", "name"), FORM("jdk.UnsignedIntFlag", "name"), FORM("jdk.UnsignedLongFlag", "name"),
	FORM("jdk.BooleanFlagChanged", "name"), FORM("jdk.DoubleFlagChanged", "name"),
	    FORM("jdk.IntFlagChanged", "name"),
	FORM("jdk.LongFlagChanged", "name"), FORM("jdk.StringFlagChanged", "name"),
	    FORM("jdk.UnsignedIntFlagChanged", "name"),
	FORM("jdk.UnsignedLongFlagChanged", "name"),
	/* Words among contents. */
	{ "jdk.ActiveSetting", "name", MEANT_TEXT, jfr_word_is_setting },
	{ "jdk.ActiveSetting", "value", MEANT_TEXT, jfr_word_is_set },
	{ "jdk.JVMInformation", "jvmName", MEANT_TEXT, meanings_is_vm },
	{ "jdk.ContainerConfiguration", "containerType", MEANT_TEXT, meanings_is_container },
	{ "jdk.TLSHandshake", "protocolVersion", MEANT_TEXT, meanings_is_protocol },
	{ "jdk.TLSHandshake", "peerHost", MEANT_WHO, NULL },
	{ "jdk.SocketRead", NULL, MEANT_WHO, NULL }, { "jdk.SocketWrite", NULL, MEANT_WHO, NULL },
	{ "jdk.SocketConnect", NULL, MEANT_WHO, NULL },
};

const struct jfr_meaning *
jfr_meaning_of(struct str type, struct str field)
{
	static const struct jfr_meaning contents = { NULL, NULL, MEANT_TEXT, NULL };

	for (size_t i = 0; i < NELEM(rules); i++)
		if (str_eq(type, str_of(rules[i].type)) &&
		    (rules[i].field == NULL || str_eq(field, str_of(rules[i].field))))
			return &rules[i];
	return &contents;
}

/* ---- types --------------------------------------------------------------------------------------------- */

/* Events of JDKs 8 to 26 without "jdk.", each between blanks. */
static const char *const events[] = {
	" ActiveRecording ActiveSetting AllocationRequiringGC BiasedLockClassRevocation BiasedLockRevocation "
	    "BiasedLockSelfRevocation ",
	" BooleanFlag BooleanFlagChanged CPUInformation CPULoad CPUTimeSample CPUTimeSamplesLost CPUTimeStampCounter "
	    "ClassDefine ",
	" ClassLoad ClassLoaderStatistics ClassLoadingStatistics ClassRedefinition ClassUnload CodeCacheConfiguration "
	    "CodeCacheFull ",
	" CodeCacheStatistics CodeSweeperConfiguration CodeSweeperStatistics Compilation CompilationFailure "
	    "CompilerConfiguration ",
	" CompilerInlining CompilerPhase CompilerQueueUtilization CompilerStatistics ConcurrentModeFailure "
	    "ContainerCPUThrottling ",
	" ContainerCPUUsage ContainerConfiguration ContainerIOUsage ContainerMemoryUsage ContinuationFreeze "
	    "ContinuationFreezeFast ",
	" ContinuationFreezeSlow ContinuationThaw ContinuationThawFast ContinuationThawSlow DataLoss Deoptimization "
	    "DeprecatedInvocation ",
	" Deserialization DirectBufferStatistics DoubleFlag DoubleFlagChanged DumpReason EvacuationFailed "
	    "EvacuationInformation ",
	" ExceptionStatistics ExecuteVMOperation ExecutionSample FileForce FileRead FileWrite FinalFieldMutation "
	    "FinalizerStatistics ",
	" Flush G1AdaptiveIHOP G1BasicIHOP G1EvacuationOldStatistics G1EvacuationYoungStatistics G1GarbageCollection ",
	" G1HeapRegionInformation G1HeapRegionTypeChange G1HeapSummary G1MMU GCCPUTime GCConfiguration "
	    "GCHeapConfiguration ",
	" GCHeapMemoryPoolUsage GCHeapMemoryUsage GCHeapSummary GCLocker GCPhaseConcurrent GCPhaseConcurrentLevel1 ",
	" GCPhaseConcurrentLevel2 GCPhaseParallel GCPhasePause GCPhasePauseLevel1 GCPhasePauseLevel2 "
	    "GCPhasePauseLevel3 ",
	" GCPhasePauseLevel4 GCReferenceStatistics GCSurvivorConfiguration GCTLABConfiguration GarbageCollection "
	    "HeapDump ",
	" InitialEnvironmentVariable InitialSecurityProperty InitialSystemProperty IntFlag IntFlagChanged JITRestart "
	    "JVMInformation ",
	" JavaAgent JavaErrorThrow JavaExceptionThrow JavaMonitorDeflate JavaMonitorEnter JavaMonitorInflate "
	    "JavaMonitorNotify ",
	" JavaMonitorStatistics JavaMonitorWait JavaThreadStatistics LoaderConstraintsTableStatistics LongFlag "
	    "LongFlagChanged ",
	" MetaspaceAllocationFailure MetaspaceChunkFreeListSummary MetaspaceGCThreshold MetaspaceOOM MetaspaceSummary "
	    "MethodTiming ",
	" MethodTrace ModuleExport ModuleRequire NativeAgent NativeLibrary NativeLibraryLoad NativeLibraryUnload "
	    "NativeMemoryUsage ",
	" NativeMemoryUsageTotal NativeMethodSample NetworkUtilization OSInformation ObjectAllocationInNewTLAB ",
	" ObjectAllocationOutsideTLAB ObjectAllocationSample ObjectCount ObjectCountAfterGC OldGarbageCollection "
	    "OldObjectSample ",
	" PSHeapSummary ParallelOldGarbageCollection PhysicalMemory PlaceholderTableStatistics ProcessStart "
	    "PromoteObjectInNewPLAB ",
	" PromoteObjectOutsidePLAB PromotionFailed ProtectionDomainCacheTableStatistics RedefineClasses "
	    "ReservedStackActivation ",
	" ResidentSetSize RetransformClasses SafepointBegin SafepointCleanup SafepointCleanupTask SafepointEnd "
	    "SafepointLatency ",
	" SafepointStateSynchronization SafepointWaitBlocked SecurityPropertyModification SecurityProviderService ",
	" SerializationMisdeclaration ShenandoahEvacuationInformation ShenandoahHeapRegionInformation "
	    "ShenandoahHeapRegionStateChange ",
	" Shutdown SocketConnect SocketRead SocketWrite StringDeduplication StringFlag StringFlagChanged "
	    "StringTableStatistics SwapSpace ",
	" SweepCodeCache SymbolTableStatistics SyncOnValueBasedClass SystemGC SystemProcess TLSHandshake "
	    "TenuringDistribution ",
	" ThreadAllocationStatistics ThreadCPULoad ThreadContextSwitchRate ThreadDump ThreadEnd ThreadPark ThreadSleep "
	    "ThreadStart ",
	" UnsignedIntFlag UnsignedIntFlagChanged UnsignedLongFlag UnsignedLongFlagChanged VirtualThreadEnd "
	    "VirtualThreadPinned ",
	" VirtualThreadStart VirtualThreadSubmitFailed VirtualizationInformation X509Certificate X509Validation "
	    "YoungGarbageCollection ",
	" YoungGenerationConfiguration ZAllocationStall ZOldGarbageCollection ZPageAllocation ZRelocationSet "
	    "ZRelocationSetGroup ",
	" ZStatisticsCounter ZStatisticsSampler ZThreadPhase ZUncommit ZUnmap ZYoungGarbageCollection ",
};

static bool
meaning_is_event(struct str name)
{
	const char *at;

	for (size_t i = 0; i < NELEM(events) && name.n > 0 && memchr(name.s, ' ', name.n) == NULL; i++)
		for (at = events[i]; (at = memmem(at, strlen(at), name.s, name.n)) != NULL; at++)
			if (at[-1] == ' ' && at[name.n] == ' ')
				return true;
	return false;
}

bool
jfr_is_vendor(struct str type)
{
	static const char *const profiler[] = { "profiler.Free", "profiler.LiveObject", "profiler.Log",
	    "profiler.Malloc", "profiler.MethodTrace",
	    "profiler.NativeLock", "profiler.ProcessSample", "profiler.Span", "profiler.UserEvent",
	    "profiler.WallClockSample", "profiler.Window", "profiler.types.LogLevel", "profiler.types.UserEventType",
	    "boolean", "byte", "char", "short", "int", "long", "float", "double" };
	static const char *const begins[] = { "jdk.types.", "jdk.type.", "jdk.jfr.", "jdk.settings.",
	    "java.lang." };

	if (str_is_one(profiler, NELEM(profiler), type))
		return true;
	for (size_t i = 0; i < NELEM(begins); i++)
		if (str_has_prefix(type, str_of(begins[i])))
			return true;
	return str_has_prefix(type, STR("jdk.")) && meaning_is_event(str_after(type, 4));
}
