/**
 * The official conformance suite against the product, in both revisions. Scenarios that need its own tools are in
 * conformance-mount.test.ts.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hasPassed, requiredScenarios, runConformance } from '../../../support/stages/conformance.ts'
import type { Requirements } from '../../../support/stages/conformance.ts'
import { startRunning } from './running.ts'
import type { Running } from './running.ts'

const BASELINE = join(import.meta.dirname, 'conformance-product.yml')

let running: Running
let key: string
beforeAll(async () => {
  running = await startRunning()
  key = (await running.makeKey()).key
})
afterAll(() => running.close())

/** Scenarios that apply to any server. */
const PASSING: Record<Requirements, readonly string[]> = {
  '2025-11-25': [
    'dns-rebinding-protection',
    'ping',
    'prompts-list',
    'resources-list',
    'server-initialize',
    'tools-list',
  ],
  '2026-07-28': [
    'caching',
    'dns-rebinding-protection',
    'input-required-result-unsupported-methods',
    'input-required-result-validate-input',
    'prompts-list',
    'resources-list',
    'sep-2164-resource-not-found',
    'server-sse-multiple-streams',
    'tools-list',
  ],
}

/** Checks of `server-stateless` that need none of the suite's tools. */
const SERVER_STATELESS_CHECKS = 24

/** The required answer of a server without a requested feature. */
const ABSENT =
  /There is no such (tool|prompt|resource)|Method not found|Not testable|Prerequisite failed|Expected InputRequiredResult/

test.each(['2025-11-25', '2026-07-28'] as const)(
  '%s: everything that does not need the suite’s own tools passes',
  { timeout: 120_000 },
  async (requirements) => {
    const { exitCode, output, scenarios } = await runConformance(
      { url: running.mcpUrl, key },
      requirements,
      BASELINE,
    )
    expect(exitCode, output).toBe(0)
    const required = requiredScenarios(requirements)
    expect(required.length).toBeGreaterThanOrEqual(30)
    expect(required.filter((name) => !scenarios.has(name))).toEqual([])
    expect(required.filter((name) => hasPassed(scenarios.get(name))).toSorted()).toEqual(
      PASSING[requirements],
    )
    const checks = [...scenarios.values()].flat()
    const failures = required.flatMap((name) => scenarios.get(name) ?? []).filter(isFailure)
    expect(failures.filter(({ errorMessage }) => !ABSENT.test(errorMessage ?? ''))).toEqual([])
    const onWire = checks.filter(({ id }) => id === 'wire-schema-valid')
    expect(onWire.length).toBeGreaterThan(25)
    expect(onWire.filter(isFailure)).toEqual([])
    expect(running.logged.filter((line) => line.includes('"bug"'))).toEqual([])
    if (requirements === '2025-11-25') return
    const passed = (name: string) => scenarios.get(name)?.filter(({ status }) => status === 'SUCCESS') ?? []
    expect(passed('server-stateless')).toHaveLength(SERVER_STATELESS_CHECKS)
    // Not required by the revision, but kept by this program.
    expect(hasPassed(scenarios.get('http-header-validation'))).toBe(true)
    expect(passed('http-header-validation').length).toBeGreaterThan(10)
  },
)

function isFailure({ status }: { status: string }): boolean {
  return status === 'FAILURE'
}
