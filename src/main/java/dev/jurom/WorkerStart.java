// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.core.ContextState;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.urom.PluginInfo;
import dev.jurom.urom.UromService;
import dev.jurom.urom.UromWorker;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * An errand of the leader: starts a worker and tells when it runs.
 *
 * @param urom whose worker it will be
 * @param driver whose leader runs this
 * @param service what starts it
 * @param configuration what it is like
 * @param plugins what it loads, by name
 * @param started is completed with the worker, or with what went wrong
 */
record WorkerStart(Urom urom, EngineDriver driver, UromService service,
        WorkerConfiguration configuration, Map<String, PluginInfo> plugins,
        CompletableFuture<Worker> started) implements Runnable {

    @Override
    public void run() {
        UromWorker context = null;
        try {
            context = UromWorker.create(driver.engine(), service);
            configure(context);
            context.start();
            var starting = context;
            driver.when(() -> starting.state() != ContextState.STARTING, () -> finish(starting));
        } catch (RuntimeException | Error e) {
            abandon(context, e);
        }
    }

    private void configure(UromWorker context) {
        context.setId(configuration.id())
                .setPlugins(plugins.values().toArray(PluginInfo[]::new))
                .setMaxTasks(configuration.tasks());
        configuration.group().ifPresent(context::setGroup);
        configuration.cpus().ifPresent(context::setCpuSet);
        if (!configuration.environment().isEmpty()) {
            context.setEnvironment(configuration.environment());
        }
    }

    private void finish(UromWorker context) {
        if (context.state() != ContextState.RUNNING) {
            abandon(context, new DocaException(DocaError.INITIALIZATION, "doca_ctx_start",
                    "worker " + configuration.plugins(),
                    "It fell back to idle: the service's log says why."));
            return;
        }
        Worker worker;
        try {
            worker = new Worker(urom, driver, context, plugins, configuration);
        } catch (RuntimeException | Error e) {
            abandon(context, e);
            return;
        }
        context.onStateChanged((changed, previous, next) -> worker.ended());
        tell(worker);
    }

    private void tell(Worker worker) {
        if (!urom.add(worker)) {
            worker.beginClose();
            started.completeExceptionally(new IllegalStateException("This Urom is closed"));
        } else if (!started.complete(worker) && urom.forget(worker)) {
            worker.beginClose(); // nobody waits for it any more
        }
    }

    private void abandon(UromWorker context, Throwable reason) {
        try {
            if (context != null) {
                context.close();
            }
        } finally {
            started.completeExceptionally(reason);
        }
    }
}
