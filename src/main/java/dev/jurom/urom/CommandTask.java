// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.core.DocaError;
import dev.jurom.core.Task;
import dev.jurom.core.internal.CommandEvent;
import dev.jurom.core.internal.DirectCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A command for a plugin of a worker, and the response of the plugin. Stands for
 * {@code struct doca_urom_worker_cmd_task}; {@link #close()} stands for
 * {@code doca_urom_worker_cmd_task_release}, {@link #onCompletion} stands for
 * {@code doca_urom_worker_cmd_task_set_cb}.
 *
 * <p>{@link #payload()}, {@link #response()} and {@link #userData()} are views of the memory that
 * the library sends from and receives into. They are created once and reused for every command of
 * this task; the view of the response is created again only if its address or length changes. Their
 * lifetime ends with the task: accessing them after {@link #close()} throws
 * {@link IllegalStateException}.
 *
 * <p>Create a task once and submit it many times: that allocates nothing.
 */
public final class CommandTask extends Task {

    /** The size of the user data of a task, in bytes. */
    public static final int USER_DATA_SIZE = 32;

    /**
     * The library needs less than a microsecond to send a payload up to this size, or a few over
     * TCP.
     */
    private static final long QUICK_PAYLOAD = 4096;

    private static final MemorySegment NOTHING = MemorySegment.NULL;

    private final UromWorker worker;
    private final Arena views; // closed with the task or its pool, to end the views
    private final @Nullable Thread viewer; // the only thread that may access the views; null in a pool
    private final MemorySegment scratch;
    private final long payloadBuffer;
    private final long responseBuffer;
    private final MemorySegment payload;
    private final MemorySegment userData;

    private boolean closingPool;
    private long plugin;
    private long payloadLength;
    private MemorySegment response = NOTHING; // the latest view
    private long responseAddress;
    private long responseLength;
    private @Nullable Consumer<? super CommandTask> listener;
    private @Nullable CommandEvent event; // the event of the command in flight, if a recording enables it

    private CommandTask(UromWorker worker, NativeTask task, long plugin, Arena views, @Nullable Thread viewer) {
        super(worker, task);
        this.worker = worker;
        this.plugin = plugin;
        this.views = views;
        this.viewer = viewer;
        this.scratch = views.allocate(ValueLayout.JAVA_LONG);
        this.payloadBuffer =
                doca_h.doca_urom_worker_cmd_task_get_payload(object()).address();
        this.responseBuffer =
                doca_h.doca_urom_worker_cmd_task_get_response(object()).address();
        this.payloadLength = dataLength(payloadBuffer);
        this.payload = view(data(payloadBuffer), payloadLength);
        this.userData =
                view(doca_h.doca_urom_worker_cmd_task_get_user_data(object()).address(), USER_DATA_SIZE);
    }

    /** Creates a task outside a pool. */
    static CommandTask create(UromWorker worker, long plugin) {
        return create(worker, plugin, Arena.ofConfined(), Thread.currentThread());
    }

    /** Creates a task of a pool, which closes the views. */
    static CommandTask pooled(UromWorker worker, long plugin, Arena views) {
        return create(worker, plugin, views, null);
    }

    private static CommandTask create(UromWorker worker, long plugin, Arena views, @Nullable Thread viewer) {
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.ADDRESS);
            check(
                    doca_h.doca_urom_worker_cmd_task_allocate_init(worker.handle(), plugin, result),
                    "doca_urom_worker_cmd_task_allocate_init",
                    worker);
            var task = result.get(ValueLayout.ADDRESS, 0);
            doca_h.doca_urom_worker_cmd_task_set_cb(task, completionCallback());
            return new CommandTask(
                    worker,
                    new NativeTask(
                            task,
                            doca_h.doca_urom_worker_cmd_task_as_task(task),
                            doca_h.doca_urom_worker_cmd_task_get_response(task),
                            "doca_urom_worker_cmd_task_release",
                            doca_h::doca_urom_worker_cmd_task_release),
                    plugin,
                    views,
                    viewer);
        }
    }

    private MemorySegment view(long address, long length) {
        return MemorySegment.ofAddress(address).reinterpret(length, views, null);
    }

    private long data(long buffer) {
        check(DirectCalls.bufferData(buffer, scratch.address()), "doca_buf_get_data", this);
        return scratch.get(ValueLayout.JAVA_LONG, 0);
    }

    private long dataLength(long buffer) {
        check(DirectCalls.bufferDataLength(buffer, scratch.address()), "doca_buf_get_data_len", this);
        return scratch.get(ValueLayout.JAVA_LONG, 0);
    }

    /**
     * Returns the worker that runs this command.
     *
     * @return the worker, always the same
     */
    public UromWorker worker() {
        return worker;
    }

    /**
     * Sets the plugin that runs the command. Stands for
     * {@code doca_urom_worker_cmd_task_set_plugin}.
     *
     * @param id the id of the plugin
     * @return this
     * @throws IllegalStateException if this task is in flight or closed
     */
    public CommandTask setPlugin(long id) {
        requireIdle();
        if (id != plugin) {
            doca_h.doca_urom_worker_cmd_task_set_plugin(object(), id);
            plugin = id;
        }
        return this;
    }

    /**
     * Sets the listener that is called when this task completes, inside {@code progress()}.
     *
     * @param newListener replaces the previous one; it may submit or close this task
     * @return this
     * @throws IllegalStateException if this task is closed
     */
    public CommandTask onCompletion(Consumer<? super CommandTask> newListener) {
        requireUsable();
        listener = newListener;
        return this;
    }

    /**
     * Returns the memory for the command, which has the maximum size of a payload. A submit sends
     * its first {@linkplain #setPayloadLength payload length} bytes. Do not write to it while this
     * task is in flight. Stands for {@code doca_urom_worker_cmd_task_get_payload} and
     * {@code doca_buf_get_data}.
     *
     * @return the view, always the same
     * @throws IllegalStateException if this task is closed
     */
    public MemorySegment payload() {
        requireUsable();
        return payload;
    }

    /**
     * Sets the number of bytes of the payload to send. Stands for {@code doca_buf_set_data}.
     *
     * @param bytes the number, 0 to {@code payload().byteSize()}
     * @return this
     * @throws IllegalArgumentException if {@code bytes} is out of range
     * @throws IllegalStateException if this task is in flight or closed
     */
    public CommandTask setPayloadLength(long bytes) {
        requireIdle();
        if (bytes != payloadLength) {
            if (bytes < 0 || bytes > payload.byteSize()) {
                throw new IllegalArgumentException("A payload of " + bytes + " bytes does not fit: the maximum message"
                        + " size of the service allows " + payload.byteSize());
            }
            check(DirectCalls.setBufferData(payloadBuffer, payload.address(), bytes), "doca_buf_set_data", this);
            payloadLength = bytes;
        }
        return this;
    }

    /**
     * Returns the number of bytes of the payload to send.
     *
     * @return the number; by default the maximum size of a payload
     */
    public long payloadLength() {
        return payloadLength;
    }

    /**
     * Returns the response of the plugin. After a failure it has at least 64 bytes, which are zero
     * unless the plugin has written to them. The view is writable, and valid until this task is
     * submitted again or closed. Stands for {@code doca_urom_worker_cmd_task_get_response} and
     * {@code doca_buf_get_data}.
     *
     * @return exactly the bytes that the plugin packed
     * @throws IllegalStateException if this task has not completed
     */
    public MemorySegment response() {
        requireCompleted();
        if (responseAddress != response.address() || responseLength != response.byteSize()) {
            response = view(responseAddress, responseLength);
        }
        return response;
    }

    /**
     * Returns {@value #USER_DATA_SIZE} bytes for the caller, whose content is preserved from
     * submission to completion. Stands for {@code doca_urom_worker_cmd_task_get_user_data}.
     *
     * @return the view, always the same
     * @throws IllegalStateException if this task is closed
     */
    public MemorySegment userData() {
        requireUsable();
        return userData;
    }

    @Override
    protected boolean isQuickToSubmit() {
        return payloadLength <= QUICK_PAYLOAD;
    }

    @Override
    protected void begun() {
        if (CommandEvent.isEnabled()) { // the id is a call of the library
            event = CommandEvent.begin(worker.id(), plugin, payloadLength);
        }
    }

    private void record(CommandEvent ended, String status, long responseLength) {
        event = null;
        ended.end(status, responseLength);
    }

    @Override
    protected void answered(long address, long length) {
        responseAddress = address == 0 ? data(responseBuffer) : address;
        responseLength = address == 0 ? dataLength(responseBuffer) : length;
    }

    @Override
    protected void completed() {
        if (event != null) {
            record(event, status().name(), responseLength);
        }
        if (listener != null) {
            listener.accept(this);
        }
    }

    @Override
    protected void requireClosable() {
        if (viewer == null && !closingPool) {
            throw new IllegalStateException(this + " belongs to a pool: close the pool");
        }
        if (viewer != null && viewer != Thread.currentThread()) {
            throw new WrongThreadException(
                    "The views of " + this + " belong to thread " + viewer.getName() + ", which must close it");
        }
    }

    void closePooled() {
        closingPool = true;
        close();
    }

    @Override
    protected void closed() {
        if (event != null) {
            record(event, CommandEvent.ABANDONED, 0);
        }
        if (viewer != null) {
            views.close();
        }
    }

    @Override
    public String advice() {
        var advice = super.advice();
        return status() == DocaError.CONNECTION_RESET
                ? worker.exit().map(exit -> "The " + exit + ". " + advice).orElse(advice)
                : advice;
    }

    @Override
    public String toString() {
        return "command task for plugin 0x" + Long.toHexString(plugin) + " of " + worker;
    }
}
