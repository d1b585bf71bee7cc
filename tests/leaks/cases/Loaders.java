/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.io.*;
/** Loads one class, and what it has inside, anew: an application that is deployed again. */
class WebappLoader extends ClassLoader {
    final String mine;
    WebappLoader(String mine) { super(WebappLoader.class.getClassLoader()); this.mine = mine; }
    @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.equals(mine) && !name.startsWith(mine + "$")) return super.loadClass(name, resolve);
        Class<?> c = findLoadedClass(name);
        if (c != null) return c;
        try (InputStream in = WebappLoader.class.getResourceAsStream(name + ".class")) {
            byte[] b = in.readAllBytes();
            return defineClass(name, b, 0, b.length);
        } catch (IOException e) { throw new ClassNotFoundException(name, e); }
    }
}
