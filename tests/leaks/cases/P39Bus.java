/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import com.google.common.session.Listeners;
/** Views stay registered; of the program only a lambda holds the bus. */
public class P39Bus {
    static class View { final byte[] drawn = new byte[500]; }
    static void open(Listeners bus) {
        for (int i = 0; i < 20000; i++) bus.add(new View());
        Listeners.often(() -> bus.post());
    }
    public static void main(String[] a) throws Exception { open(new Listeners()); System.out.println("READY"); Thread.sleep(600000); }
}
