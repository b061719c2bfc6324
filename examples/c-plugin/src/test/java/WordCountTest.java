// SPDX-License-Identifier: Apache-2.0
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jurom.Urom;
import dev.jurom.WorkerConfiguration;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.plugin.Offload;
import dev.jurom.testing.CLayout;
import dev.jurom.testing.CodecLaws;
import dev.jurom.testing.EmbeddedServiceExtension;
import dev.jurom.testing.TestMessage;
import java.nio.file.Path;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class WordCountTest implements CodecLaws {

    @RegisterExtension
    static final EmbeddedServiceExtension SERVICE = new EmbeddedServiceExtension(
            usual -> usual.toBuilder().plugins(Path.of("target/native/plugins")).build());

    @Test
    void the_structs_are_what_the_compiler_makes_of_them() {
        var header = CLayout.of("#include \"word_count.h\"", "-I" + Path.of("").toAbsolutePath());

        header.requireSame(WordCount.command());
        header.requireSame(WordCount.answer());
    }

    @Override
    public Arbitrary<TestMessage> messages() {
        return TestMessage.of(
                WordCount.command(),
                Combinators.combine(
                                Arbitraries.strings().ofMaxLength(50),
                                Arbitraries.chars().ascii())
                        .as(WordCount.Command::of));
    }

    @Override
    public Arbitrary<TestMessage> responses() {
        return TestMessage.of(
                WordCount.answer(),
                Combinators.combine(
                                Arbitraries.longs().between(0, 5000),
                                Arbitraries.longs().between(0, 5000))
                        .as(WordCount.Answer::new));
    }

    @Test
    void words_are_counted() throws InterruptedException {
        try (var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of("worker_word_count"))) {
            assertEquals(
                    new WordCount.Answer(3, 5),
                    worker.call(WordCount.COUNT, WordCount.Command.of("one,two  three", ',')));
            assertEquals(new WordCount.Answer(0, 0), worker.call(WordCount.COUNT, WordCount.Command.of("", ',')));
        }
    }

    @Test
    void a_command_that_is_no_struct_is_refused() throws InterruptedException {
        Offload<Long, Long> wrong = Offload.of("worker_word_count", 1, (length, payload) -> length, response -> 0L);
        try (var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of("worker_word_count"))) {
            for (var length = 0L; length < 16; length++) {
                var bytes = length;
                var refusal = assertThrows(DocaException.class, () -> worker.call(wrong, bytes));
                assertEquals(DocaError.INVALID_VALUE, refusal.error());
            }
        }
    }
}
