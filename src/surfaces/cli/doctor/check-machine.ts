// Looks at this machine: Node.js, the environment, the data directory and the files in it.
import { accessSync, constants, existsSync, mkdirSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { readDataDir } from "../../../local/data-dir.ts"
import { knownVariables, readSettings } from "../../../local/settings.ts"
import type { Environment } from "../../../local/settings.ts"
import { readTlsPair } from "../../../local/tls-files.ts"
import { safeLine } from "../../../core/text/safe.ts"
import { broken, odd, reasonOf, well } from "./check.ts"
import type { Check } from "./check.ts"

const nodeMajorMin = 24

export function checkMachine(env: Environment): Check[] {
  return [
    checkNode(),
    checkEnvironment(env),
    ...checkDataDir(readDataDir(env)),
    ...checkKey(env),
    ...checkPrivate("token", join(readDataDir(env), "token")),
    ...checkTls(env),
  ]
}

function checkNode(): Check {
  const { node } = process.versions
  if (Number(node.split(".")[0]) >= nodeMajorMin) return well("node", `Node.js ${node}`)
  return broken("node", `Node.js ${node} is too old`, `Install Node.js ${nodeMajorMin} or newer from https://nodejs.org`)
}

function checkEnvironment(env: Environment): Check {
  try {
    readSettings(env)
    const set = Object.keys(env).filter((name) => name.startsWith("EXECUTOR_"))
    const unknown = set.filter((name) => !knownVariables.has(name))
    if (unknown.length > 0)
      return odd(
        "environment",
        `${unknown.toSorted().join(", ")} is not a known variable`,
        `Known variables: ${[...knownVariables].join(", ")}`,
      )
    return well("environment", set.length === 0 ? "No EXECUTOR_ variable is set" : `${set.toSorted().join(", ")}: valid`)
  } catch (error) {
    return broken(
      "environment",
      reasonOf(error),
      "Correct or unset the variable; docs/reference/configuration.md lists the accepted values",
    )
  }
}

function checkDataDir(dataDir: string): Check[] {
  const name = "data directory"
  const fix = `Make ${dataDir} writable for this user, or set EXECUTOR_DATA_DIR to another directory`
  try {
    if (!existsSync(dataDir)) {
      accessSync(`${existingParent(dataDir)}/.`, constants.W_OK)
      return [well(name, `${dataDir} will be created when it is needed`)]
    }
    mkdirSync(dataDir, { recursive: true })
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    return [broken(name, reasonOf(error), fix)]
  }
  const isOpen = process.platform !== "win32" && (statSync(dataDir).mode & 0o077) !== 0
  if (isOpen) return [odd(name, `Other users can open ${dataDir}`, `chmod 700 '${dataDir}'`)]
  return [well(name, `${dataDir} is writable, by this user only`)]
}

function existingParent(path: string): string {
  const parent = dirname(path)
  return existsSync(parent) || parent === path ? parent : existingParent(parent)
}

function checkKey(env: Environment): Check[] {
  if (env["EXECUTOR_SECRET_KEY"]) return [well("key", "EXECUTOR_SECRET_KEY decrypts the stored credentials")]
  return checkPrivate("key", join(readDataDir(env), "secret.key"))
}

const renewalDays = 14

/** Settings that are wrong are what the environment's own check complains about. */
function checkTls(env: Environment): Check[] {
  const certPath = env["EXECUTOR_TLS_CERT"] || null
  const keyPath = env["EXECUTOR_TLS_KEY"] || null
  if (certPath === null || keyPath === null) return []
  try {
    const { names, validTo } = readTlsPair({ certPath, keyPath }, new Date())
    const told = `${certPath} is for ${names.map(safeLine).join(", ") || "no name"}, until ${validTo.toISOString().slice(0, 10)}`
    const isEnding = validTo.getTime() < Date.now() + renewalDays * 86_400_000
    return [isEnding ? odd("certificate", told, "Renew it; a running server notices the new file by itself") : well("certificate", told)]
  } catch (error) {
    return [broken("certificate", reasonOf(error), "Correct EXECUTOR_TLS_CERT and EXECUTOR_TLS_KEY, or unset both")]
  }
}

/** Nothing is wrong with a file that the first start will make. */
function checkPrivate(name: string, path: string): Check[] {
  if (!existsSync(path)) return []
  try {
    accessSync(path, constants.R_OK)
  } catch (error) {
    return [broken(name, reasonOf(error), `Make ${path} readable for this user only`)]
  }
  const isOpen = process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0
  return [
    isOpen
      ? broken(name, `Other users can read ${path}`, `Run chmod 600 '${path}', and create a new one if other people use this machine`)
      : well(name, `${path} is private`),
  ]
}
