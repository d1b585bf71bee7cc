/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.*; import java.util.concurrent.*;
/** Futures that nobody completes wait in a queue, each with a step that has the request. */
public class P07Futures {
    static class Request { final byte[] body = new byte[200]; void done(String s) { } }
    static class Gateway { final Queue<CompletableFuture<String>> pending = new ConcurrentLinkedQueue<>(); }
    static final Gateway GATEWAY = new Gateway();
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 40000; i++) {
            Request r = new Request();
            CompletableFuture<String> f = new CompletableFuture<>();
            f.thenAccept(r::done);
            GATEWAY.pending.add(f);
        }
        System.out.println("READY"); Thread.sleep(600000);
    }
}
