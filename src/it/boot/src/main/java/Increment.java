// SPDX-License-Identifier: Apache-2.0
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.StructBuilder;
import dev.jurom.plugin.StructCodec;
import dev.jurom.worker.Command;
import dev.jurom.worker.Responder;
import dev.jurom.worker.WorkerPlugin;

/** A plugin that adds 1 to a number. */
public final class Increment implements WorkerPlugin {

    public record Number(long value) {}

    public static final StructCodec<Number> NUMBER = number();
    public static final Offload<Number, Number> NEXT = Offload.of("worker_increment", 1, NUMBER, NUMBER);

    private static StructCodec<Number> number() {
        StructBuilder<Number> struct = StructBuilder.struct("number");
        var value = struct.u64("value", Number::value);
        return struct.codec(in -> new Number(value.get(in)));
    }

    @Override
    public String name() {
        return NEXT.plugin();
    }

    @Override
    public long version() {
        return NEXT.version();
    }

    @Override
    public void command(Command command, Responder responder) {
        responder.reply(new Number(command.read(NUMBER).value() + 1), NUMBER);
    }
}
