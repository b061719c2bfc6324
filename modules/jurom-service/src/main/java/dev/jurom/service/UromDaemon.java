// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.runtime.DaemonException;
import dev.jurom.runtime.internal.BoundedWait;
import dev.jurom.service.logs.ServiceLog;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.settings.ListenAddress;
import dev.jurom.service.status.ServiceStatus;
import dev.jurom.service.threads.ServiceThreads;
import dev.jurom.service.workers.Deadlines;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * A running UROM service. {@link #close} ends it with its workers, connections and threads. If its process is
 * killed, its workers exit. This class is thread-safe.
 *
 * <p>It is written in Java, loads no native library and needs only the program {@code urom_worker}.
 */
public final class UromDaemon implements AutoCloseable {

    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(20);

    private final Service service;
    private final ServiceThreads threads;
    private final ServiceLog log;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicBoolean closed = new AtomicBoolean();

    private UromDaemon(Service service, ServiceThreads threads, ServiceLog log) {
        this.service = service;
        this.threads = threads;
        this.log = log;
    }

    /**
     * Starts a service in this process and returns when it listens. It logs to its log directory or, without
     * one, to {@link System.Logger}.
     *
     * @param configuration the configuration
     * @return the service, to be closed
     * @throws DaemonException if it cannot listen, or its key, its authorised hosts or its worker program is
     *        invalid
     */
    public static UromDaemon open(DaemonConfiguration configuration) {
        var logs = configuration.logs();
        var log = logs.directory()
                .map(directory -> ServiceLog.toFile(directory, logs))
                .orElseGet(() -> ServiceLog.toSystemLogger(logs.level()));
        return open(configuration, log, Deadlines.DEFAULT);
    }

    /** Starts a service that logs to {@code log}, and closes the log when it ends. */
    static UromDaemon open(DaemonConfiguration configuration, ServiceLog log, Deadlines deadlines) {
        var daemon = create(configuration, log, deadlines);
        try {
            daemon.service.start();
            return daemon;
        } catch (RuntimeException | Error e) {
            daemon.close();
            throw e;
        }
    }

    /** Checks the configuration and searches for plugins, but does not listen. */
    private static UromDaemon create(DaemonConfiguration configuration, ServiceLog log, Deadlines deadlines) {
        var threads = new ServiceThreads();
        try {
            return new UromDaemon(new Service(configuration, log, deadlines, threads), threads, log);
        } catch (IOException e) {
            end(threads, log);
            throw new DaemonException("The service does not start: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            end(threads, log);
            throw new DaemonException("The search for plugins was interrupted", e);
        } catch (RuntimeException | Error e) {
            end(threads, log);
            throw e;
        }
    }

    /**
     * Returns the problems with which a service of this configuration would start, without starting it. Logs to
     * {@code log}, and closes it before returning.
     *
     * @throws DaemonException if the service would not start
     */
    static List<String> check(DaemonConfiguration configuration, ServiceLog log) {
        try (var daemon = create(configuration, log, Deadlines.DEFAULT)) {
            daemon.service.findAbsent();
            return daemon.service.problems();
        }
    }

    private static void end(ServiceThreads threads, ServiceLog log) {
        threads.close();
        log.close();
    }

    /**
     * Returns the first address at which hosts connect.
     *
     * @return the address; for port 0, with the port that the system chose
     */
    public ListenAddress address() {
        return addresses().getFirst();
    }

    /**
     * Returns the addresses at which hosts connect.
     *
     * @return all addresses
     */
    public List<ListenAddress> addresses() {
        return service.addresses();
    }

    /**
     * Returns the private directory of this service, which only its user can list and write to.
     *
     * @return a directory that is deleted, with all files in it, when the service ends
     */
    public Path directory() {
        return service.directory();
    }

    /**
     * Reloads the authorised hosts, ends the sessions of hosts that are no longer authorised, and searches for
     * plugins again. A plugin keeps its id unless its file has changed.
     */
    public void reload() {
        try {
            service.reload();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            log.warning("The search for plugins was interrupted");
        }
    }

    /** Sets a consumer that receives the current status of the service and then each new one. */
    void watch(Consumer<ServiceStatus> watcher) {
        service.watch(watcher);
    }

    /** Runs an action repeatedly, except while the service is blocked. */
    void whileResponsive(Duration pause, Runnable action) {
        service.whileResponsive(pause, action);
    }

    /** Sets an action that writes the caller's files in {@link #directory} again after it had been removed. */
    void afterRestore(Runnable action) {
        service.afterRestore(action);
    }

    /** Records in the status that SIGHUP calls {@link #reload}. */
    void reloadsOnHangUp() {
        service.reloadsOnHangUp();
    }

    /**
     * Waits until the service has been closed.
     *
     * @throws InterruptedException if the calling thread is interrupted
     */
    public void awaitEnd() throws InterruptedException {
        ended.await();
    }

    /**
     * Ends the service: workers publish finished work and exit, or are killed after 3 seconds; then hosts lose
     * their connections, and all threads of the service end. Blocks for at most some seconds until they have
     * ended. Not interruptible: the interrupt status is preserved. No effect if this is closed; a close that
     * has failed can be repeated.
     */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            try {
                service.close();
                log.info("The service has ended");
                end(threads, log);
                ended.countDown();
            } catch (RuntimeException | Error e) {
                closed.set(false);
                throw e;
            }
        } else {
            awaitOtherClose();
        }
    }

    private void awaitOtherClose() {
        BoundedWait.within(LONGEST_CLOSE, left -> ended.await(left, TimeUnit.NANOSECONDS));
    }
}
