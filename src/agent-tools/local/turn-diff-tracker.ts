// Knows what a turn changed in the workspace: its net unified diff.
export class TurnDiffTracker {}
