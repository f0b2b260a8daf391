// What commands do by their words: reads are proven, and everything doubtful counts as more.
import fc from "fast-check"
import { expect, test } from "vitest"
import { effectOfCommand } from "./effect.ts"
import { parsePlainScript } from "./parse.ts"

const script = (text: string): readonly string[] => ["bash", "-lc", text]

test.each([
  ["ls", ["ls", "-la"]],
  ["a plain script", script("cd src && ls -la | head -n 5; git status")],
  ["quotes", script(`rg -n "a b" 'c $d' src/*.ts || true`)],
  ["errors to nowhere", script("cat a.txt 2>/dev/null | wc -l")],
  ["both outputs in one", script("grep -r x . 2>&1 | tail -3")],
  ["line ends", script("pwd\nls\n")],
  ["a program of the system", ["/usr/bin/cat", "x"]],
  ["sed that prints", script("sed -n 1,20p file.ts")],
  ["git", script("git log --oneline -5 && git diff --stat")],
  ["patterns for commands without dangerous options", script("cat src/*.ts")],
  ["a test", script("test -f a.txt && ls")],
  ["what `rm` is called in a search", script("grep -rn 'rm -rf /' .")],
])("reads: %s", (_, command) => expect(effectOfCommand(command)).toBe("read"))

test.each([
  ["mkdir", ["mkdir", "x"]],
  ["a build", script("npm install && npm run build")],
  ["touch after a read", script("ls; touch x")],
  ["git add", script("git add -A && git commit -m 'x'")],
  ["an unknown program", ["./script"]],
  ["a program of another folder with a known name", ["./ls"]],
  ["uniq with an output", ["uniq", "in", "out"]],
  ["uniq with what a pattern stands for", script("uniq in*")],
  ["a test that runs what is in an index", script("test -v 'a[$(touch x)]'")],
  ["a test that calculates", ["zsh", "-c", "test 'a[$(touch x)]' -eq 0"]],
  ["rg that starts other programs, joined", ["rg", "-.z", "x"]],
  ["sort into a file", ["sort", "-o", "x", "x"]],
  ["sort into a file, joined", ["sort", "-uox", "x"]],
  ["rg with a preprocessor", ["rg", "--pre=./evil", "x"]],
  ["options that a file name could be", script("rg x *")],
  ["sed in place", ["sed", "-i", "s/a/b/", "x"]],
  ["sed that writes by its script", ["sed", "-n", "1w out", "x"]],
  ["git with an output", ["git", "diff", "--output=x"]],
])("writes: %s", (_, command) => expect(effectOfCommand(command)).toBe("write"))

test.each([
  ["nothing", []],
  ["rm", ["rm", "-rf", "x"]],
  ["rm in a script", script("ls && rm x")],
  ["find -delete", ["find", ".", "-name", "x", "-delete"]],
  ["find -exec", script("find . -exec cat {} +")],
  ["a command that is run by another", ["xargs", "ls"]],
  ["sudo", ["sudo", "ls"]],
  ["code", ["python3", "-c", "1"]],
  ["code", ["awk", 'BEGIN{system("x")}']],
  ["git reset", ["git", "reset", "--hard"]],
  ["git with an option of its own", ["git", "-c", "core.pager=x", "log"]],
  ["a variable", script("ls $HOME")],
  ["a substitution", script("ls $(touch x)")],
  ["a substitution in quotes", script('echo "`touch x`"')],
  ["a redirection", script("echo x > y")],
  ["a redirection without blanks", script("cat a>b")],
  ["a redirection to something that begins like nowhere", script("cat a >/dev/nullx")],
  ["input", script("cat < x")],
  ["a subshell", script("(ls)")],
  ["a group", script("{ ls; }")],
  ["a loop", script("for i in a; do ls; done")],
  ["in the background", script("ls & ls")],
  ["an assignment", script("PATH=. ls")],
  ["a backslash", script("l\\s")],
  ["an open quote", script("ls 'a")],
  ["nothing between operators", script("ls && && ls")],
  ["a process as a file", script("cat <(ls)")],
  ["a comment that hides", script("ls #\nrm x")],
  ["a pipe of errors", script("ls |& tee x")],
  ["a shell with a file", ["bash", "script.sh"]],
  ["a shell with more words", ["bash", "-c", "ls", "x"]],
  ["an interactive shell", ["bash"]],
  ["another shell inside", script("sh -c 'rm x'")],
  ["a carriage return", script("ls\rrm x")],
  ["a space of another kind", script("ls\u00a0x")],
])("may destroy: %s", (_, command) => expect(effectOfCommand(command)).toBe("destroy"))

test("what is understood consists of words that mean themselves", () => {
  const pieces = fc.constantFrom(
    "ls",
    "cat",
    " ",
    "&&",
    "|",
    ";",
    "\n",
    "'",
    '"',
    "$x",
    "`",
    "(",
    ")",
    "<",
    ">",
    "&",
    "rm",
    "\\",
    "#",
    "{",
    "}",
    "~",
    "!",
    "x=1",
    "*",
    "2>&1",
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (chosen) => {
      const text = chosen.join("")
      const parsed = parsePlainScript(text)
      if (parsed === null) return
      // Outside of quotes, none of the characters that a shell acts on is left, except those that were understood.
      const bare = text
        .replaceAll(/'[^']*'|"[^"]*"/g, "")
        .replaceAll("2>&1", "")
        .replaceAll("&&", "")
      expect(bare).not.toMatch(/[$`()<>&\\#{}~!'"]/)
      expect(parsed.every((command) => command.length > 0)).toBe(true)
    }),
    { numRuns: 3000 },
  )
})
