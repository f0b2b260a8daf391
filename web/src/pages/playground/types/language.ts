// TypeScript's language service over files in memory: completions, findings and types of the playground's code.
import ts from "typescript-js"
import { framed, globalsFile, toolsFile, withoutGlobals } from "./declarations.ts"
import type { Framed } from "./declarations.ts"
import type { Answers, Finding } from "./protocol.ts"

const codeFile = "/code.ts"
const completionsMax = 200
const findingsMax = 50

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2024.d.ts"],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
}

export type TypeService = { [V in keyof Answers]: (asked: Answers[V]["asked"]) => Answers[V]["answer"] }

/** `libs`: the language's own declarations, by the names of their files. */
export function createTypeService(libs: ReadonlyMap<string, string>): TypeService {
  const files = new Map([...libs].map(([name, text]) => [`/${name}`, { text, version: 0 }]))
  const write = (name: string, text: string): void => {
    const before = files.get(name)
    if (before?.text !== text) files.set(name, { text, version: (before?.version ?? 0) + 1 })
  }
  const integrations = new Set<string>()
  write("/globals.d.ts", globalsFile)
  write("/tools.d.ts", toolsFile([]))
  write(codeFile, "")
  const readFile = (name: string): string | undefined => files.get(name)?.text
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => ["/globals.d.ts", "/tools.d.ts", codeFile],
    getScriptVersion: (name) => String(files.get(name)?.version ?? 0),
    getScriptSnapshot(name) {
      const text = readFile(name)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => "/",
    getDefaultLibFileName: () => "/lib.es2024.d.ts",
    readFile,
    fileExists: (name) => files.has(name),
    directoryExists: (name) => name === "/" || name === "",
    getDirectories: () => [],
  })
  const open = (code: string): Framed => {
    const frame = framed(code)
    write(codeFile, frame.text)
    return frame
  }
  return {
    declare({ integration, text }) {
      integrations.add(integration)
      write(`/tools-${integration}.d.ts`, withoutGlobals(text))
      write("/tools.d.ts", toolsFile([...integrations]))
      return null
    },
    check({ code }) {
      const { offset } = open(code)
      const toFinding =
        (isSyntax: boolean) =>
        (one: ts.Diagnostic): readonly Finding[] => {
          const from = (one.start ?? 0) - offset
          if (from < 0 || from > code.length) return []
          const message = ts.flattenDiagnosticMessageText(one.messageText, "\n")
          return [{ from, to: Math.min(code.length, from + Math.max(1, one.length ?? 1)), isSyntax, message }]
        }
      const syntax = service.getSyntacticDiagnostics(codeFile).flatMap(toFinding(true))
      return [...syntax, ...(syntax.length > 0 ? [] : service.getSemanticDiagnostics(codeFile).flatMap(toFinding(false)))].slice(
        0,
        findingsMax,
      )
    },
    complete({ code, at }) {
      const { offset } = open(code)
      const found = service.getCompletionsAtPosition(codeFile, at + offset, { includeCompletionsWithInsertText: true })
      if (found === undefined) return null
      const typed = /[\w$]*$/.exec(code.slice(0, at))?.[0] ?? ""
      const fits = found.entries.filter(({ name }) => name.toLowerCase().startsWith(typed.toLowerCase()))
      const items = fits.toSorted((a, b) => a.sortText.localeCompare(b.sortText)).slice(0, completionsMax)
      return {
        from: at - typed.length,
        items: items.map(({ name, kind, insertText, kindModifiers }) => ({
          name,
          kind,
          insert: insertText ?? name,
          isOptional: kindModifiers?.includes("optional") ?? false,
        })),
      }
    },
    hover({ code, at }) {
      const { offset } = open(code)
      const info = service.getQuickInfoAtPosition(codeFile, at + offset)
      if (info === undefined) return null
      const from = info.textSpan.start - offset
      return {
        from,
        to: from + info.textSpan.length,
        type: ts.displayPartsToString(info.displayParts),
        about: ts.displayPartsToString(info.documentation),
      }
    },
  }
}
