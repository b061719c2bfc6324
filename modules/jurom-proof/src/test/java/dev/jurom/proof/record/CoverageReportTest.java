// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.proof.record.CoverageReport.Goal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that lines in the reports of gcov and JaCoCo are counted once. */
class CoverageReportTest {

    private final SourceLines lines = new SourceLines();

    @Test
    void lines_of_c_are_reached_if_any_object_ran_them() throws IOException {
        var output = """
                        -:    0:Source:src/main/c/urom/a.c
                        -:    1:// no line to run
                        7:    2:x();
                    #####:    3:y();
                       4*:    4:z();
                        -:    0:Source:/usr/include/stdio.h
                        1:    9:other();
                        -:    0:Source:src/main/c/urom/a.c
                    #####:    2:x();
                        1:    3:y();
                    =====:    5:never();
                """;

        GcovReport.parse(new BufferedReader(new StringReader(output)), lines);

        assertEquals(
                "{src/main/c/urom/a.c={2=true, 3=true, 4=true, 5=false}}",
                lines.files().toString());
    }

    @Test
    void only_lines_of_handwritten_java_are_counted(@TempDir Path root) throws IOException {
        Files.createDirectories(root.resolve("java/a"));
        Files.writeString(root.resolve("java/a/B.java"), "");
        var report = Files.writeString(root.resolve("report.xml"), """
                <?xml version="1.0"?><!DOCTYPE report PUBLIC "-//JACOCO//DTD" "report.dtd">
                <report name="x"><package name="a"><sourcefile name="B.java">
                <line nr="3" mi="0" ci="2" mb="0" cb="0"/><line nr="4" mi="1" ci="0" mb="0" cb="0"/>
                </sourcefile><sourcefile name="Generated.java"><line nr="1" mi="1" ci="0"/>
                </sourcefile></package></report>
                """);

        JacocoReport.read(root, report, List.of("other", "java"), lines);

        assertEquals("{java/a/B.java={3=true, 4=false}}", lines.files().toString());
    }

    @Test
    void unreached_lines_are_listed_in_ranges_with_most_first() {
        for (var line : List.of(3, 5, 9, 12)) {
            lines.add("src/main/c/wire/a.c", line, line == 9);
        }
        lines.add("src/main/c/wire/b.c", 1, false);
        lines.add("src/main/c/wire/c.c", 1, true);
        lines.add("src/main/c/faults/not_shipped.c", 1, false);

        assertEquals(
                List.of("src/main/c/wire/a.c (3): 3-5, 12", "src/main/c/wire/b.c (1): 1"),
                new CoverageReport(lines).unreached());
    }

    @Test
    void a_goal_is_missed_without_lines() {
        for (var line = 1; line <= 10; line++) {
            lines.add("modules/jurom-service/src/main/java/dev/jurom/service/A.java", line, line > 1);
            lines.add("src/main/c/plugins/p/a.c", line, line > 2);
        }
        var report = new CoverageReport(lines);

        assertTrue(report.isReached(Goal.PROVEN));
        assertFalse(report.isReached(Goal.REST));
        assertFalse(new CoverageReport(new SourceLines()).isReached(Goal.PROVEN));
        assertTrue(
                report.summary().stream()
                        .anyMatch(line -> line.matches("C libraries, worker and daemon +10 +9 +90.0 +90, reached")),
                report::toString);
    }
}
