// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.core.Context;
import dev.jurom.core.ContextState;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.Handle;
import dev.jurom.core.ProgressEngine;
import dev.jurom.core.internal.CoreAccess;
import dev.jurom.core.internal.Count;
import dev.jurom.urom.exchange.OutOfBandExchange;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A group of workers of several hosts that can reach each other. Stands for
 * {@code struct doca_urom_domain}; {@link #close()} stands for {@code doca_urom_domain_destroy}.
 *
 * <p>Each participating host creates a domain with its own workers, under ids that are unique in
 * the whole domain, and with the buffers that it shares with all workers. When the hosts start
 * their domains, they exchange this information through an {@link OutOfBandExchange}. The start
 * completes when every worker of every host has the whole domain. Plugins then address each other
 * by domain id ({@code doca_urom_worker_domain_addr_lookup} and related functions).
 *
 * <p>All hosts must use the same number of participants and the same number of buffers, and
 * different ids. If one host fails to start, all hosts that have begun to exchange fail as well.
 *
 * <p>A missing participant is not detected: choose the timeout of {@link #startAndWait}, or stop a
 * domain that stays in {@link ContextState#STARTING}.
 */
public final class UromDomain extends Context {

    private final DomainExchange exchange;
    private final Map<Long, UromWorker> workers;
    private final List<MemorySegment> buffers = new ArrayList<>(); // keeps the memory alive

    private UromDomain(ProgressEngine engine, OutOfBandExchange exchange, Map<Long, UromWorker> workers) {
        super(UromDomain::createNative, engine, workers.values().toArray(Handle[]::new));
        this.exchange = new DomainExchange(exchange);
        this.workers = workers;
    }

    private static NativeContext createNative() {
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.ADDRESS);
            check(doca_h.doca_urom_domain_create(result), "doca_urom_domain_create", "domain");
            var domain = result.get(ValueLayout.ADDRESS, 0);
            return new NativeContext(
                    domain,
                    doca_h.doca_urom_domain_as_ctx(domain),
                    "doca_urom_domain_destroy",
                    doca_h::doca_urom_domain_destroy);
        }
    }

    /**
     * Creates an idle domain context. Stands for {@code doca_urom_domain_create},
     * {@code doca_urom_domain_as_ctx}, {@code doca_pe_connect_ctx},
     * {@code doca_urom_domain_set_oob} and {@code doca_urom_domain_set_workers}.
     *
     * @param engine the engine of the workers, to connect to; the calling thread must own it
     * @param exchange the exchange between the participants; it must stay open until this domain
     *         runs
     * @param workers the workers of this participant, at least one, by their ids in the domain (64
     *         bits, unsigned); they must stay open as long as the domain, and be running when it
     *         starts
     * @return an idle context
     * @throws IllegalArgumentException if there are no workers, or a worker has another engine
     * @throws DocaException if the library cannot create it
     */
    public static UromDomain create(ProgressEngine engine, OutOfBandExchange exchange, Map<Long, UromWorker> workers) {
        if (workers.isEmpty()) {
            throw new IllegalArgumentException("A domain needs at least one worker");
        }
        workers.forEach((id, worker) -> requireEngine(engine, id, worker));
        var domain = new UromDomain(engine, exchange, new LinkedHashMap<>(workers));
        try {
            domain.configure();
            domain.onStateChanged((context, previous, next) -> domain.entered(next));
        } catch (RuntimeException | Error e) {
            domain.close();
            throw e;
        }
        return domain;
    }

    private static void requireEngine(ProgressEngine engine, long id, UromWorker worker) {
        if (worker.engine() != engine) {
            throw new IllegalArgumentException("The worker with the domain id "
                    + Long.toUnsignedString(id) + " belongs to " + worker.engine()
                    + ", but its domain belongs to " + engine + ": both need the same engine");
        }
    }

    private void entered(ContextState state) {
        if (state == ContextState.STARTING) {
            exchange.clearFailure();
        }
        var changing = state == ContextState.STARTING || state == ContextState.STOPPING;
        exchange.expectRequests(changing);
        if (changing) {
            CoreAccess.get().servers(engine()).add(exchange);
        }
    }

    private void configure() {
        try (var arena = Arena.ofConfined()) {
            check(
                    doca_h.doca_urom_domain_set_oob(object(), exchange.describe(arena)),
                    "doca_urom_domain_set_oob",
                    this);
            var ids = arena.allocate(ValueLayout.JAVA_LONG, workers.size());
            var handles = arena.allocate(ValueLayout.ADDRESS, workers.size());
            var count = 0;
            for (var worker : workers.entrySet()) {
                ids.setAtIndex(ValueLayout.JAVA_LONG, count, worker.getKey());
                handles.setAtIndex(
                        ValueLayout.ADDRESS, count++, worker.getValue().handle());
            }
            check(
                    doca_h.doca_urom_domain_set_workers(object(), ids, handles, count),
                    "doca_urom_domain_set_workers",
                    this);
        }
    }

    /**
     * Sets the number of buffers that will be added, and removes buffers that were added before.
     * All participants need the same number. Stands for {@code doca_urom_domain_set_buffers_count}.
     *
     * @param count the number, 0 or more
     * @return this
     * @throws IllegalArgumentException if {@code count} is negative
     * @throws DocaException with {@code BAD_STATE} if this domain is not idle
     */
    public UromDomain setBufferCount(int count) {
        requireUsable();
        Count.requireWithin("The number of buffers", count, 0, Integer.MAX_VALUE);
        check(doca_h.doca_urom_domain_set_buffers_count(object(), count), "doca_urom_domain_set_buffers_count", this);
        buffers.clear();
        return this;
    }

    /**
     * Shares memory of this process with all workers of the domain. Buffers are numbered in the
     * order of addition: workers look up the number by address, and the packed handle and key by
     * number. Stands for {@code doca_urom_domain_add_buffer}.
     *
     * @param memory native memory of at least one byte, which must stay valid until this
     *         domain is closed; {@code HostRegion.addTo} enforces that for a region of the plugin layer
     * @param packedHandle the data that a plugin needs to map the memory, opaque; may be empty
     * @param packedKey the data that a plugin needs for remote access (for example a UCX remote
     *         key), opaque; may be empty
     * @return this
     * @throws IllegalArgumentException if {@code memory} is not native
     * @throws DocaException with {@code BAD_STATE} if this domain is not idle or no count was set,
     *         {@code FULL} if all buffers were added, {@code INVALID_VALUE} if {@code memory} is
     *         empty
     */
    public UromDomain addBuffer(MemorySegment memory, byte[] packedHandle, byte[] packedKey) {
        requireUsable();
        if (!memory.isNative()) {
            throw new IllegalArgumentException(
                    "Memory of the Java heap has no fixed address: allocate native memory from an Arena");
        }
        try (var arena = Arena.ofConfined()) {
            check(
                    doca_h.doca_urom_domain_add_buffer(
                            object(),
                            memory,
                            memory.byteSize(),
                            arena.allocateFrom(ValueLayout.JAVA_BYTE, packedHandle),
                            packedHandle.length,
                            arena.allocateFrom(ValueLayout.JAVA_BYTE, packedKey),
                            packedKey.length),
                    "doca_urom_domain_add_buffer",
                    this,
                    DocaError.BAD_STATE,
                    "Set the number of buffers first, and add them while the domain is idle.");
        }
        buffers.add(memory);
        return this;
    }

    /**
     * Returns the workers of this participant.
     *
     * @return the workers, by their ids in the domain
     */
    public Map<Long, UromWorker> workers() {
        return Collections.unmodifiableMap(workers);
    }

    /**
     * Returns the first exception of the exchange since the last start. Such an exception does not
     * propagate from {@code progress()}; it makes the start fail, and this domain becomes idle.
     *
     * @return the exception, or empty if there was none
     */
    public Optional<Throwable> exchangeFailure() {
        requireUsable();
        return Optional.ofNullable(exchange.failure());
    }

    @Override
    protected void checkStart(int status) {
        check(
                status,
                "doca_ctx_start",
                this,
                DocaError.BAD_STATE,
                stopped().isEmpty()
                        ? DocaError.BAD_STATE.advice()
                        : "Start its workers first: " + stopped() + " not running.");
    }

    private String stopped() {
        var ids = workers.entrySet().stream()
                .filter(worker -> worker.getValue().state() != ContextState.RUNNING)
                .map(worker -> Long.toUnsignedString(worker.getKey()))
                .collect(Collectors.joining(", "));
        return ids.isEmpty()
                ? ""
                : ids.contains(",")
                        ? "the workers with the domain ids " + ids + " are"
                        : "the worker with the domain id " + ids + " is";
    }

    @Override
    protected String startFailureAdvice() {
        var failure = exchange.failure();
        return failure != null
                ? "Its exchange failed: " + failure.getMessage() + "."
                : "The log of the library (-Djurom.log.level=error) has the reason: a participant may have another"
                        + " number of buffers, two workers may have the same id, or a worker may have exited.";
    }

    @Override
    public void close(Duration timeout) {
        if (isOpen() && exchange.isWorking() && state() == ContextState.IDLE) {
            throw new DocaException(
                    DocaError.NOT_PERMITTED,
                    "doca_urom_domain_destroy",
                    toString(),
                    "Its exchange cannot close it: close it after progress() has returned.");
        }
        super.close(timeout);
        exchange.close();
    }

    @Override
    public String toString() {
        return workers == null
                ? "domain"
                : "domain with the workers "
                        + workers.keySet().stream().map(Long::toUnsignedString).collect(Collectors.joining(", "));
    }
}
