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
 * A command for a plugin of a worker, and the plugin's answer. Stands for
 * {@code struct doca_urom_worker_cmd_task}; {@link #close()} stands for
 * {@code doca_urom_worker_cmd_task_release}, {@link #onCompletion} stands for
 * {@code doca_urom_worker_cmd_task_set_cb}.
 *
 * <p>{@link #payload()}, {@link #response()} and {@link #userData()} are views of the very bytes
 * that the library sends and receives. They are made once and used again by every command that this
 * task carries; the view of a response is made anew only when its address or length changes. They
 * end with the task: using one after {@link #close()} throws {@link IllegalStateException}.
 *
 * <p>Make a task once and submit it many times: that allocates nothing.
 */
public final class CommandTask extends Task {

    /** How many bytes of user data a task has. */
    public static final int USER_DATA_SIZE = 32;

    /** Payloads up to here are sent in less than a microsecond, or in a few over tcp. */
    private static final long QUICK_PAYLOAD = 4096;

    private static final MemorySegment NOTHING = MemorySegment.NULL;

    /** Tells whether a recording wants commands, so that no event is made that none wants. */
    private static final CommandEvent PROBE = new CommandEvent();

    private final UromWorker worker;
    private final Arena views; // closed with the task or its pool, so that no view outlives it
    private final @Nullable Thread viewer; // the only thread that may use the views; null in a pool
    private final MemorySegment scratch;
    private final long payloadBuffer;
    private final long responseBuffer;
    private final MemorySegment payload;
    private final MemorySegment userData;

    private boolean closingPool;
    private long plugin;
    private long payloadLength;
    private MemorySegment response = NOTHING; // as it was last seen
    private long responseAddress;
    private long responseLength;
    private @Nullable Consumer<? super CommandTask> listener;
    private @Nullable CommandEvent event; // of the command in flight, when a recording wants it

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

    /** Makes a task by itself. */
    static CommandTask create(UromWorker worker, long plugin) {
        return create(worker, plugin, Arena.ofConfined(), Thread.currentThread());
    }

    /** Makes a task of a pool, which closes the views. */
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
     * The worker that runs this command.
     *
     * @return the same for life
     */
    public UromWorker worker() {
        return worker;
    }

    /**
     * Chooses another plugin. Stands for {@code doca_urom_worker_cmd_task_set_plugin}.
     *
     * @param id the plugin's id
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
     * Has a listener run when this task completes, inside {@code progress()}.
     *
     * @param newListener takes the place of the previous one; may submit or close this task
     * @return this
     */
    public CommandTask onCompletion(Consumer<? super CommandTask> newListener) {
        requireUsable();
        listener = newListener;
        return this;
    }

    /**
     * Where the plugin's command goes: as many bytes as a command can have. Those up to
     * {@link #setPayloadLength the payload's length} are sent. Do not write to it while this task
     * is in flight. Stands for {@code doca_urom_worker_cmd_task_get_payload} and
     * {@code doca_buf_get_data}.
     *
     * @return the same view for life
     * @throws IllegalStateException if this task is closed
     */
    public MemorySegment payload() {
        requireUsable();
        return payload;
    }

    /**
     * Sets how many bytes of the payload are sent. Stands for {@code doca_buf_set_data}.
     *
     * @param bytes 0 to {@code payload().byteSize()}
     * @return this
     * @throws IllegalArgumentException if it is longer than a payload can be
     * @throws IllegalStateException if this task is in flight or closed
     */
    public CommandTask setPayloadLength(long bytes) {
        requireIdle();
        if (bytes != payloadLength) {
            if (bytes < 0 || bytes > payload.byteSize()) {
                throw new IllegalArgumentException("A payload of " + bytes + " bytes does not fit: "
                        + payload.byteSize() + " is the most that the service's maximum message"
                        + " size allows");
            }
            check(DirectCalls.setBufferData(payloadBuffer, payload.address(), bytes), "doca_buf_set_data", this);
            payloadLength = bytes;
        }
        return this;
    }

    /**
     * How many bytes of the payload are sent.
     *
     * @return at first, as many as a payload can have
     */
    public long payloadLength() {
        return payloadLength;
    }

    /**
     * What the plugin answered; also after a failure, then at least 64 zeroed bytes. It may be
     * written to. Valid until this task is submitted again or closed. Stands for
     * {@code doca_urom_worker_cmd_task_get_response} and {@code doca_buf_get_data}.
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
     * 32 bytes that are the caller's own and keep their content from submit to completion. Stands
     * for
     * {@code doca_urom_worker_cmd_task_get_user_data}.
     *
     * @return the same view for life
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
        if (PROBE.isEnabled()) {
            event = new CommandEvent();
            event.begin();
        }
    }

    private void record(CommandEvent ended, String status, long responseLength) {
        event = null;
        ended.end();
        ended.worker = worker.id();
        ended.plugin = plugin;
        ended.payload = payloadLength;
        ended.response = responseLength;
        ended.status = status;
        ended.commit();
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
            record(event, "GIVEN_UP", 0);
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
