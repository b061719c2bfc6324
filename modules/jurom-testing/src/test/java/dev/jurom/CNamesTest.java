// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page of C names fits the Javadoc; where it does not, this says how it is made anew. */
class CNamesTest {

    private static final Path PAGE = Command.ROOT.resolve("src/main/java/dev/jurom/doc-files/c-names.html");
    private static final Path MADE = Command.ROOT.resolve("target/c-names.html");

    @Test
    void the_page_has_each_c_name_that_the_javadoc_has() throws IOException {
        var names = CNames.read();
        assertTrue(names.page().contains("{@index doca_task_submit}"));

        Files.writeString(MADE, names.page());

        assertEquals(
                names.page(),
                Files.exists(PAGE) ? Files.readString(PAGE) : "",
                () -> "the Javadoc has changed: cp " + MADE + " " + PAGE);
    }
}
