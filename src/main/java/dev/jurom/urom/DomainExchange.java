// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.jurom.abi.doca.doca_urom_domain_allgather_cb_t;
import dev.jurom.abi.doca.doca_urom_domain_oob_coll;
import dev.jurom.abi.doca.doca_urom_domain_req_free_cb_t;
import dev.jurom.abi.doca.doca_urom_domain_req_test_cb_t;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.internal.WeakTable;
import dev.jurom.urom.exchange.AllGather;
import dev.jurom.urom.exchange.ExchangeException;
import dev.jurom.urom.exchange.OutOfBandExchange;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What C calls to have a domain's participants exchange blocks: one upcall stub for each type of
 * callback, for the life of the process. C is given tickets, never anything that Java's garbage
 * collector moves.
 *
 * <p>The exchange itself never sees native memory: its blocks are copied inside these calls, while
 * C keeps its buffers. Whatever it throws is kept as the domain's failure, and C gets an error.
 */
final class DomainExchange {

    private static final MemorySegment ALL_GATHER =
            doca_urom_domain_allgather_cb_t.allocate(DomainExchange::allGather, Arena.global());
    private static final MemorySegment TEST =
            doca_urom_domain_req_test_cb_t.allocate(DomainExchange::test, Arena.global());
    private static final MemorySegment FREE =
            doca_urom_domain_req_free_cb_t.allocate(DomainExchange::free, Arena.global());

    private static final WeakTable<DomainExchange> EXCHANGES = new WeakTable<>();
    private static final WeakTable<Request> REQUESTS = new WeakTable<>();

    private final OutOfBandExchange exchange;
    private final long ticket = EXCHANGES.add(this);
    private final Set<Request> requests = new HashSet<>(); // keeps them: the table does not
    private @Nullable Throwable failure;

    DomainExchange(OutOfBandExchange exchange) {
        this.exchange = exchange;
    }

    /** The exchange as C wants it. */
    MemorySegment describe(Arena arena) {
        var description = doca_urom_domain_oob_coll.allocate(arena);
        doca_urom_domain_oob_coll.allgather(description, ALL_GATHER);
        doca_urom_domain_oob_coll.req_test(description, TEST);
        doca_urom_domain_oob_coll.req_free(description, FREE);
        doca_urom_domain_oob_coll.coll_info(description, MemorySegment.ofAddress(ticket));
        doca_urom_domain_oob_coll.n_oob_indexes(description, exchange.participants());
        doca_urom_domain_oob_coll.oob_index(description, exchange.index());
        return description;
    }

    /** What the exchange has thrown since the last start; null: nothing. */
    @Nullable Throwable failure() {
        return failure;
    }

    /** A start begins: what was thrown before counts no more. */
    void forgetFailure() {
        failure = null;
    }

    /** C will not call any more. */
    void close() {
        EXCHANGES.remove(ticket);
    }

    private static int allGather(MemorySegment block, MemorySegment blocks, long length,
            MemorySegment ticket, MemorySegment result) {
        DomainExchange domain = null;
        try {
            domain = EXCHANGES.get(ticket.address());
            return domain == null ? DocaError.INVALID_VALUE.code()
                    : domain.begin(block, blocks, length, result);
        } catch (Throwable e) {
            return keep(domain, e);
        }
    }

    private int begin(MemorySegment block, MemorySegment blocks, long length,
            MemorySegment result) {
        if (length > Integer.MAX_VALUE / exchange.participants()) {
            throw new ExchangeException(DocaError.TOO_BIG, "Blocks of " + length + " bytes from "
                    + exchange.participants() + " participants are too big for an exchange");
        }
        var mine = block.asSlice(0, length).toArray(JAVA_BYTE);
        var request = new Request(this, exchange.begin(mine), blocks,
                length * exchange.participants());
        requests.add(request);
        result.set(JAVA_LONG, 0, request.ticket);
        return DocaError.SUCCESS.code();
    }

    private static int test(MemorySegment ticket) {
        Request request = null;
        try {
            request = REQUESTS.get(ticket.address());
            return request == null ? DocaError.INVALID_VALUE.code() : request.test();
        } catch (Throwable e) {
            return keep(request == null ? null : request.domain, e);
        }
    }

    private static int free(MemorySegment ticket) {
        Request request = null;
        try {
            request = REQUESTS.get(ticket.address());
            if (request == null) {
                return DocaError.INVALID_VALUE.code();
            }
            request.free();
            return DocaError.SUCCESS.code();
        } catch (Throwable e) {
            return keep(request == null ? null : request.domain, e);
        }
    }

    /** Keeps what was thrown; gives what C is told of it. */
    private static int keep(@Nullable DomainExchange domain, Throwable thrown) {
        if (domain != null && domain.failure == null) {
            domain.failure = thrown;
        }
        return switch (thrown) {
            case ExchangeException e -> e.error().code();
            case DocaException e -> e.error().code();
            case OutOfMemoryError e -> DocaError.NO_MEMORY.code();
            default -> DocaError.UNEXPECTED.code();
        };
    }

    /** An all-gather that C has asked for, and where its blocks go. */
    private static final class Request {

        private final DomainExchange domain;
        private final AllGather gathering;
        private final MemorySegment blocks;
        private final long length;
        private final long ticket = REQUESTS.add(this);

        Request(DomainExchange domain, AllGather gathering, MemorySegment blocks, long length) {
            this.domain = domain;
            this.gathering = gathering;
            this.blocks = blocks;
            this.length = length;
        }

        int test() {
            if (!gathering.poll()) {
                return DocaError.IN_PROGRESS.code();
            }
            var gathered = gathering.blocks();
            if (gathered.length != length) {
                throw new ExchangeException(DocaError.UNEXPECTED, domain.exchange + " gave "
                        + gathered.length + " bytes of blocks where " + length + " are due");
            }
            MemorySegment.copy(gathered, 0, blocks, JAVA_BYTE, 0, gathered.length);
            return DocaError.SUCCESS.code();
        }

        void free() {
            REQUESTS.remove(ticket);
            domain.requests.remove(this);
            gathering.close();
        }
    }
}
