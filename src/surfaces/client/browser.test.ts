// The client runs in browsers: nothing that it loads belongs to Node.js.
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"

/** Every file that is loaded at run time, found by its imports of values. */
function loaded(path: string, seen = new Map<string, string>()): Map<string, string> {
  if (seen.has(path)) return seen
  const text = readFileSync(path, "utf8")
  seen.set(path, text)
  for (const [, target] of text.matchAll(/^(?:import|export) (?!type)[^"]*from "([^"]+)"/gm)) {
    if (target?.startsWith(".")) loaded(join(dirname(path), target), seen)
    else seen.set(target ?? "", "a package")
  }
  return seen
}

test("the client loads its own files and the vocabulary, and no global of Node.js", () => {
  const files = loaded(join(import.meta.dirname, "index.ts"))
  const names = [...files.keys()].map((path) => path.split("/src/").at(-1))
  expect(new Set(names)).toEqual(
    new Set([
      "surfaces/client/index.ts",
      "surfaces/client/agent-calls.ts",
      "surfaces/client/client.ts",
      "surfaces/client/execution-calls.ts",
      "surfaces/client/event-reader.ts",
      "core/call/code.ts",
      "surfaces/client/notification-calls.ts",
      "surfaces/client/oauth-calls.ts",
      "surfaces/client/pauses-seen.ts",
      "surfaces/client/people-calls.ts",
      "surfaces/client/pipeline-calls.ts",
      "surfaces/client/registry-calls.ts",
      "surfaces/client/sign-in-calls.ts",
      "core/call/whole-result.ts",
      "surfaces/client/tool-call.ts",
      "surfaces/client/transport.ts",
      "surfaces/client/workspace-calls.ts",
      "core/address.ts",
      "core/errors.ts",
      "core/evaluation.ts",
      "core/lru-map.ts",
      "core/text/certificate-problem.ts",
      "core/tool-types.ts",
      "core/execute-check.ts",
    ]),
  )
  const nodeOnly = [...files]
    .filter(([, text]) => /\b(?:Buffer|process|require|__dirname|setImmediate)\b[.(]/.test(text))
    .map(([path]) => path)
  expect(nodeOnly).toEqual([])
})
