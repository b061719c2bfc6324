// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.record;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.proof.record.Defect.Language;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the recorded defects can be reintroduced. */
class TrackRecordTest {

    private static final Path ROOT = Path.of(System.getProperty("jurom.source")).normalize();

    @TestFactory
    Iterable<DynamicTest> each_patch_applies_to_the_sources() throws IOException {
        return Defect.all(ROOT).stream()
                .map(defect -> DynamicTest.dynamicTest(
                        defect.name(), () -> assertEquals(Optional.empty(), Patching.problem(ROOT, defect.patch()))))
                .toList();
    }

    @Test
    void each_patch_describes_its_defect_and_changes_only_sources_of_its_language() throws IOException {
        var all = Defect.all(ROOT);

        assertTrue(all.size() >= 15, () -> "only " + all.size());
        for (var defect : all) {
            var folder = defect.language() == Language.C ? "src/main/c/" : "(modules/jurom-service/)?src/main/java/";
            var changed = Files.readString(defect.patch())
                    .lines()
                    .filter(line -> line.startsWith("+++ "))
                    .toList();
            assertAll(
                    defect.name(),
                    () -> assertTrue(!changed.isEmpty()),
                    () -> assertTrue(changed.stream().allMatch(it -> it.matches("\\+\\+\\+ b/" + folder + ".*"))),
                    () -> assertTrue(
                            defect.foundBy().matches("(ctest|mvn|review|scripts/urom faults) .+"), defect.foundBy()));
        }
    }

    @Test
    void a_patch_of_other_sources_does_not_apply(@TempDir Path folder) throws IOException {
        var patch = Defect.all(ROOT).getFirst().patch();

        assertTrue(Patching.problem(folder, patch).isPresent());
    }

    @Test
    void a_patch_is_applied_and_reverted(@TempDir Path folder) throws IOException {
        var file = Files.writeString(folder.resolve("file.c"), "one\ntwo\nthree\n");
        var patch = Files.writeString(folder.resolve("file.patch"), """
                defect: none

                --- a/file.c
                +++ b/file.c
                @@ -1,3 +1,3 @@
                 one
                -two
                +2
                 three
                """);

        assertEquals(Optional.empty(), Patching.apply(folder, patch));
        assertEquals("one\n2\nthree\n", Files.readString(file));
        assertEquals(Optional.empty(), Patching.revert(folder, patch));
        assertEquals("one\ntwo\nthree\n", Files.readString(file));
    }
}
