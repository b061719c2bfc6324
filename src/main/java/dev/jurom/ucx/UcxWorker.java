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
 * Drives communication: data is sent and received inside {@link #progress()}. Belongs to the thread
 * that created it. Stands for {@code ucp_worker_h}.
 */
public final class UcxWorker implements AutoCloseable {

    /**
     * UCX unpacks addresses without a bound. The counts in an address have one byte each and can
     * make it read less than this number of bytes beyond the end.
     */
    private static final long UNPACK_SLACK = 32768;

    private static final int REFUSALS_BEFORE_PAUSE = 1000;
    private static final long PAUSE_NANOS = 100_000;

    private final UcxContext context;
    private final Thread thread = Thread.currentThread();
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment handle;
    private final int number;
    private final PendingRequests requests = new PendingRequests(this, arena);
    private final MessageHandlers messageHandlers = new MessageHandlers(this);
    private int endpoints; // number of open endpoints
    private @Nullable Throwable failure;
    private boolean progressing;
    private int refusals; // by arm, since the last progress
    private boolean closed;

    UcxWorker(UcxContext context) {
        this.context = context;
        this.handle = create();
        this.number = Upcalls.register(this);
        context.addChild();
        if (context.has(UcxFeature.ACTIVE_MESSAGES)) {
            messageHandlers.dropUnknown();
        }
    }

    private MemorySegment create() {
        UcxLibrary.requireThread();
        var parameters = ucp_worker_params.allocate(arena);
        ucp_worker_params.field_mask(parameters, ucx_h.UCP_WORKER_PARAM_FIELD_THREAD_MODE());
        ucp_worker_params.thread_mode(parameters, ucx_h.UCS_THREAD_MODE_SINGLE());
        var pointer = arena.allocate(ValueLayout.ADDRESS);
        UcxStatus.require(
                "Creating a UCX worker failed", ucx_h.ucp_worker_create(context.handle(), parameters, pointer));
        return pointer.get(ValueLayout.ADDRESS, 0);
    }

    MemorySegment handle() {
        return handle;
    }

    int number() {
        return number;
    }

    PendingRequests requests() {
        return requests;
    }

    MessageHandlers messageHandlers() {
        return messageHandlers;
    }

    void endpointClosing() {
        endpoints--;
    }

    /**
     * Stores an exception of a callback for {@link #progress()}: the first, with the others
     * suppressed in it.
     */
    void addFailure(Throwable thrown) {
        if (failure == null) {
            failure = thrown;
        } else if (failure != thrown) {
            failure.addSuppressed(thrown);
        }
    }

    /**
     * Sets the handler of active messages of one id. Stands for
     * {@code ucp_worker_set_am_recv_handler}.
     *
     * @param id the id, 0 to 65535
     * @param handler the handler
     */
    public void handle(int id, ActiveMessageHandler handler) {
        requireThread();
        messageHandlers.handle(id, handler);
    }

    /**
     * Connects to a worker by its address. The exit of the peer is not detected, since UCX supports
     * that only for some transports. Stands for {@code ucp_ep_create}.
     *
     * @param address the {@link #address()} of the peer
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
            UcxStatus.require("Connecting to a UCX worker failed", ucx_h.ucp_ep_create(handle, parameters, pointer));
            endpoints++;
            return new UcxEndpoint(this, pointer.get(ValueLayout.ADDRESS, 0));
        }
    }

    /** Returns a copy that is padded with zeros. */
    private static MemorySegment withSlack(Arena arena, byte[] address) {
        var copy = arena.allocate(address.length + UNPACK_SLACK);
        MemorySegment.copy(address, 0, copy, ValueLayout.JAVA_BYTE, 0, address.length);
        return copy;
    }

    /**
     * Returns the address of this worker, for {@link #connect} of a peer. Stands for
     * {@code ucp_worker_get_address}.
     *
     * @return the address, opaque
     */
    public byte[] address() {
        requireThread();
        try (var call = Arena.ofConfined()) {
            var pointer = call.allocate(ValueLayout.ADDRESS);
            var length = call.allocate(ValueLayout.JAVA_LONG);
            UcxStatus.require(
                    "Reading the address of a UCX worker failed",
                    ucx_h.ucp_worker_get_address(handle, pointer, length));
            var address = pointer.get(ValueLayout.ADDRESS, 0);
            var bytes =
                    address.reinterpret(length.get(ValueLayout.JAVA_LONG, 0)).toArray(ValueLayout.JAVA_BYTE);
            ucx_h.ucp_worker_release_address(handle, address);
            return bytes;
        }
    }

    /**
     * Progresses communication. Must not be called by a callback. Does not block. Stands for
     * {@code ucp_worker_progress}.
     *
     * @return whether there was progress
     * @throws RuntimeException or an Error, if a callback threw it
     */
    public boolean progress() {
        requireThread();
        if (progressing) {
            throw new IllegalStateException("A callback must not progress its UCX worker");
        }
        progressing = true;
        try {
            var progressed = ucx_h.ucp_worker_progress(handle) != 0;
            if (progressed) {
                refusals = 0;
            }
            rethrow();
            return progressed;
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
            default -> throw new AssertionError("callbacks throw only unchecked exceptions", thrown);
        }
    }

    /**
     * Returns the file descriptor that becomes readable when there are events to progress, after
     * {@link #arm()}. This worker owns it. Stands for {@code ucp_worker_get_efd}.
     *
     * @return a file descriptor for {@code poll(2)}
     */
    public int eventDescriptor() {
        requireThread();
        var descriptor = arena.allocate(ValueLayout.JAVA_INT);
        UcxStatus.require(
                "Reading the event descriptor of a UCX worker failed", ucx_h.ucp_worker_get_efd(handle, descriptor));
        return descriptor.get(ValueLayout.JAVA_INT, 0);
    }

    /**
     * Prepares for waiting on the descriptor. UCX also refuses this while a peer has to act first,
     * for which the peer may need this CPU. If UCX has refused many times without progress, this
     * method blocks for 0.1 ms. Stands for {@code ucp_worker_arm}.
     *
     * @return false if this worker must be progressed first, or another thread has signalled
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
        UcxStatus.require("Arming a UCX worker failed", status);
        refusals = 0;
        return true;
    }

    /**
     * Wakes the thread that waits on the descriptor, or is about to. Any thread may call this
     * method while the worker is open. Stands for {@code ucp_worker_signal}.
     */
    public void signal() {
        UcxStatus.require("Signalling a UCX worker failed", ucx_h.ucp_worker_signal(handle));
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
     * Closes this worker. Has no effect if it is closed. Endpoints that are being closed end with
     * it, and pending requests are never done. Stands for {@code ucp_worker_destroy}.
     *
     * @throws IllegalStateException if endpoints are open; nothing has changed
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
