/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.*;
/** An EnumMap for each customer. */
public class P25EnumMaps {
    enum Channel { MAIL, PHONE, POST, WEB, SHOP }
    static class Consent { final long at; final String by; Consent(int i) { at = i; by = "clerk " + i; } }
    static final Map<Integer, EnumMap<Channel, Consent>> CONSENTS = new HashMap<>();
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 20000; i++) { EnumMap<Channel, Consent> m = new EnumMap<>(Channel.class); for (Channel c : Channel.values()) m.put(c, new Consent(i)); CONSENTS.put(i, m); }
        System.out.println("READY"); Thread.sleep(600000);
    }
}
