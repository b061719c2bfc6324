// SPDX-License-Identifier: Apache-2.0
package dev.jurom.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.jurom.fixture.Command;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Tests that no wait is unbounded, except for listed ones with a reason. */
class EndlessWaitsTest {

    /** Methods that wait without a timeout. */
    private static final Map<Class<?>, Set<String>> WAITS = Map.ofEntries(
            Map.entry(LockSupport.class, Set.of("park")),
            Map.entry(Thread.class, Set.of("join")),
            Map.entry(Object.class, Set.of("wait")),
            Map.entry(Process.class, Set.of("waitFor")),
            Map.entry(Future.class, Set.of("get")),
            Map.entry(CompletableFuture.class, Set.of("get", "join")),
            Map.entry(CompletionService.class, Set.of("take")),
            Map.entry(BlockingQueue.class, Set.of("take", "put")),
            Map.entry(Semaphore.class, Set.of("acquire", "acquireUninterruptibly")),
            Map.entry(CountDownLatch.class, Set.of("await")),
            Map.entry(CyclicBarrier.class, Set.of("await")),
            Map.entry(Condition.class, Set.of("await", "awaitUninterruptibly")),
            Map.entry(ExecutorService.class, Set.of("close", "invokeAll")));

    /** The exceptions, and the event that ends each wait. */
    private static final Map<String, String> ALLOWED = Map.ofEntries(
            Map.entry("dev.jurom.PendingReceives$Caller", "the timeout of the receive, or a choice of the caller"),
            Map.entry("dev.jurom.internal.EngineFuture", "the call timeout, or a choice of the caller"),
            Map.entry("dev.jurom.internal.PendingAnswer", "the same: bridges to the methods of EngineFuture"),
            Map.entry("dev.jurom.runtime.internal.ThreadEnd", "its own thread, which is stopped first"),
            Map.entry("dev.jurom.service.linux.Descriptor", "timers, which close the connection"),
            Map.entry("dev.jurom.plugin.HostMemory", "its own thread, which answers first"),
            Map.entry("dev.jurom.ucx.RootDirectory", "the future is done: its thread has ended"),
            Map.entry("dev.jurom.service.connections.FrameSender", "a sent frame, or the connection's end"),
            Map.entry("dev.jurom.service.plugins.PluginCatalog$Found", "the probe's own time-out"),
            Map.entry("dev.jurom.service.UromDaemon", "the close in another thread"),
            Map.entry("dev.jurom.service.workers.WorkerProcess", "a process that has exited or been killed"));

    @Test
    void no_wait_is_unbounded() {
        var house = new ClassFileImporter()
                .withImportOption(location -> !location.contains("/dev/jurom/abi/")) // generated
                .importPaths(Command.LIBRARY, Command.WORKER, Command.SERVICE);

        noClasses()
                .that(DescribedPredicate.not(listed()))
                .should()
                .callCodeUnitWhere(DescribedPredicate.describe("waits without a timeout", EndlessWaitsTest::isEndless))
                .check(house);
    }

    private static DescribedPredicate<JavaClass> listed() {
        return DescribedPredicate.describe("are listed", type -> ALLOWED.containsKey(type.getName()));
    }

    private static boolean isEndless(JavaCall<?> call) {
        var target = call.getTarget();
        return WAITS.entrySet().stream()
                .anyMatch(wait -> wait.getValue().contains(target.getName())
                        && target.getOwner().isAssignableTo(wait.getKey())
                        && target.getRawParameterTypes().stream()
                                .noneMatch(
                                        type -> type.isPrimitive() || type.isEquivalentTo(java.time.Duration.class)));
    }
}
