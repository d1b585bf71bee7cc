/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.*;
/** 400 accounts in a map; one of them never forgets its messages. */
public class P28OneAccount {
    static class Message { final byte[] text = new byte[180]; }
    static class Mailbox { final Deque<Message> unread = new ArrayDeque<>(); }
    static class Office { final Map<String, Mailbox> boxes = new HashMap<>(); }
    static final Office OFFICE = new Office();
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 400; i++) { Mailbox b = new Mailbox(); for (int k = 0; k < 5; k++) b.unread.add(new Message()); OFFICE.boxes.put("user" + i, b); }
        for (int i = 0; i < 40000; i++) OFFICE.boxes.get("user123").unread.add(new Message());
        System.out.println("READY"); Thread.sleep(600000);
    }
}
