/* SPDX-License-Identifier: Apache-2.0 */
/* Life cycle of the parser and of registered objects. */
#include "argp_fixture.h"

static int config;

static doca_error_t ignore(void *value, void *given_config)
{
    (void)value;
    (void)given_config;
    return DOCA_SUCCESS;
}

static doca_error_t validate(void *given_config)
{
    return ignore(NULL, given_config);
}

static doca_error_t validate_too(void *given_config)
{
    (void)given_config;
    return DOCA_ERROR_NOT_PERMITTED;
}

static doca_error_t keep(enum doca_log_level level, const char *format, va_list arguments)
{
    (void)level;
    (void)format;
    (void)arguments;
    return DOCA_SUCCESS;
}

static doca_error_t destroy(void *value, void *given_config)
{
    (void)value;
    (void)given_config;
    return doca_argp_destroy();
}

static void without_a_parser_all_functions_fail(void **state)
{
    struct doca_argp_param *flag;
    struct doca_argp_cmd *command;
    char *words[] = { "program", NULL };

    (void)state;
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_argp_param_create(&flag));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_argp_cmd_create(&command));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_argp_register_version_callback(ignore));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_argp_register_validation_callback(validate));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_argp_register_logger_callback(keep));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_argp_disable_logger_callback());
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_argp_start(1, words));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_argp_destroy());
    doca_argp_usage();
}

static void at_most_one_parser_exists_at_a_time(void **state)
{
    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_argp_init("program", NULL));
    assert_int_equal(DOCA_SUCCESS, doca_argp_init("program", &config));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_argp_init("program", &config));
    assert_int_equal(DOCA_SUCCESS, doca_argp_destroy());
    assert_int_equal(DOCA_SUCCESS, doca_argp_init(NULL, &config));
    assert_int_equal(DOCA_SUCCESS, doca_argp_destroy());
}

static void null_is_rejected(void **state)
{
    char *none[] = { NULL };

    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_argp_param_create(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_argp_cmd_create(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_argp_param_destroy(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_argp_cmd_destroy(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_argp_register_param(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_argp_register_cmd(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_argp_cmd_register_cmd(NULL, NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_argp_register_version_callback(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_argp_register_validation_callback(NULL));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_argp_start(0, none));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_argp_start(1, none));
}

static void a_flag_requires_a_name_a_description_a_callback_and_a_type(void **state)
{
    struct doca_argp_param *flag;

    (void)state;
    assert_int_equal(DOCA_ERROR_INITIALIZATION,
            doca_argp_register_param(new_flag(NULL, NULL, DOCA_ARGP_TYPE_INT)));
    flag = new_flag("a", NULL, DOCA_ARGP_TYPE_INT);
    doca_argp_param_set_description(flag, NULL);
    assert_int_equal(DOCA_ERROR_INITIALIZATION, doca_argp_register_param(flag));
    flag = new_flag("a", NULL, DOCA_ARGP_TYPE_INT);
    doca_argp_param_set_callback(flag, NULL);
    assert_int_equal(DOCA_ERROR_INITIALIZATION, doca_argp_register_param(flag));
    assert_int_equal(DOCA_ERROR_INITIALIZATION,
            doca_argp_register_param(new_flag("a", NULL, DOCA_ARGP_TYPE_UNKNOWN)));
    assert_int_equal(
            DOCA_SUCCESS, doca_argp_register_param(new_flag("a", NULL, DOCA_ARGP_TYPE_INT)));
}

static void invalid_types_and_names_are_rejected(void **state)
{
    static const char *const names[] = { "", "-a", "a b", "a=b", "h", "l", "j" };

    (void)state;
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_argp_register_param(new_flag("a", NULL, DOCA_ARGP_TYPE_JSON_OBJ)));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_argp_register_param(new_flag("a", NULL, (enum doca_argp_type)5)));
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
        assert_int_equal(DOCA_ERROR_INVALID_VALUE,
                doca_argp_register_param(new_flag(names[i], NULL, DOCA_ARGP_TYPE_INT)));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_argp_register_param(new_flag(NULL, "json", DOCA_ARGP_TYPE_INT)));
}

static void a_name_is_registered_once(void **state)
{
    (void)state;
    add_flag("a", "all", DOCA_ARGP_TYPE_INT);
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_argp_register_param(new_flag("a", "other", DOCA_ARGP_TYPE_INT)));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE,
            doca_argp_register_param(new_flag("o", "all", DOCA_ARGP_TYPE_INT)));
    add_flag("o", "other", DOCA_ARGP_TYPE_INT);
}

