/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/** An array of arrays of arrays of long that keeps all measurements. */
public class P29Longs {
    static class Meter { final long[][][] readings = new long[12][][]; }
    static final Meter METER = new Meter();
    public static void main(String[] a) throws Exception {
        for (int m = 0; m < 12; m++) { METER.readings[m] = new long[31][]; for (int d = 0; d < 31; d++) METER.readings[m][d] = new long[4320]; }
        System.out.println("READY"); Thread.sleep(600000);
    }
}
