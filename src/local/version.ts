// The version of this package, from its manifest.
import { readFileSync } from "node:fs"

const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { version: string } // our own manifest

export const productVersion = manifest.version