static void the_parser_owns_registered_objects(void **state)
{
    struct doca_argp_param *flag = new_flag("a", NULL, DOCA_ARGP_TYPE_INT);
    struct doca_argp_param *refused = new_flag("a", NULL, DOCA_ARGP_TYPE_INT);
    struct doca_argp_cmd *command = new_command("get");

    (void)state;
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_param(flag));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_argp_register_param(flag));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_argp_param_destroy(flag));
    assert_int_equal(DOCA_ERROR_INVALID_VALUE, doca_argp_register_param(refused));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_argp_param_destroy(refused));
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_cmd(command));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_argp_register_cmd(command));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_argp_cmd_destroy(command));
}

static void the_owner_destroys_unregistered_objects(void **state)
{
    (void)state;
    assert_int_equal(
            DOCA_SUCCESS, doca_argp_param_destroy(new_flag("a", "all", DOCA_ARGP_TYPE_INT)));
    assert_int_equal(DOCA_SUCCESS, doca_argp_cmd_destroy(new_command("get")));
}

static void registration_without_a_parser_frees_the_object(void **state)
{
    struct doca_argp_param *flag = new_flag("a", "all", DOCA_ARGP_TYPE_INT);
    struct doca_argp_cmd *command = new_command("get");

    (void)state;
    assert_int_equal(DOCA_SUCCESS, doca_argp_destroy());
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_argp_register_param(flag));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_argp_register_cmd(command));
}

static void a_parser_starts_once_and_then_rejects_registrations(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS, start("program"));
    assert_int_equal(DOCA_ERROR_BAD_STATE, start("program"));
    assert_int_equal(DOCA_ERROR_BAD_STATE,
            doca_argp_register_param(new_flag("a", NULL, DOCA_ARGP_TYPE_INT)));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_argp_register_cmd(new_command("get")));
}

static void a_second_validation_replaces_the_first(void **state)
{
    (void)state;
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_validation_callback(validate));
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_validation_callback(validate_too));
    assert_int_equal(DOCA_ERROR_NOT_PERMITTED, start("program"));
}

static void a_second_logger_is_rejected_until_the_first_is_disabled(void **state)
{
    (void)state;
    assert_int_equal(DOCA_ERROR_ALREADY_EXIST, doca_argp_register_logger_callback(keep));
    assert_int_equal(DOCA_SUCCESS, doca_argp_disable_logger_callback());
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_argp_disable_logger_callback());
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_logger_callback(keep));
}

static void a_callback_may_destroy_the_parser(void **state)
{
    struct doca_argp_param *flag = new_flag("a", NULL, DOCA_ARGP_TYPE_STRING);

    (void)state;
    doca_argp_param_set_callback(flag, destroy);
    doca_argp_param_set_multiplicity(flag);
    assert_int_equal(DOCA_SUCCESS, doca_argp_register_param(flag));
    assert_int_equal(DOCA_ERROR_BAD_STATE, start("program -a one -a two"));
    assert_int_equal(DOCA_ERROR_BAD_STATE, doca_argp_destroy());
}

static doca_error_t take_words(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    fail_msg("there is no DPDK");
    return DOCA_SUCCESS;
}

static void a_program_that_uses_dpdk_does_not_start(void **state)
{
    (void)state;
    doca_argp_set_dpdk_program(take_words);
    assert_int_equal(DOCA_ERROR_NOT_SUPPORTED, start("program -a 03:00.0 --"));
    doca_argp_set_dpdk_program(NULL);
    assert_int_equal(DOCA_SUCCESS, start("program"));
}

#define WITH_PARSER(test) cmocka_unit_test_setup_teardown(test, make_empty_parser, end_parser)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_parser_all_functions_fail),
        cmocka_unit_test(at_most_one_parser_exists_at_a_time),
        WITH_PARSER(null_is_rejected),
        WITH_PARSER(a_flag_requires_a_name_a_description_a_callback_and_a_type),
        WITH_PARSER(invalid_types_and_names_are_rejected),
        WITH_PARSER(a_name_is_registered_once),
        WITH_PARSER(the_parser_owns_registered_objects),
        WITH_PARSER(the_owner_destroys_unregistered_objects),
        WITH_PARSER(registration_without_a_parser_frees_the_object),
        WITH_PARSER(a_parser_starts_once_and_then_rejects_registrations),
        WITH_PARSER(a_second_validation_replaces_the_first),
        WITH_PARSER(a_second_logger_is_rejected_until_the_first_is_disabled),
        WITH_PARSER(a_callback_may_destroy_the_parser),
        WITH_PARSER(a_program_that_uses_dpdk_does_not_start),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
