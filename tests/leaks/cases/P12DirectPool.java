/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.nio.ByteBuffer; import java.util.*;
/** A pool of direct buffers that is never emptied. */
public class P12DirectPool {
    static class Buffers { private final Deque<ByteBuffer> free = new ArrayDeque<>(); void back(ByteBuffer b) { free.push(b); } }
    static class Server { final Buffers buffers = new Buffers(); }
    static final Server SERVER = new Server();
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 96; i++) SERVER.buffers.back(ByteBuffer.allocateDirect(512 * 1024));
        System.out.println("READY"); Thread.sleep(600000);
    }
}
