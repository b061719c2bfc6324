// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import dev.jurom.abi.ucx.ucp_ep_params;
import dev.jurom.abi.ucx.ucp_worker_params;
import dev.jurom.abi.ucx.ucx_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Drives communication: all that is sent or received moves inside {@link #progress()}.
 * Belongs to the thread that made it. Stands for {@code ucp_worker_h}.
 */
public final class UcxWorker implements AutoCloseable {

    /**
     * UCX unpacks addresses without knowing where they end. The longest run that their counts, all
     * of one byte, can make it read is below this.
     */
    private static final long UNPACK_SLACK = 32768;

    private static final int REFUSALS_BEFORE_PAUSE = 1000;
    private static final long PAUSE_NANOS = 100_000;

    private final UcxContext context;
    private final Thread thread = Thread.currentThread();
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment handle;
    private final int number;
    private final Requests requests = new Requests(this, arena);
    private final Messages messages = new Messages(this);
    private int endpoints; // open ones
    private @Nullable Throwable failure;
    private boolean progressing;
    private int refusals; // of arm, since something moved
    private boolean closed;

    UcxWorker(UcxContext context) {
        this.context = context;
        this.handle = create();
        this.number = Upcalls.register(this);
        context.addChild();
        if (context.has(UcxFeature.ACTIVE_MESSAGES)) {
            messages.dropUnknown();
        }
    }

    private MemorySegment create() {
        var parameters = ucp_worker_params.allocate(arena);
        ucp_worker_params.field_mask(parameters, ucx_h.UCP_WORKER_PARAM_FIELD_THREAD_MODE());
        ucp_worker_params.thread_mode(parameters, ucx_h.UCS_THREAD_MODE_SINGLE());
        var pointer = arena.allocate(ValueLayout.ADDRESS);
        UcxStatus.require(
                "A UCX worker could not be made", ucx_h.ucp_worker_create(context.handle(), parameters, pointer));
        return pointer.get(ValueLayout.ADDRESS, 0);
    }

    MemorySegment handle() {
        return handle;
    }

    int number() {
        return number;
    }

    Requests requests() {
        return requests;
    }

    Messages messages() {
        return messages;
    }

    void endpointClosing() {
        endpoints--;
    }

    /** Keeps what a callback threw, for {@link #progress()}; of several, the first. */
    void keep(Throwable thrown) {
        if (failure == null) {
            failure = thrown;
        } else if (failure != thrown) {
            failure.addSuppressed(thrown);
        }
    }

    /**
     * Takes active messages of one id from now on. Stands for
     * {@code ucp_worker_set_am_recv_handler}.
     *
     * @param id from 0 to 65535
     * @param handler what takes them
     */
    public void handle(int id, ActiveMessageHandler handler) {
        requireThread();
        messages.handle(id, handler);
    }

    /**
     * Connects to a worker by its address. Nobody watches whether the peer lives: UCX would do that
     * for some transports only. Stands for {@code ucp_ep_create}.
     *
     * @param address what {@link #address()} gave there
     * @return the endpoint
     * @throws UcxException if no transport reaches the peer
     */
    public UcxEndpoint connect(byte[] address) {
        requireThread();
        try (var call = Arena.ofConfined()) {
            var parameters = ucp_ep_params.allocate(call);
            ucp_ep_params.field_mask(parameters, ucx_h.UCP_EP_PARAM_FIELD_REMOTE_ADDRESS());
            ucp_ep_params.address(parameters, withSlack(call, address));
            var pointer = call.allocate(ValueLayout.ADDRESS);
            UcxStatus.require("No connection to the UCX worker", ucx_h.ucp_ep_create(handle, parameters, pointer));
            endpoints++;
            return new UcxEndpoint(this, pointer.get(ValueLayout.ADDRESS, 0));
        }
    }

    /** A copy with zeros behind it. */
    private static MemorySegment withSlack(Arena arena, byte[] address) {
        var copy = arena.allocate(address.length + UNPACK_SLACK);
        MemorySegment.copy(address, 0, copy, ValueLayout.JAVA_BYTE, 0, address.length);
        return copy;
    }

    /**
     * This worker's address, for {@link #connect} elsewhere. Stands for
     * {@code ucp_worker_get_address}.
     *
     * @return its bytes
     */
    public byte[] address() {
        requireThread();
        try (var call = Arena.ofConfined()) {
            var pointer = call.allocate(ValueLayout.ADDRESS);
            var length = call.allocate(ValueLayout.JAVA_LONG);
            UcxStatus.require(
                    "The address of a UCX worker could not be read",
                    ucx_h.ucp_worker_get_address(handle, pointer, length));
            var address = pointer.get(ValueLayout.ADDRESS, 0);
            var bytes =
                    address.reinterpret(length.get(ValueLayout.JAVA_LONG, 0)).toArray(ValueLayout.JAVA_BYTE);
            ucx_h.ucp_worker_release_address(handle, address);
            return bytes;
        }
    }

    /**
     * Moves communication on. Not to be called from a callback. Stands for
     * {@code ucp_worker_progress}.
     *
     * @return whether anything moved
     * @throws RuntimeException or an Error: what a callback threw
     */
    public boolean progress() {
        requireThread();
        if (progressing) {
            throw new IllegalStateException("A callback must not progress its UCX worker");
        }
        progressing = true;
        try {
            var moved = ucx_h.ucp_worker_progress(handle) != 0;
            if (moved) {
                refusals = 0;
            }
            rethrow();
            return moved;
        } finally {
            progressing = false;
        }
    }

    private void rethrow() {
        var thrown = failure;
        failure = null;
        switch (thrown) {
            case null -> {}
            case RuntimeException exception -> throw exception;
            case Error error -> throw error;
            default -> throw new AssertionError("callbacks throw unchecked only", thrown);
        }
    }

    /**
     * The descriptor that becomes readable when there is something to progress, after
     * {@link #arm()}. It stays this worker's. Stands for {@code ucp_worker_get_efd}.
     *
     * @return a descriptor for poll(2)
     */
    public int eventDescriptor() {
        requireThread();
        var descriptor = arena.allocate(ValueLayout.JAVA_INT);
        UcxStatus.require("A UCX worker has no event descriptor", ucx_h.ucp_worker_get_efd(handle, descriptor));
        return descriptor.get(ValueLayout.JAVA_INT, 0);
    }

    /**
     * Prepares for sleeping on the descriptor. UCX also refuses this while a peer has to act first,
     * for which the peer may need this CPU: if UCX has refused it many times and nothing has moved,
     * this method blocks for 0.1 ms. Stands for {@code ucp_worker_arm}.
     *
     * @return false if this must be progressed first, or a thread has signalled
     */
    public boolean arm() {
        requireThread();
        var status = ucx_h.ucp_worker_arm(handle);
        if (status == UcxStatus.BUSY) {
            if (++refusals > REFUSALS_BEFORE_PAUSE) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            return false;
        }
        UcxStatus.require("A UCX worker could not be armed", status);
        refusals = 0;
        return true;
    }

    /**
     * Wakes the thread that sleeps on the descriptor, or is about to. Any thread may call this
     * while the worker is open. Stands for {@code ucp_worker_signal}.
     */
    public void signal() {
        UcxStatus.require("A UCX worker could not be signalled", ucx_h.ucp_worker_signal(handle));
    }

    void requireThread() {
        if (Thread.currentThread() != thread) {
            throw new WrongThreadException("This UCX worker belongs to the thread \"" + thread.getName()
                    + "\", not to \"" + Thread.currentThread().getName() + "\"");
        }
        if (closed) {
            throw new IllegalStateException("This UCX worker is closed");
        }
    }

    /**
     * Closes this worker; closing again does nothing. Endpoints that are being closed end with it,
     * and requests that are under way are never done.
     * Stands for {@code ucp_worker_destroy}.
     *
     * @throws IllegalStateException if endpoints are still open; nothing is changed
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        requireThread();
        if (endpoints > 0) {
            throw new IllegalStateException(
                    "This UCX worker still has " + endpoints + " open endpoints: close them first");
        }
        requests.abandon();
        ucx_h.ucp_worker_destroy(handle);
        closed = true;
        Upcalls.unregister(number);
        context.removeChild();
        arena.close();
    }
}
