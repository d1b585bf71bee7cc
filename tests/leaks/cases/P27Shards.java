/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.concurrent.*;
/** Eight shards with a map each; all grow. */
public class P27Shards {
    static class Doc { final byte[] text = new byte[220]; }
    static class Shard { final ConcurrentHashMap<Integer, Doc> docs = new ConcurrentHashMap<>(); }
    static class Store { final Shard[] shards = new Shard[8]; }
    static final Store STORE = new Store();
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 8; i++) STORE.shards[i] = new Shard();
        for (int i = 0; i < 40000; i++) STORE.shards[i % 8].docs.put(i, new Doc());
        System.out.println("READY"); Thread.sleep(600000);
    }
}
