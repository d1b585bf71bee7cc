/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.*;
/** Six deployments of one application; each left a thread that has its class loader as context. */
public class P17ContextLoader {
    public static class App implements Runnable {
        static final List<byte[]> CACHE = new ArrayList<>();
        public void run() { for (int i = 0; i < 200; i++) CACHE.add(new byte[5000]); }
    }
    static void idle() { try { Thread.sleep(600000); } catch (InterruptedException e) { } }
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 6; i++) {
            WebappLoader l = new WebappLoader("P17ContextLoader$App");
            ((Runnable) l.loadClass("P17ContextLoader$App").getDeclaredConstructor().newInstance()).run();
            Thread t = new Thread(P17ContextLoader::idle, "cleanup"); t.setContextClassLoader(l); t.start();
        }
        System.out.println("READY"); Thread.sleep(600000);
    }
}
