// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.host;

import dev.jurom.Urom;
import dev.jurom.UromConfiguration;
import dev.jurom.core.DocaException;
import dev.jurom.proof.runs.plan.DomainPlan;
import dev.jurom.proof.runs.plan.HostPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Closes a {@code Urom} while a thread is held up that is about to wake the one that drives it. The
 * descriptors that are given back are files' then, to which nobody may write.
 */
final class CloseBesideCalls {

    private static final long HELD_NANOS = 200_000_000; // longer than it mostly takes to close
    private static final long LONGEST_NANOS = 150_000_000; // until somebody is held up
    private static final int GROUP = 1; // of no worker
    private static final long LONGEST_PATIENCE_NANOS = 500_000; // of who asks
    private static final long PAUSE_NANOS = 3_000_000; // in which the service answers
    private static final int FILES = 16; // more than there are descriptors of an engine

    private final HostPlan plan;
    private final Notes notes;
    private final SplittableRandom random;

    CloseBesideCalls(HostPlan plan, SplittableRandom random, Notes notes) {
        this.plan = plan;
        this.random = random;
        this.notes = notes;
    }

    void check() throws InterruptedException {
        var urom = Urom.open(UromConfiguration.builder().callTimeout(plan.patience()).build());
        var caller = Thread.ofPlatform().start(() -> ask(urom));
        try (var held = StagedFault.delay("facade_waking", HELD_NANOS, 1)) {
            held.await(LONGEST_NANOS);
        } finally {
            urom.close();
        }
        var files = open();
        caller.join();
        for (var file : files) {
            if (length(file) > 0) {
                notes.broken("a descriptor is written to that a Urom had given back");
            }
        }
    }

    /** Gives up what it asks for while the driver sleeps until there is an answer. */
    private void ask(Urom urom) {
        while (true) {
            try {
                var asked = urom.workersByGroupAsync(GROUP);
                LockSupport.parkNanos(random.nextLong(LONGEST_PATIENCE_NANOS));
                asked.cancel(false);
                LockSupport.parkNanos(PAUSE_NANOS);
            } catch (DocaException | IllegalStateException e) {
                return; // it is about to be closed
            }
        }
    }

    /** Files, which have the lowest numbers that are free; they are deleted with a run's others. */
    private List<FileChannel> open() {
        var folder = Path.of(System.getenv(DomainPlan.FOLDER_VARIABLE));
        var files = new ArrayList<FileChannel>();
        try {
            for (var i = 0; i < FILES; i++) {
                var file = folder.resolve(plan.run() + "-given-back-" + plan.number() + "-" + i);
                files.add(FileChannel.open(file, StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.WRITE));
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }

    private static long length(FileChannel file) {
        try (file) {
            return file.size();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
