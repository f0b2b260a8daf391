// What a call brings along that a source without sessions and questions does not use.
import { ConnectionName, IntegrationSlug } from "../../src/core/address.ts"
import { defaultLimits } from "../../src/core/limits.ts"
import { localHuman } from "../../src/core/principal.ts"
import { openAnswerTurn } from "../../src/io/answer-turn.ts"
import type { CallRequest } from "../../src/sources/source-adapter.ts"

export const plainCall: Pick<CallRequest<unknown>, "connection" | "definitions" | "elicit" | "answerTurn" | "runCode" | "notify"> = {
  connection: {
    scope: localHuman,
    ref: { integration: IntegrationSlug.make("sample"), owner: "org", connection: ConnectionName.make("main") },
  },
  definitions: () => Promise.resolve(new Map()),
  elicit: () => Promise.reject(new Error("Nobody is there to be asked")),
  answerTurn: openAnswerTurn("nobody", defaultLimits),
  runCode: () => Promise.reject(new Error("Nothing here is made of code")),
  notify: () => {},
}
