/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import com.google.common.session.SessionMap;
/** Sessions in a map of a library, which a field of the program holds. */
public class P13LibraryMap {
    static class Session { final byte[] cart = new byte[300]; }
    static class Site { final SessionMap<Session> visitors = new SessionMap<>(); }
    static final Site SITE = new Site();
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 30000; i++) SITE.visitors.put("s" + i, new Session());
        System.out.println("READY"); Thread.sleep(600000);
    }
}
