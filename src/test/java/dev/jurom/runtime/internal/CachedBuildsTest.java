// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.ForkedJvm;
import dev.jurom.fixture.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which builds are kept in the cache and which are removed. */
class CachedBuildsTest {

    private static final Duration LONG_AGO = CachedBuilds.MAX_AGE.plusHours(1);
    private static final Duration LATELY = CachedBuilds.MAX_AGE.minusHours(1);

    @TempDir
    private Path folder;

    private Path cache;

    @BeforeEach
    void makeCache() throws IOException {
        cache = PrivateDirectory.open(folder.resolve("cache")).path();
    }

    /** Creates a folder in the cache with a file that was last used the given time ago. */
    private Path build(String name, Duration ago) throws IOException {
        var build = cache.resolve(name);
        Files.createDirectories(build.resolve("lib"));
        Files.writeString(build.resolve("lib/libdoca_common.so.3"), "");
        age(build, ago);
        return build;
    }

    private static void age(Path build, Duration ago) throws IOException {
        Files.setLastModifiedTime(build, FileTime.from(Instant.now().minus(ago)));
    }

    private static String name(char digit) {
        return Character.toString(digit).repeat(32);
    }

    private void use(Path build) {
        try (var builds = CachedBuilds.lock(cache)) {
            builds.use(build);
        }
    }

    @Test
    void a_build_unused_for_30_days_is_removed_when_another_is_used() throws IOException {
        var old = build(name('a'), LONG_AGO);
        var older = build(name('b'), LONG_AGO.multipliedBy(10));
        var recent = build(name('c'), LATELY);

        use(build(name('d'), Duration.ZERO));

        assertFalse(Files.exists(old));
        assertFalse(Files.exists(older));
        assertTrue(Files.exists(recent.resolve("lib/libdoca_common.so.3")));
    }

    @Test
    void a_build_that_is_used_again_is_kept_for_another_30_days() throws IOException {
        var build = build(name('a'), LONG_AGO);

        use(build);
        use(build(name('b'), Duration.ZERO));

        assertTrue(Files.exists(build.resolve("lib/libdoca_common.so.3")));
    }

    @Test
    void files_that_are_not_builds_are_kept() throws IOException {
        var notes = build("notes", LONG_AGO);
        var longer = build(name('a') + "0", LONG_AGO);
        var file = Files.writeString(cache.resolve(name('b')), "");
        age(file, LONG_AGO);

        use(build(name('c'), Duration.ZERO));

        Stream.of(notes, longer, file).forEach(path -> assertTrue(Files.exists(path), "" + path));
    }

    @Test
    void links_out_of_the_cache_are_not_followed() throws IOException {
        var outside = Files.createDirectories(folder.resolve("outside"));
        var precious = Files.writeString(outside.resolve("precious"), "");
        age(outside, LONG_AGO);
        var link = Files.createSymbolicLink(cache.resolve(name('a')), outside);
        var old = build(name('b'), LONG_AGO);
        Files.createSymbolicLink(old.resolve("lib/directory"), outside);
        Files.createSymbolicLink(old.resolve("lib/file"), precious);
        age(old, LONG_AGO);
        var lured = build(name('c'), LONG_AGO);
        var elsewhere = folder.resolve("elsewhere");
        Files.createSymbolicLink(lured.resolve(CachedBuilds.USERS), elsewhere);
        age(lured, LONG_AGO);

        use(build(name('d'), Duration.ZERO));

        assertTrue(Files.exists(precious));
        assertTrue(Files.isSymbolicLink(link));
        assertFalse(Files.exists(old));
        assertFalse(Files.exists(elsewhere));
    }

    @Test
    void a_build_is_kept_while_a_process_uses_it() throws IOException {
        try (var user = ForkedJvm.start(CacheUserProgram.class, "-Djurom.cache.path=" + cache)) {
            Waiting.until("the build is used", () -> user.output().contains("ready"));
            var used = Path.of(user.output().lines().findFirst().orElseThrow());
            age(used, LONG_AGO);

            use(build(name('a'), Duration.ZERO));

            assertTrue(Files.exists(used.resolve("bin/urom_worker")));
            user.process().destroyForcibly();
            Waiting.until("its user has exited", () -> !user.process().isAlive());
            use(build(name('b'), Duration.ZERO));
            assertFalse(Files.exists(used));
        }
    }

    @Test
    void a_folder_that_cannot_be_removed_is_harmless() throws IOException {
        var locked = build(name('a'), LONG_AGO);
        Files.createDirectory(locked.resolve(CachedBuilds.USERS));
        age(locked, LONG_AGO);
        var old = build(name('b'), LONG_AGO);

        use(build(name('c'), Duration.ZERO));

        assertTrue(Files.exists(locked));
        assertFalse(Files.exists(old));
    }

    @Test
    void a_cache_that_cannot_be_locked_is_used_without_cleanup() throws IOException {
        Files.createDirectory(cache.resolve("lock"));
        var old = build(name('a'), LONG_AGO);
        var build = build(name('b'), LATELY);

        use(build);

        assertTrue(Files.exists(old));
        assertTrue(Files.exists(build.resolve(CachedBuilds.USERS)));
    }
}
