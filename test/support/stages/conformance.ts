/** Runs the protocol's official conformance suite against a server and reads its results. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { openAuthProxy } from './auth-proxy.ts'

const SUITE = resolve(import.meta.dirname, '../../../node_modules/@modelcontextprotocol/conformance')
const LIMIT_MS = 120_000

/** Requirements of a protocol revision, as fixed at its publication. */
export type Requirements = '2025-11-25' | '2026-07-28'

interface Check {
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED'
  errorMessage?: string
}

interface ConformanceRun {
  /** 0: exactly the checks of the baseline failed. */
  exitCode: number
  output: string
  /** Checks by scenario, of every scenario that ran. */
  scenarios: ReadonlyMap<string, readonly Check[]>
}

/** Returns the scenarios that a revision requires of servers, from the suite's own list. */
export function requiredScenarios(requirements: Requirements): string[] {
  const text = readFileSync(join(SUITE, 'requirements', `${requirements}.yaml`), 'utf8')
  const section = /^server:\n((?: {2}- .+\n)+)/m.exec(text)?.[1] ?? ''
  return [...section.matchAll(/- (\S+)/g)].map(([, name]) => name ?? '')
}

/** Returns true if a scenario ran without failures or warnings. */
export function hasPassed(checks: readonly Check[] | undefined): boolean {
  return checks !== undefined && !checks.some(({ status }) => status === 'FAILURE' || status === 'WARNING')
}

/**
 * Runs everything that a revision requires, as `key`, against the MCP route at `url`. `baseline` is a file of known
 * failures.
 */
export async function runConformance(
  { url, key }: { url: string; key: string },
  requirements: Requirements,
  baseline: string,
): Promise<ConformanceRun> {
  const folder = mkdtempSync(join(tmpdir(), 'sello-conformance-'))
  const proxy = await openAuthProxy(url, key)
  try {
    const { exitCode, output } = await runSuite([
      'server',
      '--url',
      proxy.url,
      '--requirements',
      requirements,
      '--expected-failures',
      baseline,
      '--output-dir',
      folder,
    ])
    const scenarios = new Map<string, Check[]>()
    for (const name of readdirSync(folder)) {
      const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1]
      if (scenario === undefined) throw new Error(`The suite wrote something unknown: ${name}`)
      scenarios.set(scenario, JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as Check[])
    }
    return { exitCode, output, scenarios }
  } finally {
    await proxy.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function runSuite(args: string[]): Promise<{ exitCode: number; output: string }> {
  return new Promise((done) => {
    execFile(
      process.execPath,
      [join(SUITE, 'dist', 'index.js'), ...args],
      { timeout: LIMIT_MS, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) =>
        done({ exitCode: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}${stderr}` }),
    )
  })
}
