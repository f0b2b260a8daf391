// Reads what tools do from names in the styles that sources have.
import { expect, test } from "vitest"
import { operationOfTool } from "./operation-of-tool.ts"

test.each([
  ["issues.create", "write", "create", "issues"],
  ["issues.createComment", "write", "create", "comment"],
  ["repos.createForAuthenticatedUser", "write", "create", "repos"],
  ["repos.get", "read", "get", "repos"],
  ["issues.list", "read", "list", "issues"],
  ["tasks.getTasksForProject", "read", "list", "tasks"],
  ["workspaces.getWorkspaces", "read", "list", "workspaces"],
  ["workspaces.getWorkspace", "read", "get", "workspace"],
  ["postCharges", "write", "create", "charges"],
  ["postChargesCharge", "write", "update", "charges"],
  ["postChargesChargeRefund", "write", "change", "charges"],
  ["postChargesChargeRefunds", "write", "create", "refunds"],
  ["getChargesCharge", "read", "get", "charges"],
  ["deleteUsersId", "destroy", "delete", "users"],
  ["servers.actions.reboot.create", "write", "change", "servers"],
  ["accounts.follow.create", "write", "change", "accounts"],
  ["read_file", "destroy", "get", "file"],
  ["write_file", "destroy", "change", "file"],
  ["users_list", "write", "list", "users"],
  ["mutation.ticketCreate", "write", "create", "ticket"],
  ["query.tickets", "read", "list", "query"],
  ["folders.folderListForPath", "read", "list", "folder"],
  ["activity.markNotificationsAsRead", "write", "change", "read"],
  ["pulls.merge", "write", "change", "pulls"],
  ["repos.checkCollaborator", "read", "read", "collaborator"],
  ["", "write", "change", ""],
  ["graphql", "write", "change", ""],
] as const)("%s (%s) is %s of %s", (name, effect, kind, thing) => {
  expect(operationOfTool(name, effect)).toMatchObject({ kind, thing })
})
