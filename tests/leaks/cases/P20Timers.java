/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.*;
/** A new Timer for each reminder; nobody cancels them. */
public class P20Timers {
    static class Reminder extends TimerTask { final String text; Reminder(int i) { text = "remind " + i; } public void run() { } }
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 120; i++) new Timer().schedule(new Reminder(i), 86400000L);
        System.out.println("READY"); Thread.sleep(600000);
    }
}
