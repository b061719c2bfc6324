// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.runtime.EmbeddedServiceProvider;

/** Opens {@link EmbeddedService}s for the library, which finds it by {@link java.util.ServiceLoader}. */
public final class Provider implements EmbeddedServiceProvider {

    /** For {@link java.util.ServiceLoader}. */
    public Provider() {}

    @Override
    public PrivateService open(int maxMessageSize) {
        return EmbeddedService.create(
                usual -> usual.toBuilder().maxMessageSize(maxMessageSize).build());
    }
}
