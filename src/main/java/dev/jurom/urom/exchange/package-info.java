// SPDX-License-Identifier: Apache-2.0
/**
 * Exchanges through which the participants of a {@link dev.jurom.urom.UromDomain} set it up:
 * all-gathers that never block ({@link dev.jurom.urom.exchange.OutOfBandExchange}).
 *
 * <ul>
 * <li>{@link dev.jurom.urom.exchange.ThreadExchange}: threads of one process;
 * <li>{@link dev.jurom.urom.exchange.TcpExchange}: processes on any hosts, one of which listens;
 * <li>{@link dev.jurom.urom.exchange.PmixExchange}: processes that {@code mpirun} or another PMIx
 * launcher has started, without configuration.
 * </ul>
 *
 * <p>An operation in progress is an {@link dev.jurom.urom.exchange.AllGather}; failures are
 * reported as {@link dev.jurom.urom.exchange.ExchangeException}.
 *
 * <p>Programs can also use an exchange for their own data. Participant 0 listens:
 *
 * {@snippet class="dev.jurom.urom.exchange.ExchangeExampleTest" region="listen"}
 *
 * <p>The other participants connect:
 *
 * {@snippet class="dev.jurom.urom.exchange.ExchangeExampleTest" region="connect"}
 *
 * <p>Programs may provide their own implementations.
 */
@NullMarked
package dev.jurom.urom.exchange;

import org.jspecify.annotations.NullMarked;
