// SPDX-License-Identifier: Apache-2.0
package dev.jurom.architecture;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.jurom.fixture.Command;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests that the classes of the facade and its engine form no cycle, and that the engine has few classes. */
class FacadeStructureTest {

    private static final Set<String> PACKAGES = Set.of("dev.jurom", "dev.jurom.internal");
    private static final int MAX_CLASSES = 21; // of the engine, without nested classes

    private final JavaClasses facade = new ClassFileImporter()
            .importPath(Command.ROOT.resolve("target/classes/dev"))
            .that(DescribedPredicate.describe("are the facade's", type -> PACKAGES.contains(type.getPackageName())));

    @Test
    void classes_have_no_cyclic_dependencies() {
        slices().assignedFrom(new TopLevelClasses()).should().beFreeOfCycles().check(facade);
    }

    @Test
    void the_engine_has_few_classes() {
        var classes = facade.stream()
                .filter(type -> type.getPackageName().equals("dev.jurom.internal")
                        && !type.getSimpleName().equals("package-info")
                        && type.isTopLevelClass())
                .toList();
        assertTrue(classes.size() <= MAX_CLASSES, classes::toString);
    }

    /** A slice for each class, with its nested classes. */
    private static final class TopLevelClasses implements SliceAssignment {

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return SliceIdentifier.of(type.getName().replaceFirst("\\$.*", ""));
        }

        @Override
        public String getDescription() {
            return "top-level classes";
        }
    }
}
