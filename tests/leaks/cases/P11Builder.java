/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/** A StringBuilder that only grows. */
public class P11Builder {
    static class Audit { final StringBuilder trail = new StringBuilder(); void note(String s) { trail.append(s).append('\n'); } }
    static final Audit AUDIT = new Audit();
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 900000; i++) AUDIT.note("user " + i + " has seen page " + i % 77);
        System.out.println("READY"); Thread.sleep(600000);
    }
}
