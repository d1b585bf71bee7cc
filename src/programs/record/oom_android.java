// Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
// HeapDumps.java, printed by icecore record heap --on-oom android PACKAGE URL.  Any app may contain this text, under any terms.
//
// An app that runs out of memory leaves a heap dump, and sends it to URL, such as the inbox of contrib/serve, at its next start.
//
// Call HeapDumps.install(this) in onCreate of the Application, in one process of the app.  The manifest needs
// <uses-permission android:name="android.permission.INTERNET" />.  compileSdk is 36 or later; the app needs Android 7.
//
// A heap dump contains passwords and personal data: use this only in builds for testers, or ask first.
package com.example.app;

import android.content.ComponentCallbacks2;
import android.content.Context;
import android.content.pm.PackageManager;
import android.content.res.Configuration;
import android.os.Build;
import android.os.Debug;
import android.os.ProfilingManager;
import android.os.ProfilingResult;
import android.os.ProfilingTrigger;
import android.util.Log;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.util.Collections;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.GZIPOutputStream;

public final class HeapDumps {
	// Android refuses http unless the network security configuration of the app permits it.
	private static final String UPLOAD = "https://dumps.example.com/inbox/";
	private static final String TAG = "HeapDumps";
	private static final long SPARE_BYTES = 200L << 20;
	private static final long KEPT_MS = 7L * 24 * 3600 * 1000;

	private static final AtomicBoolean dumped = new AtomicBoolean();
	// The last memory of the app, for the code that dumps.
	private static volatile byte[] reserve = new byte[256 << 10];

	private final File directory;
	private final String name;
	private final ExecutorService sender = Executors.newSingleThreadExecutor();

	private HeapDumps(Context context) {
		// Private to the app, and not in backups.
		directory = new File(context.getNoBackupFilesDir(), "heap-dumps");
		name = context.getPackageName() + "-" + version(context) + "-";
	}

	public static void install(Context context) {
		HeapDumps dumps = new HeapDumps(context);

		if (!dumps.directory.isDirectory() && !dumps.directory.mkdirs()) {
			Log.w(TAG, "no directory for heap dumps");
			return;
		}
		dumps.sendOld();
		dumps.catchErrors();
		if (Build.VERSION.SDK_INT >= 35)
			new Profiling(dumps, context).begin();
	}

	// ---- the dump

