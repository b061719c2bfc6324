// SPDX-License-Identifier: Apache-2.0
package dev.jurom.abi;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.jurom.fixture.Command;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The C functions that the library calls, and the members that its tests use, from compiled classes. */
final class MemberUses {

    private static final String STUBS = "dev.jurom.abi.doca.doca_h";
    private static final Path SOURCES = Command.ROOT.resolve("src/main/java");
    private static final Path TESTS = Command.ROOT.resolve("src/test/java");

    private final JavaClasses all = new ClassFileImporter()
            .withImportOption(location -> !location.contains("/classes/dev/jurom/abi/"))
            .importPaths(Stream.of("target/classes/dev", "modules/jurom-tests/target/test-classes/dev")
                    .map(Command.ROOT::resolve)
                    .toList());
    private final Map<String, List<JavaAccess<?>>> uses = new HashMap<>(); // by member

    MemberUses() {
        all.stream()
                .filter(type -> isOfToday(type, TESTS))
                .map(JavaClass::getAccessesFromSelf)
                .flatMap(Collection::stream)
                .forEach(this::add);
    }

    private void add(JavaAccess<?> access) {
        uses.computeIfAbsent(access.getTarget().getName(), name -> new ArrayList<>())
                .add(access);
    }

    /** Returns whether a class belongs to the current sources, not to an earlier build. */
    private static boolean isOfToday(JavaClass type, Path sources) {
        var file = type.getSource().flatMap(source -> source.getFileName()).orElse("");
        return Files.exists(
                sources.resolve(type.getPackageName().replace('.', '/')).resolve(file));
    }

    /** Returns the C functions that the library calls through their stubs. */
    Set<String> called() {
        return all.stream()
                .filter(type -> isOfToday(type, SOURCES))
                .map(JavaClass::getAccessesFromSelf)
                .flatMap(Collection::stream)
                .filter(access -> access.getTargetOwner().getName().startsWith(STUBS))
                .map(access -> access.getTargetOwner().getName().equals(STUBS)
                        ? access.getTarget().getName()
                        : access.getTargetOwner().getSimpleName()) // of a variadic function
                .map(name -> name.replaceAll("\\$.*", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Returns a test class that uses a member: the one named after the class of the member, otherwise the
     * first by name, preferably of the same package. Programs started by tests are considered last.
     */
    Optional<String> testOf(JavaForm form) {
        var found = new TreeMap<Integer, TreeSet<String>>();
        uses.getOrDefault(form.member(), List.of()).stream()
                .filter(access -> isKindOf(access.getTargetOwner().getName(), form.className()))
                .filter(access -> hasParameters(access, form))
                .map(JavaAccess::getOriginOwner)
                .forEach(test -> found.computeIfAbsent(rank(test, form), rank -> new TreeSet<>())
                        .add(outermost(test)));
        return found.isEmpty()
                ? Optional.empty()
                : Optional.of(found.firstEntry().getValue().first());
    }

    private boolean isKindOf(String owner, String type) {
        return owner.equals(type) || all.contain(owner) && all.get(owner).isAssignableTo(type);
    }

    private static boolean hasParameters(JavaAccess<?> access, JavaForm form) {
        return form.parameters().equals(JavaForm.ANY)
                || !(access.getTarget() instanceof CodeUnitAccessTarget method)
                || method.getRawParameterTypes().stream()
                        .map(JavaClass::getSimpleName)
                        .collect(Collectors.joining(", "))
                        .equals(form.parameters());
    }

    private static int rank(JavaClass test, JavaForm form) {
        var name = outermost(test);
        if (name.equals(form.type().replaceAll("\\..*", "") + "Test")) {
            return 0;
        }
        if (!name.endsWith("Test")) {
            return 3;
        }
        return form.className().startsWith(test.getPackageName() + ".") ? 1 : 2;
    }

    private static String outermost(JavaClass type) {
        return type.getName().replaceAll("\\$.*", "").replaceAll(".*\\.", "");
    }
}
