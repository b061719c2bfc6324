// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Tests that the page of C names matches the Javadoc; a failure prints how to update the page. */
class CNamesTest {

    private static final Path PAGE = Command.ROOT.resolve("src/main/java/dev/jurom/doc-files/c-names.html");
    private static final Path MADE = Command.ROOT.resolve("target/c-names.html");

    @Test
    void the_page_lists_each_c_name_of_the_javadoc() throws IOException {
        var names = CNames.read();
        assertTrue(names.page().contains("{@index doca_task_submit}"));

        Files.writeString(MADE, names.page());

        assertEquals(
                names.page(),
                Files.exists(PAGE) ? Files.readString(PAGE) : "",
                () -> "the Javadoc has changed: cp " + MADE + " " + PAGE);
    }
}
