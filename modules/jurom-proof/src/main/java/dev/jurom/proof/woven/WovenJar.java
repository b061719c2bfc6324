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

/** Creates the jar of woven classes from the shipped classes during the build. */
public final class WovenJar {

    /** The name of the file, which is in the folder of the original classes or of their jar. */
    public static final String NAME = "jurom-woven.jar";

    private static final String CLASS_FILE = ".class";

    private final Map<String, byte[]> classes = new TreeMap<>(); // woven classes by file name

    private WovenJar() {}

    /**
     * Weaves the classes of the class path that have fault points. If several classes have the same name, the
     * first one is used.
     *
     * @param arguments the path of the jar, which is overwritten
     * @throws IllegalArgumentException if the location of a point is not found
     */
    public static void main(String[] arguments) throws IOException {
        var woven = new WovenJar();
        for (var entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            var path = Path.of(entry);
            if (Files.isDirectory(path)) {
                woven.addAll(path);
            } else if (Files.exists(path)) {
                try (var jar = FileSystems.newFileSystem(path)) {
                    woven.addAll(jar.getPath("/"));
                }
            }
        }
        woven.write(Path.of(arguments[0]));
    }

    private void addAll(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            for (var file :
                    files.filter(file -> file.toString().endsWith(CLASS_FILE)).toList()) {
                var name = root.relativize(file).toString();
                if (Weaver.isWoven(name.substring(0, name.length() - CLASS_FILE.length()))) {
                    classes.putIfAbsent(name, Weaver.weave(Files.readAllBytes(file)));
                }
            }
        }
    }

    /** Writes the jar. Throws an exception if the class of a point was not found. */
    private void write(Path jar) throws IOException {
        for (var point : FaultPoints.woven()) {
            var name = point.woven().orElseThrow().className();
            if (!classes.containsKey(name.replace('.', '/') + CLASS_FILE)) {
                throw new IllegalArgumentException("the class of the fault point " + point + " is missing: " + name);
            }
        }
        try (var output = new JarOutputStream(Files.newOutputStream(jar))) {
            for (var woven : classes.entrySet()) {
                output.putNextEntry(new JarEntry(woven.getKey()));
                output.write(woven.getValue());
            }
        }
    }
}
