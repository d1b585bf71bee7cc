/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.*;
import java.util.concurrent.*;
/** A virtual thread for each room, which waits for words that do not come. JDK 21 or later. */
public class P43Rooms {
    static class Room {
        final BlockingQueue<String> words = new LinkedBlockingQueue<>();
        void listen() { try { for (;;) System.out.print(words.take()); } catch (InterruptedException e) { } }
    }
    static class Lobby { final Map<Integer, Room> rooms = new ConcurrentHashMap<>(); }
    static final Lobby LOBBY = new Lobby();
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 12000; i++) { Room r = new Room(); LOBBY.rooms.put(i, r); Thread.startVirtualThread(r::listen); }
        Thread.sleep(2500);
        System.out.println("READY"); Thread.sleep(600000);
    }
}
