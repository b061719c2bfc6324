// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.cli.shell.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReliabilityPageTest {

    @TempDir
    private Path directory;

    private Path page;

    @BeforeEach
    void createPageWithTwoSections() throws IOException {
        page = Files.writeString(directory.resolve("page.md"), """
                Top
                <!-- begin runs -->
                <!-- end runs -->
                Middle
                <!-- begin soak -->
                kept
                <!-- end soak -->
                """);
    }

    @Test
    void aTextReplacesThePreviousOne() throws IOException {
        ReliabilityPage.write(page, "runs", "first");
        ReliabilityPage.write(page, "runs", "\nsecond\nof two lines\n");

        assertEquals("""
                Top
                <!-- begin runs -->

                second
                of two lines

                <!-- end runs -->
                Middle
                <!-- begin soak -->
                kept
                <!-- end soak -->
                """, Files.readString(page));
    }

    @Test
    void aMissingSectionIsReported() {
        var failure = assertThrows(CommandFailure.class, () -> ReliabilityPage.write(page, "load", "text"));

        assertTrue(failure.getMessage().contains("no section load"), failure.getMessage());
    }
}
