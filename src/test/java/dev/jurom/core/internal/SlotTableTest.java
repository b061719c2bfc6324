// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class SlotTableTest {

    /** An even step adds an object; an odd step releases the ticket at that index. */
    @Property
    void a_ticket_refers_to_its_object_until_it_is_released(@ForAll List<Integer> steps) {
        var table = new SlotTable<Integer>();
        var tickets = new ArrayList<Long>();
        Map<Long, Integer> open = new HashMap<>();

        for (var step : steps) {
            if (step % 2 == 0 || tickets.isEmpty()) {
                var ticket = table.add(step);
                tickets.add(ticket);
                open.put(ticket, step);
            } else {
                var ticket = tickets.get(Math.floorMod(step, tickets.size()));
                table.remove(ticket);
                open.remove(ticket);
            }
            tickets.forEach(ticket -> assertEquals(open.get(ticket), table.get(ticket)));
            assertEquals(open.size(), table.size());
        }
        assertEquals(tickets.size(), new HashSet<>(tickets).size(), "tickets repeat");
    }

    @Property
    void a_number_that_is_not_a_ticket_refers_to_no_object(@ForAll long ticket) {
        var table = new SlotTable<String>();
        var weak = new WeakTable<String>();
        var given = table.add("object");
        var givenWeakly = weak.add("object");

        assertNotEquals(0, given);
        assertNotEquals(0, givenWeakly);
        if (ticket != given) {
            assertNull(table.get(ticket));
        }
        if (ticket != givenWeakly) {
            assertNull(weak.get(ticket));
        }
    }

    @Property
    void a_weak_ticket_refers_to_its_object_until_it_is_released(@ForAll List<Integer> steps) {
        var table = new WeakTable<Object>();
        var tickets = new ArrayList<Long>();
        Map<Long, Object> open = new HashMap<>();

        for (var step : steps) {
            if (step % 2 == 0 || tickets.isEmpty()) {
                var object = new Object();
                var ticket = table.add(object);
                tickets.add(ticket);
                open.put(ticket, object);
            } else {
                var ticket = tickets.get(Math.floorMod(step, tickets.size()));
                table.remove(ticket);
                open.remove(ticket);
            }
            tickets.forEach(ticket -> assertEquals(open.get(ticket), table.get(ticket)));
        }
        assertEquals(tickets.size(), new HashSet<>(tickets).size(), "tickets repeat");
    }
}
