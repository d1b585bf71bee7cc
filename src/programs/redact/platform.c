/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * platform: names of tasks and packages that all devices with this kernel or this Android have, and so say
 * nothing about their users.  A name is one of them only from its first byte to its last one.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hide.h"

#define PACKAGE "com.android."
#define PROGRAM "/system/bin/"

enum { COMM = 15, DIGITS = 7 };		/* bytes of a task's name, which the kernel cuts; digits of ids and of CPUs */

/* Names that all devices have.  In order. */
static const char *const tasks[] = {
	"<...>", "<idle>", "ADB-JDWP Connection Control Thread", "ActivityManager", "Binder",
	"FinalizerDaemon", "FinalizerWatchdogDaemon", "HeapTaskDaemon", "InputDispatcher", "InputReader",
	"Jit thread pool", "Profile Saver", "ReferenceQueueDaemon", "RenderEngine", "RenderThread",
	"Signal Catcher", "adbd", "android.anim", "android.anim.lf", "android.bg", "android.display",
	"android.fg", "android.io", "android.process.acore", "android.process.media", "android.ui",
	"apexd", "app_process", "app_process32", "app_process64", "app_zygote", "ata_sff", "atrace",
	"audioserver", "bootanimation", "bpfloader", "cameraserver", "charger_manager", "credstore",
	"devfreq_wq", "drmserver", "dumpstate", "edac-poller", "gatekeeperd", "gpuservice", "gsid",
	"healthd", "heapprofd", "hwservicemanager", "hwuiTask", "idmap2d", "incidentd", "init",
	"installd", "ipv6_addrconf", "kauditd", "kblockd", "kcompactd", "kdevtmpfs", "keystore",
	"keystore2", "khugepaged", "khungtaskd", "kintegrityd", "ksmd", "kthreadd", "linker", "linker64",
	"lmkd", "logcat", "logd", "main", "mdnsd", "media.codec", "media.extractor", "media.metrics",
	"mediaserver", "mm_percpu_wq", "mtpd", "netd", "netns", "oom_reaper", "perfetto",
	"perfetto_hprof_", "perfetto_hprof_listener", "psimon", "queued-work-looper", "rcu_bh",
	"rcu_exp_gp_kthread_worker", "rcu_exp_par_gp_kthread_worker", "rcu_gp", "rcu_par_gp",
	"rcu_preempt", "rcu_sched", "rcu_tasks_kthread", "rcu_tasks_rude_kthread",
	"rcu_tasks_trace_kthread", "rild", "screenrecord", "servicemanager", "simpleperf", "slub_flushwq",
	"statsd", "storaged", "surfaceflinger", "swapper", "system_server", "tombstoned", "toybox",
	"traced", "traced_perf", "traced_probes", "ueventd", "update_engine", "usap32", "usap64", "usbd",
	"vndservicemanager", "vold", "watchdogd", "webview_zygote", "wificond", "writeback", "zygote",
	"zygote64"
};

/* In /system/bin.  In order. */
static const char *const programs[] = {
	"adbd", "apexd", "app_process", "app_process32", "app_process64", "atrace", "audioserver",
	"bootanimation", "bpfloader", "cameraserver", "credstore", "drmserver", "dumpstate",
	"gatekeeperd", "gpuservice", "gsid", "healthd", "heapprofd", "hwservicemanager", "idmap2d",
	"incidentd", "init", "installd", "keystore", "keystore2", "linker", "linker64", "lmkd", "logcat",
	"logd", "mdnsd", "media.codec", "media.extractor", "media.metrics", "mediaserver", "mtpd", "netd",
	"perfetto", "rild", "screenrecord", "servicemanager", "simpleperf", "statsd", "storaged",
	"surfaceflinger", "tombstoned", "toybox", "traced", "traced_perf", "traced_probes", "ueventd",
	"update_engine", "usbd", "vndservicemanager", "vold", "wificond"
};

/* Behind com.android.  In order. */
static const char *const packages[] = {
	"bluetooth", "calculator2", "calendar", "camera2", "carrierconfig", "cellbroadcastreceiver",
	"certinstaller", "chrome", "contacts", "defcontainer", "deskclock", "dialer", "documentsui",
	"email", "externalstorage", "gallery3d", "inputmethod.latin", "keychain", "launcher3",
	"localtransport", "managedprovisioning", "messaging", "mms", "musicfx", "networkstack",
	"networkstack.process", "nfc", "packageinstaller", "permissioncontroller", "phone",
	"printspooler", "providers.blockednumber", "providers.calendar", "providers.contacts",
	"providers.downloads", "providers.media", "providers.media.module", "providers.settings",
	"providers.telephony", "providers.userdictionary", "se", "server.telecom", "settings",
	"settings.intelligence", "shell", "statementservice", "storagemanager", "systemui", "traceur",
	"vending", "vpndialogs", "wallpaper.livepicker", "wallpaperbackup", "webview"
};

