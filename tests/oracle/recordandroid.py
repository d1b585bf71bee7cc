# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""recordandroid.py: the class of icecore record heap --on-oom android, compiled and run with stand-ins for the classes of Android."""
import gzip
import http.server
import os
import re
import shutil
import subprocess
import threading
import time

PACKAGE = "org.example.shop"
# The signatures of the public API; the bodies record what is asked.
STUBS = {
    "android/content/ComponentCallbacks": "public interface ComponentCallbacks { void onConfigurationChanged(android.content.res.Configuration c); void onLowMemory(); }",
    "android/content/ComponentCallbacks2": "public interface ComponentCallbacks2 extends ComponentCallbacks { void onTrimMemory(int level); }",
    "android/content/Context": """public abstract class Context {
        public abstract java.io.File getNoBackupFilesDir();
        public abstract String getPackageName();
        public abstract android.content.pm.PackageManager getPackageManager();
        public abstract Object getSystemService(String name);
        public final <T> T getSystemService(Class<T> type) { return type.cast(getSystemService(type.getName())); }
        public void registerComponentCallbacks(ComponentCallbacks c) { callbacks = c; }
        public ComponentCallbacks callbacks; }""",
    "android/content/pm/PackageInfo": "public class PackageInfo { public String versionName; }",
    "android/content/pm/PackageManager": """public abstract class PackageManager {
        public static class NameNotFoundException extends Exception { private static final long serialVersionUID = 1; }
        public abstract PackageInfo getPackageInfo(String name, int flags) throws NameNotFoundException; }""",
    "android/content/res/Configuration": "public final class Configuration { }",
    "android/os/Build": "public class Build { public static class VERSION { public static final int SDK_INT = Integer.getInteger(\"sdk\"); } }",
    "android/os/Bundle": "public final class Bundle { }",
    "android/os/CancellationSignal": "public final class CancellationSignal { }",
    "android/os/Debug": """public final class Debug {
        static final com.sun.management.HotSpotDiagnosticMXBean bean =
            java.lang.management.ManagementFactory.getPlatformMXBean(com.sun.management.HotSpotDiagnosticMXBean.class);
        public static void dumpHprofData(String name) throws java.io.IOException {
            System.err.println("dump");
            bean.dumpHeap(name + ".hprof", true);
            new java.io.File(name + ".hprof").renameTo(new java.io.File(name)); } }""",
    "android/os/ProfilingManager": """public final class ProfilingManager {
        public static final int PROFILING_TYPE_JAVA_HEAP_DUMP = 1;
        private java.util.concurrent.Executor executor;
        private java.util.function.Consumer<ProfilingResult> listener;
        public void registerForAllProfilingResults(java.util.concurrent.Executor e, java.util.function.Consumer<ProfilingResult> l) { executor = e; listener = l; }
        public void addProfilingTriggers(java.util.List<ProfilingTrigger> all) {
            for (ProfilingTrigger t : all) System.err.println("trigger " + t.getTriggerType() + " " + t.getRateLimitingPeriodHours()); }
        public void requestProfiling(int type, Bundle parameters, String tag, CancellationSignal cancel, java.util.concurrent.Executor e,
            java.util.function.Consumer<ProfilingResult> l) {
            System.err.println("request " + type);
            executor.execute(() -> listener.accept(new ProfilingResult(System.getProperty("result")))); } }""",
    "android/os/ProfilingResult": """public final class ProfilingResult {
        public static final int ERROR_NONE = 0;
        private final String path;
        ProfilingResult(String p) { path = p; }
        public int getErrorCode() { return path == null ? 6 : ERROR_NONE; }
        public String getErrorMessage() { return null; }
        public String getResultFilePath() { return path; } }""",
    "android/os/ProfilingTrigger": """public final class ProfilingTrigger {
        private final int type, hours;
        private ProfilingTrigger(int t, int h) { type = t; hours = h; }
        public int getTriggerType() { return type; }
        public int getRateLimitingPeriodHours() { return hours; }
        public static final class Builder {
            private final int type;
            private int hours;
            public Builder(int t) { type = t; }
            public Builder setRateLimitingPeriodHours(int h) { hours = h; return this; }
            public ProfilingTrigger build() { return new ProfilingTrigger(type, hours); } } }""",
    "android/util/Log": """public final class Log {
        public static volatile int lines;
        public static int w(String tag, String text) { return w(tag, text, null); }
        public static int w(String tag, String text, Throwable e) { System.err.println("log " + text + (e == null ? "" : " " + e)); return ++lines; } }""",
    "App": """import java.io.File;
    import java.util.*;
    import android.content.*;
    import android.content.pm.*;
    public final class App extends Context {
        static final class Hoard { byte[] kept = new byte[100000]; }
        static final List<Hoard> hoards = Collections.synchronizedList(new ArrayList<>(1000));
        final Object manager = Integer.getInteger("sdk") < 35 ? null : new android.os.ProfilingManager();
        public File getNoBackupFilesDir() { return new File("private"); }
        public String getPackageName() { return "org.example.shop"; }
        public PackageManager getPackageManager() { return new PackageManager() {
            public PackageInfo getPackageInfo(String name, int flags) { PackageInfo i = new PackageInfo(); i.versionName = "1.2 beta"; return i; } }; }
        public Object getSystemService(String name) { return manager; }
        static void hoard(long bytes) { while (bytes < 0 || hoards.size() * 100000L < bytes) hoards.add(new Hoard()); }
        public static void main(String[] args) throws Exception {
            App app = new App();
            Class.forName("android.os.Debug");
            Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> { System.err.println("next"); Runtime.getRuntime().halt(70); });
            org.example.shop.HeapDumps.install(app);
            if (args[0].equals("fail"))
                throw new IllegalStateException();
            if (args[0].equals("oom"))
                hoard(-1);
            if (args[0].equals("full")) {
                ((ComponentCallbacks2)app.callbacks).onTrimMemory(20);
                hoard(Runtime.getRuntime().maxMemory() / 10 * 9);
                ((ComponentCallbacks2)app.callbacks).onTrimMemory(20);
                app.callbacks.onLowMemory();
            }
            File result = new File(System.getProperty("result", args[0].equals("full") ? "." : "none"));
            long end = System.nanoTime() + 60000000000L;
            while ((result.exists() || new File("private/heap-dumps").list().length > 0) && android.util.Log.lines == 0 && System.nanoTime() < end)
                Thread.sleep(10);
            System.exit(0); } }""",
}


