// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core.internal;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.jurom.abi.doca.doca_h;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * C functions that are bound by hand, instead of through the generated stubs.
 *
 * <p>There are three reasons. A {@code union doca_data} that is passed by value would cost an
 * allocation for each call. Critical calls, which the stubs do not support, take a third of the
 * time. Functions that every command calls are as fast as their stubs, but allocate less until they
 * are compiled.
 *
 * <p>Pointers and unions are {@code long} here: on System V x86-64 and on AArch64 both are passed
 * as one 64-bit integer. Functions marked as critical never block and never call back.
 */
public final class DirectCalls {

    private static final Linker LINKER = Linker.nativeLinker();

    private static final FunctionDescriptor STATUS_OF_1 = FunctionDescriptor.of(JAVA_INT, JAVA_LONG);
    private static final FunctionDescriptor STATUS_OF_2 = FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final FunctionDescriptor STATUS_OF_3 =
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final FunctionDescriptor NOTHING_OF_2 = FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG);

    private static final FunctionDescriptor COUNT_OF_SUBMIT =
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);

    private static final MethodHandle DRAIN = LINKER.downcallHandle(
            doca_h.jurom_completion_drain$address(), FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final MethodHandle SUBMIT_ALL =
            LINKER.downcallHandle(doca_h.jurom_completion_submit$address(), COUNT_OF_SUBMIT);
    private static final MethodHandle SUBMIT_ALL_QUICKLY =
            critical(doca_h.jurom_completion_submit$address(), COUNT_OF_SUBMIT);
    private static final MethodHandle TASK_SUBMIT =
            LINKER.downcallHandle(doca_h.doca_task_submit$address(), STATUS_OF_1);
    private static final MethodHandle TASK_SUBMIT_QUICKLY = critical(doca_h.doca_task_submit$address(), STATUS_OF_1);
    private static final MethodHandle TASK_GET_STATUS = critical(doca_h.doca_task_get_status$address(), STATUS_OF_1);
    private static final MethodHandle BUF_GET_DATA = critical(doca_h.doca_buf_get_data$address(), STATUS_OF_2);
    private static final MethodHandle BUF_GET_DATA_LEN = critical(doca_h.doca_buf_get_data_len$address(), STATUS_OF_2);
    private static final MethodHandle BUF_SET_DATA = critical(doca_h.doca_buf_set_data$address(), STATUS_OF_3);
    private static final MethodHandle TASK_SET_USER_DATA =
            critical(doca_h.doca_task_set_user_data$address(), NOTHING_OF_2);
    private static final MethodHandle CTX_SET_USER_DATA =
            critical(doca_h.doca_ctx_set_user_data$address(), STATUS_OF_2);
    private static final MethodHandle MMAP_SET_USER_DATA =
            critical(doca_h.doca_mmap_set_user_data$address(), STATUS_OF_2);
    private static final MethodHandle GRAPH_SET_USER_DATA =
            critical(doca_h.doca_graph_set_user_data$address(), STATUS_OF_2);
    private static final MethodHandle GRAPH_INSTANCE_SET_USER_DATA =
            critical(doca_h.doca_graph_instance_set_user_data$address(), STATUS_OF_2);

    private DirectCalls() {}

    private static MethodHandle critical(MemorySegment address, FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(address, descriptor, Linker.Option.critical(false));
    }

    /**
     * Stands for {@code jurom_completion_drain}, and so for {@code doca_pe_progress}; runs
     * callbacks, of which some call Java.
     *
     * @param array a {@code struct jurom_completion_array *}
     * @param engine a {@code struct doca_pe *}
     * @param limit the maximum number of callbacks
     * @return the number of callbacks that ran
     */
    static int drain(long array, long engine, int limit) {
        try {
            return (int) DRAIN.invokeExact(array, engine, limit);
        } catch (Throwable e) {
            throw SharedEngine.thrown(e);
        }
    }

    /**
     * Stands for {@code jurom_completion_submit}.
     *
     * @param array a {@code struct jurom_completion_array *}
     * @param tasks the address of the pointers to tasks
     * @param count the number of tasks
     * @param status the address of 4 bytes for the status
     * @return the number of submitted tasks
     */
    static int submitAll(long array, long tasks, int count, long status) {
        try {
            return (int) SUBMIT_ALL.invokeExact(array, tasks, count, status);
        } catch (Throwable e) {
            throw SharedEngine.thrown(e);
        }
    }

    /**
     * Stands for {@code jurom_completion_submit}, which never blocks and never calls back.
     * Critical: only for tasks whose submission takes at most a few microseconds together.
     *
     * @param array a {@code struct jurom_completion_array *}
     * @param tasks the address of the pointers to tasks
     * @param count the number of tasks
     * @param status the address of 4 bytes for the status
     * @return the number of submitted tasks
     */
    static int submitAllQuickly(long array, long tasks, int count, long status) {
        try {
            return (int) SUBMIT_ALL_QUICKLY.invokeExact(array, tasks, count, status);
        } catch (Throwable e) {
            throw SharedEngine.thrown(e);
        }
    }

    /**
     * Stands for {@code doca_task_submit}.
     *
     * @param task a {@code struct doca_task *}
     * @return the status
     */
    public static int submit(long task) {
        try {
            return (int) TASK_SUBMIT.invokeExact(task);
        } catch (Throwable e) {
            throw SharedEngine.thrown(e);
        }
    }

    /**
     * Stands for {@code doca_task_submit}, which never blocks and never calls back. Critical: only
     * for tasks whose submission takes at most a few microseconds, because the garbage collector
     * waits for it.
     *
     * @param task a {@code struct doca_task *}
     * @return the status
     */
    public static int submitQuickly(long task) {
        try {
            return (int) TASK_SUBMIT_QUICKLY.invokeExact(task);
        } catch (Throwable e) {
            throw SharedEngine.thrown(e);
        }
    }

    /**
     * Stands for {@code doca_task_get_status}. Critical.
     *
     * @param task a {@code struct doca_task *}
     * @return the status of the task
     */
    public static int taskStatus(long task) {
        try {
            return (int) TASK_GET_STATUS.invokeExact(task);
        } catch (Throwable e) {
            throw SharedEngine.thrown(e);
        }
    }

    /**
     * Stands for {@code doca_buf_get_data}. Critical.
     *
     * @param buffer a {@code struct doca_buf *}
     * @param result the address of 8 bytes for the result
     * @return the status
     */
    public static int bufferData(long buffer, long result) {
        try {
            return (int) BUF_GET_DATA.invokeExact(buffer, result);
        } catch (Throwable e) {
            throw SharedEngine.thrown(e);
        }
    }

    /**
     * Stands for {@code doca_buf_get_data_len}. Critical.
     *
     * @param buffer a {@code struct doca_buf *}
     * @param result the address of 8 bytes for the result
     * @return the status
     */
    public static int bufferDataLength(long buffer, long result) {
        try {
            return (int) BUF_GET_DATA_LEN.invokeExact(buffer, result);
        } catch (Throwable e) {
            throw SharedEngine.thrown(e);
        }
    }

    /**
     * Stands for {@code doca_buf_set_data}. Critical.
     *
     * @param buffer a {@code struct doca_buf *}
     * @param data the address of the data section
     * @param length its length in bytes
     * @return the status
     */
    public static int setBufferData(long buffer, long data, long length) {
        try {
            return (int) BUF_SET_DATA.invokeExact(buffer, data, length);
        } catch (Throwable e) {
            throw SharedEngine.thrown(e);
        }
    }

    /**
     * Stands for {@code doca_task_set_user_data}; the union is passed by value. Critical.
     *
     * @param task a {@code struct doca_task *}
     * @param data the user data for the completion callback
     */
    public static void setTaskUserData(long task, long data) {
        try {
            TASK_SET_USER_DATA.invokeExact(task, data);
        } catch (Throwable e) {
            throw SharedEngine.thrown(e);
        }
    }

    /**
     * Stands for {@code doca_ctx_set_user_data}; the union is passed by value. Critical.
     *
     * @param context a {@code struct doca_ctx *}
     * @param data the user data for the callbacks
     * @return the status
     */
    public static int setContextUserData(long context, long data) {
        try {
            return (int) CTX_SET_USER_DATA.invokeExact(context, data);
        } catch (Throwable e) {
            throw SharedEngine.thrown(e);
        }
    }

    /**
     * Stands for {@code doca_mmap_set_user_data}; the union is passed by value. Critical.
     *
     * @param map a {@code struct doca_mmap *}
     * @param data the number of the caller
     * @return the status
     */
    public static int setMapUserData(long map, long data) {
        try {
            return (int) MMAP_SET_USER_DATA.invokeExact(map, data);
        } catch (Throwable e) {
            throw SharedEngine.thrown(e);
        }
    }

    /**
     * Stands for {@code doca_graph_set_user_data}; the union is passed by value. Critical.
     *
     * @param graph a {@code struct doca_graph *}
     * @param data the user data for the callbacks
     * @return the status
     */
    public static int setGraphUserData(long graph, long data) {
        try {
            return (int) GRAPH_SET_USER_DATA.invokeExact(graph, data);
        } catch (Throwable e) {
            throw SharedEngine.thrown(e);
        }
    }

    /**
     * Stands for {@code doca_graph_instance_set_user_data}; the union is passed by value. Critical.
     *
     * @param instance a {@code struct doca_graph_instance *}
     * @param data the user data for the callbacks
     * @return the status
     */
    public static int setGraphInstanceUserData(long instance, long data) {
        try {
            return (int) GRAPH_INSTANCE_SET_USER_DATA.invokeExact(instance, data);
        } catch (Throwable e) {
            throw SharedEngine.thrown(e);
        }
    }
}
