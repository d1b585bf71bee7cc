/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
package com.google.common.session;
import java.util.concurrent.*;
/** Stands for a class of a library: the program that owns one is to blame. */
public class SessionMap<S> {
    private final ConcurrentHashMap<String, S> byKey = new ConcurrentHashMap<>();
    public void put(String k, S s) { byKey.put(k, s); }
}
