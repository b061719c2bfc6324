// SPDX-License-Identifier: Apache-2.0
package dev.jurom.abi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that the stubs call functions declared in the headers with the declared types. */
class StubSignaturesTest {

    private static final Path GENERATED = Command.ROOT.resolve("jextract/generated/dev/jurom/abi");
    private static final Path HEADERS = Command.ROOT.resolve("headers");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"doca, 250", "ucx, 30", "pmix, 7", "posix, 13"})
    void functions_and_callbacks_have_the_declarations_of_their_stubs(String name, int atLeast) throws IOException {
        var check = new SignatureCheck(name, GENERATED.resolve(name), HEADERS, folder);

        assertEquals("", check.conflicts());
        assertTrue(check.signatures().size() >= atLeast, () -> "implausibly few in " + check);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            doca_pe.h    | size_t *num_inflight    | uint32_t *num_inflight | num_inflight_tasks
            doca_pe.h    | uint8_t doca_pe_progress| int doca_pe_progress   | doca_pe_progress
            doca_pe.h    | doca_task_submit(       | doca_task_submit_now(  | undeclared
            doca_pe.h    | task, uint32_t flags    | task, uint64_t flags   | doca_task_submit_ex
            doca_pe.h    | task, uint32_t flags    | task                   | doca_task_submit_ex
            doca_pe.h    | union doca_data user_data | void *user_data      | doca_task_set_user
            doca_graph.h | _cb_t)(void *cookie)    | _cb_t)(int cookie)     | graph_user_node_cb_t
            doca_error.h | const char *doca_error_get_name | char *doca_error_get_name | get_name
            """)
    void a_changed_declaration_is_reported(String header, String from, String to, String report) throws IOException {
        var headers = ChangedCopy.of(HEADERS, folder.resolve("headers"), header, from, to);

        var conflicts = new SignatureCheck("doca", GENERATED.resolve("doca"), headers, folder).conflicts();

        assertTrue(conflicts.contains(report), () -> "the compiler reported only: " + conflicts);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            posix_h.C_LONG    | posix_h.C_INT     | poll: argument 2 is C_INT
            posix_h.C_LONG    | posix_h.C_POINTER | poll: argument 2 is C_POINTER
            posix_h.C_POINTER | posix_h.C_LONG    | getenv: the result is C_LONG
            .ofVoid(          | .of(              | free: number of arguments
            """)
    void a_descriptor_with_a_wrong_type_is_reported(String from, String to, String report) throws IOException {
        var stubs = ChangedCopy.of(GENERATED.resolve("posix"), folder.resolve("stubs"), "posix_h.java", from, to);

        var conflicts = new SignatureCheck("posix", stubs, HEADERS, folder).conflicts();

        assertTrue(conflicts.contains(report), () -> "the compiler reported only: " + conflicts);
    }
}
