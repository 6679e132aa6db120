/**
 * Plausible bugs, each as a small change of the source with the one test file that must fail: they test the tests.
 * Applied to a copy, one at a time.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../..')
const COPIED = [
  'build',
  'docs',
  'main',
  'preload',
  'renderer',
  'server',
  'test',
  'package.json',
  'tsconfig.json',
]
const WORLD = 'test/deterministic-world.test.ts'
const ROUND_TRIP = 'test/server/documents/e-invoice/round-trip.test.ts'
const LIMIT_MS = 180_000

interface PlantedBug {
  name: string
  file: string
  /** Occurs in the file exactly once. */
  instead: string
  put: string
  /** The test file that must fail. */
  caughtBy: string
}

export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: 'confirmed work is not on the disk yet',
    file: 'server/db/embedded/open.ts',
    instead: "['synchronous', 2, 2]",
    put: "['synchronous', 1, 1]",
    caughtBy: 'test/server/db/embedded/open.test.ts',
  },
  {
    name: 'answered before it is committed',
    file: 'server/db/embedded/writing.ts',
    instead: '    await this.untilDurable(batch)\n    return result',
    put: '    return result',
    caughtBy: WORLD,
  },
  {
    name: 'a lease that a crash left is lost',
    file: 'server/platform/webhooks/rows.ts',
    instead: ".set({ state: 'due', next_at: now, leased_until: null })",
    put: '.set({ leased_until: now + 60_000 })',
    caughtBy: WORLD,
  },
  {
    name: 'a token is spent after the step',
    file: 'server/sales/invoices/issue/confirmations.ts',
    instead: `  const { changes } = await markUsed.run(ctx.db, { tokenHash: confirmation.token_hash, usedAt: now })
  if (changes !== 1) throw new AppError('confirmation_used')`,
    put: `  ctx.afterCommit(() => {
    const used = { tokenHash: confirmation.token_hash, usedAt: now }
    void ctx.env.store.transaction(null, (db) => markUsed.run(db, used)).catch(() => {})
  })`,
    caughtBy: WORLD,
  },
  {
    name: 'a commit that failed is told as done',
    file: 'server/db/embedded/writing.ts',
    instead: '      batch.settle({ failure: error })\n      return',
    put: '      batch.settle({ failure: null })\n      return',
    caughtBy: WORLD,
  },
  {
    name: 'what a failed transaction wrote is committed with the others',
    file: 'server/db/embedded/writing.ts',
    instead: "        this.connection.run('rollback to part', [])\n",
    put: '',
    caughtBy: 'test/server/db/embedded/batches.test.ts',
  },
  {
    name: 'web pages may ask',
    file: 'server/api/http/guard.ts',
    instead:
      "if (origin !== undefined) return address.origins.has(origin) ? null : new AppError('origin_not_allowed')",
    put: 'if (origin !== undefined) return null',
    caughtBy: 'test/server/api/http/envelope.test.ts',
  },
  {
    name: 'a record is made anew on a retry',
    file: 'server/registry/queue/sender.ts',
    instead: 'records.map((record) => unpackXml(record.xml)),',
    put: `records.map((record) =>
        unpackXml(record.xml).replace(
          /(<sf:FechaHoraHusoGenRegistro>)[^<]*/,
          \`$1\${new Date(now).toISOString().slice(0, 19)}+00:00\`,
        ),
      ),`,
    caughtBy: 'test/server/registry/queue/sender.test.ts',
  },
  {
    name: 'money in floating point',
    file: 'server/domain/money.ts',
    instead:
      'const rounded = Math.floor((Math.abs(product) + 5_000) / 10_000)\n    return product < 0 && rounded !== 0 ? -rounded : rounded',
    put: 'return Math.round(cents * (rateBp / 10_000))',
    caughtBy: 'test/server/domain/money.test.ts',
  },
  {
    name: 'an event is told after the fact',
    file: 'server/platform/events/emit.ts',
    instead:
      '  await insert.run(ctx.db, { bookId: ctx.book.id, type, at: ctx.now().getTime(), data: canonicalJson(data) })\n',
    put: `  const event = { bookId: ctx.book.id, type, at: ctx.now().getTime(), data: canonicalJson(data) }
  ctx.afterCommit(() => void ctx.env.store.transaction(null, (db) => insert.run(db, event)).catch(() => {}))
`,
    caughtBy: WORLD,
  },
  {
    name: 'a redirect is taken for an answer',
    file: 'server/platform/http-client/exchange.ts',
    instead: "if (status >= 300 && status < 400) return new HttpClientFault('protocol', 'redirect')",
    put: "if (status < 0) return new HttpClientFault('protocol', 'redirect')",
    caughtBy: 'test/server/platform/webhooks/deliver.test.ts',
  },
  {
    name: 'numbers are counted in memory',
    file: 'server/company/series/rows.ts',
    instead: '  const sequence = row.next_number - 1\n',
    put: `  const sequence = Math.max((given.get(seriesId) ?? 0) + 1, row.next_number - 1)
  given.set(seriesId, sequence)
`,
    caughtBy: WORLD,
  },
  {
    name: 'a yes is not bound to what was shown',
    file: 'server/sales/invoices/issue/decide-approval.ts',
    instead: "    if (input.contentHash !== item.contentHash) throw new AppError('confirmation_stale')\n",
    put: '',
    caughtBy: 'test/server/sales/invoices/issue/approvals.test.ts',
  },
  {
    name: 'the log holds a header',
    file: 'server/api/http/failures.ts',
    instead:
      '    const failure = failureOf(error, log, { requestId: request.id, route: request.routeOptions.url })',
    put: `    const route = \`\${request.routeOptions.url} \${request.headers.authorization}\`
    const failure = failureOf(error, log, { requestId: request.id, route })`,
    caughtBy: 'test/server/api/run.test.ts',
  },
  {
    name: 'an open image of the books is left beside their backup',
    file: 'server/app/backups/make/make.ts',
    instead: "      copier.handle.prepare('vacuum into ?').run(part)\n",
    put: `      copier.handle.prepare('vacuum into ?').run(part)
      const { writeFileSync } = process.getBuiltinModule('node:fs')
      writeFileSync(join(to, backupName(new Date(0), 'manual', '0'.repeat(64))), copier.handle.serialize())
`,
    caughtBy: 'test/server/app/backups/make/make.test.ts',
  },
  {
    name: 'the income of a replaced invoice is counted again',
    file: 'server/sales/invoices/issue/counting.ts',
    instead: '    incomeCents: -incomeCents,\n',
    put: '',
    caughtBy: 'test/server/sums/sequences.test.ts',
  },
  {
    name: 'a reference joins the series to a number that holds it',
    file: 'server/sales/invoices/references/spelling.ts',
    instead:
      'const texts = series === null ? [number] : [number, `${series}-${number}`, `${series}${number}`]',
    put: 'const texts = series === null ? [number] : [`${series}-${number}`, `${series}${number}`]',
    caughtBy: 'test/server/sales/invoices/references/references.test.ts',
  },
  {
    name: 'withholding of an own invoice is not read back',
    file: 'server/purchases/intake/en16931.ts',
    instead: 'const withheld = readWithholdingNote(notes)',
    put: 'const withheld = readWithholdingNote(notes.slice(0, 0))',
    caughtBy: ROUND_TRIP,
  },
  {
    name: 'a surcharge is read as an exempt amount',
    file: 'server/purchases/intake/en16931.ts',
    instead: 'const surcharges = surchargesOf(said)',
    put: 'const surcharges = surchargesOf({ ...said, charges: [] })',
    caughtBy: ROUND_TRIP,
  },
  {
    name: 'disbursements are read as exempt',
    file: 'server/purchases/intake/en16931.ts',
    instead: 'const disbursedCents = disbursedOf(said)',
    put: 'const disbursedCents = disbursedOf({ ...said, lines: [] })',
    caughtBy: ROUND_TRIP,
  },
]

