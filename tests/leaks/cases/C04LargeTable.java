/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/** One large table that the program is meant to have: heights of a map. */
public class C04LargeTable {
    static class Terrain { final short[][] heights = new short[2000][5000]; }
    static final Terrain TERRAIN = new Terrain();
    public static void main(String[] a) throws Exception { System.out.println("READY"); Thread.sleep(600000); }
}
