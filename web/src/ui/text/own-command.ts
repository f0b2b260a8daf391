// How the command line is called where the server runs: in a clone it is `./executor`.
const ownCommand = document.querySelector<HTMLMetaElement>("meta[name=executor-command]")?.content ?? "executor"

export const asCalledHere = (line: string): string => line.replace(/(?<=^|\| )executor(?= )/, () => ownCommand)
