/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/** A ring of events of fixed size in an array, filled ahead, beside other parts. */
public class C14Ring {
    static class Event { final byte[] place = new byte[150]; }
    static class Ring { final Event[] slots = new Event[16384]; Ring() { for (int i = 0; i < slots.length; i++) slots[i] = new Event(); } }
    static class Matrix { final double[][] cells = new double[60][1000]; }
    static final Ring RING = new Ring();
    static final Matrix[] MATRICES = new Matrix[60];
    public static void main(String[] a) throws Exception { for (int i = 0; i < 60; i++) MATRICES[i] = new Matrix(); System.out.println("READY"); Thread.sleep(600000); }
}
