// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.proof.process.ProcessFigures;
import java.util.List;
import org.junit.jupiter.api.Test;

class BaseTest {

    private static Base base(long descriptors, int workers, long files) {
        return new Base(
                new ProcessFigures(1, 0, 0, descriptors, 20), new ProcessFigures(workers, 0, 0, 26, 4), files, 0);
    }

    @Test
    void what_is_as_before_or_less_is_nothing_to_speak_of() {
        assertEquals(List.of(), base(30, 1, 8).beyond(base(26, 2, 8)));
    }

    @Test
    void what_is_left_over_is_named_with_its_number() {
        assertEquals(
                List.of(
                        "descriptors of the service: 335, at most 34 belong there",
                        "worker processes: 3, at most 2 belong there",
                        "files in the service's directory: 9, at most 8 belong there"),
                base(335, 3, 9).beyond(base(26, 2, 8)));
    }
}
