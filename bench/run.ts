/**
 * Runs the benchmarks: `npm run bench -- [--only a,b] [--size 10k|100k|1M] [--rounds N] [--full] [--json FILE]
 * [--bundle FILE]`. Exits with 1 if a floor is missed or a chain does not verify.
 */
import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Bench } from './bench.ts'
import { sizeOf } from './bench.ts'
import { Workplace } from './books.ts'
import type { Result } from './method.ts'
import { lineOf, tableOf } from './report.ts'
import { assistantGroup } from './scenarios/assistants.ts'
import { companiesGroup } from './scenarios/companies.ts'
import { documentGroup } from './scenarios/documents.ts'
import { fiscalGroup } from './scenarios/fiscal.ts'
import { httpGroup } from './scenarios/http.ts'
import { issueGroup } from './scenarios/issue.ts'
import { listGroup } from './scenarios/lists.ts'
import { loopGroup } from './scenarios/loop.ts'
import { mcpGroup } from './scenarios/mcp.ts'
import { officeGroup } from './scenarios/office.ts'
import { peerGroup } from './scenarios/peers.ts'
import { registryGroup } from './scenarios/registry.ts'
import { returnsGroup } from './scenarios/returns.ts'
import { sizeGroup } from './scenarios/size.ts'
import { startGroup } from './scenarios/start.ts'
import { uiGroup } from './scenarios/ui.ts'

const GROUPS = [
  issueGroup,
  officeGroup,
  companiesGroup,
  httpGroup,
  peerGroup,
  mcpGroup,
  listGroup,
  fiscalGroup,
  loopGroup,
  returnsGroup,
  registryGroup,
  documentGroup,
  startGroup,
  sizeGroup,
  uiGroup,
  assistantGroup,
]
const ROOT = resolve(import.meta.dirname, '..')
const LEAST_ROUNDS = 5

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    size: { type: 'string', default: '10k' },
    rounds: { type: 'string', default: String(LEAST_ROUNDS) },
    full: { type: 'boolean', default: false },
    json: { type: 'string' },
    bundle: { type: 'string', default: join(ROOT, 'out', 'main', 'cli.js') },
  },
})

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}

/** Returns the selected names: a word of --only selects every scenario whose name contains it. */
function wantedNames(): Set<string> {
  const all = GROUPS.flatMap((group) => [...group.names])
  if (values.only === undefined) return new Set(all)
  const wanted = new Set<string>()
  for (const word of values.only.split(',').map((part) => part.trim().toLowerCase())) {
    const fitting = all.filter((name) => name.toLowerCase() === word)
    const names = fitting.length > 0 ? fitting : all.filter((name) => name.toLowerCase().includes(word))
    if (names.length === 0) fail(`No scenario is called ${word}. There are: ${all.join(', ')}.`)
    for (const name of names) wanted.add(name)
  }
  return wanted
}

const size = sizeOf(values.size) ?? fail('--size is a number of invoices such as 10k, 100k or 1M.')
const rounds = Number(values.rounds)
if (!Number.isInteger(rounds) || rounds < LEAST_ROUNDS)
  fail(`--rounds is a whole number from ${LEAST_ROUNDS}.`)
const wanted = wantedNames()

const results: Result[] = []
const notes: Record<string, unknown> = {}
const started = performance.now()
const say = (text: string): void => void process.stderr.write(`${text}\n`)
const workplace = new Workplace((text) =>
  text.startsWith('chain ok') ? process.stdout.write(`${text}\n`) : say(text),
)
const bench: Bench = {
  workplace,
  rounds,
  size,
  full: values.full,
  bundle: resolve(values.bundle),
  say: (text) => void process.stdout.write(`${text}\n`),
  report: (result) => {
    results.push(result)
    process.stdout.write(`${lineOf(result)}\n`)
  },
  note: (name, value) => void (notes[name] = value),
}

function machine() {
  return {
    node: process.version,
    versions: process.versions,
    os: `${type()} ${release()}`,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryBytes: totalmem(),
  }
}

// Ctrl+C must not leave gigabytes of files behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    workplace.close()
    process.exit(130)
  })

const loadBefore = loadavg()
try {
  for (const group of GROUPS) {
    const names = new Set(group.names.filter((name) => wanted.has(name)))
    if (names.size > 0) await group.run(bench, names)
  }
} finally {
  workplace.close()
}
const failed = results.filter(({ verdict }) => verdict === 'FAIL')
process.stdout.write(`\n${tableOf(results)}\n\n`)
process.stdout.write(
  `${results.length} measured, ${failed.length} below their floor, ${((performance.now() - started) / 1000).toFixed(0)} s, load ${loadBefore[0]?.toFixed(1)} -> ${loadavg()[0]?.toFixed(1)}\n`,
)
if (values.json !== undefined) {
  const report = {
    at: new Date().toISOString(),
    machine: machine(),
    loadBefore,
    loadAfter: loadavg(),
    rounds,
    ...notes,
    results,
  }
  writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`)
}
process.exitCode = failed.length > 0 ? 1 : 0
