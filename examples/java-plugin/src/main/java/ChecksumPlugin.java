// SPDX-License-Identifier: Apache-2.0
import dev.jurom.worker.Command;
import dev.jurom.worker.Responder;
import dev.jurom.worker.WorkerPlugin;
import java.util.zip.CRC32C;

public final class ChecksumPlugin implements WorkerPlugin {

    @Override
    public String name() {
        return Checksum.CRC32C.plugin();
    }

    @Override
    public long version() {
        return Checksum.CRC32C.version();
    }

    @Override
    public void command(Command command, Responder responder) {
        var crc = new CRC32C();
        crc.update(command.read(Checksum.REQUEST).bytes().asByteBuffer());
        responder.reply(new Checksum.Answer(crc.getValue()), Checksum.ANSWER);
    }
}
