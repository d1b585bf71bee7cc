/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.*;
/** A set of keys of which all have one of two hashes, in a small heap. */
public class P23BadHash {
    static class Seat { final int row, number; Seat(int r, int n) { row = r; number = n; } public int hashCode() { return row & 1; } public boolean equals(Object o) { return o instanceof Seat s && s.row == row && s.number == number; } }
    static class Hall { final Set<Seat> taken = new HashSet<>(); }
    static final Hall HALL = new Hall();
    public static void main(String[] a) throws Exception {
        for (int r = 0; r < 40; r++) for (int n = 0; n < 40; n++) HALL.taken.add(new Seat(r, n));
        System.out.println("READY"); Thread.sleep(600000);
    }
}
