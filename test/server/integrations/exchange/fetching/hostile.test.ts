/**
 * Hostile files that the public platform gives: each is kept whole and said to be unreadable, or not kept at all, and the
 * program with all its processes stays below 400 MB.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import runtime from '../../../../../build/runtime.json' with { type: 'json' }
import { peakOf, watchMemory } from '../../../../support/children/memory.ts'
import { startChild } from '../../../../support/children/run.ts'
import { swept } from '../../../../support/sweep.ts'

const MOST_MB = 400

interface Fate {
  why: string | null
  /** The bytes are kept. */
  hasFile: boolean
  /** State of the document that waits to be entered, and why it could not be read. */
  incoming: string | null
  unread: string | null
}

const ready: Fate = { why: null, hasFile: true, incoming: 'ready', unread: null }
const failed = (unread: string): Fate => ({ why: null, hasFile: true, incoming: 'failed', unread })
const refused: Fate = { why: 'file_unreadable', hasFile: true, incoming: null, unread: null }
const tooLarge: Fate = { why: 'too_large', hasFile: false, incoming: null, unread: null }

const FATES: Record<string, Fate> = {
  'six thousand lines': ready,
  'a DOCTYPE': failed('doctype'),
  'entities of an invoice': failed('doctype'),
  'entities that multiply': failed('doctype'),
  'NUL bytes': refused,
  'nothing but NUL bytes': refused,
  'an archive of zeros': refused,
  'elements up to the limit': failed('too_large'),
  'elements within elements': tooLarge,
  'attributes without end': tooLarge,
  'one text': tooLarge,
  'ten thousand lines': tooLarge,
  'fifty megabytes': tooLarge,
}
/** Small ones, and one for each end. */
const STANDING = new Set([
  'a DOCTYPE',
  'entities of an invoice',
  'NUL bytes',
  'an archive of zeros',
  'ten thousand lines',
])

// Memory is read from /proc.
test.skipIf(process.platform !== 'linux')(
  'what the platform gives cannot exhaust the program',
  { timeout: 600_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sello-hostile-exchange-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const titles = swept(Object.keys(FATES), (title) => STANDING.has(title))
    const child = startChild('hostile-exchange', [folder, ...titles], {
      nodeFlags: runtime.nodeFlags,
      env: { ...process.env, ...runtime.environment },
    })
    const pid = child.process.pid ?? 0
    const report: string[] = []
    for (const title of titles) {
      const memory = watchMemory(pid)
      const line = await child.line()
      const mb = Math.round(memory())
      report.push(`${JSON.stringify(line)} ${mb} MB with its processes, ${Math.round(peakOf(pid))} MB alone`)
      expect(line, title).toMatchObject({ title, state: 'open', isWaiting: false, ...FATES[title] })
      expect(mb, title).toBeLessThan(MOST_MB)
    }
    console.log(report.join('\n'))
  },
)
