/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * resource_table: the resources of the JDK and of Android, with which all tables of a file are opened.
 */
#include "config.h"

#include "icecore/columns_code.h"
#include "icecore/resources.h"

static const char *const shipped_resources[] = {
	"java.io.FileInputStream made new(java.lang.String) new(java.io.File) openFileInput released close throws "
	    "java.io.IOException same getChannel getFD tryLock lock",
	"java.io.FileOutputStream made new(java.lang.String) new(java.io.File) openFileOutput released close throws "
	    "java.io.IOException same getChannel getFD tryLock lock",
	"java.io.RandomAccessFile made new released close throws java.io.IOException same getChannel getFD tryLock "
	    "lock",
	"java.io.FileReader made new(java.lang.String) new(java.io.File) released close throws java.io.IOException",
	"java.io.FileWriter made new(java.lang.String) new(java.io.File) released close throws java.io.IOException",
	"java.io.PrintWriter made new(java.lang.String) new(java.io.File) released close",
	"java.io.PrintStream made new(java.lang.String) new(java.io.File) released close",
	"java.util.Scanner made new(java.io.File) new(java.nio.file.Path) released close",
	"java.util.Formatter made new(java.io.File) new(java.lang.String) released close",
	"java.io.InputStream made java.nio.file.Files.newInputStream java.net.URL.openStream "
	    "java.lang.Class.getResourceAsStream"
	    " java.lang.ClassLoader.getResourceAsStream java.util.zip.ZipFile.getInputStream "
	    "java.util.jar.JarFile.getInputStream"
	    " android.content.ContentResolver.openInputStream android.content.res.AssetManager.open openRawResource"
	    " released close throws java.io.IOException with java.util.zip.ZipFile java.util.jar.JarFile",
	"java.io.OutputStream made java.nio.file.Files.newOutputStream android.content.ContentResolver.openOutputStream"
	    " released close throws java.io.IOException",
	"java.io.BufferedReader made java.nio.file.Files.newBufferedReader released close throws java.io.IOException",
	"java.io.BufferedWriter made java.nio.file.Files.newBufferedWriter released close throws java.io.IOException",
	"java.nio.file.DirectoryStream made java.nio.file.Files.newDirectoryStream released close",
	"java.util.stream.Stream made java.nio.file.Files.lines java.nio.file.Files.list java.nio.file.Files.walk "
	    "java.nio.file.Files.find"
	    " released close same mapToInt mapToLong mapToDouble mapToObj boxed",
	"java.nio.channels.FileChannel made java.nio.channels.FileChannel.open released close throws "
	    "java.io.IOException same tryLock lock",
	"java.nio.channels.SeekableByteChannel made java.nio.file.Files.newByteChannel released close throws "
	    "java.io.IOException",
	"java.nio.channels.SocketChannel made java.nio.channels.SocketChannel.open "
	    "java.nio.channels.ServerSocketChannel.accept"
	    " released close throws java.io.IOException same socket register",
	"java.nio.channels.ServerSocketChannel made java.nio.channels.ServerSocketChannel.open released close throws "
	    "java.io.IOException same socket register",
	"java.nio.channels.DatagramChannel made java.nio.channels.DatagramChannel.open released close throws "
	    "java.io.IOException same socket register",
	"java.nio.channels.Selector made java.nio.channels.Selector.open released close throws java.io.IOException "
	    "while isOpen",
	"java.net.Socket made new(java.lang.String) new(java.net.InetAddress) java.net.ServerSocket.accept"
	    " createSocket() createSocket(java.lang.String) createSocket(java.net.InetAddress)"
	    " released close throws java.io.IOException same getInputStream getOutputStream getChannel unless isClosed",
	"java.net.ServerSocket made new released close throws java.io.IOException same getChannel unless isClosed",
	"java.net.DatagramSocket made new released close throws java.io.IOException same getChannel unless isClosed",
	"java.net.MulticastSocket made new released close throws java.io.IOException unless isClosed",
	"java.util.zip.ZipFile made new released close",
	"java.util.jar.JarFile made new released close",
	"java.net.URLClassLoader made java.net.URLClassLoader.newInstance released close",
	"java.sql.Connection made java.sql.DriverManager.getConnection javax.sql.DataSource.getConnection"
	    " released close throws java.sql.SQLException unless isClosed",
	"java.sql.Statement made java.sql.Connection.createStatement released close throws java.sql.SQLException with "
	    "java.sql.Connection unless isClosed",
	"java.sql.PreparedStatement made java.sql.Connection.prepareStatement released close throws "
	    "java.sql.SQLException"
	    " with java.sql.Connection unless isClosed",
	"java.sql.CallableStatement made java.sql.Connection.prepareCall released close throws java.sql.SQLException"
	    " with java.sql.Connection unless isClosed",
	"java.sql.ResultSet made java.sql.Statement.executeQuery java.sql.PreparedStatement.executeQuery released close"
	    " throws java.sql.SQLException with java.sql.Statement java.sql.PreparedStatement "
	    "java.sql.CallableStatement java.sql.Connection"
	    " unless isClosed",
	"java.util.concurrent.ExecutorService made java.util.concurrent.Executors.newFixedThreadPool"
	    " java.util.concurrent.Executors.newCachedThreadPool java.util.concurrent.Executors.newSingleThreadExecutor"
	    " released shutdown shutdownNow close unless isShutdown isTerminated",
	"java.util.concurrent.ScheduledExecutorService made java.util.concurrent.Executors.newScheduledThreadPool"
	    " java.util.concurrent.Executors.newSingleThreadScheduledExecutor released shutdown shutdownNow close "
	    "unless isShutdown isTerminated",
	"java.util.concurrent.ThreadPoolExecutor made new released shutdown shutdownNow close allowCoreThreadTimeOut "
	    "unless isShutdown isTerminated",
	"java.util.concurrent.locks.Lock begun lock lockInterruptibly java.util.concurrent.locks.ReentrantLock.lock"
	    " java.util.concurrent.locks.ReentrantLock.lockInterruptibly "
	    "java.util.concurrent.locks.ReentrantReadWriteLock$ReadLock.lock"
	    " java.util.concurrent.locks.ReentrantReadWriteLock$WriteLock.lock released unlock while "
	    "isHeldByCurrentThread isLocked",
	"android.content.res.TypedArray made obtainStyledAttributes obtainAttributes obtainTypedArray released recycle "
	    "close",
	"android.os.Parcel made obtain released recycle",
	"android.view.VelocityTracker made obtain released recycle",
	"android.media.MediaPlayer made new create released release",
	"android.media.MediaMetadataRetriever made new released release close",
	"android.media.MediaExtractor made new released release",
	"android.media.MediaRecorder made new released release",
	"android.media.AudioRecord made new released release",
	"android.media.AudioTrack made new released release",
	"android.hardware.Camera made open released release",
	"android.net.LocalSocket made new released close throws java.io.IOException same getInputStream "
	    "getOutputStream",
	"android.content.res.AssetFileDescriptor made openFd openAssetFileDescriptor openAssetFile openRawResourceFd "
	    "openTypedAssetFileDescriptor"
	    " released close throws java.io.IOException same createInputStream createOutputStream",
	"android.os.ParcelFileDescriptor made openFileDescriptor android.os.ParcelFileDescriptor.open released close "
	    "throws java.io.IOException"
	    " same getFileDescriptor detachFd",
	"android.content.ContentProviderClient made acquireContentProviderClient acquireUnstableContentProviderClient "
	    "released release close",
	"android.database.sqlite.SQLiteDatabase made openDatabase openOrCreateDatabase released close throws "
	    "android.database.SQLException",
	"android.database.sqlite.SQLiteStatement made compileStatement released close throws "
	    "android.database.SQLException",
	"android.database.sqlite.SQLiteDatabase begun beginTransaction beginTransactionNonExclusive released "
	    "endTransaction"
	    " while inTransaction",
	"android.os.PowerManager$WakeLock begun acquire() released release while isHeld",
	"android.net.wifi.WifiManager$WifiLock begun acquire released release while isHeld",
	"android.content.Context begun registerReceiver released unregisterReceiver",
	"android.os.Trace begun beginSection released endSection",
	"wraps java.io.BufferedInputStream java.io.BufferedOutputStream java.io.BufferedReader java.io.BufferedWriter"
	    " java.io.InputStreamReader java.io.OutputStreamWriter java.io.DataInputStream java.io.DataOutputStream "
	    "java.io.PrintWriter"
	    " java.io.PrintStream java.io.LineNumberReader java.io.PushbackInputStream java.io.PushbackReader "
	    "java.io.ObjectInputStream"
	    " java.io.ObjectOutputStream java.util.zip.GZIPInputStream java.util.zip.GZIPOutputStream "
	    "java.util.zip.ZipInputStream"
	    " java.util.zip.ZipOutputStream java.util.jar.JarInputStream java.util.jar.JarOutputStream "
	    "java.util.zip.InflaterInputStream"
	    " java.util.zip.DeflaterOutputStream java.util.zip.CheckedInputStream java.util.zip.CheckedOutputStream"
	    " java.security.DigestInputStream java.security.DigestOutputStream java.util.Scanner",
	"borrows java.util.Properties java.lang.String java.lang.StringBuilder java.lang.StringBuffer "
	    "java.util.Objects java.io.PrintStream"
	    " android.util.Log org.slf4j.Logger java.nio.file.Files.copy java.security.KeyStore.load "
	    "javax.imageio.ImageIO.read"
	    " android.graphics.BitmapFactory.decodeStream android.graphics.Bitmap.compress "
	    "org.apache.commons.io.IOUtils.copy"
	    " org.apache.commons.io.IOUtils.toString org.apache.commons.io.IOUtils.toByteArray "
	    "org.apache.commons.io.IOUtils.readLines"
	    " kotlin.jvm.internal.Intrinsics java.util.jar.Manifest",
	"quiet java.lang.* java.util.* java.io.File java.io.PrintStream android.util.* org.slf4j.* "
	    "org.apache.commons.logging.*"
	    " org.apache.log4j.* kotlin.* android.content.Intent android.os.Bundle",
	"calm java.io.PrintWriter java.io.PrintStream java.util.Scanner java.io.FileInputStream.getChannel "
	    "java.io.FileOutputStream.getChannel"
	    " java.io.RandomAccessFile.getChannel java.net.Socket.getPort java.net.Socket.getLocalPort "
	    "java.net.Socket.getInetAddress"
	    " java.net.Socket.getRemoteSocketAddress java.net.Socket.isConnected java.net.ServerSocket.getLocalPort"
	    " java.net.ServerSocket.getInetAddress java.net.DatagramSocket.getLocalPort "
	    "java.nio.channels.SocketChannel.socket"
	    " java.nio.channels.ServerSocketChannel.socket java.nio.channels.DatagramChannel.socket",
	NULL
};

bool
resources_open(struct resources *r, const struct store *st, struct err *err)
{
	const struct column *own = st == NULL ? NULL : store_column(st, COL_CODE_RESOURCES);
	const struct column *checks = st == NULL ? NULL : store_column(st, COL_CODE_CHECKS);
	struct buf shipped = BUF_INIT;
	bool ok;

	for (const char *const *line = shipped_resources; *line != NULL; line++)
		buf_printf(&shipped, "%s\n", *line);
	ok = (!shipped.bad || fail(err, E_SYSTEM, "out of memory (resources)")) &&
	    resources_read(r, buf_view(&shipped), err) &&
	    (own == NULL || resources_read(r, (struct str){ column_all(own), (size_t)own->rows }, err)) &&
	    (checks == NULL || checks_read(r, (struct str){ column_all(checks), (size_t)checks->rows }, err));
	buf_free(&shipped);
	return ok;
}
