// The options that say what an agent is.
import { InvalidArgumentError, Option } from "commander"
import type { Command } from "commander"
import { agentExecutionModes } from "../../../core/agents/agent.ts"
import type { AgentExecutionMode, AgentModel, AgentUpdate } from "../../../core/agents/agent.ts"
import type { JsonSchema } from "../../../core/tool.ts"
import { omitUndefined } from "../omit-undefined.ts"
import { parseList } from "../option-parse.ts"
import { readStdin, readTextFile } from "../prompt/input-read.ts"
import { UsageError } from "../usage-error.ts"

export type AgentOptions = {
  readonly name?: string
  readonly description?: string
  readonly instructions?: string
  readonly instructionsFile?: string
  readonly model?: string
  readonly tools?: string[]
  readonly executionMode?: AgentExecutionMode
  readonly limits?: Settings
  readonly modelOptions?: Settings
  readonly inputSchema?: string
  readonly outputSchema?: string
}

/** By name, as they are typed: the server knows which there are. */
type Settings = Readonly<Record<string, number | string>>

export const addAgentOptions = (command: Command): Command =>
  command
    .option("--name <text>", "The name, for people.")
    .option("--description <text>", "What it does; other agents choose it by this.")
    .option("--instructions <text>", "What it is to do.")
    .option("--instructions-file <file>", "The same from a file; `-` reads stdin.")
    .option("--model <provider/name>", "The model, e.g. openai/gpt-5.")
    .option("--tools <patterns>", "Its tools: addresses and patterns, separated by commas, e.g. github.issues.*", parseList)
    .addOption(new Option("--execution-mode <mode>", "Whether tools that only read run together.").choices(agentExecutionModes))
    .option(
      "--limits <settings>",
      "What a run may use at most: steps, calls, tokens and wallMs, e.g. steps=20,tokens=100000.",
      parseSettings,
    )
    .option(
      "--model-options <settings>",
      "How its model answers: temperature, topP, maxOutputTokens, seed and reasoning, e.g. temperature=0.2,reasoning=low.",
      parseSettings,
    )
    .option("--input-schema <file>", "The JSON Schema of its input.")
    .option("--output-schema <file>", "The JSON Schema of its output.")

/** `before`: the model of the agent, where it has one. */
export async function readAgentOptions(options: AgentOptions, before: AgentModel | undefined): Promise<AgentUpdate> {
  const { name, description, tools, executionMode, limits } = options
  return omitUndefined({
    name,
    description,
    tools,
    executionMode,
    limits,
    instructions: await instructionsOf(options),
    model: changedModel(options, before),
    inputSchema: schemaOf(options.inputSchema, "--input-schema"),
    outputSchema: schemaOf(options.outputSchema, "--output-schema"),
  })
}

/** Undefined where it stays. Options that are not typed anew stay, too. */
function changedModel({ model, modelOptions }: AgentOptions, before: AgentModel | undefined): AgentModel | undefined {
  if (model === undefined && modelOptions === undefined) return undefined
  const named = model === undefined ? before : { ...before, ...modelOf(model) }
  if (named === undefined) throw new UsageError("--model-options needs --model, e.g. --model openai/gpt-5")
  return { ...named, ...omitUndefined({ options: modelOptions }) }
}

/** `steps=20,calls=50`. */
function parseSettings(text: string, before: Settings = {}): Settings {
  const settings = text.split(",").map((one): [string, number | string] => {
    const [, name, value = ""] = /^\s*(\w+)=(\S+)\s*$/.exec(one) ?? []
    if (name === undefined) throw new InvalidArgumentError("It must be names with values, separated by commas, such as a=1,b=2.")
    return [name, Number.isFinite(Number(value)) ? Number(value) : value]
  })
  return { ...before, ...Object.fromEntries(settings) }
}

async function instructionsOf({ instructions, instructionsFile }: AgentOptions): Promise<string | undefined> {
  if (instructionsFile === undefined) return instructions
  return instructionsFile === "-" ? readStdin() : readTextFile(instructionsFile, "The instructions")
}

/** The name of a model may have slashes itself. */
export function modelOf(text: string): { provider: string; name: string } {
  const slash = text.indexOf("/")
  if (slash < 1 || slash === text.length - 1)
    throw new UsageError(`--model takes a provider and a name, such as openai/gpt-5, not '${text}'`)
  return { provider: text.slice(0, slash), name: text.slice(slash + 1) }
}

function schemaOf(file: string | undefined, option: string): JsonSchema | undefined {
  if (file === undefined) return undefined
  try {
    return JSON.parse(readTextFile(file, "The schema")) as JsonSchema // checked by the server
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`${option}: ${file} is not JSON (${error.message})`)
    throw error
  }
}
