// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.zip.ZipFile;

/**
 * Fails for a jar with a missing or unexpected file, or with libraries of another architecture:
 * {@code java JarGate.java LIST JAR MACHINE...}. The list has one file on each line;
 * {@code MACHINE} in a path stands for each of the architectures.
 */
final class JarGate {

    private static final String MACHINE = "MACHINE";
    private static final byte[] ELF = {0x7F, 'E', 'L', 'F'};
    private static final int ELF_MACHINE = 18; // offset of the architecture in the ELF header
    private static final Map<String, Integer> ELF_MACHINES = Map.of("x86_64", 62, "aarch64", 183);

    private JarGate() {}

    public static void main(String[] arguments) throws IOException {
        var machines = List.of(arguments).subList(2, arguments.length);
        var expected = new TreeSet<String>();
        for (var line : Files.readAllLines(Path.of(arguments[0]))) {
            if (!line.isBlank() && !line.startsWith("#")) {
                machines.forEach(machine -> expected.add(line.replace(MACHINE, machine)));
            }
        }
        var faults = new ArrayList<String>();
        try (var jar = new ZipFile(arguments[1])) {
            var found = new TreeSet<String>();
            jar.stream().filter(entry -> !entry.isDirectory()).forEach(e -> found.add(e.getName()));
            expected.stream().filter(file -> !found.contains(file)).forEach(file -> faults.add("lacks " + file));
            found.stream()
                    .filter(file -> !expected.contains(file))
                    .forEach(file -> faults.add("should not have " + file));
            for (var machine : machines) {
                for (var file : found) {
                    if (file.contains("/linux-" + machine + "/")) {
                        checkMachine(jar, file, machine, faults);
                    }
                }
            }
        }
        if (!faults.isEmpty()) {
            System.err.println(arguments[1] + "\n  " + String.join("\n  ", faults));
            System.exit(1);
        }
    }

    private static void checkMachine(ZipFile jar, String file, String machine, List<String> faults) throws IOException {
        try (var stream = jar.getInputStream(jar.getEntry(file))) {
            var header = ByteBuffer.wrap(stream.readNBytes(ELF_MACHINE + Short.BYTES))
                    .order(ByteOrder.LITTLE_ENDIAN);
            if (header.limit() < ELF_MACHINE + Short.BYTES
                    || !header.slice(0, ELF.length).equals(ByteBuffer.wrap(ELF))
                    || header.getShort(ELF_MACHINE) != ELF_MACHINES.get(machine)) {
                faults.add("has a file that is not for " + machine + ": " + file);
            }
        }
    }
}
