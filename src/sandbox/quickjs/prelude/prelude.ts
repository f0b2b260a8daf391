// Joins the parts of the prelude into the one script that every template is made from.
import { builtinPaths } from "../../../core/call/builtins.ts"
import type { Kit, PreludeLimits, PreludePart } from "./kit.ts"
import { installAbort } from "./abort.ts"
import { installConsole } from "./console.ts"
import { installCrypto } from "./crypto.ts"
import { installDataShape } from "./data-shape.ts"
import { installEnvelope } from "./envelope.ts"
import { installErrorText } from "./error-text.ts"
import { installHeaders } from "./headers.ts"
import { installLocale } from "./locale.ts"
import { installRender } from "./render.ts"
import { installRun } from "./run.ts"
import { installStringMemory } from "./string-memory.ts"
import { installStructuredClone } from "./structured-clone.ts"
import { installTextCoding } from "./text-coding.ts"
import { installTimers } from "./timers.ts"
import { installToolError } from "./tool-error.ts"
import { installTools } from "./tools.ts"
import { installUrlSearchParams } from "./url-search-params.ts"
import { installUrl } from "./url.ts"

const parts: readonly PreludePart[] = [
  installRender,
  installTextCoding,
  installToolError,
  installEnvelope,
  installDataShape,
  installTools,
  installTimers,
  installConsole,
  installUrlSearchParams,
  installUrl,
  installCrypto,
  installAbort,
  installHeaders,
  installStructuredClone,
  installStringMemory,
  installLocale,
  installRun,
  installErrorText,
]

/** Makes the kit inside the guest; each part completes it. */
function createKit(bridge: Kit["bridge"], limits: PreludeLimits, paths: Kit["builtinPaths"]): Partial<Kit> {
  return {
    bridge,
    limits,
    builtinPaths: paths,
    global: globalThis,
    isRendering: false,
    isRaw: false,
    logsDropped: 0,
    emitsDropped: 0,
    toolProxies: new WeakMap(),
    define(name, value) {
      Object.defineProperty(globalThis, name, { value, writable: true, enumerable: false, configurable: true })
    },
  }
}

/** A function of the bridge that returns the finished kit. */
export const preludeSource = (limits: PreludeLimits): string =>
  `(bridge) => { "use strict"; const kit = (${createKit.toString()})(bridge, ${JSON.stringify(limits)}, ${JSON.stringify(builtinPaths)});` +
  `${parts.map((part) => `(${part.toString()})(kit);`).join("\n")} return kit }`
