// A GraphQL schema with everything that makes generating selections hard, and resolvers that answer it.

export const typeDefs = /* GraphQL */ `
  "An instant, as ISO 8601."
  scalar DateTime @specifiedBy(url: "https://scalars.graphql.org/andimarek/date-time")
  scalar JSON
  scalar Weird

  enum Role {
    "May do everything"
    ADMIN
    MEMBER
    GUEST @deprecated(reason: "Nobody is")
  }

  interface Node {
    id: ID!
  }
  interface Named implements Node {
    id: ID!
    name: String
  }

  "Somebody"
  type User implements Node & Named {
    id: ID!
    name: String
    role: Role!
    createdAt: DateTime!
    settings: JSON
    nickname: String @deprecated(reason: "Use name")
    manager: User
    reports: [User!]!
    posts(first: Int, after: String): PostConnection!
    avatar(size: Int!): String
    friend(id: ID!): User
    matrix: [[Int!]!]!
  }

  type Post implements Node & Named {
    id: ID!
    name: String
    title: String!
    state: PostState!
    author: User!
    comments: [Comment!]!
    related: [SearchResult!]!
  }
  enum PostState {
    DRAFT
    PUBLISHED
  }
  type Comment implements Node {
    id: ID!
    title: String
    state: CommentState
    post: Post!
    body: String!
  }
  enum CommentState {
    OPEN
    HIDDEN
  }

  type PageInfo {
    hasNextPage: Boolean!
    endCursor: String
  }
  type PostConnection {
    nodes: [Post]
    edges: [PostEdge]
    pageInfo: PageInfo!
    totalCount: Int!
  }
  type PostEdge {
    node: Post
    cursor: String!
  }
  type UserEdge {
    node: User!
    cursor: String!
  }
  type UserConnection {
    edges: [UserEdge!]!
    pageInfo: PageInfo!
  }

  union SearchResult = User | Post | Comment
  "Nothing of it can be asked without arguments."
  type Locked {
    secret(key: String!): String
    deeper(key: String!): Locked
  }
  type Loop {
    self: Loop!
    loops: [[Loop!]]
  }

  input UserFilter {
    role: Role = MEMBER
    nameContains: String
    and: [UserFilter!]
    since: DateTime
    old: Boolean @deprecated(reason: "Use since")
  }
  input UserBy @oneOf {
    id: ID
    name: String
  }
  input PostInput {
    title: String!
    tags: [String!]! = ["new"]
    meta: JSON
  }

  type Query {
    "Who is asking"
    viewer: User
    user(by: UserBy!): User
    users(filter: UserFilter, limit: Int! = 10): [User!]!
    people(first: Int): UserConnection!
    posts(first: Int = 2, select: String): PostConnection!
    search(text: String!): [SearchResult!]!
    node(id: ID!): Node
    named: [Named!]!
    locked: Locked
    loop: Loop
    count: Int!
    now: DateTime
    weird(weird: Weird): Weird
    then: String
    constructor: String
    Page: String
    "The headers that arrived"
    headers: JSON
    partial: Partial!
    broken: String!
    slow(ms: Int!): String
    old: String @deprecated(reason: "Use viewer")
  }
  type Partial {
    fine: String
    bad: String
  }
  type CreatePostPayload {
    post: Post
    clientMutationId: String
  }
  type Mutation {
    "Publish a post"
    createPost(input: PostInput!): CreatePostPayload!
    deletePost(id: ID!): Boolean!
  }
  type Subscription {
    ticks: Int!
  }
`

const pageInfo = { hasNextPage: false, endCursor: null }
const ada = { __typename: "User", id: "u1", name: "Ada", role: "ADMIN", createdAt: "2026-01-01T00:00:00Z", settings: { dark: true } }
const bob = { __typename: "User", id: "u2", name: "Bob", role: "MEMBER", createdAt: "2026-01-02T00:00:00Z", settings: null }
const post = { __typename: "Post", id: "p1", name: "post", title: "Hello", state: "PUBLISHED" }
const comment = { __typename: "Comment", id: "c1", title: null, state: "OPEN", body: "Nice" }

const user = (one: typeof ada | typeof bob): Record<string, unknown> => ({
  ...one,
  manager: one === ada ? null : () => user(ada),
  reports: () => (one === ada ? [user(bob)] : []),
  posts: () => connection([fullPost()]),
  matrix: [[1, 2], [3]],
})
const fullPost = (): Record<string, unknown> => ({ ...post, author: () => user(ada), comments: () => [comment], related: () => [comment] })
const connection = (nodes: readonly unknown[]): Record<string, unknown> => ({
  nodes,
  edges: nodes.map((node) => ({ node, cursor: "c" })),
  pageInfo,
  totalCount: nodes.length,
})

export type PostArgs = { readonly input: { readonly title: string; readonly tags: readonly string[] } }
export type Context = { readonly request: Request }

export const resolvers = (created: PostArgs["input"][]) => ({
  Query: {
    viewer: () => user(ada),
    user: (_: unknown, { by }: { by: { id?: string; name?: string } }) =>
      [user(ada), user(bob)].find((one) => one["id"] === by.id || one["name"] === by.name),
    users: (_: unknown, { limit, filter }: { limit: number; filter?: { role?: string } }) =>
      [user(ada), user(bob)].filter((one) => filter?.role == null || one["role"] === filter.role).slice(0, limit),
    people: () => connection([user(ada)]),
    posts: () => connection([fullPost()]),
    search: () => [user(ada), fullPost(), comment],
    node: () => user(bob),
    named: () => [user(ada), fullPost()],
    locked: () => ({}),
    loop: () => ({}),
    count: () => 3,
    now: () => "2026-01-01T00:00:00Z",
    weird: (_: unknown, { weird }: { weird: unknown }) => weird,
    constructor: () => "built",
    Page: () => "one",
    headers: (_: unknown, __: unknown, { request }: Context) => Object.fromEntries(request.headers),
    partial: () => ({
      fine: "yes",
      bad: () => {
        throw new Error("The bad half")
      },
    }),
    broken: () => {
      throw new Error("All of it is broken")
    },
    slow: (_: unknown, { ms }: { ms: number }) => new Promise((resolve) => setTimeout(() => resolve("done"), ms).unref()),
    old: () => "old",
  },
  Mutation: {
    createPost: (_: unknown, { input }: PostArgs) => {
      created.push(input)
      return { post: { ...fullPost(), title: input.title }, clientMutationId: null }
    },
    deletePost: () => true,
  },
})
