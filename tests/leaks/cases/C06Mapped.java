/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.nio.MappedByteBuffer; import java.nio.channels.FileChannel; import java.nio.file.*; import java.util.*;
/** Four mapped files of 64 MB: pages of the system, not memory that is lost. */
public class C06Mapped {
    static class Files4 { final List<MappedByteBuffer> maps = new ArrayList<>(); }
    static final Files4 FILES = new Files4();
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 4; i++) {
            Path p = Files.createTempFile("mapped", ".bin");
            try (FileChannel c = FileChannel.open(p, StandardOpenOption.READ, StandardOpenOption.WRITE)) { FILES.maps.add(c.map(FileChannel.MapMode.READ_WRITE, 0, 64 << 20)); }
            Files.delete(p);
        }
        System.out.println("READY"); Thread.sleep(600000);
    }
}
