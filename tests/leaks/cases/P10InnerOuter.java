/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.*;
/** Small inner objects in a static list hold the large outer ones. */
public class P10InnerOuter {
    static class Screen { final byte[] image = new byte[20000]; class Undo { final int step = image.length; int size() { return image.length; } } Undo undo() { return new Undo(); } }
    static final List<Screen.Undo> HISTORY = new LinkedList<>();
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 600; i++) HISTORY.add(new Screen().undo());
        System.out.println("READY"); Thread.sleep(600000);
    }
}
