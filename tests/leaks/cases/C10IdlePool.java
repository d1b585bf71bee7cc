/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.concurrent.*;
/** 120 idle threads of a pool, each with a buffer of its own. */
public class C10IdlePool {
    static final ThreadLocal<byte[]> BUFFER = ThreadLocal.withInitial(() -> new byte[16384]);
    static final ExecutorService POOL = Executors.newFixedThreadPool(120);
    public static void main(String[] a) throws Exception {
        CyclicBarrier all = new CyclicBarrier(121);
        for (int i = 0; i < 120; i++) POOL.execute(() -> { BUFFER.get(); try { all.await(); } catch (Exception e) { } });
        all.await();
        System.out.println("READY"); Thread.sleep(600000);
    }
}
