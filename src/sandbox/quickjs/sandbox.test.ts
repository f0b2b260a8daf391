// Runs the conformance suite of the sandbox port against QuickJS.
import { defaultLimits } from "../../core/limits.ts"
import { systemClock } from "../../io/clock.ts"
import { silentLog } from "../../io/log.ts"
import { testSandbox } from "../testing/suite.ts"
import { tmpdir } from "node:os"
import { createQuickJsSandbox } from "./sandbox.ts"

testSandbox("QuickJS", () => createQuickJsSandbox({ limits: defaultLimits, clock: systemClock, log: silentLog, spillDir: tmpdir() }))
