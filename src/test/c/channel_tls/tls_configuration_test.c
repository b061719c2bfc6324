/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worker ignores an OpenSSL configuration in the environment, because it can load code. This one
 * would register a name. A separate program, because OpenSSL reads the configuration once per
 * process.
 */
#include "cmocka_all.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <openssl/objects.h>

#include "party.h"
#include "temporary.h"

static void a_worker_loads_nothing_that_its_environment_names(void **state)
{
    static const char text[] = "openssl_conf = all\n[all]\noid_section = names\n"
                               "[names]\nnameThatWasRead = 1.2.3.4.5.6\n";
    char path[PATH_MAX];
    int file;
    struct party host, worker;
    struct authenticator authenticator;

    (void)state;
    snprintf(path, sizeof(path), "%s/tls_configuration_XXXXXX", temporary_folder());
    file = mkstemp(path);
    assert_int_equal(strlen(text), write(file, text, strlen(text)));
    assert_int_equal(0, setenv("OPENSSL_CONF", path, 1));
    parties_open(&host, &worker);

    party_accept_ticket(&worker, &authenticator);

    assert_int_equal(NID_undef, OBJ_sn2nid("nameThatWasRead"));
    party_connect_ticket(&host);
    parties_handshake(&host, &worker);
    assert_int_equal(DOCA_SUCCESS, worker.status);
    party_close(&host);
    party_close(&worker);
    unlink(path);
    close(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_worker_loads_nothing_that_its_environment_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
