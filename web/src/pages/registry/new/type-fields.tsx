// The fields of each type of tool.
import type { ReactNode } from "react"
import { useQuery } from "@tanstack/react-query"
import { allPages } from "../../../api/all-pages.ts"
import { client } from "../../../api/client.ts"
import { Field, Input, Select, TextArea } from "../../../ui/field.tsx"
import { safeLine } from "../../../ui/text/text.tsx"
import { roleEntryOf } from "../../../ui/tool-picker/selection.ts"
import { ToolPicker } from "../../../ui/tool-picker/tool-picker.tsx"
import { usesOf } from "./tool-kinds.ts"
import type { Values } from "./tool-kinds.ts"

type FieldsProps = {
  readonly values: Values
  readonly set: (name: string, value: string) => void
  /** By the name of the field. */
  readonly problem: (name: string) => string | null
}

type TypeProps = FieldsProps & {
  readonly kind: string
  /** Of a tool that is edited: a key is stored, which stays while the field is empty. */
  readonly hasStoredKey: boolean
}

export function TypeFields({ kind, hasStoredKey, ...form }: TypeProps): ReactNode {
  switch (kind) {
    case "http":
      return <HttpFields {...form} />
    case "function":
      return <Text {...form} name="function_name" label="Function name" hint="As the server registers it with defineFunctions." />
    case "mcp":
      return (
        <>
          <Text {...form} name="server_url" label="Server URL" placeholder="https://mcp.example.com/mcp" />
          <Text {...form} name="tool_name" label="Tool name" hint="As the server lists it." />
          <Headers {...form} />
        </>
      )
    case "agent_call":
      return <AgentFields {...form} />
    case "rag_retrieval":
      return <PipelineFields {...form} />
    case "artifact":
      return <ArtifactFields {...form} />
    case "internal":
      return <BuiltinFields {...form} hasStoredKey={hasStoredKey} />
    default:
      return <CodeFields {...form} />
  }
}

const CodeFields = ({ values, set, problem }: FieldsProps): ReactNode => (
  <>
    <Field label="Code" hint="TypeScript with input and tools; what it returns is the answer." error={problem("code")}>
      {(ids) => (
        <TextArea
          {...ids}
          rows={8}
          spellCheck={false}
          className="font-mono text-sm"
          placeholder="return await tools.shop.products.list({ query: input.query })"
          value={values["code"] ?? ""}
          onChange={(event) => set("code", event.target.value)}
        />
      )}
    </Field>
    <details>
      <summary className="control-height cursor-pointer py-1 font-medium">Tools of its caller's own connections</summary>
      <p className="py-2 text-secondary">
        The code reaches shared connections anyway. Of those that a caller owns, it reaches only the tools that are chosen here, and asks
        each caller once.
      </p>
      <ToolPicker value={usesOf(values)} onChange={(uses) => set("uses", uses.join("\n"))} entryOf={roleEntryOf} />
    </details>
  </>
)

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]

const HttpFields = (form: FieldsProps): ReactNode => (
  <>
    <Choice {...form} name="method" label="Method" options={methods.map((method) => [method, method])} />
    <Text
      {...form}
      name="url"
      label="URL"
      placeholder="https://api.example.com/items/{name}"
      hint="{name} is filled from the arguments. Other arguments become the query or the JSON body."
    />
    <Headers {...form} />
    <Text {...form} name="timeout_s" label="Timeout in seconds" hint="May be left empty." />
  </>
)

const Headers = ({ values, set, problem }: FieldsProps): ReactNode => (
  <Field
    label="Headers"
    hint="One on each line, as Name: value. Values are kept encrypted and shown as ••••, which stands for the stored value."
    error={problem("headers")}
  >
    {(ids) => (
      <TextArea
        {...ids}
        rows={2}
        spellCheck={false}
        className="font-mono text-sm"
        placeholder="X-Api-Key: …"
        value={values["headers"] ?? ""}
        onChange={(event) => set("headers", event.target.value)}
      />
    )}
  </Field>
)

