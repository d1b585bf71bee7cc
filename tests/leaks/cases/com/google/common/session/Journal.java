/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
package com.google.common.session;
import java.util.concurrent.ArrayBlockingQueue;
/** Stands for the queue of a library that writes in the background: its bound is high, and what waits is its own. */
public class Journal {
    public static class Event {
        final String text;
        final Object[] arguments;
        Event(String text, Object... arguments) { this.text = text; this.arguments = arguments; }
    }
    static final Journal JOURNAL = new Journal();
    final ArrayBlockingQueue<Event> waiting = new ArrayBlockingQueue<>(40000);
    public static void note(String text, Object... arguments) { JOURNAL.waiting.offer(new Event(text, arguments)); }
}
