// SPDX-License-Identifier: Apache-2.0

import com.google.gson.JsonParser;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1Pod;
import java.nio.charset.StandardCharsets;

/** Reads a pod as JSON from standard input. Fails if a field is unknown, is missing, or has the wrong type. */
final class Validate {

    private Validate() {}

    public static void main(String[] arguments) throws Exception {
        var text = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        new JSON(); // creates the parser that the types use
        V1Pod.validateJsonElement(JsonParser.parseString(text));
        JSON.deserialize(text, V1Pod.class);
    }
}
