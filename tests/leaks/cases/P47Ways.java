/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.*;
import java.util.concurrent.*;
/** Plug-ins that were undeployed: some are listeners yet, of others a thread of a pool has a ThreadLocal. */
public class P47Ways {
    public static class Plugin implements Runnable {
        static final byte[][] DATA = new byte[20][20000];
        static final ThreadLocal<Plugin> CURRENT = new ThreadLocal<>();
        public void run() { CURRENT.set(this); }
    }
    static final List<Object> LISTENERS = new CopyOnWriteArrayList<>();
    public static void main(String[] a) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(6);
        for (int i = 0; i < 14; i++) {
            Runnable p = (Runnable)new WebappLoader("P47Ways$Plugin").loadClass("P47Ways$Plugin").getDeclaredConstructor().newInstance();
            if (i < 6) pool.submit(p).get(); else LISTENERS.add(p);
        }
        System.out.println("READY"); Thread.sleep(600000);
    }
}
