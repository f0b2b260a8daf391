// What the launcher is told about the command that it is to confine.

export type LandlockPolicy = {
  /** Files and folders that may be read, and programs in them started. */
  readonly readable: readonly string[]
  /** Folders in which everything is allowed. */
  readonly writable: readonly string[]
  /** One of them, which ends with the command. */
  readonly tmp: string
  /** Devices that may be read and written. */
  readonly devices: readonly string[]
  readonly network: boolean
  readonly cwd: string
}

/** The first version of Landlock with which a command cannot send signals to processes outside, nor reach abstract sockets: Linux 6.12. */
export const landlockVersionMin = 6
