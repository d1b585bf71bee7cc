/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.*;
import java.util.concurrent.*;
/** An ordinary server: some pools of some dozen threads, a group of event loops, a scheduler. */
public class C19Pools {
    static final List<ExecutorService> POOLS = new ArrayList<>();
    static final ExecutorService[] LOOPS = new ExecutorService[32];
    public static void main(String[] a) throws Exception {
        for (int n : new int[] { 200, 40, 16, 8 }) {
            ThreadPoolExecutor p = (ThreadPoolExecutor)Executors.newFixedThreadPool(n);
            p.prestartAllCoreThreads();
            POOLS.add(p);
        }
        for (int i = 0; i < LOOPS.length; i++) (LOOPS[i] = Executors.newSingleThreadExecutor()).submit(() -> 1).get();
        POOLS.add(Executors.newScheduledThreadPool(4));
        System.out.println("READY"); Thread.sleep(600000);
    }
}