	private void catchErrors() {
		final Thread.UncaughtExceptionHandler next = Thread.getDefaultUncaughtExceptionHandler();
		// These need memory, so they are made now.
		final File part = new File(directory, name + UUID.randomUUID() + ".hprof.part");
		final File whole = new File(directory, part.getName().replace(".part", ""));

		Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {
			try {
				if (isOutOfMemory(thrown) && dumped.compareAndSet(false, true))
					dump(part, whole);
			} catch (Throwable e) {
				// The app ends as it would without a dump.
				part.delete();
			} finally {
				// The system ends the app there, and from Android 17 takes a dump of its own.
				if (next != null)
					next.uncaughtException(thread, thrown);
			}
		});
	}

	private static boolean isOutOfMemory(Throwable thrown) {
		// Causes may form a cycle.
		for (int i = 0; thrown != null && i < 20; i++, thrown = thrown.getCause())
			if (thrown instanceof OutOfMemoryError)
				return true;
		return false;
	}

	private void dump(File part, File whole) throws IOException {
		reserve = null;
		// One dump waits at most, and the disk keeps some space.  A dump is about as large as the heap.
		if (hasDump() || directory.getUsableSpace() < Runtime.getRuntime().totalMemory() + SPARE_BYTES)
			return;
		Debug.dumpHprofData(part.getPath());
		// A dump that the system interrupts never gets this name.
		if (!part.renameTo(whole))
			part.delete();
	}

	private boolean hasDump() {
		String[] names = directory.list();

		for (String found : names == null ? new String[0] : names)
			if (found.endsWith(".hprof"))
				return true;
		return false;
	}

	// ---- the upload

	private void sendOld() {
		File[] files = directory.listFiles();

		for (File file : files == null ? new File[0] : files)
			if (file.getName().endsWith(".part") || file.lastModified() < System.currentTimeMillis() - KEPT_MS)
				file.delete();
			else
				sender.execute(() -> send(file));
	}

	private void send(File file) {
		try {
			int status = put(file);

			if (status / 100 == 2)
				file.delete();
			else
				Log.w(TAG, "status " + status + ": the dump is kept for the next start");
		} catch (IOException e) {
			Log.w(TAG, "the dump is kept for the next start", e);
		}
	}

	// Each attempt has a name of its own: the server may still hold the one of an upload that broke.
	private static int put(File file) throws IOException {
		String attempt = UUID.randomUUID().toString().substring(0, 8);
		HttpURLConnection link = (HttpURLConnection)new URL(UPLOAD + attempt + "-" + file.getName() + ".gz").openConnection();

		link.setRequestMethod("PUT");
		link.setDoOutput(true);
		link.setChunkedStreamingMode(0);
		link.setConnectTimeout(30000);
		link.setReadTimeout(60000);
		try (InputStream in = new FileInputStream(file); OutputStream out = new GZIPOutputStream(link.getOutputStream())) {
			byte[] some = new byte[64 << 10];

			for (int n = in.read(some); n >= 0; n = in.read(some))
				out.write(some, 0, n);
		}
		try {
			return link.getResponseCode();
		} finally {
			link.disconnect();
		}
	}

	private static String version(Context context) {
		try {
			return String.valueOf(context.getPackageManager().getPackageInfo(context.getPackageName(), 0).versionName).replaceAll("[^A-Za-z0-9.]", "_");
		} catch (PackageManager.NameNotFoundException e) {
			return "unknown";
		}
	}

	// ---- dumps of the system, from Android 15

	// The system redacts these dumps: they have classes, references and sizes, but no contents.  They are Perfetto traces.
	// A class of its own, because older systems do not know the types.
	private static final class Profiling {
		private static final int TRIGGER_OUT_OF_MEMORY = 7;	// ProfilingTrigger.TRIGGER_TYPE_OOM of Android 17
		private static final int HOURS = 24;

		private final HeapDumps dumps;
		private final Context context;
		private final ProfilingManager manager;
		private final AtomicBoolean requested = new AtomicBoolean();

		Profiling(HeapDumps dumps, Context context) {
			this.dumps = dumps;
			this.context = context;
			manager = context.getSystemService(ProfilingManager.class);
		}

		void begin() {
			if (manager == null)
				return;
			// It also gets the result of a trigger that ended the app, at the next start.
			manager.registerForAllProfilingResults(dumps.sender, this::take);
			if (Build.VERSION.SDK_INT >= 37)
				manager.addProfilingTriggers(Collections.singletonList(
				    new ProfilingTrigger.Builder(TRIGGER_OUT_OF_MEMORY).setRateLimitingPeriodHours(HOURS).build()));
			context.registerComponentCallbacks(new ComponentCallbacks2() {
				@Override
				public void onTrimMemory(int level) {
					requestIfFull();
				}

				@Override
				public void onLowMemory() {
					requestIfFull();
				}

				@Override
				public void onConfigurationChanged(Configuration to) {
				}
			});
		}

		// When people leave the app or memory is short, and the heap is nearly full: once, before it fails.  The app continues to run.
		private void requestIfFull() {
			Runtime r = Runtime.getRuntime();

			if (r.totalMemory() - r.freeMemory() > r.maxMemory() / 10 * 8 && requested.compareAndSet(false, true))
				manager.requestProfiling(ProfilingManager.PROFILING_TYPE_JAVA_HEAP_DUMP, null, TAG, null, null, null);
		}

		private void take(ProfilingResult result) {
			if (result.getErrorCode() != ProfilingResult.ERROR_NONE || result.getResultFilePath() == null) {
				Log.w(TAG, "no dump of the system: " + result.getErrorCode() + " " + result.getErrorMessage());
				return;
			}
			File from = new File(result.getResultFilePath()), to = new File(dumps.directory, dumps.name + UUID.randomUUID() + ".perfetto-trace");

			if (from.renameTo(to))
				dumps.send(to);
			else
				from.delete();
		}
	}
}
