// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How what is native is closed when one part of it cannot be. */
class DrivenServiceTest {

    private final List<String> closed = new ArrayList<>();

    @Test
    void what_was_made_last_is_closed_first() {
        assertNull(DrivenService.closeAll(List.of(part("engine"), part("device")), null));

        assertEquals(List.of("device", "engine"), closed);
    }

    @Test
    void the_first_failure_comes_out_with_the_others_in_it_and_all_is_closed() {
        var before = new IllegalStateException("does not start");
        var refused = new IllegalArgumentException("does not close");
        List<AutoCloseable> parts = List.of(part("engine"), () -> {
            throw refused;
        });

        assertSame(before, DrivenService.closeAll(parts, before));
        assertEquals(List.of(refused), List.of(before.getSuppressed()));
        assertSame(refused, DrivenService.closeAll(parts, null));
        assertEquals(List.of("engine", "engine"), closed);
    }

    private AutoCloseable part(String name) {
        return () -> closed.add(name);
    }
}
