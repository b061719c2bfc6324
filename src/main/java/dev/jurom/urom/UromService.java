// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_cpu_set_t;
import dev.jurom.abi.doca.doca_h;
import dev.jurom.abi.doca.doca_urom_service_plugin_info;
import dev.jurom.abi.doca.jurom_urom_counters;
import dev.jurom.core.Context;
import dev.jurom.core.ContextState;
import dev.jurom.core.Device;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.ProgressEngine;
import dev.jurom.core.internal.Count;
import dev.jurom.core.internal.Timeout;
import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.EmbeddedServiceProvider.PrivateService;
import dev.jurom.runtime.RuntimeKind;
import dev.jurom.runtime.internal.EmbeddedServices;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A connection to the service on a device, which starts workers. Stands for
 * {@code struct doca_urom_service}; {@link #close()} stands for {@code doca_urom_service_destroy}.
 *
 * <p>{@link #setLocation} chooses the service. By default, the file that {@code DOCA_UROM_SERVICE_FILE}
 * names has its address ({@link ServiceFile}). {@link #start()} blocks until the connection is established. If the
 * service rejects the connection, the exception of {@link #start()} has its reason:
 * {@link #start()} stands for {@code jurom_urom_service_get_refusal}, which only the software DOCA
 * has.
 *
 * <p>Only the thread that owns the engine may call the methods of a service. Workers of other
 * engines, in other threads, may be created for it.
 */
public final class UromService extends Context {

    /** The default maximum message size: 4096 bytes. */
    public static final int DEFAULT_MAX_MESSAGE_SIZE = 4096;

    /** The minimum of the maximum message size, for hosts and services: 256 bytes. */
    public static final int MIN_MESSAGE_SIZE = 256;

    /** The maximum of the maximum message size, for hosts and services: 64 MiB. */
    public static final int MAX_MESSAGE_SIZE = 64 << 20;

    /** The maximum number of workers of a connection. */
    public static final int MAX_WORKERS = 1 << 30;

    private final Device device;
    private ServiceLocation location = ServiceLocation.environment();
    private ServiceLocation started = location; // what the library was told at the last start

    private UromService(ProgressEngine engine, Device device) {
        super(UromService::createNative, engine, device);
        this.device = device;
    }

    private static NativeContext createNative() {
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.ADDRESS);
            check(doca_h.doca_urom_service_create(result), "doca_urom_service_create", "service");
            var service = result.get(ValueLayout.ADDRESS, 0);
            return new NativeContext(
                    service,
                    doca_h.doca_urom_service_as_ctx(service),
                    "doca_urom_service_destroy",
                    doca_h::doca_urom_service_destroy);
        }
    }

    /**
     * Creates an idle service context. Stands for {@code doca_urom_service_create},
     * {@code doca_urom_service_as_ctx}, {@code doca_pe_connect_ctx} and
     * {@code doca_urom_service_set_dev}.
     *
     * @param engine the engine to connect to; the calling thread must own it
     * @param device the device of the service
     * @return an idle context
     * @throws DocaException if the library cannot create it
     */
    public static UromService create(ProgressEngine engine, Device device) {
        var service = new UromService(engine, device);
        try {
            check(
                    doca_h.doca_urom_service_set_dev(service.object(), nativeDevice(device)),
                    "doca_urom_service_set_dev",
                    service);
        } catch (RuntimeException | Error e) {
            service.close();
            throw e;
        }
        return service;
    }

    /**
     * Chooses the service. Stands for {@code jurom_urom_service_set_service_file} and
     * {@code jurom_urom_service_set_address}, which only the software DOCA has.
     *
     * @param where the location of the service; the default is {@link ServiceLocation#environment()}
     * @return this
     * @throws DocaException with {@code BAD_STATE} if this service is started, with
     *         {@code NOT_SUPPORTED} with the library of the vendor, unless the location is the default
     */
    public UromService setLocation(ServiceLocation where) {
        requireUsable();
        if (!(where instanceof ServiceLocation.Environment)
                && DocaRuntime.current().kind() != RuntimeKind.SOFTWARE) {
            throw new DocaException(
                    DocaError.NOT_SUPPORTED,
                    "jurom_urom_service_set_service_file",
                    toString(),
                    "The library of the vendor finds services only by the environment: set " + ServiceFile.VARIABLE
                            + " to a service file instead.");
        }
        if (state() != ContextState.IDLE) {
            throw new DocaException(
                    DocaError.BAD_STATE,
                    "jurom_urom_service_set_service_file",
                    toString(),
                    "The location takes effect when a service starts: set it before.");
        }
        location = where;
        return this;
    }

    /** Sets a location in the library of an idle context. */
    private void setNative(ServiceLocation where) {
        try (var arena = Arena.ofConfined()) {
            if (where instanceof ServiceLocation.Address(var address)) {
                check(
                        doca_h.jurom_urom_service_set_address(object(), arena.allocateFrom(address)),
                        "jurom_urom_service_set_address",
                        this);
            } else {
                check(
                        doca_h.jurom_urom_service_set_service_file(
                                object(),
                                where instanceof ServiceLocation.File(var path)
                                        ? arena.allocateFrom(path.toString())
                                        : MemorySegment.NULL),
                        "jurom_urom_service_set_service_file",
                        this);
            }
        }
    }

    /**
     * Sets the maximum message size, headers included, which must be the same as that of the
     * service. Stands for {@code doca_urom_service_set_max_comm_msg_size}.
     *
     * @param bytes the size in bytes, {@value #MIN_MESSAGE_SIZE} to {@value #MAX_MESSAGE_SIZE}; the
     *         default is {@value #DEFAULT_MAX_MESSAGE_SIZE}
     * @return this
     * @throws IllegalArgumentException if the size is out of range
     * @throws DocaException with {@code BAD_STATE} if this service was started
     */
    public UromService setMaxMessageSize(long bytes) {
        requireUsable();
        Count.requireWithin("The maximum message size in bytes", bytes, MIN_MESSAGE_SIZE, MAX_MESSAGE_SIZE);
        check(
                doca_h.doca_urom_service_set_max_comm_msg_size(object(), bytes),
                "doca_urom_service_set_max_comm_msg_size",
                this);
        return this;
    }

    /**
     * Sets the maximum number of workers. Stands for {@code doca_urom_service_set_max_workers}.
     *
     * @param workers the maximum, a power of two from 1 to 1073741824
     * @return this
     * @throws IllegalArgumentException if {@code workers} is not such a number
     * @throws DocaException with {@code BAD_STATE} if this service was started
     */
    public UromService setMaxWorkers(int workers) {
        requireUsable();
        Count.requirePowerOfTwo("The number of workers", workers, MAX_WORKERS);
        check(doca_h.doca_urom_service_set_max_workers(object(), workers), "doca_urom_service_set_max_workers", this);
        return this;
    }

    /**
     * Returns the device of this service.
     *
     * @return the device, always the same
     */
    public Device device() {
        return device;
    }

    /**
     * Returns the plugins that this service offers. Stands for
     * {@code doca_urom_service_get_plugins_list}.
     *
     * @return the plugins, in the order of the service; empty if it has none
     * @throws DocaException with {@code BAD_STATE} if this service is not running
     */
    public List<PluginInfo> plugins() {
        requireUsable();
        try (var arena = Arena.ofConfined()) {
            var list = arena.allocate(ValueLayout.ADDRESS);
            var count = arena.allocate(ValueLayout.JAVA_LONG);
            var status = doca_h.doca_urom_service_get_plugins_list(object(), list, count);
            if (status == DocaError.NOT_FOUND.code()) {
                return List.of();
            }
            check(status, "doca_urom_service_get_plugins_list", this);
            return plugins(list.get(ValueLayout.ADDRESS, 0), count.get(ValueLayout.JAVA_LONG, 0));
        }
    }

    private static List<PluginInfo> plugins(MemorySegment list, long count) {
        var array = list.reinterpret(count * doca_urom_service_plugin_info.sizeof());
        var plugins = new ArrayList<PluginInfo>();
        for (var i = 0L; i < count; i++) {
            var plugin = doca_urom_service_plugin_info.asSlice(array, i);
            plugins.add(new PluginInfo(
                    doca_urom_service_plugin_info.id(plugin),
                    doca_urom_service_plugin_info.version(plugin),
                    doca_urom_service_plugin_info.plugin_name(plugin).getString(0)));
        }
        return List.copyOf(plugins);
    }

    /**
     * Returns the plugin with a name.
     *
     * @param name the file name of the plugin without {@code .so}
     * @return the plugin
     * @throws DocaException with {@code NOT_FOUND} if this service does not offer it; the message
     *         lists the plugins that it offers
     */
    public PluginInfo plugin(String name) {
        var plugins = plugins();
        return plugins.stream()
                .filter(plugin -> plugin.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new DocaException(
                        DocaError.NOT_FOUND,
                        "doca_urom_service_get_plugins_list",
                        this + ", plugin \"" + name + "\"",
                        "The service offers "
                                + (plugins.isEmpty()
                                        ? "no plugins"
                                        : plugins.stream().map(PluginInfo::name).collect(Collectors.joining(", ")))
                                + ". Check the UROM_PLUGIN_PATH and the log of the service and, if it is reached over TCP,"
                                + " the plugins= of this host in its file of authorized hosts."));
    }

    /**
     * Returns the CPUs that workers may use. Stands for {@code doca_urom_service_get_cpuset}.
     *
     * @return the CPU set of the service
     * @throws DocaException with {@code BAD_STATE} if this service is not running
     */
    public CpuSet cpuSet() {
        requireUsable();
        try (var arena = Arena.ofConfined()) {
            var result = doca_cpu_set_t.allocate(arena);
            check(doca_h.doca_urom_service_get_cpuset(object(), result), "doca_urom_service_get_cpuset", this);
            return CpuSet.ofWords(result.toArray(ValueLayout.JAVA_LONG));
        }
    }

    /**
     * Creates a task that queries the workers of a group. Stands for
     * {@code doca_urom_service_get_workers_by_gid_task_allocate_init} and
     * {@code doca_urom_service_get_workers_by_gid_task_as_task}, and in place of
     * {@code doca_urom_service_get_workers_by_gid_task_allocate}.
     *
     * @param group the group id, unsigned
     * @return the task, which the caller must close
     * @throws DocaException with {@code BAD_STATE} if this service is not running,
     *         {@code NO_MEMORY} if too many tasks are open
     */
    public WorkersByGroupTask workersByGroupTask(int group) {
        requireUsable();
        return WorkersByGroupTask.create(this, group);
    }

    /**
     * Returns the ids of the workers of a group: submits a task and progresses the engine of this
     * service until it completes. Blocks for at most the timeout; not interruptible.
     *
     * @param group the group id, unsigned
     * @param timeout the maximum time to wait
     * @return the ids, in the order of the service
     * @throws DocaException with {@code TIME_OUT} if there is no answer in time, or with the status
     *         of the task if it fails
     */
    public long[] workersByGroup(int group, Duration timeout) {
        try (var task = workersByGroupTask(group)) {
            task.submit();
            if (!engine().progressUntil(task::isCompleted, timeout)) {
                throw new DocaException(
                        DocaError.TIME_OUT,
                        "doca_urom_service_get_workers_by_gid_task_allocate_init",
                        toString(),
                        "The service did not answer within " + Timeout.text(timeout) + ".");
            }
            task.requireSuccess();
            return task.workerIds();
        }
    }

    /**
     * Returns the counters of this process for this service, of all contexts of this service's
     * engine. Stands for {@code jurom_urom_service_get_counters}, which only the software DOCA has.
     *
     * @return a snapshot; all zero if this service is not running, or has had no worker yet
     * @throws DocaException with {@code NOT_SUPPORTED} with the library of the vendor
     */
    public HostCounters counters() {
        requireUsable();
        if (DocaRuntime.current().kind() != RuntimeKind.SOFTWARE) {
            throw new DocaException(
                    DocaError.NOT_SUPPORTED,
                    "jurom_urom_service_get_counters",
                    toString(),
                    "Only the software DOCA has counters, not the library of the vendor.");
        }
        try (var arena = Arena.ofConfined()) {
            var counters = jurom_urom_counters.allocate(arena);
            check(doca_h.jurom_urom_service_get_counters(object(), counters), "jurom_urom_service_get_counters", this);
            return HostCounters.of(counters);
        }
    }

    @Override
    protected void prepareStart() {
        if (DocaRuntime.current().kind() == RuntimeKind.SOFTWARE) {
            started = resolved();
            setNative(started);
        }
    }

    /** Returns the address of an embedded service that the location stands for, or else the location. */
    private ServiceLocation resolved() {
        var embedded = switch (location) {
            case ServiceLocation.Embedded wanted ->
                Optional.of(EmbeddedServices.last()
                        .orElseThrow(() -> new IllegalStateException(
                                "This process has no embedded service: open an EmbeddedService before this " + this)));
            case ServiceLocation.Environment wanted -> EmbeddedServices.last();
            case ServiceLocation.File other -> Optional.<PrivateService>empty();
            case ServiceLocation.Address other -> Optional.<PrivateService>empty();
        };
        return embedded.map(service -> ServiceLocation.address(service.address()))
                .orElse(location);
    }

    @Override
    protected void checkStart(int status) {
        var error = DocaError.of(status);
        if (!error.isSuccess()) {
            var refusal = refusal();
            // A rejection of this kind includes its own advice.
            var isComplete = !refusal.isEmpty()
                    && (error == DocaError.AUTHENTICATION
                            || error == DocaError.NOT_PERMITTED
                            || error == DocaError.BAD_CONFIG);
            throw new DocaException(
                    error,
                    "doca_ctx_start",
                    toString(),
                    isComplete ? refusal.strip() : refusal + StartAdvice.of(error, device.info(), started));
        }
    }

    /**
     * Returns the reason that the service gave for rejecting the connection, which only the
     * software DOCA reports.
     */
    private String refusal() {
        if (DocaRuntime.current().kind() != RuntimeKind.SOFTWARE) {
            return "";
        }
        var text = doca_h.jurom_urom_service_get_refusal(object())
                .reinterpret(Long.MAX_VALUE)
                .getString(0);
        return text.isEmpty() ? "" : text.endsWith(".") ? text + " " : text + ". ";
    }

    /** Returns the native service, for its workers. */
    MemorySegment handle() {
        requireOpen();
        return object();
    }

    @Override
    public String toString() {
        return device == null ? "service" : "service of " + device;
    }
}
