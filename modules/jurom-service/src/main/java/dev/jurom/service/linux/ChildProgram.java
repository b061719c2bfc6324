// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.linux;

import dev.jurom.abi.posix.iovec;
import dev.jurom.abi.posix.msghdr;
import dev.jurom.abi.posix.posix_h;
import dev.jurom.abi.posix.posix_spawn_file_actions_t;
import dev.jurom.runtime.internal.CapturedErrno;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A child process whose standard input is a socket to this process, over which both send messages, and this process
 * also descriptors. Its standard output is {@code /dev/null}, its standard error that of this process. It inherits no
 * other descriptor that this process has opened for itself. Needs no thread: messages that the child does not read yet
 * are queued. This class is thread-safe.
 */
public final class ChildProgram implements AutoCloseable {

    /** Receives messages, on the thread of the poller: it must not block. */
    public interface Reader {

        /**
         * Receives a message.
         *
         * @param message the bytes
         */
        void received(byte[] message);

        /** The program has closed its socket: it has exited or is about to. */
        void ended();
    }

    private record Message(byte[] bytes, int[] descriptors) {}

    private static final int MAX_RECEIVED = 4096;
    private static final int MAX_QUEUED = 65536;
    /** The size of {@code struct cmsghdr}: its length, level and type. */
    private static final long CONTROL_HEADER = Long.BYTES + 2 * Integer.BYTES;

    private final int process;
    private final int socket;
    private final Poller poller;
    private final Reader reader;
    private final long key;
    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<Message> queue = new ArrayDeque<>(); // this and the rest: guarded by lock
    private boolean open = true;
    private boolean reaped;

    private ChildProgram(int process, int socket, Poller poller, Reader reader) throws IOException {
        this.process = process;
        this.socket = socket;
        this.poller = poller;
        this.reader = reader;
        this.key = poller.watchChanges(socket, this::ready);
    }

    /**
     * Starts a program.
     *
     * @param program the path of the program
     * @param arguments the arguments after its name
     * @param environment all variables, as {@code NAME=value}
     * @param poller reads and writes the socket
     * @param reader receives the messages of the program
     * @return the running program, which the caller must close
     * @throws IOException if it cannot be started
     */
    public static ChildProgram start(
            Path program, List<String> arguments, List<String> environment, Poller poller, Reader reader)
            throws IOException {
        try (var arena = Arena.ofConfined()) {
            var ends = arena.allocate(ValueLayout.JAVA_INT, 2);
            SystemCalls.socketPair(ends);
            var own = ends.getAtIndex(ValueLayout.JAVA_INT, 0);
            var other = ends.getAtIndex(ValueLayout.JAVA_INT, 1);
            try {
                var process = spawn(arena, program, arguments, environment, other);
                return new ChildProgram(process, own, poller, reader);
            } catch (IOException | RuntimeException e) {
                posix_h.close(own);
                throw e;
            } finally {
                posix_h.close(other);
            }
        }
    }

    private static int spawn(Arena arena, Path program, List<String> arguments, List<String> environment, int input)
            throws IOException {
        var process = arena.allocate(ValueLayout.JAVA_INT);
        var path = arena.allocateFrom(program.toString());
        var words = new ArrayList<>(List.of(program.toString()));
        words.addAll(arguments);
        var actions = posix_spawn_file_actions_t.allocate(arena);
        posix_h.posix_spawn_file_actions_init(actions);
        try {
            posix_h.posix_spawn_file_actions_adddup2(actions, input, 0);
            posix_h.posix_spawn_file_actions_addopen(actions, 1, arena.allocateFrom("/dev/null"), posix_h.O_RDWR(), 0);
            var error = posix_h.posix_spawn(
                    process, path, actions, MemorySegment.NULL, strings(arena, words), strings(arena, environment));
            if (error != 0) {
                throw new IOException(program + " cannot be started: " + CapturedErrno.text(error));
            }
            return process.get(ValueLayout.JAVA_INT, 0);
        } finally {
            posix_h.posix_spawn_file_actions_destroy(actions);
        }
    }

