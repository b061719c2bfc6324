// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.woven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.proof.faults.FaultAction;
import dev.jurom.proof.faults.FaultPoint;
import dev.jurom.proof.faults.FaultPoints;
import dev.jurom.proof.faults.WovenLocation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Tests of weaving fault points into shipped classes. */
class WeaverTest {

    private static final List<FaultPoint> POINTS = FaultPoints.woven();
    private static final Path JAR =
            Path.of(System.getProperty("jurom.source"), "modules/jurom-proof/target/jurom-woven.jar");
    private static final String HOOKS = "dev/jurom/proof/woven/FaultHooks";

    private static byte[] classFile(String dotted) {
        try (var input = ClassLoader.getSystemResourceAsStream(dotted.replace('.', '/') + ".class")) {
            if (input == null) {
                throw new AssertionError("class not found: " + dotted);
            }
            return input.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Visits each call in a class, with the calling method and the callee. */
    private static void calls(byte[] classFile, BiConsumer<String, String> call) {
        new ClassReader(classFile)
                .accept(
                        new ClassVisitor(Opcodes.ASM9) {
                            @Override
                            public MethodVisitor visitMethod(
                                    int access, String method, String type, String signature, String[] exceptions) {
                                return new MethodVisitor(Opcodes.ASM9) {
                                    @Override
                                    public void visitMethodInsn(
                                            int opcode,
                                            String owner,
                                            String name,
                                            String itsType,
                                            boolean isInterface) {
                                        call.accept(method, owner + "." + name + itsType);
                                    }
                                };
                            }
                        },
                        0);
    }

    private static Set<String> methodsWithHooks(byte[] classFile) {
        var methods = new HashSet<String>();
        calls(classFile, (method, callee) -> {
            if (callee.startsWith(HOOKS) && !callee.contains(".nanoTime")) {
                methods.add(method);
            }
        });
        return methods;
    }

    @TestFactory
    List<DynamicTest> each_point_has_a_location_in_a_shipped_class() {
        return POINTS.stream()
                .map(point -> DynamicTest.dynamicTest(point.name(), () -> {
                    var location = point.woven().orElseThrow();
                    var original = classFile(location.className());

                    var woven = new Weaver(List.of(point)).weave(original);

                    assertEquals(Set.of(), methodsWithHooks(original));
                    assertEquals(Set.of(location.method()), methodsWithHooks(woven));
                }))
                .toList();
    }

    /** The jar precedes the shipped classes, so a class missing in it would have no points. */
    @Test
    void the_jar_of_the_build_has_all_points() throws IOException {
        try (var jar = new JarFile(JAR.toFile())) {
            for (var point : POINTS) {
                var location = point.woven().orElseThrow();
                var entry = jar.getJarEntry(location.className().replace('.', '/') + ".class");
                var woven = jar.getInputStream(entry).readAllBytes();

                assertTrue(methodsWithHooks(woven).contains(location.method()), point.name());
                assertEquals(Set.of(), methodsWithHooks(classFile(location.className())));
            }
        }
    }

    @Test
    void the_list_has_enough_points_with_unique_names() {
        assertTrue(POINTS.size() >= 20, POINTS.size() + " points");
        assertEquals(
                POINTS.size(),
                POINTS.stream()
                        .map(FaultPoint::name)
                        .collect(Collectors.toSet())
                        .size());
    }

    /** Returns the class of a location's type, which has no package name. */
    private static String calledClass(byte[] classFile, WovenLocation.Before before) {
        var owners = new HashSet<String>();
        calls(classFile, (method, callee) -> {
            var dot = callee.indexOf('.');
            if (callee.substring(0, dot).endsWith("/" + before.type())) {
                owners.add(callee.substring(0, dot));
            }
        });
        assertEquals(1, owners.size(), before + " matches " + owners);
        return owners.iterator().next().replace('/', '.');
    }

    private static boolean declaresException(String className, String method) {
        var found = new ArrayList<Boolean>();
        new ClassReader(classFile(className))
                .accept(
                        new ClassVisitor(Opcodes.ASM9) {
                            @Override
                            public MethodVisitor visitMethod(
                                    int access, String name, String type, String signature, String[] exceptions) {
                                if (name.equals(method)) {
                                    found.add(exceptions != null
                                            && Arrays.asList(exceptions).contains("java/io/IOException"));
                                }
                                return null;
                            }
                        },
                        0);
        return found.contains(true);
    }

    /** Otherwise, the injected failure could not occur in reality. */
    @TestFactory
    List<DynamicTest> a_point_that_fails_is_where_an_io_exception_is_declared() {
        return POINTS.stream()
                .filter(point -> point.actions().contains(FaultAction.FAIL))
                .map(point -> DynamicTest.dynamicTest(point.name(), () -> {
                    var location = point.woven().orElseThrow();
                    assertTrue(
                            switch (location.position()) {
                                case WovenLocation.Before before ->
                                    declaresException(
                                            calledClass(classFile(location.className()), before), before.name());
                                case WovenLocation.Entry entry ->
                                    declaresException(location.className(), location.method());
                                case WovenLocation.Exit exit -> false;
                            },
                            "no IOException is declared at " + point);
                }))
                .toList();
    }

    private static FaultPoint moved(FaultPoint point, WovenLocation location) {
        return new FaultPoint(point.number(), point.name(), point.kind(), point.description(), Optional.of(location));
    }

    @Test
    void a_point_without_a_location_is_reported() {
        var point = POINTS.getFirst();
        var location = point.woven().orElseThrow();
        for (var lost : List.of(
                new WovenLocation(location.className(), "gone", location.position()),
                new WovenLocation(
                        location.className(), location.method(), new WovenLocation.Before("Nothing", "gone")))) {
            var weaver = new Weaver(List.of(moved(point, lost)));

            var thrown =
                    assertThrows(IllegalArgumentException.class, () -> weaver.weave(classFile(location.className())));

            assertTrue(thrown.getMessage().contains(point.name()), thrown.getMessage());
        }
    }

    @Test
    void a_point_without_a_connection_is_reported() {
        var point = POINTS.stream()
                .filter(it -> it.name().equals("daemon_accepted"))
                .findFirst()
                .orElseThrow();
        var weaver = new Weaver(List.of(
                moved(point, new WovenLocation("dev.jurom.service.logs.LogFile", "write", new WovenLocation.Entry()))));

        var thrown = assertThrows(
                IllegalArgumentException.class, () -> weaver.weave(classFile("dev.jurom.service.logs.LogFile")));

        assertTrue(thrown.getMessage().contains("daemon_accepted"), thrown.getMessage());
    }

    @Test
    void only_classes_of_the_daemon_read_the_woven_clock() {
        var weaver = new Weaver(POINTS);
        assertTrue(weaver.isFor("dev/jurom/service/workers/Heartbeat"));
        assertFalse(weaver.isFor("dev/jurom/core/DocaError"));
        var read = new ArrayList<String>();

        calls(weaver.weave(classFile("dev.jurom.service.workers.Heartbeat")), (method, callee) -> read.add(callee));

        assertTrue(read.contains(HOOKS + ".nanoTime()J"), read.toString());
        assertFalse(read.contains("java/lang/System.nanoTime()J"), read.toString());
    }
}
