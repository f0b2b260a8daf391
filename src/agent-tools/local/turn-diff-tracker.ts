// Knows what a turn changed in the workspace: its net unified diff.

// oxlint-disable-next-line typescript/no-extraneous-class
export class TurnDiffTracker {}