    private static MemorySegment strings(Arena arena, List<String> strings) {
        var array = arena.allocate(ValueLayout.ADDRESS, strings.size() + 1L);
        for (var i = 0; i < strings.size(); i++) {
            array.setAtIndex(ValueLayout.ADDRESS, i, arena.allocateFrom(strings.get(i)));
        }
        return array;
    }

    /** {@return the id of the process} */
    public int id() {
        return process;
    }

    /**
     * Sends a message after earlier ones. Does not block.
     *
     * @param message the bytes, at least one, which are not copied
     * @param descriptors descriptors to duplicate to the program, which must stay open until it has answered
     * @return false if the message was dropped, because this is closed, or the program does not read its messages
     */
    public boolean send(byte[] message, int... descriptors) {
        lock.lock();
        try {
            if (!open || queue.size() >= MAX_QUEUED) {
                return false;
            }
            queue.add(new Message(message, descriptors));
            writeQueue();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void writeQueue() {
        try {
            for (var next = queue.peek(); open && next != null; next = queue.peek()) {
                if (write(next) == SystemCalls.AGAIN) {
                    return;
                }
                queue.remove();
            }
        } catch (IOException e) { // the program has exited, which the poller reports
            queue.clear();
        }
    }

    private int write(Message message) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var part = iovec.allocate(arena);
            iovec.iov_base(part, arena.allocateFrom(ValueLayout.JAVA_BYTE, message.bytes));
            iovec.iov_len(part, message.bytes.length);
            var header = msghdr.allocate(arena);
            msghdr.msg_iov(header, part);
            msghdr.msg_iovlen(header, 1);
            if (message.descriptors.length > 0) {
                var control = control(arena, message.descriptors);
                msghdr.msg_control(header, control);
                msghdr.msg_controllen(header, control.byteSize());
            }
            return SystemCalls.sendMessage(socket, header);
        }
    }

    private static MemorySegment control(Arena arena, int[] descriptors) {
        var length = CONTROL_HEADER + (long) descriptors.length * Integer.BYTES;
        var control = arena.allocate((length + Long.BYTES - 1) / Long.BYTES * Long.BYTES, Long.BYTES);
        control.set(ValueLayout.JAVA_LONG, 0, length);
        control.set(ValueLayout.JAVA_INT, Long.BYTES, posix_h.SOL_SOCKET());
        control.set(ValueLayout.JAVA_INT, Long.BYTES + Integer.BYTES, posix_h.SCM_RIGHTS());
        MemorySegment.copy(descriptors, 0, control, ValueLayout.JAVA_INT, CONTROL_HEADER, descriptors.length);
        return control;
    }

    private void ready() {
        lock.lock();
        try {
            writeQueue();
        } finally {
            lock.unlock();
        }
        for (var next = receive(); next != null; next = receive()) {
            if (next.length == 0) {
                close();
                reader.ended();
                return;
            }
            reader.received(next);
        }
    }

    /** Returns the next message, an empty one at the end, or null if there is none now. */
    private byte @Nullable [] receive() {
        lock.lock();
        try (var arena = Arena.ofConfined()) {
            if (!open) {
                return null;
            }
            var block = arena.allocate(MAX_RECEIVED);
            var length = SystemCalls.receive(socket, block);
            return length == SystemCalls.AGAIN ? null : block.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
        } catch (IOException e) {
            return new byte[0];
        } finally {
            lock.unlock();
        }
    }

    /** Kills the process, unless {@link #hasExited} has returned true. */
    public void destroy() {
        lock.lock();
        try {
            if (!reaped) {
                posix_h.kill(process, posix_h.SIGKILL());
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns whether the process has exited, and frees its entry in the table of processes. Does not block.
     *
     * @return false if it is running
     */
    public boolean hasExited() {
        lock.lock();
        try {
            // An error means that the kernel has freed the entry, because this process ignores SIGCHLD.
            reaped = reaped || posix_h.waitpid(process, MemorySegment.NULL, posix_h.WNOHANG()) != 0;
            return reaped;
        } finally {
            lock.unlock();
        }
    }

    /** Closes the socket, which requests the program to exit. The reader is not called any more. */
    @Override
    public void close() {
        lock.lock();
        try {
            if (open) {
                open = false;
                queue.clear();
                poller.forget(socket, key);
                posix_h.close(socket);
            }
        } finally {
            lock.unlock();
        }
    }
}
