// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Positive;

class WorkerIdTest {

    @Property
    void an_id_has_the_task_in_its_high_and_the_rank_modulo_cores_in_its_low_bits(
            @ForAll int task, @ForAll @IntRange int rank, @ForAll @Positive int cores) {
        var id = WorkerId.compose(task, rank, cores);

        assertEquals(task, (int) (id >>> 32));
        assertEquals(rank % cores, (int) id);
    }

    @Example
    void a_negative_rank_and_zero_cores_are_rejected() {
        assertThrows(IllegalArgumentException.class, () -> WorkerId.compose(1, -1, 4));
        assertThrows(IllegalArgumentException.class, () -> WorkerId.compose(1, 0, 0));
    }

    @Example
    void ids_are_printed_as_unsigned() {
        assertEquals("any", WorkerId.toString(WorkerId.ANY));
        assertEquals("18446744073709551614", WorkerId.toString(-2));
    }
}
