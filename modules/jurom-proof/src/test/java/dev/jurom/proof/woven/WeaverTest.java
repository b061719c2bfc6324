// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.woven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.proof.faults.FaultAction;
import dev.jurom.proof.faults.FaultPoint;
import dev.jurom.proof.faults.FaultPoints;
import dev.jurom.proof.faults.WovenPlace;
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

/** The daemon's points, put into the classes that are shipped. */
class WeaverTest {

    private static final List<FaultPoint> POINTS = FaultPoints.woven();
    private static final Path JAR =
            Path.of(System.getProperty("jurom.source"), "modules/jurom-proof/target/jurom-woven.jar");
    private static final String REACH = "dev/jurom/proof/woven/FaultReach";

    private static byte[] classFile(String dotted) {
        try (var input = ClassLoader.getSystemResourceAsStream(dotted.replace('.', '/') + ".class")) {
            if (input == null) {
                throw new AssertionError("there is no class " + dotted);
            }
            return input.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Tells of each call of a class: in which method, and of what. */
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

    private static Set<String> methodsThatReach(byte[] classFile) {
        var methods = new HashSet<String>();
        calls(classFile, (method, callee) -> {
            if (callee.startsWith(REACH) && !callee.contains(".nanoTime")) {
                methods.add(method);
            }
        });
        return methods;
    }

    @TestFactory
    List<DynamicTest> each_point_has_its_place_in_a_shipped_class() {
        return POINTS.stream()
                .map(point -> DynamicTest.dynamicTest(point.name(), () -> {
                    var place = point.woven().orElseThrow();
                    var original = classFile(place.className());

                    var woven = new Weaver(List.of(point)).weave(original);

                    assertEquals(Set.of(), methodsThatReach(original));
                    assertEquals(Set.of(place.method()), methodsThatReach(woven));
                }))
                .toList();
    }

    /** It stands before the shipped classes, so that what it lacks would have no point. */
    @Test
    void the_jar_of_the_build_has_all_points() throws IOException {
        try (var jar = new JarFile(JAR.toFile())) {
            for (var point : POINTS) {
                var place = point.woven().orElseThrow();
                var entry = jar.getJarEntry(place.className().replace('.', '/') + ".class");
                var woven = jar.getInputStream(entry).readAllBytes();

                assertTrue(methodsThatReach(woven).contains(place.method()), point.name());
                assertEquals(Set.of(), methodsThatReach(classFile(place.className())));
            }
        }
    }

    @Test
    void there_are_enough_of_them_with_different_names() {
        assertTrue(POINTS.size() >= 20, POINTS.size() + " points");
        assertEquals(
                POINTS.size(),
                POINTS.stream()
                        .map(FaultPoint::name)
                        .collect(Collectors.toSet())
                        .size());
    }

    /** The class of a type that a place names without its package. */
    private static String calledClass(byte[] classFile, WovenPlace.Before before) {
        var owners = new HashSet<String>();
        calls(classFile, (method, callee) -> {
            var dot = callee.indexOf('.');
            if (callee.substring(0, dot).endsWith("/" + before.type())) {
                owners.add(callee.substring(0, dot));
            }
        });
        assertEquals(1, owners.size(), before + " is of " + owners);
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

    /** Else it would fail as nothing does in real life. */
    @TestFactory
    List<DynamicTest> a_point_that_fails_is_where_such_a_failure_is_reckoned_with() {
        return POINTS.stream()
                .filter(point -> point.actions().contains(FaultAction.FAIL))
                .map(point -> DynamicTest.dynamicTest(point.name(), () -> {
                    var place = point.woven().orElseThrow();
                    assertTrue(
                            switch (place.moment()) {
                                case WovenPlace.Before before ->
                                    declaresException(calledClass(classFile(place.className()), before), before.name());
                                case WovenPlace.Entry entry -> declaresException(place.className(), place.method());
                                case WovenPlace.Exit exit -> false;
                            },
                            "nobody expects an IOException at " + point);
                }))
                .toList();
    }

    private static FaultPoint moved(FaultPoint point, WovenPlace place) {
        return new FaultPoint(point.number(), point.name(), point.kind(), point.meaning(), Optional.of(place));
    }

    @Test
    void a_point_without_a_place_is_named() {
        var point = POINTS.getFirst();
        var place = point.woven().orElseThrow();
        for (var lost : List.of(
                new WovenPlace(place.className(), "gone", place.moment()),
                new WovenPlace(place.className(), place.method(), new WovenPlace.Before("Nothing", "gone")))) {
            var weaver = new Weaver(List.of(moved(point, lost)));

            var thrown = assertThrows(IllegalArgumentException.class, () -> weaver.weave(classFile(place.className())));

            assertTrue(thrown.getMessage().contains(point.name()), thrown.getMessage());
        }
    }

    @Test
    void a_connection_must_be_at_hand() {
        var point = POINTS.stream()
                .filter(it -> it.name().equals("daemon_accepted"))
                .findFirst()
                .orElseThrow();
        var weaver = new Weaver(List.of(
                moved(point, new WovenPlace("dev.jurom.service.logs.LogFile", "write", new WovenPlace.Entry()))));

        var thrown = assertThrows(
                IllegalArgumentException.class, () -> weaver.weave(classFile("dev.jurom.service.logs.LogFile")));

        assertTrue(thrown.getMessage().contains("daemon_accepted"), thrown.getMessage());
    }

    @Test
    void all_of_the_daemon_has_one_clock_and_nobody_else() {
        var weaver = new Weaver(POINTS);
        assertTrue(weaver.isFor("dev/jurom/service/workers/Pulse"));
        assertFalse(weaver.isFor("dev/jurom/core/DocaError"));
        var read = new ArrayList<String>();

        calls(weaver.weave(classFile("dev.jurom.service.workers.Pulse")), (method, callee) -> read.add(callee));

        assertTrue(read.contains(REACH + ".nanoTime()J"), read.toString());
        assertFalse(read.contains("java/lang/System.nanoTime()J"), read.toString());
    }
}
