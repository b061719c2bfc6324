/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nothing: this library is there for what it is linked with. Java finds symbols only in libraries
 * that it has loaded by their path, and in those that they need: loading this one brings UCX.
 */
