// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.core.Task;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A task that queries the workers of a group. Stands for
 * {@code struct doca_urom_service_get_workers_by_gid_task}; {@link #close()} stands for
 * {@code doca_urom_service_get_workers_by_gid_task_release}.
 */
public final class WorkersByGroupTask extends Task {

    private int group;
    private @Nullable Consumer<? super WorkersByGroupTask> listener;

    private WorkersByGroupTask(UromService service, NativeTask task, int group) {
        super(service, task);
        this.group = group;
    }

    static WorkersByGroupTask create(UromService service, int group) {
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.ADDRESS);
            check(
                    doca_h.doca_urom_service_get_workers_by_gid_task_allocate_init(
                            service.handle(), group, completionCallback(), result),
                    "doca_urom_service_get_workers_by_gid_task_allocate_init",
                    service);
            var task = result.get(ValueLayout.ADDRESS, 0);
            return new WorkersByGroupTask(
                    service,
                    new NativeTask(
                            task,
                            doca_h.doca_urom_service_get_workers_by_gid_task_as_task(task),
                            "doca_urom_service_get_workers_by_gid_task_release",
                            doca_h::doca_urom_service_get_workers_by_gid_task_release),
                    group);
        }
    }

    /**
     * Sets the group for the next submit. Stands for
     * {@code doca_urom_service_get_workers_by_gid_task_set_gid}.
     *
     * @param newGroup the group id, unsigned
     * @return this
     * @throws IllegalStateException if this task is in flight or closed
     */
    public WorkersByGroupTask setGroup(int newGroup) {
        requireIdle();
        doca_h.doca_urom_service_get_workers_by_gid_task_set_gid(object(), newGroup);
        group = newGroup;
        return this;
    }

    /**
     * Sets the listener that is called when this task completes, inside {@code progress()}. In
     * place of {@code doca_urom_service_get_workers_by_gid_task_set_cb}.
     *
     * @param newListener replaces the previous one; it may submit or close this task
     * @return this
     * @throws IllegalStateException if this task is closed
     */
    public WorkersByGroupTask onCompletion(Consumer<? super WorkersByGroupTask> newListener) {
        requireUsable();
        listener = newListener;
        return this;
    }

    /**
     * Returns the ids of the workers of the group. Stands for
     * {@code doca_urom_service_get_workers_by_gid_task_get_worker_ids} and
     * {@code doca_urom_service_get_workers_by_gid_task_get_workers_count}.
     *
     * @return a new array; empty if the group has no workers
     * @throws IllegalStateException if this task has not completed
     */
    public long[] workerIds() {
        requireCompleted();
        var count = doca_h.doca_urom_service_get_workers_by_gid_task_get_workers_count(object());
        if (count == 0) {
            return new long[0];
        }
        return doca_h.doca_urom_service_get_workers_by_gid_task_get_worker_ids(object())
                .reinterpret(count * Long.BYTES)
                .toArray(ValueLayout.JAVA_LONG);
    }

    @Override
    protected void completed() {
        if (listener != null) {
            listener.accept(this);
        }
    }

    @Override
    public String toString() {
        return "task for the workers of group " + Integer.toUnsignedString(group);
    }
}
