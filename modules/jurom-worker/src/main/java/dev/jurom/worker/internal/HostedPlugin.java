// SPDX-License-Identifier: Apache-2.0
package dev.jurom.worker.internal;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.jurom.worker.Command;
import dev.jurom.worker.Responder;
import dev.jurom.worker.WorkerPlugin;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * A plugin in a worker process. {@code worker_java.so} calls it: by JNI at first, and for commands
 * through an upcall stub once a background thread has linked it, which takes longer than the first
 * commands may wait. Methods that C calls throw nothing: an exception would end the JVM.
 */
final class HostedPlugin implements AnswerQueue {

    private static final long TRAINING_ROOM = 1 << 16; // bytes
    private static final int TRAINING_COMMANDS = 20_000;
    private static final int TRAINING_LENGTHS = 128; // bytes of a command

    private final long context; // of C
    private final WorkerPlugin plugin;
    private final Exchange exchange;
    private @Nullable Arena arena; // of the memory; confined to the worker's thread

    private HostedPlugin(long context, WorkerPlugin plugin) {
        this.context = context;
        this.plugin = plugin;
        this.exchange = new Exchange(plugin, this, new HostMemorySource(context));
    }

    /**
     * Opens a plugin. Called by C.
     *
     * @param classPath the plugin's own class path; null if it is that of the JVM
     * @return a {@code HostedPlugin}, or a sentence that states why it cannot be opened
     */
    static Object open(long context, String name, long version, String className, @Nullable String classPath) {
        try {
            var plugin = PluginLoader.load(className, PluginLoader.of(classPath));
            if (!plugin.name().equals(name) || plugin.version() != version) {
                return className + " is the plugin " + plugin.name() + " of version " + plugin.version()
                        + ", but its files are those of " + name + " of version " + version
                        + ": package it again with `urom plugin package`";
            }
            var hosted = new HostedPlugin(context, plugin);
            plugin.open();
            Thread.ofPlatform()
                    .inheritInheritableThreadLocals(false)
                    .daemon()
                    .name("jurom-link")
                    .start(hosted::link);
            return hosted;
        } catch (PluginLoader.LoadException e) {
            return String.valueOf(e.getMessage());
        } catch (Throwable e) {
            e.printStackTrace();
            return className + " could not be opened: " + e;
        }
    }

    /** Links {@link #command} as a function of C. */
    private void link() {
        try {
            yieldCore();
            linked(context, stub().address());
        } catch (Throwable e) {
            System.err.println("Commands continue to be passed by JNI: " + e);
        }
    }

    private MemorySegment stub() throws ReflectiveOperationException {
        var command =
                MethodHandles.lookup().bind(this, "command", MethodType.methodType(long.class, long.class, long.class));
        return Linker.nativeLinker()
                .upcallStub(command, FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG), Arena.global());
    }

    /** Represents a plugin whose code must not run. */
    private record UnopenedPlugin(String name, long version) implements WorkerPlugin {

        @Override
        public void command(Command command, Responder responder) {
            var length = command.payload().byteSize();
            MemorySegment.copy(command.payload(), 0, responder.room(), 0, length);
            responder.reply(length);
        }
    }

    /**
     * Runs commands without a worker, for the JVM to record what an AOT cache should contain. With one
     * argument, it opens the plugin, and lets it execute commands of zeros, which it may reject. With a
     * second one, it only loads the plugin's class: a worker that creates a cache must not run the plugin
     * a second time.
     *
     * @param arguments the name of the class
     */
    public static void main(String[] arguments) throws Exception {
        var loader = PluginLoader.of(null);
        var plugin = arguments.length > 1
                ? new UnopenedPlugin(Class.forName(arguments[0], false, loader).getName(), 1)
                : PluginLoader.load(arguments[0], loader);
        var hosted = new HostedPlugin(0, plugin);
        plugin.open();
        try (var memory = Arena.ofConfined()) {
            hosted.stub();
            hosted.setMemory(
                    memory.allocate(TRAINING_ROOM).address(),
                    memory.allocate(TRAINING_ROOM).address(),
                    TRAINING_ROOM);
            for (var i = 0; i < TRAINING_COMMANDS; i++) {
                hosted.command(1, i % TRAINING_LENGTHS);
            }
        }
        plugin.close();
        System.exit(0); // also if the plugin has threads
    }

    /** Sets the memory of payloads and answers, and ends the views of the former. Called by C. */
    void setMemory(long input, long output, long capacity) {
        if (arena != null) {
            arena.close();
        }
        var next = Arena.ofConfined();
        arena = next;
        exchange.setMemory(
                MemorySegment.ofAddress(input).reinterpret(capacity, next, null),
                MemorySegment.ofAddress(output).reinterpret(capacity, next, null));
    }

    /** Executes a command. Called by C. */
    long command(long host, long length) {
        return exchange.run(host, length);
    }

    /** Calls the progress method of the plugin. Called by C. */
    boolean progress() {
        try {
            return plugin.progress();
        } catch (Throwable e) {
            Failures.log(plugin, e);
            return false;
        }
    }

    /** Reports that a host has disconnected. Called by C. */
    void hostLeft(long host) {
        try {
            exchange.hostLeft(host);
        } catch (Throwable e) {
            Failures.log(plugin, e);
        }
    }

    /** Reports that the host has cancelled a deferred command. Called by C. */
    void cancel(long deferral) {
        try {
            exchange.cancel(deferral);
        } catch (Throwable e) {
            Failures.log(plugin, e);
        }
    }

    /** Closes the plugin. Called by C. */
    void close() {
        try {
            exchange.close();
        } catch (Throwable e) {
            Failures.log(plugin, e);
        }
    }

    @Override
    public long defer() {
        return defer(context);
    }

    @Override
    public void busy(int seconds) {
        setBusy(seconds);
    }

    @Override
    public boolean isWanted() {
        return isWanted(context);
    }

    @Override
    public long deadline() {
        return deadline(context);
    }

    @Override
    public void answer(long deferral, int status, byte[] bytes, int length) {
        answer(context, deferral, status, bytes, length);
    }

    /** Opens exported memory. Returns its number, or the complement of an error. */
    static native long openMemory(long context, byte[] export);

    /** Returns the size of open memory. */
    static native long memorySize(long memory);

    /** Copies between open memory and the start of the window. Returns the code of an error, or 0. */
    static native int copyMemory(long context, long memory, long offset, long length, boolean write);

    /** Returns the address of the window, through which memory is copied. */
    static native long memoryWindow(long context);

    /** Closes open memory. */
    static native void closeMemory(long memory);

    private static native long defer(long context);

    private static native void setBusy(int seconds);

    private static native boolean isWanted(long context);

    private static native long deadline(long context);

    private static native void answer(long context, long deferral, int status, byte[] bytes, int length);

    private static native void yieldCore();

    private static native void linked(long context, long function);
}
