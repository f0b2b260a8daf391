// A program that runs a script under a driver, for tests that end it meanwhile.
import { sandboxDrivers } from "../choose.ts"
import { run, script } from "./confined.ts"

const [name, workspace = "", text = ""] = process.argv.slice(2)
const driver = sandboxDrivers.find((found) => found.name === name)
if (driver === undefined) throw new Error(`There is no driver ${name}`)
const { output } = await run(driver, { folder: workspace, workspace, dataDir: workspace }, script(text))
process.stdout.write(output)
