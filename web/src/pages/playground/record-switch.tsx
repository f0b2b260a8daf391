// Whether calls that an earlier execution has made are answered from its record.
import type { ReactNode } from "react"
import { Link } from "@tanstack/react-router"
import type { ExecutionView } from "toolplane/client"
import { Checkbox } from "../../ui/field.tsx"
import { isEnded } from "../executions/queries.ts"

type SwitchProps = { readonly source: ExecutionView; readonly isOn: boolean; readonly onChange: (isOn: boolean) => void }

export const RecordSwitch = ({ source, isOn, onChange }: SwitchProps): ReactNode => (
  <div className="flex flex-col">
    <Checkbox
      label={
        <>
          Answer calls from the record of{" "}
          <Link to="/executions/$id" params={{ id: source.executionId }} className="break-all underline">
            {source.executionId}
          </Link>
        </>
      }
      checked={isOn}
      onChange={({ target }) => onChange(target.checked)}
    />
    <p className="text-sm text-secondary">
      {isEnded(source.status)
        ? "Calls that it made are not made again. From the first other call on, everything is live: rules apply, and humans are asked."
        : "It has not ended: its record can be used when it has."}
    </p>
  </div>
)