function AgentFields(form: FieldsProps): ReactNode {
  const { data } = useQuery({ queryKey: ["agents", "names"], queryFn: () => allPages((page) => client.agents.list(page)) })
  const options = (data ?? []).flatMap(({ slug, name, publishedVersion }) => (publishedVersion === null ? [] : [[slug, name] as const]))
  return (
    <>
      <Text {...form} name="target_agent" label="Target agent" hint="The slug of a published agent, or its id." suggestions={options} />
      <Text {...form} name="timeout_s" label="Timeout in seconds" hint="May be left empty." />
    </>
  )
}

function PipelineFields(form: FieldsProps): ReactNode {
  const { data } = useQuery({ queryKey: ["pipelines", "names"], queryFn: () => allPages((page) => client.pipelines.list(page)) })
  return (
    <>
      <Choice
        {...form}
        name="pipeline_id"
        label="Retrieval pipeline"
        empty={data?.length === 0 ? "There is none: make one on the page Knowledge" : "Choose a pipeline"}
        options={(data ?? []).map(({ id, name }) => [id, name])}
      />
      <Text {...form} name="top_k" label="How many passages" hint="May be left empty." />
    </>
  )
}

function ArtifactFields(form: FieldsProps): ReactNode {
  const { data } = useQuery({ queryKey: ["artifacts", "names"], queryFn: () => allPages((page) => client.artifacts.list(page)) })
  return (
    <Choice
      {...form}
      name="artifact_id"
      label="Artifact"
      empty={data?.length === 0 ? "There is none: make one with executor artifacts create" : "Choose an artifact"}
      options={(data ?? []).map(({ id, name, version }) => [id, `${name} (version ${version})`])}
    />
  )
}

function BuiltinFields({ hasStoredKey, ...form }: FieldsProps & { readonly hasStoredKey: boolean }): ReactNode {
  const { data } = useQuery({ queryKey: ["tools", "builtins"], queryFn: () => client.registry.builtins() })
  return (
    <>
      <Choice
        {...form}
        name="builtin"
        label="Built-in"
        empty="Choose a built-in"
        options={(data ?? []).flatMap(({ builtinKey, name }) => (builtinKey === null ? [] : [[builtinKey, name]]))}
      />
      <Text {...form} name="credentials_ref" label="Credential" hint="The id of a credential of your organization. May be left empty." />
      <Text
        {...form}
        name="api_key"
        label="API key"
        hint={hasStoredKey ? "One is stored, and stays if this is left empty." : "Kept encrypted. May be left empty."}
        type="password"
      />
    </>
  )
}

type TextProps = FieldsProps & {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly placeholder?: string
  readonly type?: "text" | "password"
  readonly isReadOnly?: boolean
  readonly suggestions?: readonly (readonly [string, string])[]
}

export const Text = ({
  values,
  set,
  problem,
  name,
  label,
  hint,
  placeholder,
  type = "text",
  isReadOnly = false,
  suggestions = [],
}: TextProps): ReactNode => (
  <Field label={label} {...(hint === undefined ? {} : { hint })} error={problem(name)}>
    {(ids) => (
      <>
        <Input
          {...ids}
          type={type}
          readOnly={isReadOnly}
          autoComplete="off"
          placeholder={placeholder}
          {...(suggestions.length === 0 ? {} : { list: `${ids.id}-list` })}
          value={values[name] ?? ""}
          onChange={(event) => set(name, event.target.value)}
        />
        {suggestions.length === 0 ? null : (
          <datalist id={`${ids.id}-list`}>
            {suggestions.map(([value, text]) => (
              <option key={value} value={value}>
                {safeLine(text)}
              </option>
            ))}
          </datalist>
        )}
      </>
    )}
  </Field>
)

type ChoiceProps = FieldsProps & {
  readonly name: string
  readonly label: string
  /** Shown while nothing is chosen; without it the first option is. */
  readonly empty?: string
  readonly options: readonly (readonly [string, string])[]
}

const Choice = ({ values, set, problem, name, label, empty, options }: ChoiceProps): ReactNode => (
  <Field label={label} error={problem(name)}>
    {(ids) => (
      <Select {...ids} value={values[name] ?? ""} onChange={(event) => set(name, event.target.value)}>
        {empty === undefined ? null : <option value="">{empty}</option>}
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {safeLine(text)}
          </option>
        ))}
      </Select>
    )}
  </Field>
)
