// What the types add to the editor: completions, what stands under the pointer, and findings.
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete"
import type { Diagnostic } from "@codemirror/lint"
import { hoverTooltip } from "@codemirror/view"
import { safeLine, safeText } from "../../../ui/text/text.tsx"
import type { Finding } from "../types/protocol.ts"
import type { TypesClient } from "../types/types-client.ts"

type Types = () => TypesClient | null

/** CodeMirror's names of what TypeScript calls otherwise. */
const kinds: Readonly<Record<string, string>> = { const: "constant", let: "variable", var: "variable", method: "method", alias: "type" }

export const completeByTypes =
  (types: Types) =>
  async (context: CompletionContext): Promise<CompletionResult | null> => {
    if (context.matchBefore(/\btools\.[\w$.]*/) !== null) return null
    if (!context.explicit && context.matchBefore(/[\w$.]$|[{,(]\s*$/) === null) return null
    const found = await types()?.ask("complete", { code: context.state.doc.toString(), at: context.pos })
    if (found == null || context.aborted) return null
    // What is written in full needs no completion.
    const typed = context.state.sliceDoc(found.from, context.pos)
    if (!context.explicit && found.items.every(({ name }) => name === typed)) return null
    return {
      from: found.from,
      options: found.items.map(({ name, kind, insert, isOptional }, at): Completion => ({
        label: name,
        displayLabel: `${safeLine(name)}${isOptional ? "?" : ""}`,
        apply: insert,
        type: kinds[kind] ?? kind,
        boost: -Math.min(99, at / 10),
      })),
      validFor: /^[\w$]*$/,
    }
  }

export const typeUnderPointer = (types: Types) =>
  hoverTooltip(async (view, at) => {
    const found = await types()?.ask("hover", { code: view.state.doc.toString(), at })
    if (found == null || found.from < 0 || found.to > view.state.doc.length) return null
    return {
      pos: found.from,
      end: found.to,
      above: true,
      create() {
        const dom = document.createElement("div")
        dom.className = "cm-typeInfo"
        dom.textContent = safeText(found.about === "" ? found.type : `${found.type}\n\n${found.about}`)
        return { dom }
      },
    }
  })

export const toDiagnostic = ({ from, to, isSyntax, message }: Finding): Diagnostic => ({
  from,
  to,
  severity: isSyntax ? "error" : "warning",
  message: safeText(message),
})
