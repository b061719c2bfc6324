// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.core.DocaException;
import dev.jurom.internal.DrivenDomain;
import dev.jurom.internal.DrivenService;
import dev.jurom.urom.CpuSet;
import dev.jurom.urom.HostCounters;
import dev.jurom.urom.PluginInfo;
import dev.jurom.urom.exchange.OutOfBandExchange;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Offloading for programs that do not want to see a progress engine: workers that any thread,
 * virtual ones too, may give commands to.
 *
 * <p>It uses the service that {@code DOCA_UROM_SERVICE_FILE} names; where none is named and the
 * software DOCA is in use, it has a service of its own inside this process. One daemon thread
 * drives the progress engine when no platform thread does that waits for an answer.
 *
 * {@snippet class="dev.jurom.FacadeExampleTest" region="call"}
 */
public final class Urom implements AutoCloseable {

    private final DrivenService service;

    private Urom(DrivenService service) {
        this.service = service;
    }

    /**
     * Opens the first device's service, with everything as by default. Takes a minute at most; an
     * interrupt is kept for later.
     *
     * @return the facade, to be closed
     * @throws DocaException if the service cannot be reached, with {@code TIME_OUT} if it does not
     *         answer
     * @throws dev.jurom.runtime.LibraryLoadException if the native libraries do not load
     */
    public static Urom open() {
        return open(UromConfiguration.DEFAULT);
    }

    /**
     * Opens a device's service. Takes a minute at most; an interrupt is kept for later.
     *
     * @param configuration which and how
     * @return the facade, to be closed
     * @throws DocaException if there is no such device or its service cannot be reached, with
     *         {@code TIME_OUT} if it does not answer
     * @throws dev.jurom.runtime.LibraryLoadException if the native libraries do not load
     */
    public static Urom open(UromConfiguration configuration) {
        return new Urom(DrivenService.open(configuration.request()));
    }

    /**
     * The plugins that the service offers.
     *
     * @return as they were when this was opened
     */
    public List<PluginInfo> plugins() {
        return service.plugins();
    }

    /**
     * The CPUs that workers may be given.
     *
     * @return the service's CPU set
     */
    public CpuSet cpuSet() {
        return service.cpuSet();
    }

    /**
     * Starts a worker and waits until it runs, for a minute at most. An interrupt is kept for
     * later: wait for {@link #startWorkerAsync} to be interrupted.
     *
     * @param configuration what it is like
     * @return the worker, to be closed; closing this closes it too
     * @throws DocaException if the service does not offer a plugin ({@code NOT_FOUND}), or the
     *         worker does not start, with {@code TIME_OUT} if it takes longer; it is closed if it
     *         comes after all
     * @throws IllegalStateException if this is closed
     */
    public Worker startWorker(WorkerConfiguration configuration) {
        return service.startWorkerAndWait(configuration.request(), Worker::new);
    }

    /**
     * Starts a worker and does not wait.
     *
     * @param configuration what it is like
     * @return the worker to come, which fails with {@code TIME_OUT} after a minute; when this
     *         future was cancelled or has timed out by then, the worker is closed
     * @throws DocaException if the service does not offer a plugin ({@code NOT_FOUND})
     * @throws IllegalStateException if this is closed
     */
    public CompletableFuture<Worker> startWorkerAsync(WorkerConfiguration configuration) {
        return service.startWorker(configuration.request(), Worker::new);
    }

    /**
     * Has workers of this process form a domain with those of others, and waits until each of them
     * knows the whole domain, for a minute at most; an interrupt is kept for later. The first
     * worker gets the participant's index as its id in the domain, and each next one the number of
     * participants more.
     *
     * @param exchange how the participants reach each other; it stays its owner's, who closes it
     *        after the domain and uses it for nothing else meanwhile
     * @param workers running workers of this, at least one
     * @return the domain, to be closed before its workers; closing this closes it too
     * @throws IllegalArgumentException if there is no worker, or one twice, or one of another Urom
     * @throws DocaException with {@code INITIALIZATION} if it does not come to be: the message says
     *         why, and the cause is what the exchange has thrown; {@code TIME_OUT} if a participant
     *         does not come
     * @throws IllegalStateException if this or a worker is closed
     */
    public Domain domain(OutOfBandExchange exchange, Worker... workers) {
        var builder = DomainConfiguration.builder(exchange);
        for (var worker : workers) {
            builder.worker(worker);
        }
        return domain(builder.build());
    }

    /**
     * Has workers form a domain as it is configured, and waits until it runs, as long as that
     * allows; an interrupt is kept for later: wait for {@link #domainAsync} to be interrupted.
     *
     * @param configuration what it is like
     * @return the domain, to be closed before its workers; closing this closes it too
     * @throws IllegalArgumentException if a worker is another Urom's
     * @throws DocaException as {@link #domain(OutOfBandExchange, Worker...)}
     * @throws IllegalStateException if this or a worker is closed
     */
    public Domain domain(DomainConfiguration configuration) {
        return DrivenDomain.startAndWait(service, configuration.request(),
                driven -> new Domain(driven, configuration.workers()));
    }

    /**
     * Has workers form a domain and does not wait.
     *
     * @param configuration what it is like
     * @return the domain to come, which fails with {@code TIME_OUT} after the time that it is
     *         given; when this future was cancelled or has timed out by then, the domain is closed
     * @throws IllegalArgumentException if a worker is another Urom's
     * @throws IllegalStateException if this or a worker is closed
     */
    public CompletableFuture<Domain> domainAsync(DomainConfiguration configuration) {
        return DrivenDomain.start(service, configuration.request(),
                driven -> new Domain(driven, configuration.workers()));
    }

    /**
     * The ids of the workers of a group. Waits for a minute at most; an interrupt is kept for
     * later: wait for {@link #workersByGroupAsync} to be interrupted.
     *
     * @param group the group's id, taken as unsigned
     * @return the ids, in the service's order
     * @throws DocaException if the service does not answer ({@code TIME_OUT}), or with an error
     * @throws IllegalStateException if this is closed
     */
    public long[] workersByGroup(int group) {
        return service.workersByGroupAndWait(group);
    }

    /**
     * Asks for the ids of the workers of a group and does not wait.
     *
     * @param group the group's id, taken as unsigned
     * @return the ids to come, in the service's order; fails with {@code TIME_OUT} after a minute
     * @throws IllegalStateException if this is closed
     */
    public CompletableFuture<long[]> workersByGroupAsync(int group) {
        return service.workersByGroup(group);
    }

    /**
     * What has been counted on this service, over all workers of this. Any thread may ask; whoever
     * drives the engine answers, which takes microseconds, and a minute at most.
     *
     * @return as of now; after {@link #close} as of then
     * @throws DocaException with {@code NOT_SUPPORTED} on the vendor's library, with
     *         {@code TIME_OUT} if whoever drives the engine does not go on
     */
    public HostCounters counters() {
        return service.counters();
    }

    /**
     * Closes all domains and targets, then all workers and the connection to the service: commands
     * that have not completed fail. An embedded service that nobody else uses ends. No thread and
     * no process is left. No effect if that was done. Takes three minutes at most, one for domains
     * and targets, one until the service has answered and one until everything native is gone; an
     * interrupt is kept for later.
     *
     * @throws DocaException with {@code TIME_OUT} if that was not enough: what hangs is kept
     * @throws IllegalStateException if it is called by what depends on an answer, in the thread
     *         that drives the engine; nothing is changed
     */
    @Override
    public void close() {
        service.close();
    }

    @Override
    public String toString() {
        return service.toString();
    }
}
