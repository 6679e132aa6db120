/** A program that is killed while it writes an archive leaves none, and while it takes one in takes in all or nothing. */
import { cpSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dropArchives } from '../../../../server/app/leaving/start.ts'
import { FAILPOINTS } from '../../../../server/db/failpoints.ts'
import type { Step } from '../../../../server/db/failpoints.ts'
import { startChild } from '../../../support/children/run.ts'
import { diedAt } from '../../../support/cuts/steps.ts'
import { archiveOf, EmptyDesk, ownFolder, PERSON } from '../../../support/leaving/archive.ts'
import { createFolder, folderForTest } from '../../../support/office/folders.ts'
import { swept } from '../../../support/sweep.ts'

const AT = new Date('2026-11-24T09:00:00Z')
const WRITING: readonly Step[] = ['leaving.files_written', 'leaving.written', 'leaving.proved']
const TAKING: readonly Step[] = [
  'leaving.staged',
  'leaving.verified',
  'transfer.copied',
  'transfer.proved',
  'leaving.committed',
]

const companies = async (desk: EmptyDesk): Promise<number> =>
  (await desk.sello.env.store.reader.selectFrom('companies').select('id').execute()).length

/** Books with two invoices, and their archive. */
async function made(): Promise<{ folder: string; file: string }> {
  const folder = folderForTest()
  await createFolder(folder, { invoices: 2 })
  const source = await EmptyDesk.open(AT, { folder, sandbox: true })
  const { file } = await archiveOf(source.sello.ctx(await source.book('live'), PERSON))
  await source.close()
  return { folder, file }
}

test('every step is killed', () => {
  expect([...WRITING, ...TAKING].filter((step) => step.startsWith('leaving.')).toSorted()).toEqual(
    FAILPOINTS.filter((step) => step.startsWith('leaving.')).toSorted(),
  )
})

describe.each(swept(WRITING, (step) => step === 'leaving.written'))('killed at %s', (step) => {
  test(
    'a program leaves no archive under its name, and writes it when asked again',
    { timeout: 60_000 },
    async () => {
      const { folder: source } = await made()
      const folder = ownFolder()
      cpSync(source, folder, { recursive: true })
      const out = join(ownFolder(), 'archive.zip')
      await diedAt(startChild('leaving', [step, JSON.stringify({ folder, out })]), step)
      expect(existsSync(out)).toBe(false)
      const again = startChild('leaving', ['none', JSON.stringify({ folder, out })])
      expect(await again.line()).toEqual({ done: true })
      const desk = await EmptyDesk.open(AT, { sandbox: true })
      await desk.takeIn(out)
      expect(await desk.failedChecks()).toEqual([])
    },
  )
})

describe.each(swept(TAKING, (step) => step === 'transfer.copied'))('killed at %s', (step) => {
  test(
    'a program has taken in all or nothing, and takes it in when asked again',
    { timeout: 60_000 },
    async () => {
      const { file } = await made()
      const folder = ownFolder()
      await diedAt(startChild('leaving', [step, JSON.stringify({ folder, file })]), step)
      const desk = await EmptyDesk.open(AT, { folder, sandbox: true })
      expect(await companies(desk)).toBe(step === 'leaving.committed' ? 1 : 0)
      if (step !== 'leaving.committed') await desk.takeIn(file)
      expect(await companies(desk)).toBe(1)
      expect(await desk.failedChecks()).toEqual([])
      // What was left behind goes with the next start.
      dropArchives(folder)
      expect(readdirSync(folder)).not.toContain('archive')
    },
  )
})
