// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the removal of a folder leads to no file outside of it. */
class FolderRemovalTest {

    private static final int ATTEMPTS = 300;

    @TempDir
    private Path folder;

    @Test
    void links_are_removed_and_not_followed() throws IOException {
        var outside = Files.createDirectories(folder.resolve("outside/inner")).getParent();
        var removed = Files.createDirectories(folder.resolve("removed/below"));
        Files.createSymbolicLink(removed.resolve("link"), outside);
        Files.createFile(removed.resolve("file"));

        FolderRemoval.remove(folder.resolve("removed"));

        assertFalse(Files.exists(folder.resolve("removed")));
        assertTrue(Files.exists(outside.resolve("inner")));
    }

    @Test
    void a_link_in_the_place_of_the_folder_is_not_followed() throws IOException {
        var outside = Files.createDirectories(folder.resolve("outside/inner")).getParent();
        var link = Files.createSymbolicLink(folder.resolve("removed"), outside);

        assertThrows(IOException.class, () -> FolderRemoval.remove(link));
        assertTrue(Files.exists(outside.resolve("inner")));
    }

    /** Another process exchanges a folder for a link between any two steps of the removal. */
    @Test
    void a_folder_that_is_exchanged_meanwhile_leads_nowhere_else() throws Exception {
        var outside = Files.createDirectories(folder.resolve("outside"));
        var victim = Files.createFile(outside.resolve("file"));
        var place = folder.resolve("removed/below");
        var aside = folder.resolve("aside");
        var link = Files.createSymbolicLink(folder.resolve("link"), outside);
        var ended = new AtomicBoolean();
        var attacker = Thread.ofPlatform().start(() -> {
            while (!ended.get()) {
                try {
                    Files.move(place, aside, StandardCopyOption.ATOMIC_MOVE);
                    Files.copy(link, place, LinkOption.NOFOLLOW_LINKS);
                } catch (IOException e) {
                    Thread.onSpinWait();
                }
            }
        });
        for (var i = 0; i < ATTEMPTS; i++) {
            Files.createDirectories(folder.resolve("removed"));
            try {
                Files.createDirectory(place);
                Files.createFile(place.resolve("file"));
                FolderRemoval.remove(folder.resolve("removed"));
            } catch (IOException e) {
                // the attacker was faster
            }
            assertTrue(Files.exists(victim), "a file outside of the folder");
            delete(folder.resolve("removed"));
            delete(aside);
        }
        ended.set(true);
        attacker.join();
    }

    private static void delete(Path path) {
        try {
            FolderRemoval.remove(path);
        } catch (IOException e) {
            // it is a link, or there is none
        }
    }
}
