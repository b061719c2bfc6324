// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.linux;

import dev.jurom.abi.posix.posix_h;
import dev.jurom.runtime.internal.CapturedErrno;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * System calls that report errors as exceptions. None of them blocks, because the descriptors are
 * non-blocking, except {@link #epollWait}.
 */
final class SystemCalls {

    /** The result of a call that would block. */
    static final int AGAIN = -1;

    private static final MethodHandle SOCKET =
            CapturedErrno.capturing(posix_h.socket$address(), posix_h.socket$descriptor());
    private static final MethodHandle BIND = CapturedErrno.capturing(posix_h.bind$address(), posix_h.bind$descriptor());
    private static final MethodHandle CONNECT =
            CapturedErrno.capturing(posix_h.connect$address(), posix_h.connect$descriptor());
    private static final MethodHandle LISTEN =
            CapturedErrno.capturing(posix_h.listen$address(), posix_h.listen$descriptor());
    private static final MethodHandle ACCEPT =
            CapturedErrno.capturing(posix_h.accept4$address(), posix_h.accept4$descriptor());
    private static final MethodHandle GET_OPTION =
            CapturedErrno.capturing(posix_h.getsockopt$address(), posix_h.getsockopt$descriptor());
    private static final MethodHandle RECEIVE =
            CapturedErrno.capturing(posix_h.recv$address(), posix_h.recv$descriptor());
    private static final MethodHandle SEND = CapturedErrno.capturing(posix_h.send$address(), posix_h.send$descriptor());
    private static final MethodHandle READ = CapturedErrno.capturing(posix_h.read$address(), posix_h.read$descriptor());
    private static final MethodHandle WRITE =
            CapturedErrno.capturing(posix_h.write$address(), posix_h.write$descriptor());
    private static final MethodHandle EPOLL_CREATE =
            CapturedErrno.capturing(posix_h.epoll_create1$address(), posix_h.epoll_create1$descriptor());
    private static final MethodHandle EPOLL_CONTROL =
            CapturedErrno.capturing(posix_h.epoll_ctl$address(), posix_h.epoll_ctl$descriptor());
    private static final MethodHandle EPOLL_WAIT =
            CapturedErrno.capturing(posix_h.epoll_wait$address(), posix_h.epoll_wait$descriptor());
    private static final MethodHandle SEND_MESSAGE =
            CapturedErrno.capturing(posix_h.sendmsg$address(), posix_h.sendmsg$descriptor());
    private static final MethodHandle SOCKET_PAIR =
            CapturedErrno.capturing(posix_h.socketpair$address(), posix_h.socketpair$descriptor());
    private static final MethodHandle PIPE =
            CapturedErrno.capturing(posix_h.pipe2$address(), posix_h.pipe2$descriptor());

    private SystemCalls() {}

    /**
     * One attempt: returns the result, or a negative number with {@code errno} in {@code state}.
     */
    private interface Attempt {
        long make(MemorySegment state) throws Throwable;
    }

    /** Repeats a call that a signal interrupts; returns {@link #AGAIN} if it would block. */
    private static long call(String name, Attempt attempt) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var state = arena.allocate(CapturedErrno.LAYOUT);
            while (true) {
                var result = attempt.make(state);
                if (result >= 0) {
                    return result;
                }
                var error = CapturedErrno.of(state);
                if (error == posix_h.EAGAIN()) {
                    return AGAIN;
                }
                if (error != posix_h.EINTR()) {
                    throw new IOException(name + ": " + CapturedErrno.text(error));
                }
            }
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("native calls throw no checked exceptions", e);
        }
    }

    /** Creates a Unix socket of a type such as {@code SOCK_STREAM}. */
    static int socket(int type) throws IOException {
        return (int) call("socket", state -> (int) SOCKET.invokeExact(
                state, posix_h.AF_UNIX(), type | posix_h.SOCK_NONBLOCK() | posix_h.SOCK_CLOEXEC(), 0));
    }

    static void bind(int descriptor, MemorySegment address) throws IOException {
        call("bind", state -> (int) BIND.invokeExact(state, descriptor, address, (int) address.byteSize()));
    }

    static void connect(int descriptor, MemorySegment address) throws IOException {
        call("connect", state -> (int) CONNECT.invokeExact(state, descriptor, address, (int) address.byteSize()));
    }

    static void listen(int descriptor, int backlog) throws IOException {
        call("listen", state -> (int) LISTEN.invokeExact(state, descriptor, backlog));
    }

    /** Returns the new descriptor, or {@link #AGAIN}. */
    static int accept(int descriptor) throws IOException {
        return (int) call("accept", state -> (int) ACCEPT.invokeExact(
                state,
                descriptor,
                MemorySegment.NULL,
                MemorySegment.NULL,
                posix_h.SOCK_NONBLOCK() | posix_h.SOCK_CLOEXEC()));
    }

    static void socketOption(int descriptor, int option, MemorySegment value, MemorySegment length) throws IOException {
        call("getsockopt", state ->
                (int) GET_OPTION.invokeExact(state, descriptor, posix_h.SOL_SOCKET(), option, value, length));
    }

    /** Returns the number of bytes, 0 at the end, or {@link #AGAIN}. */
    static int receive(int descriptor, MemorySegment into) throws IOException {
        return (int) call("recv", state -> (long) RECEIVE.invokeExact(state, descriptor, into, into.byteSize(), 0));
    }

    /** Returns whether a receive would not block, because there is data or the end. */
    static boolean isReadable(int descriptor) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var one = arena.allocate(1);
            return call("recv", state -> (long) RECEIVE.invokeExact(state, descriptor, one, 1L, posix_h.MSG_PEEK()))
                    != AGAIN;
        }
    }

    /** Returns the number of bytes, or {@link #AGAIN}. */
    static int send(int descriptor, MemorySegment bytes) throws IOException {
        return (int) call("send", state ->
                (long) SEND.invokeExact(state, descriptor, bytes, bytes.byteSize(), posix_h.MSG_NOSIGNAL()));
    }

    /** Sends one message, a {@code struct msghdr}; returns the number of bytes, or {@link #AGAIN}. */
    static int sendMessage(int descriptor, MemorySegment message) throws IOException {
        return (int) call("sendmsg", state ->
                (long) SEND_MESSAGE.invokeExact(state, descriptor, message, posix_h.MSG_NOSIGNAL()));
    }

    /** Creates two connected sockets that preserve the boundaries of messages. */
    static void socketPair(MemorySegment ends) throws IOException {
        var type = posix_h.SOCK_SEQPACKET() | posix_h.SOCK_NONBLOCK() | posix_h.SOCK_CLOEXEC();
        call("socketpair", state -> (int) SOCKET_PAIR.invokeExact(state, posix_h.AF_UNIX(), type, 0, ends));
    }

    /** Returns the number of bytes, 0 at the end, or {@link #AGAIN}. */
    static int read(int descriptor, MemorySegment into) throws IOException {
        return (int) call("read", state -> (long) READ.invokeExact(state, descriptor, into, into.byteSize()));
    }

    /** Returns the number of bytes, or {@link #AGAIN}. */
    static int write(int descriptor, MemorySegment bytes) throws IOException {
        return (int) call("write", state -> (long) WRITE.invokeExact(state, descriptor, bytes, bytes.byteSize()));
    }

    static int epollCreate() throws IOException {
        return (int) call("epoll_create1", state -> (int) EPOLL_CREATE.invokeExact(state, posix_h.EPOLL_CLOEXEC()));
    }

    static void epollControl(int epoll, int operation, int descriptor, MemorySegment event) throws IOException {
        call("epoll_ctl", state -> (int) EPOLL_CONTROL.invokeExact(state, epoll, operation, descriptor, event));
    }

    /** Waits without a timeout, for the thread of the poller. */
    static int epollWait(int epoll, MemorySegment events, int count) throws IOException {
        return (int) call("epoll_wait", state -> (int) EPOLL_WAIT.invokeExact(state, epoll, events, count, -1));
    }

    static void pipe(MemorySegment ends) throws IOException {
        call("pipe2", state -> (int) PIPE.invokeExact(state, ends, posix_h.O_CLOEXEC() | posix_h.O_NONBLOCK()));
    }
}
