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
 * Workers of several hosts that know each other. Stands for {@code struct doca_urom_domain};
 * {@link #close()} stands for {@code doca_urom_domain_destroy}.
 *
 * <p>Each host that takes part has a domain of its own, with its own workers under ids that are
 * unique in the whole domain, and with the buffers that it shares with all of them. Starting it has
 * the hosts exchange all that through an {@link OutOfBandExchange}: it completes when every worker
 * of every host knows the whole domain. Plugins then reach each other by domain id ({@code
 * doca_urom_worker_domain_addr_lookup} and its kin).
 *
 * <p>The hosts must agree: on the number of participants, on the number of buffers, and on ids that
 * differ. If one of them fails to start, all that have come as far as exchanging do.
 *
 * <p>Nobody tells that a participant never comes: choose the timeout of {@link #startAndWait}, or
 * stop a domain that stays in {@link ContextState#STARTING}.
 */
public final class UromDomain extends Context {

    private final DomainExchange exchange;
    private final Map<Long, UromWorker> workers;
    private final List<MemorySegment> buffers = new ArrayList<>(); // keeps them alive

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
     * Makes a domain context, not started yet. Stands for {@code doca_urom_domain_create},
     * {@code doca_urom_domain_as_ctx}, {@code doca_pe_connect_ctx},
     * {@code doca_urom_domain_set_oob} and {@code doca_urom_domain_set_workers}.
     *
     * @param engine what progresses it, and its workers too
     * @param exchange how the participants reach each other; it must stay open until this runs
     * @param workers this participant's workers, at least one, by their ids in the domain (64 bits,
     *        unsigned); they must stay open as long as this, and run when this starts
     * @return an idle context
     * @throws IllegalArgumentException if there are no workers, or one has another engine
     * @throws DocaException if the library cannot make it
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
        } catch (RuntimeException e) {
            domain.close();
            throw e;
        }
        return domain;
    }

    private static void requireEngine(ProgressEngine engine, long id, UromWorker worker) {
        if (worker.engine() != engine) {
            throw new IllegalArgumentException("The worker with the domain id "
                    + Long.toUnsignedString(id) + " belongs to " + worker.engine()
                    + " and its domain to " + engine + ": both need the same one");
        }
    }

    private void entered(ContextState state) {
        if (state == ContextState.STARTING) {
            exchange.forgetFailure();
        }
        var changing = state == ContextState.STARTING || state == ContextState.STOPPING;
        exchange.expectRequests(changing);
        if (changing) {
            engine().servers().add(exchange);
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
     * Sets how many buffers will be added; those that were are dropped. All participants need the
     * same number. Stands for {@code doca_urom_domain_set_buffers_count}.
     *
     * @param count 0 or more
     * @return this
     * @throws IllegalArgumentException if {@code count} is negative
     * @throws DocaException with {@code BAD_STATE} if this is not idle
     */
    public UromDomain setBufferCount(int count) {
        requireUsable();
        Count.requireWithin("The number of buffers", count, 0, Integer.MAX_VALUE);
        check(doca_h.doca_urom_domain_set_buffers_count(object(), count), "doca_urom_domain_set_buffers_count", this);
        buffers.clear();
        return this;
    }

    /**
     * Shares memory of this process with all workers of the domain: they find its number, in the
     * order of addition, by address, and by number its packed handle and key. Stands for
     * {@code doca_urom_domain_add_buffer}.
     *
     * @param memory native memory of at least one byte. The caller keeps its arena open until this is
     *        closed; {@code HostRegion.addTo} enforces that for a region of the plugin layer
     * @param packedHandle what a plugin needs to map it, opaque; may be empty
     * @param packedKey what a plugin needs to reach it from afar (a UCX remote key, for instance),
     *        opaque; may be empty
     * @return this
     * @throws IllegalArgumentException if the memory is not native
     * @throws DocaException with {@code BAD_STATE} if this is not idle or no count was set,
     *         {@code FULL} if as many were added, {@code INVALID_VALUE} if the memory is empty
     */
    public UromDomain addBuffer(MemorySegment memory, byte[] packedHandle, byte[] packedKey) {
        requireUsable();
        if (!memory.isNative()) {
            throw new IllegalArgumentException(
                    "Memory of the Java heap has no address that others" + " could use: allocate it from an Arena");
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
     * This participant's workers.
     *
     * @return by their ids in the domain
     */
    public Map<Long, UromWorker> workers() {
        return Collections.unmodifiableMap(workers);
    }

    /**
     * What the exchange has thrown since the last start: an exception of an {@link
     * OutOfBandExchange} does not leave {@code progress()}, it ends the start, and this becomes
     * idle.
     *
     * @return what it threw first, or empty
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
                : ids.contains(",") ? "those with the ids " + ids + " are" : "the one with the id " + ids + " is";
    }

    @Override
    protected String startFailureAdvice() {
        var failure = exchange.failure();
        return failure != null
                ? "Its exchange failed: " + failure.getMessage() + "."
                : "The library's log (-Djurom.log.level=error) says why: a participant may have"
                        + " another number of buffers, two workers the same id, or a worker may have"
                        + " ended.";
    }

    @Override
    public void close(Duration timeout) {
        if (isOpen() && exchange.isWorking() && state() == ContextState.IDLE) {
            throw new DocaException(
                    DocaError.NOT_PERMITTED,
                    "doca_urom_domain_destroy",
                    toString(),
                    "Its exchange cannot close it: close it when progress() has" + " returned.");
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
