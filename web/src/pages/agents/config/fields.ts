// The fields of an agent's config panel, by the type of control that each has.
import { reasonings } from "./draft.ts"
import type { DraftField } from "./draft.ts"

type Told = { readonly name: DraftField; readonly label: string; readonly hint: string }

export type ConfigField =
  | (Told & { readonly type: "text" | "code" | "number" })
  | (Told & { readonly type: "long_text" | "json_schema"; readonly rows: number })
  | (Told & { readonly type: "choice"; readonly options: readonly (readonly [string, string])[] })
  | (Told & { readonly type: "model" | "limits" | "tool_list" })

export type ConfigSection = {
  readonly title: string
  readonly fields: readonly ConfigField[]
  /** Shown when it is opened: most agents do without. */
  readonly isFolded?: true
}

export const configSections: readonly ConfigSection[] = [
  {
    title: "What it is",
    fields: [
      { type: "text", name: "name", label: "Name", hint: "For people." },
      {
        type: "code",
        name: "slug",
        label: "Slug",
        hint: "Its name in paths, such as agents.support. It cannot change once the agent was published.",
      },
      { type: "text", name: "description", label: "Description", hint: "What it does. Other agents choose it by this." },
      { type: "long_text", name: "instructions", label: "Instructions", hint: "What it is to do, and what it must not do.", rows: 8 },
    ],
  },
  { title: "Model", fields: [{ type: "model", name: "model", label: "Model", hint: "" }] },
  { title: "Tools", fields: [{ type: "tool_list", name: "tools", label: "Tools", hint: "" }] },
  {
    title: "How it runs",
    fields: [
      {
        type: "choice",
        name: "executionMode",
        label: "Calls of one answer",
        hint: "Calls that change something always run one at a time, in order.",
        options: [
          ["sequential", "One after another"],
          ["parallel_safe", "Those that only read run together"],
        ],
      },
      { type: "limits", name: "limits", label: "Limits of one run", hint: "What is empty is the server's own limit." },
    ],
  },
  {
    title: "Model options",
    isFolded: true,
    fields: [
      { type: "number", name: "temperature", label: "Temperature", hint: "From 0 to 2. Not every model takes it." },
      { type: "number", name: "maxOutputTokens", label: "Longest answer, in tokens", hint: "Empty: what the model allows." },
      {
        type: "choice",
        name: "reasoning",
        label: "Reasoning",
        hint: "How long it thinks before it answers, where the model can.",
        options: [["", "As the model does by default"], ...reasonings.map((one) => [one, one] as const)],
      },
    ],
  },
  {
    title: "Input and output",
    isFolded: true,
    fields: [
      {
        type: "json_schema",
        name: "inputSchema",
        label: "Input schema",
        hint: "JSON Schema of an object. With one, a run is given JSON that fits it.",
        rows: 6,
      },
      {
        type: "json_schema",
        name: "outputSchema",
        label: "Output schema",
        hint: "JSON Schema. With one, the answer is a JSON value that fits it.",
        rows: 6,
      },
    ],
  },
]
