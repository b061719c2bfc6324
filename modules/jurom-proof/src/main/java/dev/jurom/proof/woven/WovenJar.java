// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.woven;

import dev.jurom.proof.faults.FaultPoints;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/** The jar of woven classes. The build makes it, from the classes that are shipped. */
public final class WovenJar {

    /** Its file, beside the jar or in the folder of the classes that it is made of. */
    public static final String NAME = "jurom-woven.jar";

    private static final String CLASS_FILE = ".class";

    private final Weaver weaver = new Weaver(FaultPoints.woven());
    private final Map<String, byte[]> classes = new TreeMap<>(); // woven, by the names of their files

    private WovenJar() {}

    /**
     * Weaves those classes of its own class path that have points; of two of one name the first.
     *
     * @param arguments the one is the jar, which may be there already
     * @throws IllegalArgumentException if a point has no place
     */
    public static void main(String[] arguments) throws IOException {
        var jar = new WovenJar();
        for (var entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            jar.take(Path.of(entry));
        }
        jar.write(Path.of(arguments[0]));
    }

    /** Takes what a jar or a folder has. */
    private void take(Path entry) throws IOException {
        if (Files.isDirectory(entry)) {
            takeAll(entry);
        } else if (Files.exists(entry)) {
            try (var jar = FileSystems.newFileSystem(entry)) {
                takeAll(jar.getPath("/"));
            }
        }
    }

    private void takeAll(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            for (var file :
                    files.filter(file -> file.toString().endsWith(CLASS_FILE)).toList()) {
                var name = root.relativize(file).toString();
                if (weaver.isFor(name.substring(0, name.length() - CLASS_FILE.length()))) {
                    classes.putIfAbsent(name, weaver.weave(Files.readAllBytes(file)));
                }
            }
        }
    }

    /** A point whose class is nowhere would never be reached. */
    private void write(Path jar) throws IOException {
        for (var point : FaultPoints.woven()) {
            var place = point.woven().orElseThrow();
            if (!classes.containsKey(place.className().replace('.', '/') + CLASS_FILE)) {
                throw new IllegalArgumentException(
                        "the fault point " + point + " has no place: there is no class " + place.className());
            }
        }
        try (var output = new JarOutputStream(Files.newOutputStream(jar))) {
            for (var woven : classes.entrySet()) {
                output.putNextEntry(new JarEntry(woven.getKey()));
                output.write(woven.getValue());
                output.closeEntry();
            }
        }
    }
}
