// The editor of the playground's code. It is loaded when the page has been drawn.
import type { ReactNode } from "react"
import { useEffect, useRef } from "react"
import { autocompletion, closeBrackets, closeBracketsKeymap, closeCompletion, completionKeymap } from "@codemirror/autocomplete"
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands"
import { javascript } from "@codemirror/lang-javascript"
import { bracketMatching, indentOnInput } from "@codemirror/language"
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint"
import type { Diagnostic } from "@codemirror/lint"
import { EditorState, Prec } from "@codemirror/state"
import { EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view"
import { safeText } from "../../../ui/text/text.tsx"
import { useTypes } from "../types/use-types.ts"
import type { TypesState } from "../types/use-types.ts"
import type { TypesClient } from "../types/types-client.ts"
import { look } from "./look.ts"
import { pageNonce } from "./nonce.ts"
import { completeToolPath } from "./tool-paths.ts"
import { completeByTypes, toDiagnostic, typeUnderPointer } from "./type-help.ts"

/** Where a run of this very code failed. */
export type Failed = { readonly line: number; readonly message: string }

type EditorProps = {
  readonly code: string
  readonly failed: Failed | null
  readonly onChange: (code: string) => void
  readonly onRun: () => void
  readonly onTypes: (state: TypesState) => void
}

export default function Editor({ code, failed, onChange, onRun, onTypes }: EditorProps): ReactNode {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const first = useRef(code)
  const latest = useRef({ onChange, onRun, types: null as TypesClient | null })
  const { types, state, version } = useTypes(code)
  latest.current = { onChange, onRun, types }
  useEffect(() => onTypes(state), [onTypes, state])
  useEffect(() => {
    if (place.current === null) return
    const opened = new EditorView({ parent: place.current, doc: first.current, extensions: extensionsOf(latest) })
    view.current = opened
    return () => opened.destroy()
  }, [])
  useEffect(() => {
    const now = view.current
    if (now !== null && now.state.doc.toString() !== code) now.dispatch({ changes: { from: 0, to: now.state.doc.length, insert: code } })
  }, [code])
  useEffect(() => {
    let isOld = false
    const show = async (): Promise<void> => {
      const findings = (await types?.ask("check", { code })) ?? []
      const now = view.current
      if (isOld || now === null || now.state.doc.toString() !== code) return
      const inside = findings.filter(({ to }) => to <= now.state.doc.length)
      now.dispatch(setDiagnostics(now.state, [...failureOf(failed, now), ...inside.map(toDiagnostic)]))
    }
    if (view.current !== null) view.current.dispatch(setDiagnostics(view.current.state, failureOf(failed, view.current)))
    const timer = setTimeout(() => void show(), checkAfterMs)
    return () => {
      isOld = true
      clearTimeout(timer)
    }
  }, [code, failed, types, version])
  return <div ref={place} className="editor h-full min-h-0 rounded-control border border-line" />
}

const checkAfterMs = 250

function failureOf(failed: Failed | null, { state }: EditorView): Diagnostic[] {
  if (failed === null || failed.line > state.doc.lines) return []
  const line = state.doc.line(failed.line)
  return [
    {
      from: line.from,
      to: line.to,
      severity: "error",
      source: "the last run",
      markClass: "cm-failedLine",
      message: safeText(failed.message),
    },
  ]
}

type Latest = { readonly current: { onChange: (code: string) => void; onRun: () => void; types: TypesClient | null } }

const extensionsOf = (latest: Latest) => [
  EditorView.cspNonce.of(pageNonce),
  EditorState.tabSize.of(2),
  Prec.highest(
    keymap.of([
      {
        key: "Mod-Enter",
        run: (opened) => {
          closeCompletion(opened)
          latest.current.onRun()
          return true
        },
      },
    ]),
  ),
  lineNumbers(),
  highlightSpecialChars(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  history(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  javascript({ typescript: true }),
  autocompletion({ override: [completeToolPath, completeByTypes(() => latest.current.types)], activateOnTypingDelay: 100 }),
  typeUnderPointer(() => latest.current.types),
  lintGutter(),
  // Tab moves on, so that the keyboard is never caught in here.
  keymap.of([...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ "aria-label": "Code", spellcheck: "false" }),
  EditorView.updateListener.of((update) => {
    if (update.docChanged) latest.current.onChange(update.state.doc.toString())
  }),
  look,
]
