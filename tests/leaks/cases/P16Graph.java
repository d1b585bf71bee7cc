/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.*;
/** A graph with cycles, held at one of its nodes. */
public class P16Graph {
    static class Place { final List<Place> near = new ArrayList<>(4); final byte[] map = new byte[100]; }
    static class Net { Place start; }
    static final Net NET = new Net();
    public static void main(String[] a) throws Exception {
        Random r = new Random(5); Place[] all = new Place[50000];
        for (int i = 0; i < all.length; i++) all[i] = new Place();
        for (int i = 0; i < all.length; i++) { all[i].near.add(all[(i + 1) % all.length]); all[i].near.add(all[r.nextInt(all.length)]); all[i].near.add(all[r.nextInt(all.length)]); }
        NET.start = all[0]; all = null;
        System.out.println("READY"); Thread.sleep(600000);
    }
}
