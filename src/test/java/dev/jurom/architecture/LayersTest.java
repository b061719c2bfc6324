// SPDX-License-Identifier: Apache-2.0
package dev.jurom.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.jurom.fixture.Command;
import dev.jurom.runtime.internal.Environment;
import dev.jurom.urom.ServiceFile;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each layer of the page accesses only the layers below it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LayersTest {

    private static final String FACADE = "dev.jurom";
    private static final String STUBS = "dev.jurom.abi";
    private static final List<String> FACTORIES = List.of("open", "create", "fromExport", "listen", "connect");
    private static final List<String> WITHOUT_STUBS =
            List.of("dev.jurom.service", "dev.jurom.internal", FACADE, "dev.jurom.cli");

    /** Exported records outside {@code dev.jurom.plugin}, whose components are fixed as the page describes. */
    private static final Set<String> RECORDS = Set.of(
            "dev.jurom.core.Context$NativeContext",
            "dev.jurom.core.Task$NativeTask",
            "dev.jurom.service.settings.ListenAddress$Tls",
            "dev.jurom.service.settings.ListenAddress$Unix",
            "dev.jurom.urom.PluginInfo",
            "dev.jurom.urom.ServiceFile",
            "dev.jurom.urom.ServiceFile$Entry",
            "dev.jurom.urom.ServiceLocation$Address",
            "dev.jurom.urom.ServiceLocation$Embedded",
            "dev.jurom.urom.ServiceLocation$Environment",
            "dev.jurom.urom.ServiceLocation$File",
            "dev.jurom.urom.WorkerExit$Exited",
            "dev.jurom.urom.WorkerExit$Signalled",
            "dev.jurom.urom.WorkerExit$Unknown",
            "dev.jurom.urom.WorkerExit$Unresponsive");

    private final List<String> layers = new ArchitecturePage().layers();
    private JavaClasses classFiles;

    @BeforeAll
    void read() {
        classFiles = new ClassFileImporter()
                .withImportOption(location -> !location.contains("/dev/jurom/abi/")) // generated
                .importPaths(Command.LIBRARY, Command.WORKER, Command.SERVICE);
    }

    /** Returns all layers except the lowest and the highest. */
    Stream<String> layersBelowOthers() {
        return layers.stream().skip(1).limit(layers.size() - 2);
    }

    @ParameterizedTest
    @MethodSource("layersBelowOthers")
    void a_layer_accesses_none_above_it(String layer) {
        var above = layers.subList(layers.indexOf(layer) + 1, layers.size());

        noClasses()
                .that()
                .resideInAPackage(everythingIn(layer))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(everythingIn(above))
                .check(classFiles);
    }

    @Test
    void the_packages_of_the_daemon_form_no_cycle() {
        slices().matching("dev.jurom.service.(**)").should().beFreeOfCycles().check(classFiles);
    }

    @Test
    void every_class_is_in_a_layer_of_the_page() {
        classes().should().resideInAnyPackage(everythingIn(layers)).check(classFiles);
    }

    @Test
    void only_the_layers_that_mirror_the_library_and_the_system_calls_of_the_daemon_use_the_stubs() {
        noClasses()
                .that()
                .resideInAnyPackage(everythingIn(WITHOUT_STUBS))
                .and()
                .resideOutsideOfPackage("dev.jurom.service.linux")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(everythingIn(STUBS))
                .check(classFiles);
    }

    /** A setenv(3) beside a getenv(3) of another thread may read freed memory. */
    @Test
    void only_the_service_file_changes_the_environment() {
        var changes = Set.of("set", "restore", "remove");
        noClasses()
                .that()
                .doNotBelongToAnyOf(ServiceFile.class, Environment.class)
                .should()
                .callMethodWhere(DescribedPredicate.describe(
                        "changes the environment",
                        call -> call.getTargetOwner().isEquivalentTo(Environment.class)
                                        && changes.contains(call.getName())
                                || call.getName().equals("setenv")
                                || call.getName().equals("unsetenv")))
                .check(classFiles);
    }

    @Test
    void objects_that_callers_close_are_opened_or_created() {
        var supported = supportedPackages();
        var others = classFiles.stream()
                .filter(type -> supported.contains(type.getPackageName())
                        && type.getModifiers().contains(JavaModifier.PUBLIC)
                        && !type.isInterface()
                        && type.isAssignableTo(AutoCloseable.class))
                .flatMap(type -> type.getCodeUnits().stream()
                        .filter(unit -> unit.getModifiers().contains(JavaModifier.PUBLIC))
                        .filter(unit -> unit.isConstructor()
                                || unit.getModifiers().contains(JavaModifier.STATIC)
                                        && unit.getRawReturnType().equals(type)
                                        && !FACTORIES.contains(unit.getName())))
                .map(JavaCodeUnit::getFullName)
                .toList();

        assertEquals(List.of(), others);
    }

    @Test
    void exported_types_that_may_grow_are_not_records() {
        var supported = supportedPackages();
        var records = classFiles.stream()
                .filter(type -> type.isRecord()
                        && supported.contains(type.getPackageName())
                        && !type.getPackageName().startsWith("dev.jurom.plugin.") // messages in the layout of C
                        && isForOthers(type))
                .map(JavaClass::getName)
                .collect(Collectors.toSet());

        assertEquals(RECORDS, records);
    }

    private static boolean isForOthers(JavaClass type) {
        return (type.getModifiers().contains(JavaModifier.PUBLIC)
                        || type.getModifiers().contains(JavaModifier.PROTECTED))
                && type.getEnclosingClass().map(LayersTest::isForOthers).orElse(true);
    }

    private static List<String> supportedPackages() {
        return new ArchitecturePage()
                .packages().stream()
                        .filter(ArchitecturePage.Row::supported)
                        .map(ArchitecturePage.Row::name)
                        .toList();
    }

    private static String[] everythingIn(List<String> layers) {
        return layers.stream().map(LayersTest::everythingIn).toArray(String[]::new);
    }

    /** The layer of the facade is its package without subpackages, which are other layers. */
    private static String everythingIn(String layer) {
        return layer.equals(FACADE) ? FACADE : layer + "..";
    }
}
