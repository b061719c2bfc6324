// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class ResourceSnapshotTest {

    private static ResourceSnapshot snapshot(long descriptors, int workers, long files) {
        return new ResourceSnapshot(
                new ResourceSnapshot.Usage(1, 0, 0, descriptors, 20),
                new ResourceSnapshot.Usage(workers, 0, 0, 26, 4),
                files,
                0);
    }

    @Test
    void equal_or_lower_usage_is_not_reported() {
        assertEquals(List.of(), snapshot(30, 1, 8).excess(snapshot(26, 2, 8)));
    }

    @Test
    void excess_usage_is_reported_with_numbers() {
        assertEquals(
                List.of(
                        "descriptors of the service: 335 instead of at most 34",
                        "worker processes: 3 instead of at most 2",
                        "files in the service's directory: 9 instead of at most 8"),
                snapshot(335, 3, 9).excess(snapshot(26, 2, 8)));
    }
}
