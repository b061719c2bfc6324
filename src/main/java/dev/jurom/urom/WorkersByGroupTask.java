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
 * Asks the service which workers a group has. Stands for
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
     * Asks for another group at the next submit. Stands for
     * {@code doca_urom_service_get_workers_by_gid_task_set_gid}.
     *
     * @param newGroup a group id, taken as unsigned
     * @return this
     */
    public WorkersByGroupTask setGroup(int newGroup) {
        requireIdle();
        doca_h.doca_urom_service_get_workers_by_gid_task_set_gid(object(), newGroup);
        group = newGroup;
        return this;
    }

    /**
     * Has a listener run when this task completes, inside {@code progress()}. In place of
     * {@code doca_urom_service_get_workers_by_gid_task_set_cb}.
     *
     * @param newListener takes the place of the previous one; may submit or close this task
     * @return this
     */
    public WorkersByGroupTask onCompletion(Consumer<? super WorkersByGroupTask> newListener) {
        requireUsable();
        listener = newListener;
        return this;
    }

    /**
     * The ids of the group's workers. Stands for
     * {@code doca_urom_service_get_workers_by_gid_task_get_worker_ids} and
     * {@code doca_urom_service_get_workers_by_gid_task_get_workers_count}.
     *
     * @return a new array; empty if the group has none
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
