/** An archive goes into an office by command, and out of one again from its window. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { transferCommands } from '../../../../server/cli/office/transfer.ts'
import type { Values } from '../../../../server/cli/shared.ts'
import { startChild } from '../../../support/children/run.ts'
import { diedAt } from '../../../support/cuts/steps.ts'
import { archiveOf, EmptyDesk, ownFolder, PERSON, unpacked } from '../../../support/leaving/archive.ts'
import {
  bookOf,
  createFolder,
  databaseForTest,
  folderForTest,
  forServers,
  run,
} from '../../../support/office/folders.ts'
import { faultsOf, withOffice } from '../../../support/office/moves.ts'
import { ENGINE, testKey } from '../../../support/postgres/databases.ts'
import { openOfficeOf } from '../../../support/postgres/office.ts'
import { codeOf, newMember } from '../../../support/postgres/visitor.ts'

const AT = new Date('2026-11-24T09:00:00Z')
const io = { env: {}, answer: () => {}, say: () => {}, untilStopped: async () => {} }
const commands = transferCommands({
  url: (values) => readFileSync(String(values['database-file']), 'utf8'),
  masterKey: () => testKey(),
})

async function takeIn(url: string, file: string): Promise<{ companies: { id: string; checks: number }[] }> {
  const database = join(ownFolder(), 'database')
  writeFileSync(database, url)
  const values: Values = { 'database-file': database, file }
  const { answer } =
    (await commands['office take-in']?.run(values, { dataDir: '', keyFile: undefined }, io)) ?? {}
  return answer as { companies: { id: string; checks: number }[] }
}

async function archiveOfFolder(): Promise<{ file: string; company: string }> {
  const folder = folderForTest()
  const { company } = await createFolder(folder, { invoices: 2 })
  const source = await EmptyDesk.open(AT, { folder, sandbox: true })
  const { file } = await archiveOf(source.sello.ctx(await source.book('live'), PERSON))
  await source.close()
  return { file, company }
}

const tables = (file: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(unpacked(file)).flatMap(([name, bytes]) =>
      /^tables\/(invoices|invoice_lines|documents|journal_lines|registry_records|figure_entries)\.jsonl$/.test(
        name,
      )
        ? [[name, Buffer.from(bytes).toString('utf8')]]
        : [],
    ),
  )

describe.runIf(ENGINE === 'pg')('an archive', () => {
  test(
    'goes into an office beside other companies, and out again with the same rows',
    { timeout: 120_000 },
    async () => {
      const { url } = await databaseForTest()
      const other = await archiveOfFolder()
      const first = await takeIn(url, other.file)
      expect(first.companies).toMatchObject([{ id: other.company }])
      await expect(takeIn(url, other.file)).rejects.toMatchObject({ code: 'company_here' })
      await withOffice(forServers(url), async (sello) => {
        expect(await faultsOf(sello)).toEqual([])
        const { chain } = await run(sello, await bookOf(sello, 'live', 0), 'registry.status', {})
        expect(chain.held).toBe('restored_copy')
      })
    },
  )

  test('that was interrupted goes on when the command is repeated', { timeout: 120_000 }, async () => {
    const { url } = await databaseForTest()
    const { file, company } = await archiveOfFolder()
    for (const step of ['transfer.copied', 'transfer.committed'] as const) {
      const folder = join(ownFolder(), 'aside')
      mkdirSync(folder)
      await diedAt(startChild('leaving', [step, JSON.stringify({ url, file, folder })]), step)
      rmSync(folder, { recursive: true })
    }
    const { companies } = await takeIn(url, file)
    expect(companies).toMatchObject([{ id: company }])
    await withOffice(forServers(url), async (sello) => expect(await faultsOf(sello)).toEqual([]))
  })

  test('is made in the window by an owner with a fresh proof', { timeout: 120_000 }, async () => {
    const office = await openOfficeOf(1)
    const [server] = office.servers as [(typeof office.servers)[0]]
    const books = await office.company()
    const owner = await newMember(server, books.test, { email: 'ana@x.test', name: 'Ana', roles: ['owner'] })
    const adviser = await newMember(server, books.test, {
      email: 'luis@x.test',
      name: 'Luis',
      roles: ['adviser'],
    })
    await owner.run('contacts.create', { name: 'Zoe' }, books.test)
    expect(codeOf(await adviser.call('leaving.archive', {}, books.test))).toBe('not_found')
    expect(codeOf(await owner.call('leaving.archive', {}, books.test))).toBe('verification_needed')
    const answer = await owner.call('leaving.archive', {}, books.test, {
      'sello-verification': await owner.verification('leaving.archive'),
    })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/zip'])
    const file = join(ownFolder(), 'archive.zip')
    writeFileSync(file, answer.rawPayload)
    expect(Object.keys(tables(file))).toHaveLength(6)
    const desk = await EmptyDesk.open(server.env.now())
    await desk.takeIn(file)
    expect(await desk.failedChecks()).toEqual([])
    expect((await desk.run('contacts.list', {})).items.map(({ name }) => name)).toEqual(['Zoe'])
    // Not the people of the office, but their names in the history.
    const { items } = await desk.run('audit.list', {})
    expect(items.some(({ actor }) => actor.name === 'Ana')).toBe(true)
  })
})
