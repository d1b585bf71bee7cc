/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.concurrent.*;
/** A ThreadLocal in a field of an object; 20 threads of a pool have its value. */
public class P03ThreadLocalField {
    static class Scratch { final byte[] bytes = new byte[500000]; }
    static class Parser { private final ThreadLocal<Scratch> scratch = ThreadLocal.withInitial(Scratch::new); int parse() { return scratch.get().bytes.length; } }
    static final Parser PARSER = new Parser();
    static final ExecutorService POOL = Executors.newFixedThreadPool(20);
    public static void main(String[] a) throws Exception {
        CyclicBarrier all = new CyclicBarrier(21);
        for (int i = 0; i < 20; i++) POOL.execute(() -> { PARSER.parse(); try { all.await(); } catch (Exception e) { } });
        all.await();
        System.out.println("READY"); Thread.sleep(600000);
    }
}