class Server:
    """Take uploads as contrib/serve does; status is its answer."""

    def __init__(self):
        server = self
        self.got, self.status = [], 201

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_PUT(self):
                body = b""
                while n := int(self.rfile.readline(), 16):
                    body += self.rfile.read(n)
                    self.rfile.readline()
                self.rfile.readline()
                server.got.append((self.path, body))
                self.send_response(server.status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.web = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = "http://127.0.0.1:%d/inbox" % self.web.server_port
        threading.Thread(target=self.web.serve_forever, daemon=True).start()

    def take(self):
        got, self.got = self.got, []
        return got


class App:
    """The app with the printed class, in a directory of its own."""

    def __init__(self, room, text):
        self.room, self.classes = room, os.path.join(room, "classes")
        self.folder = os.path.join(room, "private", "heap-dumps")
        sources = []
        for name, body in {**STUBS, PACKAGE.replace(".", "/") + "/HeapDumps": text}.items():
            path = os.path.join(room, "source", name + ".java")
            os.makedirs(os.path.dirname(path), exist_ok=True)
            folder = os.path.dirname(name)
            with open(path, "w", encoding="utf-8") as f:
                f.write(("package %s;\n" % folder.replace("/", ".") if folder and "package " not in body else "") + body)
            sources.append(path)
        p = subprocess.run(["javac", "-Xlint:all,-options,-serial", "-Werror", "-d", self.classes, *sources], capture_output=True, text=True, check=False)
        self.bad = p.stderr if p.returncode else ""

    def run(self, what, sdk, result=None):
        """Start it; its status and the words of its classes."""
        p = subprocess.run(["java", "-Xmx32m", "-XX:+UseSerialGC", "-Dsdk=%d" % sdk, *(["-Dresult=" + result] if result else []), "-cp", self.classes, "App", what],
                           cwd=self.room, capture_output=True, text=True, check=False, timeout=300)
        return p.returncode, [line for line in p.stderr.splitlines() if line.split()[:1] in (["dump"], ["next"], ["log"], ["request"], ["trigger"])]

    def files(self):
        return sorted(os.listdir(self.folder))

    def put(self, name, age):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="ascii") as f:
            f.write("old\n")
        os.utime(path, (time.time() - age, time.time() - age))


