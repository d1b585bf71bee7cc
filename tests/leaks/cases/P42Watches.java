/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/** A thread for each folder that is watched; their names are words. */
public class P42Watches {
    final String folder;
    P42Watches(String folder) { this.folder = folder; Thread t = new Thread(this::watch, "watch " + folder); t.setDaemon(true); t.start(); }
    synchronized void watch() { try { wait(); } catch (InterruptedException e) { } System.out.print(folder); }
    public static void main(String[] a) throws Exception {
        for (char x = 'a'; x <= 'z'; x++) for (char y = 'a'; y < 'f'; y++) new P42Watches("" + x + y);
        Thread.sleep(500);
        System.out.println("READY"); Thread.sleep(600000);
    }
}
