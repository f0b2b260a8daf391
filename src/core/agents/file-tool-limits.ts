// The limits of tools that work on files of a workspace.

const megabyte = 1024 * 1024
const second = 1000

export const fileToolLimits = {
  agentFileBytesMax: {
    value: 8 * megabyte,
    why: "What `write_file` writes, and a file that `apply_patch` changes; both are held in memory. Source files are far smaller.",
  },
  agentReadBytesMax: { value: 1 * megabyte, why: "What one `read_file` collects; far more than a model is shown." },
  agentPatchFilesMax: { value: 200, why: "Files that one patch changes; their folders are open until all of them are written." },
  agentPatchBytesMax: { value: 64 * megabyte, why: "All files of one patch together." },
  agentPatchStepsMax: {
    value: 50_000_000,
    why: "Lines that are compared to find the hunks of one patch, which takes about half a second.",
  },
  agentSearchMs: { value: 30 * second, why: "A search that takes longer needs a narrower path or pattern." },
  agentSearchBytesMax: { value: 4 * megabyte, why: "Matches that are collected and sorted before `limit` of them are shown." },
  agentSearchPatternCharsMax: { value: 10_000, why: "Longer patterns are data." },
  agentSearchFallbackFilesMax: { value: 50_000, why: "Files that `search` visits where ripgrep is missing; it takes about ten seconds." },
  turnDiffFileBytesMax: { value: 1 * megabyte, why: "The diff of a turn names larger files without their content." },
  turnDiffBytesMax: { value: 32 * megabyte, why: "Contents that the diff of one turn remembers; of further files only the names." },
  turnDiffMs: { value: 100, why: "The time to compare one file; beyond it the whole file counts as replaced." },
} as const
