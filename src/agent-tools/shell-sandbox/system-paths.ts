// Which files of the system a command can see, and which of the user's it must not.
import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join, sep } from "node:path"

/** Programs and libraries. On most systems all but the first are links into it. */
const programFolders = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"]

/** What programs need in order to start, to name users and hosts, and to trust certificates. Passwords and keys of the system are not among them. */
const settings = [
  "alternatives",
  "bash.bashrc",
  "bashrc",
  "ca-certificates",
  "ca-certificates.conf",
  "group",
  "host.conf",
  "hosts",
  "inputrc",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "ld-musl-x86_64.path",
  "ld-musl-aarch64.path",
  "locale.alias",
  "locale.conf",
  "localtime",
  "magic",
  "mime.types",
  "nsswitch.conf",
  "os-release",
  "passwd",
  "pki/ca-trust",
  "pki/tls/certs",
  "pki/tls/cert.pem",
  "profile",
  "profile.d",
  "protocols",
  "resolv.conf",
  "services",
  "shells",
  "ssl/certs",
  "ssl/cert.pem",
  "ssl/openssl.cnf",
  "terminfo",
  "timezone",
]

export type SystemPath = { readonly path: string; /** Where a link leads. */ readonly link: string | null }

export function systemPaths(): readonly SystemPath[] {
  return [...programFolders, ...settings.map((name) => `/etc/${name}`)].flatMap((path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return []
    return [{ path, link: stats.isSymbolicLink() ? readlinkSync(path) : null }]
  })
}

/**
 * This Node.js, so that commands can run `node` and `npm` where it is not among the system's programs: its folder if that
 * holds nothing else, otherwise its program alone.
 */
export function nodePaths(): readonly string[] {
  const program = realpathSync(process.execPath)
  if (isWithin("/usr", program)) return []
  const folder = dirname(dirname(program))
  const isOwnFolder = existsSync(join(folder, "lib/node_modules/npm")) && !isWithin(folder, homedir())
  return [isOwnFolder ? folder : program]
}

/** Where keys of the user are kept, of all that exist. */
export function userSecrets(dataDir: string): readonly string[] {
  const home = homedir()
  return [dataDir, ...homeSecrets.map((name) => join(home, name))].filter((path) => existsSync(path)).map((path) => realpathSync(path))
}

const homeSecrets = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".kube",
  ".docker",
  ".config/gcloud",
  ".config/gh",
  ".netrc",
  ".npmrc",
  ".pypirc",
  ".pgpass",
  ".git-credentials",
  ".password-store",
  ".local/share/keyrings",
  ".mozilla",
  ".config/google-chrome",
  ".config/chromium",
]

export const isWithin = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)
