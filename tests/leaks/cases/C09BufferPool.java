/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.concurrent.*;
/** A pool of buffers of fixed size. */
public class C09BufferPool {
    static class Pool { final ArrayBlockingQueue<byte[]> free = new ArrayBlockingQueue<>(2000); }
    static final Pool POOL = new Pool();
    public static void main(String[] a) throws Exception { for (int i = 0; i < 2000; i++) POOL.free.put(new byte[8192]); System.out.println("READY"); Thread.sleep(600000); }
}
