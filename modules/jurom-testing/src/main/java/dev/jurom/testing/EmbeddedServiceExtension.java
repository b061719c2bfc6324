// SPDX-License-Identifier: Apache-2.0
package dev.jurom.testing;

import dev.jurom.service.EmbeddedService;
import dev.jurom.service.settings.DaemonConfiguration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Runs an {@link EmbeddedService} while the tests of a class run, so that
 * {@link dev.jurom.Urom#open()} finds it:
 *
 * {@snippet class="dev.jurom.testing.EmbeddedServiceExtensionTest" region="service"}
 *
 * <p>Tests may declare it as a parameter. Classes that use this extension must not run
 * concurrently, because the environment, which belongs to the whole process, names the service.
 */
public final class EmbeddedServiceExtension implements BeforeAllCallback, ParameterResolver {

    private static final Namespace NAMESPACE = Namespace.create(EmbeddedServiceExtension.class);

    private final UnaryOperator<DaemonConfiguration> change;

    /** Creates an extension for a service with the plugins of jurom. */
    public EmbeddedServiceExtension() {
        this(UnaryOperator.identity());
    }

    /**
     * Creates an extension for a service with a changed configuration, such as a directory of
     * plugins.
     *
     * @param change receives the default configuration and returns the one to use
     */
    public EmbeddedServiceExtension(UnaryOperator<DaemonConfiguration> change) {
        this.change = change;
    }

    /**
     * Opens the service. JUnit closes it after the tests of the class.
     *
     * @param context the test class
     * @throws IllegalStateException if the runtime is that of the vendor
     * @throws dev.jurom.runtime.DaemonException if the service cannot listen
     */
    @Override
    public void beforeAll(ExtensionContext context) {
        context.getStore(NAMESPACE).getOrComputeIfAbsent(EmbeddedService.class, key -> EmbeddedService.open(change));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == EmbeddedService.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getStore(NAMESPACE).get(EmbeddedService.class);
    }
}
