// Says in options and commands what the API says in its own fields and routes.
import { executorCommand } from "../../../io/executor-command.ts"

const command = (words: string): string => `${executorCommand} ${words}`

/** In this order: what is more exact comes first. */
const routes: readonly (readonly [RegExp, string])[] = [
  [/\S*executor (\w+ \w+) and GET \/[\w/]+ list them/g, `${command("$1")} lists them`],
  [/POST \/tools\/(\w+|\{id\})\/publish/g, command("registry publish $1")],
  [/DELETE \/tools\/(\w+)/g, command("registry delete $1")],
  [/GET \/tools\/(\w+)\/versions/g, command("registry versions $1")],
  [/GET \/tools\b/g, command("registry list")],
  [/(artifact '[^']*'; choose another slug, or change that one) with PUT/g, `$1 with ${command("artifacts edit")}`],
  [/change that one with PUT/g, `change that one with ${command("registry edit")}`],
  [/set its status to draft with PUT \/tools\/(\w+) first/g, `bring it back with ${command("registry enable $1")} first`],
  [/set its status to disabled(?: first)?, then to draft/g, `run ${command("registry disable")}, then ${command("registry enable")}`],
  [/set its status to disabled/g, `run ${command("registry disable")}`],
  [/set its status to draft/g, `run ${command("registry enable")}`],
  [/GET \/artifacts\/(\w+)\/versions/g, command("artifacts versions $1")],
  [/GET \/artifacts\b/g, command("artifacts list")],
  [/GET \/pipelines\/(\w+)\/documents/g, command("pipelines show $1")],
  [/GET \/pipelines\b/g, command("pipelines list")],
  [/(?<=retrieval pipeline '[^']*' in your organization; )check its id/g, `see ${command("pipelines list")}`],
  [/POST \/pipelines\b/g, command("pipelines create <name>")],
  [/GET \/models\/providers/g, command("models list")],
  [/PATCH \/models\/providers\/\{id\}/g, command("models edit <provider>")],
  [/POST \/models\/providers/g, command("models add")],
  [/POST \/agents\/(\w+)\/publish/g, command("agents publish $1")],
  [/GET \/credentials\b/g, command("credentials list")],
  [/PATCH \/credentials\/(\w+)/g, command("credentials edit $1")],
  [/GET \/executions\/:id\b/g, command("executions show")],
  [/DELETE \/integrations\/(\w+)/g, command("integrations remove $1")],
]

const options: Readonly<Record<string, string>> = {
  code: "--code",
  url: "--url",
  server_url: "--url",
  method: "--method",
  headers: "--header",
  tool_name: "--mcp-tool",
  function_name: "--function",
  uses: "--uses",
  builtin: "--builtin",
  api_key: "--api-key",
  credentials_ref: "--credential",
  pipeline_id: "--pipeline",
  target_agent_id: "--agent",
  target_agent_slug: "--agent",
}

const fields: readonly (readonly [RegExp, string])[] = [
  [/\(mode: "debug"\)/g, "with --debug"],
  [/^model\.(provider|name)(?=:)/g, "--model"],
  [/^baseUrl(?= must| is)/g, "--url"],
  [/(?<=only where it was meant to: )send apiKey again/g, "pass --env NAME or --secret-stdin"],
  [/(?<=^Name a model to try )in 'model'/g, "with --model"],
  [/\bimplementationConfig\.([A-Za-z]+)\.([\w-]+)/g, "--config $1.$2"],
  [/\bimplementationConfig\b/g, "--config"],
  [/\bexecutionConfig\b/g, "--execution"],
  [/\bimplementationType\b/g, "--type"],
  [/\bartifactVersion\b/g, "--artifact-version"],
  [/\bartifactId\b/g, "--artifact"],
  [/\breplacedBy\b/g, "--replaced-by"],
  [/\bschema\.(input|output)\b/g, "--$1"],
  [/\bchunking\.(tokens|overlap)\b/g, "--$1"],
  [/^(slug|name|description|code)(?=:| must| is| cannot)/g, "--$1"],
  [/^inputs(?=\.|\b)/g, "--input"],
]

export function commandsFor(message: string): string {
  const named = message.replaceAll(
    /\bimplementationConfig\.(\w+)(?![\w.])/g,
    (_whole, field: string) => options[field] ?? `--config ${field}`,
  )
  return [...routes, ...fields].reduce((text, [wording, words]) => text.replaceAll(wording, words), named)
}
