// SPDX-License-Identifier: Apache-2.0
/**
 * How the participants of a {@link dev.jurom.urom.UromDomain} reach each other while it is made: an
 * all-gather that never blocks ({@link dev.jurom.urom.exchange.OutOfBandExchange}).
 *
 * <ul>
 * <li>{@link dev.jurom.urom.exchange.ThreadExchange}: threads of one process;
 * <li>{@link dev.jurom.urom.exchange.TcpExchange}: processes anywhere, one of which listens;
 * <li>{@link dev.jurom.urom.exchange.PmixExchange}: processes that {@code mpirun} or another PMIx
 *     launcher has started; there is nothing to configure.
 * </ul>
 *
 * <p>What is under way is an {@link dev.jurom.urom.exchange.AllGather}; what goes wrong, an
 * {@link dev.jurom.urom.exchange.ExchangeException}.
 *
 * <p>An exchange can also tell programs other things than a domain needs. Participant 0 listens:
 *
 * {@snippet class="dev.jurom.urom.exchange.ExchangeExampleTest" region="listen"}
 *
 * <p>Each other one connects:
 *
 * {@snippet class="dev.jurom.urom.exchange.ExchangeExampleTest" region="connect"}
 *
 * <p>Programs may bring an implementation of their own.
 */
@NullMarked
package dev.jurom.urom.exchange;

import org.jspecify.annotations.NullMarked;
