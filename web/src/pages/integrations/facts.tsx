// What is known about an integration from its source, and what is wrong with it.
import type { ReactNode } from "react"
import type { IntegrationView } from "toolplane/client"
import { ExternalLink } from "../../ui/text/external-link.tsx"
import { Json } from "../../ui/text/json.tsx"
import { Line, Mono, Prose } from "../../ui/text/text.tsx"
import { Time } from "../../ui/text/time.tsx"
import { counted } from "../../api/catalog.ts"

type Warning = IntegrationView["facts"]["warnings"][number]

type Way = Pick<IntegrationView["facts"]["auth"][number], "name" | "template">

/** A source may call its way like the template. */
export const wayText = ({ name, template }: Way): string => (name === template ? template : `${name} (${template})`)

const warningsMax = 100

export const Warnings = ({ warnings }: { readonly warnings: readonly Warning[] }): ReactNode =>
  warnings.length === 0 ? null : (
    <details className="tint-warn rounded-control px-3 py-1">
      <summary className="control-height cursor-pointer py-1 font-medium">{counted(warnings.length, "warning")} about its document</summary>
      <ul className="flex max-h-64 flex-col gap-1 overflow-y-auto pb-2 text-text" tabIndex={0} aria-label="Warnings">
        {warnings.slice(0, warningsMax).map(({ location, message }, at) => (
          <li key={at} className="break-words">
            <Mono className="text-secondary">{location}</Mono> <Line>{message}</Line>
          </li>
        ))}
        {warnings.length > warningsMax ? (
          <li>… and {warnings.length - warningsMax} more; the command line lists all with --json.</li>
        ) : null}
      </ul>
    </details>
  )

export const Facts = ({ integration }: { readonly integration: IntegrationView }): ReactNode => {
  const { facts, config, configRevisedAt, createdAt, documentHash } = integration
  return (
    <div className="flex flex-col gap-4">
      {facts.description.trim() === "" ? null : <Prose className="max-w-3xl text-secondary">{facts.description}</Prose>}
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5">
        <dt className="text-secondary">Calls</dt>
        <dd className="flex flex-wrap gap-x-4">
          {facts.origins.length === 0 ? "No host is known" : facts.origins.map((origin) => <ExternalLink key={origin} url={origin} />)}
        </dd>
        <dt className="text-secondary">Authentication</dt>
        <dd>
          {facts.auth.length === 0
            ? "None stated"
            : facts.auth.map(({ name, template, description }) => (
                <div key={name}>
                  <Line>{wayText({ name, template })}</Line> <Line className="text-secondary">{description}</Line>
                </div>
              ))}
        </dd>
        <dt className="text-secondary">Version</dt>
        <dd>{facts.version === "" ? "–" : <Line>{facts.version}</Line>}</dd>
        <dt className="text-secondary">Added</dt>
        <dd>
          <Time at={createdAt} />
        </dd>
        <dt className="text-secondary">Changed</dt>
        <dd>
          <Time at={configRevisedAt} />
        </dd>
        {documentHash === null ? null : (
          <>
            <dt className="text-secondary">Document</dt>
            <dd className="break-all">
              <Mono>{documentHash}</Mono>
            </dd>
          </>
        )}
      </dl>
      <Warnings warnings={facts.warnings} />
      <Json value={config} label="Config" />
    </div>
  )
}
