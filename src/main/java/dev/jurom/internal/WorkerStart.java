// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.core.ContextState;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.urom.PluginInfo;
import dev.jurom.urom.UromWorker;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An errand of the leader: starts a worker and tells when it runs.
 *
 * @param <W> what callers see of a worker
 * @param service whose worker it will be
 * @param request what it is like
 * @param plugins what it loads, by name
 * @param view makes what callers see
 * @param started is completed with that, or with what went wrong
 */
record WorkerStart<W>(DrivenService service, WorkerRequest request,
        Map<String, PluginInfo> plugins, Function<DrivenWorker, W> view,
        DrivenFuture<W> started) implements Runnable {

    private static final int ATTEMPTS = 4; // to get a worker that does not end at once

    @Override
    public void run() {
        attempt(1);
    }

    private void attempt(int number) {
        UromWorker context = null;
        try {
            context = service.createWorker();
            context.setPlugins(plugins.values().toArray(PluginInfo[]::new))
                    .setMaxTasks(request.tasks());
            request.settings().accept(context);
            context.start();
            var starting = context;
            service.driver().when(() -> starting.state() != ContextState.STARTING,
                    () -> finish(starting, number));
        } catch (RuntimeException | Error e) {
            abandon(context, e);
        }
    }

    private void finish(UromWorker context, int number) {
        if (context.state() != ContextState.RUNNING) {
            abandon(context, new DocaException(DocaError.INITIALIZATION, "doca_ctx_start",
                    "worker " + request.plugins(),
                    "It fell back to idle: the service's log says why."));
            return;
        }
        DrivenWorker worker;
        try {
            worker = new DrivenWorker(service, context, plugins, request);
        } catch (RuntimeException | Error e) {
            if (hasEnded(e) && number < ATTEMPTS) {
                startAnother(context, number + 1);
            } else {
                abandon(context, e);
            }
            return;
        }
        context.onStateChanged((changed, previous, next) -> worker.ended());
        tell(worker);
    }

    /** Whether a worker was lost as soon as it ran, so that there are no tasks for it. */
    private static boolean hasEnded(Throwable reason) {
        return reason instanceof DocaException failure && failure.error() == DocaError.BAD_STATE;
    }

    private void startAnother(UromWorker ended, int number) {
        try {
            ended.close();
        } catch (RuntimeException | Error e) {
            started.completeExceptionally(e);
            return;
        }
        attempt(number);
    }

    private void tell(DrivenWorker worker) {
        if (!service.add(worker)) {
            worker.beginClose();
            started.completeExceptionally(new IllegalStateException("This Urom is closed"));
        } else if (!started.complete(view.apply(worker)) && service.forget(worker)) {
            worker.beginClose(); // nobody waits for it any more
        }
    }

    private void abandon(@Nullable UromWorker context, Throwable reason) {
        try {
            if (context != null) {
                context.close();
            }
        } finally {
            started.completeExceptionally(reason);
        }
    }
}
