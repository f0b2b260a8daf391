// The version of this package, as its manifest says.
import { readFileSync } from "node:fs"

const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { version: string } // our own manifest

export const productVersion = manifest.version
