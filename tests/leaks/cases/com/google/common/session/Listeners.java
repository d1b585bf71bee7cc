/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
package com.google.common.session;
import java.util.*;
/** Stands for an event bus of a library, which posts from time to time. */
public class Listeners {
    static final List<Runnable> TIMES = new ArrayList<>();
    final Set<Object> known = new HashSet<>();
    public void add(Object listener) { known.add(listener); }
    public int post() { return known.size(); }
    public static void often(Runnable r) { TIMES.add(r); }
}
