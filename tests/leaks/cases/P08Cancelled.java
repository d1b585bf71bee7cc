/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.concurrent.*;
/** Timeouts that are cancelled stay in the queue of the scheduler until their time comes. */
public class P08Cancelled {
    static class Timeouts { final ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(1); }
    static final Timeouts TIMEOUTS = new Timeouts();
    static void expire() { }
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 150000; i++) TIMEOUTS.pool.schedule(P08Cancelled::expire, 1, TimeUnit.DAYS).cancel(false);
        System.out.println("READY"); Thread.sleep(600000);
    }
}
