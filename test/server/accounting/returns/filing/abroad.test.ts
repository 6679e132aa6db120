/** A refund of the 303 to an account outside SEPA: what is asked, what is refused, and what the page of the account says. */
import { expect, test } from 'vitest'
import type { InputOf } from '../../../../../server/api/contracts.ts'
import { faultsOfRefusal } from '../../../../support/books.ts'
import type { TestBooks } from '../../../../support/books.ts'
import { workedQuarter } from '../worked.ts'

const VAT = { model: '303', year: 2026, quarter: 4, kind: 'X' } as const
const ABROAD = {
  iban: '0123 456-789',
  bankBic: 'chasus33',
  bankName: 'JPMorgan Chase Bank, N.A.',
  bankAddress: '383 Madison Ave. (New York)',
  bankCity: 'New York',
  bankCountry: 'us',
} as const

async function worked(): Promise<TestBooks> {
  const world = await workedQuarter()
  world.setTime('2027-01-12T10:00:00+01:00')
  return world
}

const textOf = async (world: TestBooks, input: InputOf<'fiscal.returnFile'>): Promise<string> =>
  Buffer.from((await world.run('fiscal.returnFile', input)).bytes).toString('latin1')

/** Positions of layouts/303.tsv, page DID00, written here by hand. */
function accountPage(text: string) {
  const page = text.slice(text.indexOf('<T303DID00>'))
  const field = (at: number, length: number) => page.slice(at - 1, at - 1 + length).trimEnd()
  return {
    bic: field(12, 11),
    account: field(23, 34),
    name: field(57, 70),
    address: field(127, 35),
    city: field(162, 30),
    country: field(192, 2),
    mark: field(194, 1),
  }
}

test('names account and bank on the page of the account, with the mark of other countries', async () => {
  const world = await worked()
  expect(accountPage(await textOf(world, { ...VAT, ...ABROAD }))).toEqual({
    bic: 'CHASUS33',
    account: '0123456789',
    name: 'JPMORGAN CHASE BANK NA',
    address: '383 MADISON AVE NEW YORK',
    city: 'NEW YORK',
    country: 'US',
    mark: '3',
  })
  // An IBAN outside SEPA is written as it is.
  const iban = 'TR330006100519786457841326'
  expect(accountPage(await textOf(world, { ...VAT, ...ABROAD, iban })).account).toBe(iban)
})

test('is filed, stored with its bank, and bound to it', async () => {
  const world = await worked()
  const preview = await world.run('fiscal.prepareFiling', { ...VAT, ...ABROAD })
  expect(preview.faults.filter(({ severity }) => severity === 'error')).toEqual([])
  expect(preview).toMatchObject({
    kind: 'X',
    iban: '0123456789',
    bank: { bic: 'CHASUS33', name: 'JPMORGAN CHASE BANK NA', city: 'NEW YORK', country: 'US' },
  })
  // Another bank is another yes: the first token is of no use any more.
  const other = await world.run('fiscal.prepareFiling', { ...VAT, ...ABROAD, bankCity: 'Boston' })
  const { model, year, quarter } = VAT
  const file = (confirmationToken: string | null) =>
    world.run('fiscal.fileReturn', { model, year, quarter, confirmationToken: confirmationToken ?? '' })
  await expect(file(preview.confirmationToken)).rejects.toMatchObject({ code: 'confirmation_invalid' })
  const sending = await file(other.confirmationToken)
  expect(sending).toMatchObject({ state: 'accepted', kind: 'X' })
  const row = await world.test.db.selectFrom('filing_sendings').select('choices').executeTakeFirstOrThrow()
  expect(JSON.parse(row.choices)).toMatchObject({
    kind: 'X',
    iban: '0123456789',
    bank: { bic: 'CHASUS33', city: 'BOSTON', country: 'US' },
  })
})

test.each([
  [{ iban: undefined }, 'iban: iban_missing'],
  [{ iban: '1'.repeat(35) }, 'iban: account_abroad_invalid'],
  [{ iban: '12*34' }, 'iban: account_abroad_invalid'],
  [{ iban: 'ES91 2100 0418 4502 0005 1332' }, 'iban: account_in_sepa'],
  [{ iban: 'DE89370400440532013000' }, 'iban: account_in_sepa'],
  [{ bankBic: undefined }, 'bankBic: bic_invalid'],
  [{ bankBic: 'CHASUS3' }, 'bankBic: bic_invalid'],
  [{ bankBic: 'CHAS1133' }, 'bankBic: bic_invalid'],
  [{ bankName: undefined }, 'bankName: bank_data_missing'],
  [{ bankAddress: '银行' }, 'bankAddress: bank_data_missing'],
  [{ bankCity: '—' }, 'bankCity: bank_data_missing'],
  [{ bankCountry: undefined }, 'bankCountry: bank_country_invalid'],
  [{ bankCountry: 'U1' }, 'bankCountry: bank_country_invalid'],
  [{ bankCountry: 'ES' }, 'bankCountry: bank_country_invalid'],
] as const)('is refused with %o', async (changes, fault) => {
  const world = await worked()
  expect(await faultsOfRefusal(world.run('fiscal.returnFile', { ...VAT, ...ABROAD, ...changes }))).toContain(
    fault,
  )
})

test('warns of an account that reads like an IBAN and has wrong check digits', async () => {
  const world = await worked()
  const codes = async (iban: string) =>
    (await world.run('fiscal.prepareFiling', { ...VAT, ...ABROAD, iban })).faults.map(({ code }) => code)
  expect(await codes('TR330006100519786457841327')).toContain('account_like_iban')
  expect(await codes('TR330006100519786457841326')).not.toContain('account_like_iban')
})

test('a bank is named by no other kind, and an account abroad is no refund of kind D', async () => {
  const world = await worked()
  const refusedFor = (changes: object) =>
    faultsOfRefusal(world.run('fiscal.returnFile', { ...VAT, ...ABROAD, ...changes }))
  expect(await refusedFor({ kind: 'C' })).toContain('bankBic: bank_not_allowed')
  expect(await refusedFor({ kind: 'D', iban: 'TR330006100519786457841326' })).toContain('iban: iban_abroad')
})