/** The result of a test file on a copy. */
interface Verdict {
  passed: number
  failed: number
  /** The reason why nothing ran, or the first failure. */
  told: string
}

/** A copy of the source in which bugs can be planted; the caller removes it. */
export class Copy {
  readonly folder = mkdtempSync(join(tmpdir(), 'sello-planted-'))

  constructor() {
    for (const path of COPIED) cpSync(join(root, path), join(this.folder, path), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'))
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Plants a bug, runs the test file that must detect it, and removes the bug. */
  tryOut({ file, instead, put, caughtBy }: PlantedBug): Verdict {
    const path = join(this.folder, file)
    const sound = readFileSync(path, 'utf8')
    if (sound.split(instead).length !== 2) throw new Error(`${file} does not say once: ${instead}`)
    const needs = put.includes('given.') ? '\nconst given = new Map<number, number>()\n' : ''
    writeFileSync(path, sound.replace(instead, () => put) + needs)
    try {
      return this.run(caughtBy)
    } finally {
      writeFileSync(path, sound)
    }
  }

  private run(file: string): Verdict {
    const report = join(this.folder, 'report.json')
    rmSync(report, { force: true })
    const { SELLO_TESTS: _group, VITEST: _vitest, ...env } = process.env
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const asked = [vitest, 'run', '--config', 'build/vitest.config.ts', file]
    const { stderr, signal } = spawnSync(
      process.execPath,
      [...asked, '--reporter=json', `--outputFile=${report}`, '--bail=1'],
      { cwd: this.folder, env, encoding: 'utf8', timeout: LIMIT_MS, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    if (signal !== null) return { passed: 0, failed: 0, told: `It did not end in ${LIMIT_MS} ms.` }
    const read = JSON.parse(readFileSync(report, 'utf8')) as {
      numPassedTests: number
      numFailedTests: number
      testResults: { assertionResults: { failureMessages: string[] }[] }[]
    }
    const [first] = read.testResults.flatMap(({ assertionResults }) =>
      assertionResults.flatMap(({ failureMessages }) => failureMessages),
    )
    return { passed: read.numPassedTests, failed: read.numFailedTests, told: first ?? stderr }
  }
}
