/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.*;
/** A server whose 40 connections each keep frames that were never sent. */
public class P50Outgoing {
    static class Frame { final long at = System.nanoTime(); final byte[] data = new byte[250]; }
    static class Connection { final String peer; final ArrayDeque<Frame> unsent = new ArrayDeque<>(); Connection(String p) { peer = p; } }
    static class Server { final Map<String, Connection> connections = new HashMap<>(); }
    static final Server SERVER = new Server();
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 40; i++) SERVER.connections.put("10.0.0." + i, new Connection("10.0.0." + i));
        for (int i = 0; i < 1500; i++) for (Connection c : SERVER.connections.values()) c.unsent.add(new Frame());
        System.out.println("READY"); Thread.sleep(600000);
    }
}
