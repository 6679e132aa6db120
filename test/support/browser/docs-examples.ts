/** Runs the programs in the guides: each language of a page is one program, from the first block to the last. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { examplesOf } from '../../../build/docs/markdown.ts'
import type { Example } from '../../../build/docs/markdown.ts'
import { tool } from '../tools.ts'

const ROOT = resolve(import.meta.dirname, '..', '..', '..')
/** Inside the repository, so that packages are found by name; also separates the output of blocks. */
const CACHE = join(ROOT, 'node_modules', '.cache', 'sello')
const MARK = '~~ end of block ~~'

interface Language {
  name: string
  file: string
  needs: readonly string[]
  command: (file: string) => [string, string[]]
  print: string
  head: string
}

export const LANGUAGES: readonly Language[] = [
  {
    name: 'sh',
    file: 'example.sh',
    needs: ['bash', 'curl', 'jq'],
    command: (file) => [tool('bash') ?? 'bash', [file]],
    print: `printf '\\n%s\\n' '${MARK}'`,
    head: 'set -euo pipefail\n',
  },
  {
    name: 'js',
    file: 'example.mjs',
    needs: [],
    command: (file) => [process.execPath, [file]],
    print: `console.log('\\n${MARK}')`,
    head: '',
  },
  {
    name: 'py',
    file: 'example.py',
    needs: ['python3'],
    command: (file) => [tool('python3') ?? 'python3', [file]],
    print: `print("\\n${MARK}", flush=True)`,
    head: '',
  },
]

interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

function runFile(
  [command, args]: [string, string[]],
  cwd: string,
  env: Record<string, string>,
): Promise<Finished> {
  return new Promise((done, fail) => {
    const child = spawn(command, args, {
      cwd,
      env: { PATH: process.env.PATH, HOME: cwd, LANG: 'C.UTF-8', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.once('error', fail)
    child.once('close', (code) => done({ code, stdout, stderr }))
  })
}

/** An executed block, its output, and the output that the page promises. */
interface RunBlock {
  line: number
  printed: string
  /** The next `output` block in the page, possibly after the same program in other languages. */
  promised: Example | null
}

/** Runs a page's blocks of one language; throws with the output of a failed program. */
export async function runPage(
  source: string,
  language: Language,
  env: Record<string, string>,
): Promise<RunBlock[]> {
  const examples = examplesOf(source)
  const blocks = examples.filter((one) => one.language === language.name && one.flags.has('run'))
  if (blocks.length === 0) return []
  mkdirSync(CACHE, { recursive: true })
  const folder = mkdtempSync(join(CACHE, 'example-'))
  try {
    const file = join(folder, language.file)
    writeFileSync(file, language.head + blocks.map(({ code }) => `${code}\n${language.print}\n`).join('\n'))
    const { code, stdout, stderr } = await runFile(language.command(file), folder, env)
    const printed = stdout.split(MARK)
    if (code !== 0 || printed.length !== blocks.length + 1)
      throw new Error(`Block ${printed.length} of ${blocks.length} ended with ${code}: ${stderr}\n${stdout}`)
    return blocks.map((block, at) => {
      const after = examples.slice(examples.indexOf(block) + 1)
      const next = after.find(
        (one) => one.flags.has('output') || !one.flags.has('run') || one.language === language.name,
      )
      return {
        line: block.line,
        printed: (printed[at] ?? '').trim(),
        promised: next?.flags.has('output') ? next : null,
      }
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Strings that differ between runs; the page shows one of them. */
const VARIES = /…|^T-|^\d{4}-\d\d-\d\d|^cmp_|S\.L\.$/

/**
 * Lists the parts of the promised output that a program did not print, by path: every member must exist, with the
 * same type; texts must be equal unless they are identifiers, days or invoice numbers. Numbers that depend on earlier
 * examples are `loose`.
 */
export function broken(promised: unknown, printed: unknown, path = ''): string[] {
  if (Array.isArray(promised)) {
    if (!Array.isArray(printed)) return [`${path} is no list`]
    const wrong = promised.length === 0 && printed.length > 0 ? [`${path} is not empty`] : []
    return [...wrong, ...promised.flatMap((one, at) => broken(one, printed[at], `${path}[${at}]`))]
  }
  if (isObject(promised)) {
    if (!isObject(printed)) return [`${path} is no object`]
    return Object.entries(promised).flatMap(([name, one]) => broken(one, printed[name], `${path}.${name}`))
  }
  if (typeof promised !== typeof printed) return [`${path} is ${JSON.stringify(printed)}`]
  const mayVary =
    (typeof promised === 'string' && VARIES.test(promised)) ||
    (typeof promised === 'number' && path.includes('totals'))
  const inList = path.startsWith('.items[')
  return mayVary || inList || promised === printed ? [] : [`${path} is ${JSON.stringify(printed)}`]
}

/** Returns consecutive JSON objects in a text. */
export function jsonValues(text: string): unknown[] {
  const values: unknown[] = []
  let from = 0
  for (let end = 1; end <= text.length; end += 1) {
    if (text[end - 1] !== '}') continue
    try {
      values.push(JSON.parse(text.slice(from, end)))
      from = end
    } catch {
      // A brace inside the value.
    }
  }
  return values
}
