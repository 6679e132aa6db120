/** Files for accountants: golden ones, and read back by other readers and compared with the journal to the cent. */
import { join } from 'node:path'
import { strFromU8 } from 'fflate'
import { describe, expect, test } from 'vitest'
import type { InputOf, OutputOf } from '../../../../server/api/contracts.ts'
import { faultsOfRefusal, openBooks, refusal } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { OFFICE, SETTINGS } from '../../../support/examples/hand-on.ts'
import {
  filesIn,
  latin,
  readA3,
  readContasol,
  readDiary,
  readHolded,
  readOdoo,
  readPlain,
  sheetOf,
} from './readers.ts'
import type { Posted } from './readers.ts'
import { workedBook, YEAR } from './worked-book.ts'

const GOLDEN = join(import.meta.dirname, '../../../golden/hand-on')

type Settings = InputOf<'handOn.saveSettings'>

let world: TestBooks
const open = async () => (world = await workedBook())

async function bytesOf(id: string): Promise<{ bytes: Uint8Array; name: string }> {
  const { stream, fileName } = await world.run('handOn.file', { id })
  const pieces: Uint8Array[] = []
  for await (const piece of stream) pieces.push(piece)
  return { bytes: Buffer.concat(pieces), name: fileName ?? '' }
}

async function fileOf(settings: Settings): Promise<{ bytes: Uint8Array; name: string }> {
  await world.run('handOn.saveSettings', settings)
  const { id } = await world.run('handOn.create', { ...YEAR, all: true, firstNumber: 1 })
  return bytesOf(id)
}

type Entry = OutputOf<'ledger.journal'>['items'][number]

async function journal(): Promise<Entry[]> {
  const entries: Entry[] = []
  let cursor: string | null = null
  do {
    const page: OutputOf<'ledger.journal'> = await world.run('ledger.journal', {
      ...YEAR,
      sort: 'date',
      limit: 100,
      ...(cursor === null ? {} : { cursor }),
    })
    entries.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null)
  return entries
}

/** What the ledger has of each entry, by the accounts that the office was given. */
async function booked(digits: number): Promise<Posted> {
  const { items } = await world.run('handOn.accounts', { limit: 500 })
  const numbers = new Map(
    items.map((row) => [`${row.account}/${row.contact?.id ?? ''}`, row.officeAccount ?? '']),
  )
  return (await journal()).map(({ lines }) => {
    const sums = new Map<string, number>()
    for (const { account, contact, debit, credit } of lines) {
      const office =
        numbers.get(`${account}/${contact?.id ?? '?'}`) ??
        numbers.get(`${account}/`) ??
        account.padEnd(digits, '0')
      const sum = (sums.get(office) ?? 0) + Math.round(debit * 100) - Math.round(credit * 100)
      if (sum === 0) sums.delete(office)
      else sums.set(office, sum)
    }
    return sums
  })
}

const plain = (posted: Posted) => posted.map((sums) => Object.fromEntries([...sums].toSorted()))

async function expectJournal(posted: Posted): Promise<void> {
  expect(plain(posted)).toEqual(plain(await booked(8)))
}

/** Text for a golden file: identifiers of contacts are random. */
const stable = (text: string): string => text.replace(/con_[0-9a-z]{16}/g, 'con_0000000000000000')

const golden = (name: string) => join(GOLDEN, name)

