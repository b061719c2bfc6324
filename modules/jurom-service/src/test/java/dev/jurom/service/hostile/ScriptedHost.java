// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.hostile;

import dev.jurom.core.Device;
import dev.jurom.core.DocaException;
import dev.jurom.core.ProgressEngine;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.urom.PluginInfo;
import dev.jurom.urom.UromService;
import dev.jurom.urom.UromWorker;
import dev.jurom.urom.WorkerExit;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/**
 * A host that executes commands from standard input, and answers each with a line that begins with an equals sign.
 */
public final class ScriptedHost {

    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private final ProgressEngine engine = ProgressEngine.create();
    private final UromService service = UromService.create(engine, Device.open());
    private final Deque<UromWorker> workers = new ArrayDeque<>();
    private final Map<ExecutorService, Future<ScriptedHost>> connectConcurrently = new HashMap<>();

    private ScriptedHost() {}

    /** Runs until standard input ends. */
    public static void main(String[] arguments) throws IOException {
        var host = new ScriptedHost();
        answer(host.connect());
        var input = new BufferedReader(new InputStreamReader(System.in));
        for (var line = input.readLine(); line != null; line = input.readLine()) {
            answer(host.run(line.split(" ")));
        }
    }

    private static void answer(String text) {
        System.err.flush();
        System.out.println("= " + text);
        System.out.flush();
    }

    private String connect() {
        try {
            service.start();
            return "connected";
        } catch (DocaException e) {
            return "refused " + e.getMessage().replace('\n', ' ');
        }
    }

    private String run(String[] words) {
        try {
            return switch (words[0]) {
                case "start" -> start(words);
                case "stop" -> stop();
                case "group" ->
                    "group " + Arrays.toString(service.workersByGroup(Integer.parseInt(words[1]), DEADLINE));
                case "loop" -> loop(Long.parseLong(words[1]));
                case "concurrent" -> connectConcurrently(Integer.parseInt(words[1]));
                case "each" -> each(host -> host.run(Arrays.copyOfRange(words, 1, words.length)));
                default -> "what?";
            };
        } catch (DocaException | IllegalStateException e) {
            return "refused " + e.getMessage().replace('\n', ' ');
        }
    }

    /** Starts a worker. The words are an id, plugins, a group or a dash, and variables. */
    private String start(String[] words) {
        var worker = UromWorker.create(engine, service)
                .setId(Long.parseLong(words[1]))
                .setPlugins(
                        Arrays.stream(words[2].split(",")).map(service::plugin).toArray(PluginInfo[]::new));
        var variables = new HashMap<String, String>();
        for (var word : Arrays.copyOfRange(words, 4, words.length)) {
            variables.put(word.substring(0, word.indexOf('=')), word.substring(word.indexOf('=') + 1));
        }
        if (!variables.isEmpty()) {
            worker.setEnvironment(variables);
        }
        if (!words[3].equals("-")) {
            worker.setGroup(Integer.parseInt(words[3]));
        }
        try {
            var begin = System.nanoTime();
            worker.startAndWait(DEADLINE);
            workers.push(worker);
            return "running " + (System.nanoTime() - begin) / 1000 + " us";
        } catch (DocaException e) {
            var loss = worker.exit().map(WorkerExit::text).orElse("");
            worker.close();
            return "refused " + (e.getMessage() + " " + loss).replace('\n', ' ');
        }
    }

    /** Connects the given number of additional hosts concurrently, each on a separate thread. */
    private String connectConcurrently(int size) {
        connectConcurrently.keySet().forEach(ExecutorService::shutdown);
        connectConcurrently.clear();
        for (var i = 0; i < size; i++) {
            var thread = Executors.newSingleThreadExecutor(task -> {
                var made = new Thread(task);
                made.setDaemon(true);
                return made;
            });
            connectConcurrently.put(thread, thread.submit(ScriptedHost::new));
        }
        return each(ScriptedHost::connect);
    }

    /** Returns the number of successful hosts and the duration. */
    private String each(Function<ScriptedHost, String> command) {
        var begin = System.nanoTime();
        var answers = connectConcurrently.entrySet().stream()
                .map(host ->
                        host.getKey().submit(() -> command.apply(host.getValue().get())))
                .toList()
                .stream()
                .map(ScriptedHost::result)
                .toList();
        var refused =
                answers.stream().filter(answer -> answer.startsWith("refused")).toList();
        return answers.size() - refused.size() + " of " + answers.size() + " in "
                + (System.nanoTime() - begin) / 1_000_000 + " ms"
                + (refused.isEmpty() ? "" : ": " + refused.getFirst());
    }

    private static String result(Future<String> answer) {
        try {
            return answer.get();
        } catch (InterruptedException | ExecutionException e) {
            return "refused " + e;
        }
    }

    private String stop() {
        workers.pop().close();
        return "stopped";
    }

    private String loop(long value) {
        var worker = workers.peek();
        try (var task = worker.commandTask(service.plugin("worker_graph"))) {
            task.setPayloadLength(GraphCodec.packLoopback(value, task.payload()));
            task.submit();
            if (!engine.progressUntil(task::isCompleted, DEADLINE)) {
                return "no answer";
            }
            task.requireSuccess();
            return "value " + GraphCodec.loopbackData(task.response());
        }
    }
}
