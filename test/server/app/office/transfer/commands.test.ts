/** The commands that move companies, as a person runs them. */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { transferCommands } from '../../../../../server/cli/office/transfer.ts'
import type { Values } from '../../../../../server/cli/shared.ts'
import { keyOf } from '../../../../support/key-of.ts'
import {
  createFolder,
  digestOfFolder,
  folderForTest,
  openFolder,
} from '../../../../support/office/folders.ts'
import { cellsForTest, refusal } from '../../../../support/office/moves.ts'
import { officeTerminal } from '../../../../support/postgres/office-terminal.ts'
import { ENGINE, testKey } from '../../../../support/postgres/databases.ts'

const file = (values: Values, name: string): string => readFileSync(String(values[name]), 'utf8')
const commands = transferCommands({
  url: (values) => file(values, 'database-file'),
  masterKey: () => testKey(),
})

const said: string[] = []
const io = {
  env: {},
  answer: () => {},
  say: (line: string) => void said.push(line),
  untilStopped: async () => {},
}

async function command(name: string, values: Values): Promise<any> {
  const { answer } = (await commands[name]?.run(values, { dataDir: '', keyFile: undefined }, io)) ?? {}
  return answer
}

describe.runIf(ENGINE === 'pg')('commands', () => {
  test('move a folder into a cell, from there into another one and into a folder, and remove what is left', async () => {
    const made = folderForTest()
    const { company } = await createFolder(made, { invoices: 1 })
    const cells = await cellsForTest()
    const folder = folderForTest()
    const [one, two] = ['one', 'two'].map((name) => join(folder, name)) as [string, string]
    writeFileSync(one, cells.one.url)
    writeFileSync(two, cells.two.url)
    const first = { 'database-file': one }
    const moving = { 'directory-file': one, 'target-database-file': two, 'target-master-key-file': two }
    await command('office set-cell', {
      ...first,
      NAME: 'one',
      address: 'https://one.example',
      'directory-file': one,
    })
    const set = await command('office set-cell', {
      ...first,
      ...moving,
      NAME: 'two',
      address: 'https://two.example',
    })
    expect(
      set.cells.map(({ name, url }: { name: string; url: string }) => [name, url.includes('@')]),
    ).toEqual([
      ['one', false],
      ['two', false],
    ])
    const { companies } = await command('office import', { ...first, FOLDER: made })
    expect(companies).toMatchObject([{ id: company }])
    const moved = await command('office move', {
      ...first,
      ...moving,
      COMPANY: company,
      from: 'one',
      to: 'two',
    })
    expect(moved.sha256).toBe(companies[0].sha256)
    expect(await command('office forget', { ...first, ...moving, COMPANY: company })).toMatchObject({
      company,
    })
    expect(await refusal(command('office forget', { ...first, ...moving, COMPANY: company }))).toEqual([
      'company_not_here',
      { company },
    ])
    const out = join(folder, 'books')
    const exported = await command('office export', {
      'database-file': two,
      COMPANY: company,
      folder: out,
      copy: true,
    })
    expect(exported).toMatchObject({ sha256: companies[0].sha256, left: [] })
    expect(keyOf(out)).toHaveLength(32)
    // The office goes on issuing: the copy does not, until it is an installation of its own.
    const copy = await openFolder(out)
    const chains = await copy.env.store.reader
      .selectFrom('registry_chains')
      .innerJoin('books', 'books.id', 'registry_chains.book_id')
      .select(['books.mode', 'registry_chains.held_for'])
      .orderBy('books.mode')
      .execute()
    await copy.close()
    expect(chains).toEqual([
      { mode: 'live', held_for: 'restored_copy' },
      { mode: 'test', held_for: null },
    ])
    expect(said.some((line) => line.includes('checks passed'))).toBe(true)
  })
})

test('the command line moves a folder into an office and a company out of it, as the role that owns the tables', async () => {
  const folder = folderForTest()
  const { company } = await createFolder(folder, { invoices: 1 })
  const at = await officeTerminal()
  // The role of the servers may not.
  const servers = at.file('servers', at.database.url)
  const refused = await at.run('office', 'import', folder, '--migration-database-file', servers)
  expect([refused.code, refused.answer.error.code, refused.answer.error.details]).toEqual([
    1,
    'office_database_refused',
    { why: '42501' },
  ])
  const owner = at.file('owner', at.database.ownerUrl)
  const asOwner = (...argv: string[]) => at.run('office', ...argv, '--migration-database-file', owner)
  const { code, answer } = await asOwner('import', folder, '--name', 'office.example')
  expect([code, answer.companies.map(({ id }: { id: string }) => id)]).toEqual([0, [company]])
  expect((await at.run('office', 'verify')).answer).toMatchObject({ books: 2 })
  const out = join(folderForTest(), 'books')
  const exported = await asOwner('export', company, '--folder', out)
  expect([exported.code, exported.answer.sha256]).toEqual([0, answer.companies[0].sha256])
  expect(await asOwner('forget', company, '--folder', out)).toMatchObject({ code: 0, answer: { company } })
  expect((await asOwner('forget', company, '--folder', out)).answer.error.code).toBe('company_not_here')
  const help = await at.run('office', 'move', '--help')
  expect(help.code).toBe(0)
})

test('the command line hands a company back with the role of the servers, and takes it back', async () => {
  const folder = folderForTest()
  const { company } = await createFolder(folder, { invoices: 1 })
  const at = await officeTerminal()
  const owner = at.file('owner', at.database.ownerUrl)
  const other = folderForTest()
  await createFolder(other, { invoices: 1, nif: 'B65410011' })
  for (const each of [folder, other])
    await at.run('office', 'import', each, '--migration-database-file', owner)
  const file = join(folderForTest(), 'empresa.sellobak')
  const made = await at.run('office', 'hand-back', company, '--file', file)
  expect([made.code, made.answer]).toEqual([
    0,
    { company, file, bytes: expect.any(Number), code: expect.stringMatching(/^\w{4}(-\w{4}){6}$/) },
  ])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect((await at.run('office', 'hand-back', company, '--file', file)).answer.error.field).toBe('file')
  const books = join(folderForTest(), 'books')
  const code = at.file('code', made.answer.code)
  expect(await at.run('restore', file, '--data', books, '--code-file', code)).toMatchObject({ code: 0 })
  expect((await digestOfFolder(books)).rows).toBeGreaterThan(20)
  const again = join(folderForTest(), 'otra.sellobak')
  const second = await at.run('office', 'hand-back', company, '--file', again, '--code-file', code)
  expect([second.code, second.answer.code]).toEqual([0, undefined])
  expect(await at.run('office', 'take-back', company)).toMatchObject({ code: 0, answer: { company } })
  expect((await at.run('office', 'take-back', company)).answer.error.code).toBe('company_here')
  expect((await at.run('office', 'take-back', 'com_none')).answer.error.code).toBe('company_not_here')
})

test('each command says what it does', () => {
  for (const [name, { usage, about }] of Object.entries(commands)) {
    expect(usage.startsWith(name)).toBe(true)
    expect(about.length).toBeGreaterThan(40)
  }
})
