// The environment of a command: that of this process without its secrets.
import { dirname } from "node:path"

type Environment = Readonly<Record<string, string | undefined>>

/** Names of secrets, of sockets that lead to agents which hold keys, and of what changes how programs are loaded. */
const withheld =
  /KEY|SECRET|TOKEN|PASSW|PASSPHRASE|CREDENTIAL|COOKIE|SESSION|PRIVATE|^EXECUTOR_|_SOCK$|^DBUS_|^LD_|^NODE_|^NPM_CONFIG_|^UV_|^BASH_ENV$|^ENV$|^BASH_FUNC_|^PYTHONSTARTUP$|^PERL5OPT$|^RUBYOPT$/i

/** `https://user:password@host` */
const urlWithPassword = /\b[a-z][a-z0-9+.-]*:\/\/[^\s/@]*:[^\s/@]+@/i

const systemPath = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"]

export function withoutSecrets(env: Environment): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || withheld.test(name) || urlWithPassword.test(value)) continue
    kept[name] = value
  }
  return kept
}

/** For a command in a sandbox: folders of the user that it cannot see are not named either. */
export function confinedEnvironment(env: Environment, isVisible: (path: string) => boolean): Record<string, string> {
  const kept = withoutSecrets(env)
  const own = (kept["PATH"] ?? "").split(":").filter((folder) => folder.startsWith("/") && isVisible(folder))
  for (const name of Object.keys(kept))
    if (/^XDG_|^(?:OLDPWD|PWD|MAIL|TMP|TEMP|TMPDIR|DISPLAY|XAUTHORITY|HISTFILE)$/.test(name)) delete kept[name]
  return {
    ...kept,
    PATH: [...new Set([...own, dirname(process.execPath), ...systemPath])].join(":"),
    // Programs write for a terminal otherwise, or open one to show a page of text.
    TERM: "dumb",
    NO_COLOR: "1",
    PAGER: "cat",
    GIT_PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
    // The settings of the system are not visible, and Git takes that for an error.
    GIT_CONFIG_NOSYSTEM: "1",
  }
}
