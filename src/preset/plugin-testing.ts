// `toolplane/testing`: what plugins are tested with.
export { checkPlugin } from "./plugin-check.ts"
export type { PluginCheck, SampleCall } from "./plugin-check.ts"
export { openPlugin } from "./plugin-open.ts"
export type { OpenOptions, OpenPlugin, SampleAnswer } from "./plugin-open.ts"
