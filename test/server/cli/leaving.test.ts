/** The command line leaves with everything of a company, and takes it into new books. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../../../server/cli/main.ts'
import { EmptyDesk, ownFolder, unpacked } from '../../support/leaving/archive.ts'
import { createFolder, folderForTest } from '../../support/office/folders.ts'

interface Ran {
  code: number
  answer: any
  said: string
}

async function sello(...argv: string[]): Promise<Ran> {
  const lines: string[] = []
  const said: string[] = []
  const code = await runCommand(argv, {
    env: {},
    answer: (line) => lines.push(line),
    say: (line) => said.push(line),
    untilStopped: async () => {},
  })
  return { code, answer: JSON.parse(lines.at(-1) ?? 'null') as unknown, said: said.join('\n') }
}

test('leave and take-in', { timeout: 60_000 }, async () => {
  const folder = folderForTest()
  await createFolder(folder, { invoices: 1 })
  const out = join(ownFolder(), 'archive.zip')
  const left = await sello('leave', '--out', out, '--data', folder)
  expect(left).toMatchObject({ code: 0, answer: { out, withoutPdf: [] } })
  expect(left.said).toContain('not encrypted')
  expect(Object.keys(unpacked(out))).toContain('LEEME.md')
  expect((await sello('leave', '--out', out, '--data', folder)).answer.error).toMatchObject({
    code: 'validation_failed',
  })

  // The books are for trials: those that take them in have to be as well.
  const real = join(ownFolder(), 'real')
  const refused = await sello('take-in', '--file', out, '--data', real)
  expect(refused.answer.error).toMatchObject({ code: 'archive_of_trials' })
  const desk = await EmptyDesk.open(new Date(), { sandbox: true })
  await desk.close()
  const taken = await sello('take-in', '--file', out, '--data', desk.folder)
  expect(taken).toMatchObject({ code: 0, answer: { rows: expect.any(Number) as number } })
  expect(taken.said).toContain('new installation')
  expect(existsSync(join(desk.folder, 'archive'))).toBe(false)
  expect((await sello('verify', '--data', desk.folder)).code).toBe(0)
  expect((await sello('take-in', '--file', out, '--data', desk.folder)).answer.error).toMatchObject({
    code: 'company_here',
  })
  const other = join(ownFolder(), 'other.zip')
  writeFileSync(other, 'no archive')
  expect((await sello('take-in', '--file', other, '--data', desk.folder)).answer.error).toMatchObject({
    code: 'archive_unreadable',
  })
})