describe('the same journal in the files of', () => {
  test.each([256, 512])('a3 with records of %i bytes', async (recordLength) => {
    await open()
    const { bytes, name } = await fileOf({ ...SETTINGS.a3, recordLength })
    expect(name).toBe('SUENLACE.DAT')
    const { posted, records } = readA3(bytes)
    expect(new Set(records.map(({ text }) => text.length + 2))).toEqual(new Set([recordLength]))
    await expectJournal(posted)
    await expect(latin(bytes)).toMatchFileSnapshot(golden(`suenlace-${recordLength}.dat`))
  })

  test.each([297, 1189])('ContaPlus and Sage 50 with lines of %i characters', async (recordLength) => {
    await open()
    const files = filesIn((await fileOf({ ...OFFICE, recordLength })).bytes)
    const { posted, lines } = readDiary(files['XDiario.txt']!)
    expect(
      new Set(
        latin(files['XDiario.txt']!)
          .split('\r\n')
          .slice(0, -1)
          .map(({ length }) => length),
      ),
    ).toEqual(new Set([recordLength]))
    await expectJournal(posted)
    // The VAT of every rate has its base.
    for (const { rate, base, debit, credit } of lines)
      if (rate !== '0.00')
        expect(Math.abs(Math.abs((base * Number(rate)) / 100) - Math.abs(debit - credit)) <= 1).toBe(true)
    const accounts = new Set(
      latin(files['XSubCta.txt']!)
        .split('\r\n')
        .map((line) => line.slice(0, 12).trim()),
    )
    for (const { account } of lines) expect(accounts.has(account)).toBe(true)
    await expect(latin(files['XDiario.txt']!)).toMatchFileSnapshot(golden(`xdiario-${recordLength}.txt`))
    if (recordLength === 1189)
      await expect(latin(files['XSubCta.txt']!)).toMatchFileSnapshot(golden('xsubcta.txt'))
  })

  test('ContaSOL', async () => {
    await open()
    const files = filesIn((await fileOf(SETTINGS.contasol)).bytes)
    expect(Object.keys(files)).toEqual(['MAE.xlsx', 'APU.xlsx', 'IVR.xlsx', 'IVS.xlsx'])
    await expectJournal(await readContasol(files['APU.xlsx']!))
    for (const [name, bytes] of Object.entries(files))
      await expect(JSON.stringify(await sheetOf(bytes), null, 1)).toMatchFileSnapshot(
        golden(`contasol-${name}.json`),
      )
  })

  test('Holded', async () => {
    await open()
    const { bytes, name } = await fileOf(SETTINGS.holded)
    expect(name).toBe('Diario.xlsx')
    await expectJournal(await readHolded(bytes))
    await expect(JSON.stringify(await sheetOf(bytes), null, 1)).toMatchFileSnapshot(golden('holded.json'))
  })

  test('Odoo', async () => {
    await open()
    const files = filesIn((await fileOf(SETTINGS.odoo)).bytes)
    await expectJournal(readOdoo(files['3-account.move.csv']!))
    for (const [name, bytes] of Object.entries(files))
      await expect(stable(strFromU8(bytes))).toMatchFileSnapshot(golden(`odoo-${name}`))
  })

  test('plain tables', async () => {
    await open()
    const files = filesIn((await fileOf(SETTINGS.csv)).bytes)
    await expectJournal(readPlain(files['diario.csv']!))
    for (const [name, bytes] of Object.entries(files))
      await expect(strFromU8(bytes)).toMatchFileSnapshot(golden(`plain-${name}`))
  })
})

describe('invoices in SUENLACE.DAT', () => {
  test('have their VAT, except those that the format cannot split', async () => {
    await open()
    const { records } = readA3((await fileOf(SETTINGS.a3)).bytes)
    const heads = records.filter(({ type }) => type === '1' || type === '2')
    // Nine sales with the ticket, without the F3 that takes it back; seven purchases.
    expect(heads.map(({ text }) => text.slice(57, 58)).toSorted()).toEqual([...'11111111', ...'222222', '3'])
    const { faults } = await world.run('handOn.preview', { ...YEAR, all: true })
    expect(faults.map(({ code }) => code).toSorted()).toEqual(['hand_on_characters', 'hand_on_replaces'])
  })
})