def same(what, got, want):
    return [] if got == want else ["%s: %s, not %s" % (what, got, want)]


def check_dumps(bench, app, server):
    """Out of memory, no server, a server that refuses, a server that takes."""
    bad = same("an error of another kind", (app.run("fail", 34), app.files()), ((70, ["next"]), []))
    bad += same("out of memory", app.run("oom", 34), (70, ["dump", "next"]))
    first = app.files()
    bad += [] if len(first) == 1 and re.fullmatch(r"org\.example\.shop-1\.2_beta-[0-9a-f-]{36}\.hprof", first[0]) else [first]
    server.status = 507
    status, words = app.run("oom", 34)
    bad += same("out of memory again", (status, [w for w in words if "dump is kept" not in w], app.files()), (70, ["next"], first))
    status, words = app.run("start", 34)
    bad += same("refused", (status, len(words), app.files()), (0, 1, first)) + ([] if "status 507" in words[0] else words)
    server.take()
    server.status = 201
    app.put("cut.hprof.part", 0)
    app.put("old.hprof", 8 * 24 * 3600)
    bad += same("a start", (app.run("start", 34), app.files()), ((0, []), []))
    got = server.take()
    bad += same("uploads", [re.sub("[0-9a-f]{8}-", "A-", path, count=1) for path, _ in got], ["/inbox/A-%s.gz" % n for n in first])
    path = os.path.join(app.room, "got.hprof.gz")
    with open(path, "wb") as f:
        f.write(got[0][1] if got else b"")
    p = bench.run("--no-index", "-e", "histogram | where name == 'App$Hoard' | select objects", path)
    return bad + ([] if p.returncode == 0 and int(p.stdout.split()[-1]) > 100 else [p.stdout, p.stderr])


def check_profiling(app, server):
    """Dumps of the system: one request when the heap is full, the trigger, and the upload of the result."""
    bad = []
    for sdk, words in ((35, ["request 1"]), (37, ["trigger 7 24", "request 1"])):
        result = os.path.join(app.room, "result%d" % sdk)
        with open(result, "w", encoding="ascii") as f:
            f.write("trace %d" % sdk)
        bad += same("Android %d" % sdk, (app.run("full", sdk, result), app.files(), os.path.exists(result)), ((0, words), [], False))
        bad += same("its upload", [(p.endswith(".perfetto-trace.gz"), gzip.decompress(b)) for p, b in server.take()], [(True, b"trace %d" % sdk)])
    status, words = app.run("full", 35)
    return bad + same("no result", (status, words[:1], words[1:2], app.files()), (0, ["request 1"], ["log no dump of the system: 6 null"], []))


def check_android(bench):
    server = Server()
    p = bench.run("record", "heap", "--on-oom", "android", PACKAGE, server.url)
    if p.returncode != 0:
        return [p.stderr]
    app = App(bench.room(), p.stdout)
    if app.bad:
        return [app.bad]
    bad = check_profiling(app, server)
    # Older systems have none of these classes.
    for name in ("ProfilingManager", "ProfilingResult", "ProfilingTrigger", "ProfilingTrigger$Builder"):
        os.remove(os.path.join(app.classes, "android", "os", name + ".class"))
    bad += check_dumps(bench, app, server)
    full = App(bench.room(), p.stdout.replace("200L << 20", "1L << 60"))
    bad += [full.bad] if full.bad else same("a full disk", (full.run("oom", 34), full.files()), ((70, ["next"]), []))
    plain = bench.run("record", "heap", "--on-oom", "android").stdout
    bad += same("only the package and the URL differ", plain.replace("com.example.app", PACKAGE).replace("https://dumps.example.com/inbox", server.url), p.stdout)
    for words in (("a..b",), ("1a",), ("a;b",), ("a.b", "ftp://x/"), ("a.b", 'https://x/"'), ("a.b", "https://x/", "c")):
        got = bench.run("record", "heap", "--on-oom", "android", *words)
        bad += same(" ".join(words), (got.returncode, got.stdout), (2, ""))
    shutil.rmtree(app.room)
    return bad
