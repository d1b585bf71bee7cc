/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.concurrent.*;
/** Each use makes a new ThreadLocal and forgets it: the values stay in the threads of the pool and nothing can read them. */
public class P02KeyGone {
    static class Draft { final byte[] page = new byte[60000]; }
    static final ExecutorService POOL = Executors.newFixedThreadPool(16);
    public static void main(String[] a) throws Exception {
        CyclicBarrier all = new CyclicBarrier(17);
        for (int i = 0; i < 16; i++) POOL.execute(() -> {
            for (int k = 0; k < 12; k++) new ThreadLocal<Draft>().set(new Draft());
            try { all.await(); } catch (Exception e) { }
        });
        all.await();
        System.out.println("READY"); Thread.sleep(600000);
    }
}
