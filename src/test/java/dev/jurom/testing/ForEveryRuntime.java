// SPDX-License-Identifier: Apache-2.0
package dev.jurom.testing;

import dev.jurom.runtime.internal.VendorSearch;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Tests of behaviour that both the vendor's library and the software DOCA have. On the vendor's:
 *
 * <pre>mvn test -Djurom.runtime=vendor -Dgroups=every-runtime</pre>
 *
 * <p>with {@code DOCA_UROM_SERVICE_FILE} naming the service. Skipped, with a line that says so,
 * where no vendor library is installed.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("every-runtime")
@ExtendWith(ForEveryRuntime.Condition.class)
public @interface ForEveryRuntime {

    /** Skips the tests when they are to run on the vendor's library and there is none. */
    final class Condition implements ExecutionCondition {

        private static boolean said;

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            if (!"vendor".equals(System.getProperty("jurom.runtime"))
                    || VendorSearch.any().isPresent()) {
                return ConditionEvaluationResult.enabled("the library is there");
            }
            sayOnce();
            return ConditionEvaluationResult.disabled("no vendor library is installed");
        }

        private static synchronized void sayOnce() {
            if (!said) {
                said = true;
                System.out.println("Skipped: the tests for the vendor's library, as no "
                        + VendorSearch.NAME + " is installed here.");
            }
        }
    }
}
