// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

/** Tests the options of commands. */
class CallOptionsTest {

    @Property
    void each_option_is_set_alone(@ForAll @LongRange(min = 1) long nanoseconds, @ForAll boolean isIdempotent) {
        var timeout = Duration.ofNanos(nanoseconds);
        var options = CallOptions.DEFAULT.withTimeout(timeout).withIdempotent(isIdempotent);

        assertEquals(Optional.of(timeout), options.timeout());
        assertEquals(isIdempotent, options.isIdempotent());
        assertEquals(Optional.empty(), CallOptions.DEFAULT.timeout());
        assertFalse(CallOptions.DEFAULT.isIdempotent());
        var same = CallOptions.DEFAULT.withIdempotent(isIdempotent).withTimeout(timeout);
        assertEquals(same, options);
        assertEquals(same.hashCode(), options.hashCode());
        assertEquals(same.toString(), options.toString());
        assertFalse(options.equals(options.withIdempotent(!isIdempotent)));
        assertFalse(options.equals(CallOptions.DEFAULT.withIdempotent(isIdempotent)));
        assertTrue(options.toString().contains(Boolean.toString(isIdempotent)));
    }
}
