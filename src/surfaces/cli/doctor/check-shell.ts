// Looks at which sandbox the commands of agents would run in here, and why the others cannot be used.
import { safeLine } from "../../../core/text/safe.ts"
import { odd, well } from "./check.ts"
import type { Check } from "./check.ts"

/** Loaded when it is needed: no other command of the command line tries sandboxes. */
export async function checkShell(): Promise<Check[]> {
  const { chooseSandbox } = await import("../../../agent-tools/shell-sandbox/choose.ts")
  const { driver, tried } = chooseSandbox()
  const failed = tried.flatMap((report) => (report.works ? [] : [`${report.driver} cannot be used: ${safeLine(report.reason)}`]))
  if (driver === null) return [odd("shell", `No sandbox, so that agents get no shell. ${failed.join(". ")}`, advice)]
  return [well("shell", [`Commands of agents run under ${driver.name}`, ...failed].join(". "))]
}

const advice =
  process.platform === "linux"
    ? "Install bubblewrap, e.g. with `apt install bubblewrap`, or use Linux 6.12 or newer with the optional package `koffi`"
    : "Sandboxes need Linux, e.g. in a container"
