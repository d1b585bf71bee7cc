/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.*;
/** Rows of a result, each an array of values, are kept after the page was sent. */
public class P52Rows {
    static class Page { final List<Object[]> rows = new ArrayList<>(); }
    static final Page LAST = new Page();
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 120000; i++) LAST.rows.add(new Object[] { i, "row " + i, i / 3.0, null });
        System.out.println("READY"); Thread.sleep(600000);
    }
}