describe('settings', () => {
  test('that a format does not take are refused', async () => {
    world = await openBooks()
    const refusedBy: [Partial<Settings>, string][] = [
      [{ digits: 5 }, 'digits: hand_on_digits_of_format'],
      [{ encoding: 'utf-8' }, 'encoding: hand_on_encoding'],
      [{ recordLength: 256 }, 'recordLength: hand_on_record_length'],
      [{ recordLength: null }, 'recordLength: hand_on_record_length'],
      [{ companyCode: '1' }, 'companyCode: hand_on_company_code'],
      [{ journal: '1' }, 'journal: hand_on_journal'],
      [{ firstCustomer: 1_000_000, digits: 9 }, 'firstCustomer: hand_on_first_too_long'],
      [{ format: 'a3', recordLength: 512, companyCode: '' }, 'companyCode: hand_on_company_code'],
      [{ format: 'a3', recordLength: 512, companyCode: '123456' }, 'companyCode: hand_on_company_code'],
      [
        { format: 'contasol', encoding: 'utf-8', recordLength: null, journal: 'X' },
        'journal: hand_on_journal',
      ],
    ]
    for (const [changes, fault] of refusedBy)
      expect(await faultsOfRefusal(world.run('handOn.saveSettings', { ...OFFICE, ...changes }))).toEqual([
        fault,
      ])
    expect((await world.run('handOn.settings', {})).settings).toBeNull()
    for (const run of [
      () => world.run('handOn.create', YEAR),
      () => world.run('handOn.saveAccounts', { write: false }),
    ])
      expect(await refusal(run())).toBe('hand_on_not_set')
    await world.run('handOn.saveSettings', OFFICE)
    expect(await refusal(world.run('handOn.create', YEAR))).toBe('hand_on_nothing')
    expect(await refusal(world.run('handOn.file', { id: 'hon_0000000000000000' }))).toBe('not_found')
    expect(await refusal(world.run('handOn.discard', { id: 'hon_0000000000000000' }))).toBe('not_found')
    for (const [period, fault] of [
      [{}, 'from: hand_on_no_period'],
      [{ from: '2026-01-01' }, 'from: hand_on_no_period'],
      [{ ...YEAR, year: 2026 }, 'from: hand_on_two_periods'],
      [{ from: '2026-02-01', to: '2026-01-01' }, 'to: dates_reversed'],
    ] as const)
      expect(await faultsOfRefusal(world.run('handOn.preview', period))).toEqual([fault])
  })

  test('digits that are fewer than a code name the account; a typed one goes instead', async () => {
    await open()
    await world.run('handOn.saveSettings', { ...OFFICE, digits: 6 })
    const before = await world.run('handOn.preview', { ...YEAR, all: true })
    expect(before.ok).toBe(false)
    const short = before.faults.filter(({ code }) => code === 'hand_on_digits_short')
    expect(short.map(({ params }) => params?.account)).toContain('4772100')
    expect(await refusal(world.run('handOn.create', { ...YEAR, all: true }))).toBe('validation_failed')
    const rows = short.map(({ params }) => ({
      account: String(params?.account),
      contactId: null,
      officeAccount: String(params?.account).slice(0, 6),
    }))
    await world.run('handOn.saveAccounts', { rows, write: true })
    const after = await world.run('handOn.preview', { ...YEAR, all: true })
    expect(after.ok).toBe(true)
    // Back to eight digits the typed accounts do not fit any more, and taking them away is enough.
    await world.run('handOn.saveSettings', OFFICE)
    const typed = await world.run('handOn.preview', { ...YEAR, all: true })
    expect(
      new Set(typed.faults.filter(({ severity }) => severity === 'error').map(({ code }) => code)),
    ).toEqual(new Set(['hand_on_typed_digits']))
    await world.run('handOn.saveAccounts', {
      rows: rows.map((row) => ({ ...row, officeAccount: null })),
      write: true,
    })
    expect((await world.run('handOn.preview', { ...YEAR, all: true })).ok).toBe(true)
  })
})

test('an account follows a contact into another that has none, keeps to its own where there is one, and comes back', async () => {
  await open()
  await world.run('handOn.saveSettings', OFFICE)
  const contact = async (name: string, nif: string) => (await world.run('contacts.create', { name, nif })).id
  const [one, two, three] = [
    await contact('Uno, S.L.', 'B12345674'),
    await contact('Dos, S.L.', 'B87654323'),
    await contact('Tres, S.A.', 'A58818501'),
  ]
  const given = (id: string, account: string, officeAccount: string) => ({
    account,
    contactId: id,
    officeAccount,
  })
  await world.run('handOn.saveAccounts', {
    rows: [
      given(one, '430', '43000071'),
      given(two, '430', '43000072'),
      given(two, '400', '40000072'),
      given(three, '410', '41000073'),
    ],
    write: true,
  })
  const listed = async () => {
    const { items } = await world.run('handOn.accounts', { limit: 100 })
    return items
      .filter(({ contact: of }) => [one, two, three].includes(of?.id ?? ''))
      .map(({ contact: of, officeAccount }) => `${of?.name} ${officeAccount}`)
      .toSorted()
  }
  const before = await listed()
  expect(before).toEqual([
    'Dos, S.L. 40000072',
    'Dos, S.L. 43000072',
    'Tres, S.A. 41000073',
    'Uno, S.L. 43000071',
  ])
  const first = await world.run('contacts.merge', { id: one, otherId: two })
  expect(first.moved).toEqual({ officeAccounts: 1 })
  const second = await world.run('contacts.merge', { id: one, otherId: three })
  expect(await listed()).toEqual(['Uno, S.L. 40000072', 'Uno, S.L. 41000073', 'Uno, S.L. 43000071'])
  // The number of the contact that is gone is nobody else's.
  const four = await contact('Cuatro, S.L.', 'B50000140')
  expect(
    await refusal(world.run('handOn.saveAccounts', { rows: [given(four, '430', '43000072')], write: true })),
  ).toBe('validation_failed')
  await world.run('contacts.undoMerge', { id: second.mergeId })
  await world.run('contacts.undoMerge', { id: first.mergeId })
  expect(await listed()).toEqual(before)
})
