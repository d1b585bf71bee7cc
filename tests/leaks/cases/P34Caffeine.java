/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import com.github.benmanes.caffeine.cache.*;
/** A cache of Caffeine without any bound. */
public class P34Caffeine {
    static class Tile { final byte[] image = new byte[400]; }
    static class Tiles { final Cache<String, Tile> seen = Caffeine.newBuilder().build(); }
    static final Tiles TILES = new Tiles();
    public static void main(String[] a) throws Exception { for (int i = 0; i < 25000; i++) TILES.seen.put("t" + i, new Tile()); System.out.println("READY"); Thread.sleep(600000); }
}
