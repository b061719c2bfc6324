// SPDX-License-Identifier: Apache-2.0
package dev.jurom.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.jurom.fixture.Command;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that each layer depends only on lower layers, in the order of the page. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LayersTest {

    private static final String FACADE = "dev.jurom";
    private static final String STUBS = "dev.jurom.abi";
    private static final List<String> FACTORIES = List.of("open", "create", "fromExport", "listen", "connect");
    private static final List<String> WITHOUT_STUBS =
            List.of("dev.jurom.service", "dev.jurom.internal", FACADE, "dev.jurom.cli");

    private final List<String> layers = new ArchitecturePage().layers();
    private JavaClasses classFiles;

    @BeforeAll
    void read() {
        classFiles = new ClassFileImporter()
                .withImportOption(location -> !location.contains("/dev/jurom/abi/")) // generated
                .importPath(Command.ROOT.resolve("target/classes/dev"));
    }

    /** Returns all layers except the highest. */
    Stream<String> lowerLayers() {
        return layers.stream().skip(1).limit(layers.size() - 2);
    }

    @ParameterizedTest
    @MethodSource("lowerLayers")
    void a_layer_does_not_depend_on_higher_layers(String layer) {
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
    void every_class_is_in_a_layer_of_the_page() {
        classes().should().resideInAnyPackage(everythingIn(layers)).check(classFiles);
    }

    @Test
    void only_the_layers_that_mirror_the_library_use_the_generated_stubs() {
        noClasses()
                .that()
                .resideInAnyPackage(everythingIn(WITHOUT_STUBS))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(everythingIn(STUBS))
                .check(classFiles);
    }

    @Test
    void closeable_objects_have_factories_named_open_or_create() {
        var supported = new ArchitecturePage()
                .packages().stream()
                        .filter(ArchitecturePage.Row::supported)
                        .map(ArchitecturePage.Row::name)
                        .toList();
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

    private static String[] everythingIn(List<String> layers) {
        return layers.stream().map(LayersTest::everythingIn).toArray(String[]::new);
    }

    /** The layer of the facade is the root package. */
    private static String everythingIn(String layer) {
        return layer.equals(FACADE) ? FACADE : layer + "..";
    }
}
