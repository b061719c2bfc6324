// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.MarkdownPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Programs in a Java runtime that is linked as the documentation shows. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RuntimeImageTest {

    private static final String FORMATS = """
            ZSTD equal true, in workers %1$b, in the program %2$b
            LZ4 equal true, in workers %1$b, in the program %2$b
            GZIP equal true, in workers %1$b, in the program %2$b
            """;

    private Path folder;
    private String link;
    private String run;

    @BeforeAll
    void link(@TempDir Path empty) {
        folder = empty;
        var steps = MarkdownPage.of("docs/compression.md")
                .fragments("sh")
                .getFirst()
                .split("\n");
        link = steps[0];
        run = steps[1];
        shell(link);
    }

    private String shell(String text) {
        return Command.run(
                "env",
                "PATH=" + Path.of(System.getProperty("java.home"), "bin") + ":" + System.getenv("PATH"),
                "bash",
                "-euo",
                "pipefail",
                "-c",
                "cd '" + folder + "'\n" + text);
    }

    private String program() {
        var own = System.getProperty("java.class.path");
        return run.replace("\"program.jar:lib/*\" Program", "'" + own + "' " + RuntimeImageProgram.class.getName())
                .replace("java ", "java -Djurom.source='" + Command.ROOT + "' ");
    }

    @Test
    void an_embedded_service_and_its_workers_run() {
        var output = shell("unset DOCA_UROM_SERVICE_FILE\n" + program() + " 2>errors || { cat errors; exit 1; }");

        assertEquals(FORMATS.formatted(true, false), output);
    }

    @Test
    void without_a_service_blocks_are_processed_in_the_program() throws IOException {
        Files.writeString(folder.resolve("services"), "localhost dpu unix:" + folder + "/none.sock 0000:00:00.0 all\n");
        var output = shell("export DOCA_UROM_SERVICE_FILE='" + folder + "/services'\n" + program()
                + " 2>errors || { cat errors; exit 1; }");

        assertEquals(FORMATS.formatted(false, true), output);
    }
}
