// Which of a caller's own connections an agent names: addresses and patterns of the owner `user`, as `github.user.main.issues.*`.

/** As patterns of tools, without the connection. */
export const ownUses = (tools: readonly string[]): readonly string[] =>
  tools.flatMap((pattern) => {
    const [integration = "", owner, _connection, ...tool] = pattern.split(".")
    return owner === "user" && tool.length > 0 ? [[integration, ...tool].join(".")] : []
  })
