/**
 * The official conformance suite against its own tools, through the product's route and wires: it tests the
 * transport.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { hasPassed, requiredScenarios, runConformance } from '../../../support/stages/conformance.ts'
import type { Requirements } from '../../../support/stages/conformance.ts'
import { startRunning } from './running.ts'
import type { Running } from './running.ts'

vi.mock('../../../../server/api/mcp/engine.ts', async (importOriginal) => {
  const { createFixtureEngine } = await import('./conformance-fixture.ts')
  return { ...(await importOriginal<object>()), createEngine: createFixtureEngine }
})

const BASELINE = join(import.meta.dirname, 'conformance-mount.yml')

let running: Running
let key: string
beforeAll(async () => {
  running = await startRunning()
  key = (await running.makeKey()).key
})
afterAll(() => running.close())

/** Scenarios that fail correctly; the reasons are in conformance-mount.yml. */
const FAILING: Record<Requirements, readonly string[]> = {
  '2025-11-25': [
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
    'logging-set-level',
    'resources-subscribe',
    'resources-unsubscribe',
    'server-sse-multiple-streams',
    'tools-call-elicitation',
    'tools-call-sampling',
    'tools-call-with-logging',
  ],
  '2026-07-28': [],
}

test.each(['2025-11-25', '2026-07-28'] as const)(
  '%s: every scenario without a session passes',
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
    expect(required.filter((name) => !hasPassed(scenarios.get(name))).toSorted()).toEqual(
      FAILING[requirements],
    )
    expect(running.logged.filter((line) => line.includes('"bug"'))).toEqual([])
  },
)
