// The client that the official conformance suite drives: it plays what the environment says.
//
//   conformance client --command "node test/conformance/client.ts" --requirements 2026-07-28
const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? ""

// Those of authorization need the whole product, the others the MCP source alone.
await(scenario.startsWith("auth/") ? import("./client-auth.ts") : import("./client-source.ts"))
