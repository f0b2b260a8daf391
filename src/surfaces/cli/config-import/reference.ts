// Resolves `${…}` in the configs of clients.
//
// Values of `env`, `headers` and a URL's query rest in the vault, where `${env:NAME}` is read at the moment of a call.
// Everywhere else there are no references, so that what one stands for now is written in its place.

export type Variables = Readonly<Record<string, string | undefined>>

/** Where a text stands: `kept` where references can stay. */
export type ReferencePlace = "kept" | "replaced"

export type Rewritten = {
  readonly text: string
  /** Ids of inputs that the text needs an answer for; they stay in it as `${input:id}`. */
  readonly inputs: readonly string[]
  readonly notes: readonly string[]
  readonly problems: readonly string[]
}

const reference = /\$\{([^{}]{1,200})\}/g

export function rewriteReferences(text: string, place: ReferencePlace, variables: Variables): Rewritten {
  const inputs: string[] = []
  const notes: string[] = []
  const problems: string[] = []
  const rewritten = text.replaceAll(reference, (whole, inner: string) => {
    if (inner.startsWith("input:")) {
      inputs.push(inner.slice("input:".length))
      return whole
    }
    const fixed = fixedValue(inner, variables)
    if (fixed !== undefined) return fixed
    const [, name, fallback] = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/.exec(inner) ?? []
    if (name === undefined || editorNames.has(name)) {
      problems.push(`it refers to ${whole}, which only its editor can resolve; write the value instead`)
      return whole
    }
    if (isOwnVariable(name)) {
      problems.push(`it refers to ${whole}, but Executor's own variables are never passed to other programs`)
      return whole
    }
    const value = variables[name]
    const isSet = value !== undefined && value !== ""
    if (place === "kept" && (isSet || fallback === undefined)) return `\${env:${name}}`
    if (isSet) {
      notes.push(`${whole} was replaced with its current value`)
      return value
    }
    if (fallback !== undefined) return fallback
    problems.push(`it refers to ${whole}, which is not set here`)
    return whole
  })
  return { text: rewritten, inputs, notes, problems }
}

/** Its token and its key are among them. */
const isOwnVariable = (name: string): boolean => /^executor_/i.test(name)

const editorNames = new Set([
  "workspaceFolder",
  "workspaceFolderBasename",
  "workspaceRoot",
  "file",
  "fileDirname",
  "cwd",
  "CLAUDE_PLUGIN_ROOT",
])

function fixedValue(name: string, variables: Variables): string | undefined {
  if (name === "userHome") return variables["HOME"] ?? variables["USERPROFILE"]
  return name === "pathSeparator" || name === "/" ? "/" : undefined
}

/** The texts of a config with the answers of inputs in their places. */
export function fillInputs(value: unknown, answers: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") return value.replaceAll(/\$\{input:([^{}]{1,200})\}/g, (whole, id: string) => answers.get(id) ?? whole)
  if (Array.isArray(value)) return (value as unknown[]).map((item) => fillInputs(item, answers))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillInputs(item, answers)]))
}