/* Work queues of the kernel itself; others have names of drivers.  In order. */
static const char *const queues[] = {
	"async", "cgroup_bpf_destroy", "cgroup_destroy", "cgroup_free", "cgroup_release", "cgwb_release",
	"devfreq_wq", "events", "events_freezable", "events_freezable_power_",
	"events_freezable_pwr_efficient", "events_highpri", "events_long", "events_power_efficient",
	"events_unbound", "inet_frag_wq", "ipv6_addrconf", "kacpi_hotplug", "kacpi_notify", "kacpid",
	"kblockd", "kintegrityd", "memory_cgroup", "mm_percpu_wq", "netns", "pm", "psi", "rcu_gp",
	"rcu_par_gp", "slub_flushwq", "sync_wq", "writeback"
};

/*
 * %d: a number of a CPU or a task; %x: one of a thread, hexadecimal; %q: a work queue; %*: the name that a
 * driver chose.
 */
static const char *const forms[] = {
	"AsyncTask #%d", "Binder:%d_%x", "HwBinder:%d_%x", "Jit thread pool worker thread %d",
	"binder:%d_%x", "cpuhp/%d", "hwuiTask%d", "idle_inject/%d", "irq/%d-%*", "kcompactd%d",
	"kswapd%d", "ksoftirqd/%d", "kworker/%d:%d", "kworker/%d:%dH", "kworker/%d:%d+%q",
	"kworker/%d:%d-%q", "kworker/%d:%dH+%q", "kworker/%d:%dH-%q", "kworker/R-%q", "kworker/u%d:%d",
	"kworker/u%d:%dH", "kworker/u%d:%d+%q", "kworker/u%d:%d-%q", "loop%d", "migration/%d", "rcub/%d",
	"rcuc/%d", "rcuog/%d", "rcuop/%d", "rcuos/%d", "scsi_eh_%d", "scsi_tmf_%d", "stopper/%d",
	"swapper/%d", "usb-storage%d", "watchdog/%d"
};

static int
platform_by_name(const void *name, const void *row)
{
	return str_cmp(*(const struct str *)name, str_of(*(const char *const *)row));
}

#define LISTED(s, table) (bsearch(&(s), table, NELEM(table), sizeof *(table), platform_by_name) != NULL)

/* ---- forms ------------------------------------------------------------------------------------------- */

static size_t
platform_digits(struct str s, bool hex)
{
	size_t n = hex ? str_hexes(s) : str_digits(s);

	return n <= DIGITS ? n : 0;
}

/* The bytes of the name that have the form: all, those in front of what a driver chose, or none. */
static size_t
platform_form(struct str name, const char *form)
{
	struct str rest = name;
	size_t n;

	for (; *form != '\0'; form++) {
		if (*form != '%') {
			if (rest.n == 0 || rest.s[0] != *form)
				return 0;
			rest = str_after(rest, 1);
		} else if (*++form == 'd' || *form == 'x') {
			if ((n = platform_digits(rest, *form == 'x')) == 0)
				return 0;
			rest = str_after(rest, n);
		} else if (rest.n > 0)
			return *form == 'q' && LISTED(rest, queues) ? name.n : name.n - rest.n;
	}
	return rest.n == 0 ? name.n : 0;
}

/* ---- names ------------------------------------------------------------------------------------------- */

/* The kernel keeps the first bytes of the name of a task, and Android the last ones of a package. */
static bool
is_cut(struct str s)
{
	char package[64];

	for (size_t i = 0; i < NELEM(tasks); i++)
		if (strlen(tasks[i]) > COMM && str_has_prefix(str_of(tasks[i]), s))
			return true;
	for (size_t i = 0; i < NELEM(packages); i++) {
		snprintf(package, sizeof package, PACKAGE "%s", packages[i]);
		if (str_has_suffix(str_of(package), s))
			return true;
	}
	return false;
}

size_t
platform_part(struct str s)
{
	struct str rest = s;
	size_t part = 0;

	if (LISTED(s, tasks) || (str_take(&rest, STR(PACKAGE)) && LISTED(rest, packages)))
		return s.n;
	if (str_take(&rest, STR(PROGRAM)) && LISTED(rest, programs))
		return s.n;
	for (size_t i = 0; i < NELEM(forms) && part == 0; i++)
		part = forms[i][0] == (s.n > 0 ? s.s[0] : '\0') ? platform_form(s, forms[i]) : 0;
	return part == 0 && s.n == COMM && is_cut(s) ? s.n : part;
}

bool
platform_list(size_t i, struct buf *b)
{
	buf_clear(b);
	if (i < NELEM(tasks)) {
		buf_str(b, str_of(tasks[i]));
		return true;
	}
	i -= NELEM(tasks);
	if (i < NELEM(programs)) {
		buf_str(b, STR(PROGRAM));
		buf_str(b, str_of(programs[i]));
		return true;
	}
	i -= NELEM(programs);
	if (i < NELEM(packages)) {
		buf_str(b, STR(PACKAGE));
		buf_str(b, str_of(packages[i]));
		return true;
	}
	i -= NELEM(packages);
	if (i < NELEM(forms))
		buf_str(b, str_of(forms[i]));
	return i < NELEM(forms);
}
