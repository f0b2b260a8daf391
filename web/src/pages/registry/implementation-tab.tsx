// How a tool is performed: its implementation and execution configs, without secrets.
import type { ReactNode } from "react"
import { LinkButton } from "../../ui/button.tsx"
import { Line } from "../../ui/text/text.tsx"
import type { TabProps } from "./overview-tab.tsx"
import { Part } from "./schema-tab.tsx"

export function ImplementationTab({ tool, made }: TabProps): ReactNode {
  const config = made?.configSchema ?? tool.configSchema
  if (config === undefined)
    return (
      <div className="flex flex-col items-start gap-3 text-secondary">
        <p>
          It was not made here: <Line>{tool.integration}</Line> says how it is performed.
        </p>
        {tool.static ? null : (
          <LinkButton to="/integrations/$slug" params={{ slug: tool.integration }}>
            Open the integration
          </LinkButton>
        )}
      </div>
    )
  return (
    <div className="flex flex-col gap-4">
      {made?.artifactId == null ? null : (
        <p className="text-secondary">
          Runs the artifact <Line>{made.artifactId}</Line>,{" "}
          {made.artifactVersion === null ? "latest version" : `version ${made.artifactVersion}`}.
        </p>
      )}
      <Part title="Implementation config" value={shown(config.implementation)} />
      <Part title="Execution config" value={shown(config.execution)} />
    </div>
  )
}

/** The API writes a secret as `***`. */
export const shown = (value: unknown): unknown =>
  typeof value === "string"
    ? value.replaceAll("***", "••••")
    : Array.isArray(value)
      ? value.map(shown)
      : typeof value === "object" && value !== null
        ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shown(inner)]))
        : value
