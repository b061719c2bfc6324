// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.abi.doca.doca_urom_domain_oob_coll;
import dev.jurom.abi.doca.jurom_oob;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.internal.RequestServer;
import dev.jurom.urom.exchange.AllGather;
import dev.jurom.urom.exchange.ExchangeException;
import dev.jurom.urom.exchange.OutOfBandExchange;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Serves the all-gathers that a domain requests. C functions record a request while the engine
 * progresses; this class executes it afterwards, so that no Java code runs inside
 * {@code doca_pe_progress}.
 *
 * <p>The exchange never accesses native memory. An exception of the exchange is stored as the
 * failure of the domain and becomes the status of the request.
 */
final class DomainExchange implements RequestServer {

    private static final int IN_PROGRESS = DocaError.IN_PROGRESS.code();
    private static final byte[] NONE = {};

    private final OutOfBandExchange exchange;
    private final Arena arena = Arena.ofShared(); // the owner of an engine may change
    private final MemorySegment oob = jurom_oob.allocate(arena); // all zeros
    private int participants;
    private boolean expecting; // true while requests may follow
    private boolean working;
    private @Nullable Throwable failure;

    private long request; // number of the latest request; 0: none is outstanding
    private int status = IN_PROGRESS; // the status of that request
    private byte[] block = NONE; // the block of this participant
    private byte[] blocks = NONE; // the blocks of all participants, once complete

    private long begun; // number of the request that the all-gather serves
    private @Nullable AllGather gathering; // null if none is open

    DomainExchange(OutOfBandExchange exchange) {
        this.exchange = exchange;
    }

    /** Returns the description of the exchange for C. */
    MemorySegment describe(Arena arena) {
        participants = exchange.participants();
        var description = doca_urom_domain_oob_coll.allocate(arena);
        doca_urom_domain_oob_coll.allgather(description, doca_h.jurom_oob_allgather$address());
        doca_urom_domain_oob_coll.req_test(description, doca_h.jurom_oob_req_test$address());
        doca_urom_domain_oob_coll.req_free(description, doca_h.jurom_oob_req_free$address());
        doca_urom_domain_oob_coll.coll_info(description, oob);
        doca_urom_domain_oob_coll.n_oob_indexes(description, participants);
        doca_urom_domain_oob_coll.oob_index(description, exchange.index());
        return description;
    }

    /** Returns the first exception of the exchange since the last start, or null. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    /** Clears the failure, when a start begins. */
    void clearFailure() {
        failure = null;
    }

    /** Sets whether new requests may follow. An outstanding request is served in any case. */
    void expectRequests(boolean expected) {
        expecting = expected;
    }

    /** Returns whether the exchange is running. */
    boolean isWorking() {
        return working;
    }

    /** Closes an all-gather that is still open, when C makes no more calls. */
    void close() {
        if (arena.scope().isAlive()) {
            expecting = false;
            request = 0;
            work();
            arena.close();
        }
    }

    @Override
    public boolean take() {
        if (!arena.scope().isAlive()) {
            return false;
        }
        var outstanding = jurom_oob.request(oob);
        if (outstanding != request) {
            block = NONE;
            blocks = NONE;
            status = IN_PROGRESS;
            request = outstanding;
            if (outstanding != 0) {
                takeBlock();
            }
        }
        return gathering != null && begun != request || request != 0 && jurom_oob.status(oob) == IN_PROGRESS;
    }

    private void takeBlock() {
        try {
            var length = jurom_oob.length(oob);
            if (length > Integer.MAX_VALUE / participants) {
                throw new ExchangeException(
                        DocaError.TOO_BIG,
                        "Blocks of " + length
                                + " bytes from " + participants
                                + " participants are too big for an exchange");
            }
            block = jurom_oob.block(oob).reinterpret(length).toArray(JAVA_BYTE);
        } catch (Throwable e) {
            status = fail(e);
        }
    }

    @Override
    public void work() {
        working = true;
        try {
            closeFreed();
            if (request != 0 && status == IN_PROGRESS) {
                gather();
            }
        } finally {
            working = false;
        }
    }

    private void closeFreed() {
        var freed = gathering;
        if (freed == null || begun == request) {
            return;
        }
        gathering = null;
        try {
            freed.close();
        } catch (Throwable e) {
            fail(e);
        }
    }

    private void gather() {
        try {
            var current = gathering;
            if (current == null) {
                begun = request;
                current = exchange.begin(block);
                gathering = current;
            }
            if (current.poll()) {
                blocks = requireLength(current.blocks());
                status = DocaError.SUCCESS.code();
            }
        } catch (Throwable e) {
            status = fail(e);
        }
    }

    private byte[] requireLength(byte[] gathered) {
        var expected = (long) block.length * participants;
        if (gathered.length != expected) {
            throw new ExchangeException(
                    DocaError.UNEXPECTED,
                    exchange + " returned " + gathered.length + " bytes of blocks instead of " + expected);
        }
        return gathered;
    }

    @Override
    public boolean answer() {
        if (request == 0
                || status == IN_PROGRESS
                || !arena.scope().isAlive()
                || jurom_oob.request(oob) != request
                || jurom_oob.status(oob) != IN_PROGRESS) {
            return false;
        }
        MemorySegment.copy(blocks, 0, jurom_oob.blocks(oob).reinterpret(blocks.length), JAVA_BYTE, 0, blocks.length);
        jurom_oob.status(oob, status);
        return true;
    }

    @Override
    public boolean isOver() {
        return !expecting && request == 0 && gathering == null;
    }

    /** Stores an exception and returns the status to report to C. */
    private int fail(Throwable thrown) {
        if (failure == null) {
            failure = thrown;
        }
        return switch (thrown) {
            case ExchangeException e -> e.error().code();
            case DocaException e -> e.error().code();
            case OutOfMemoryError e -> DocaError.NO_MEMORY.code();
            default -> DocaError.UNEXPECTED.code();
        };
    }
}
