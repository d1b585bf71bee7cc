/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.*;
/** Much that is garbage already, in a dump of all objects; little is alive. */
public class C13Garbage {
    static class Reply { final byte[] body = new byte[500]; }
    static final List<Reply> LAST = new ArrayList<>();
    public static void main(String[] a) throws Exception {
        for (int k = 0; k < 20; k++) { Map<Integer, Reply> m = new HashMap<>(); for (int i = 0; i < 4000; i++) m.put(i, new Reply()); if (k == 3) LAST.addAll(m.values()); if (LAST.size() > 200) LAST.subList(200, LAST.size()).clear(); }
        System.out.println("READY"); Thread.sleep(600000);
    }
}
