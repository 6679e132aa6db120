/** The rules a draft must pass, one row each: what is wrong, where, and whether it keeps the draft from being issued. */
import { describe, expect, test } from 'vitest'
import { computeTotals } from '../../../../../server/domain/tax/totals.ts'
import { checkDraft } from '../../../../../server/sales/invoices/draft/check.ts'
import type { CheckFacts } from '../../../../../server/sales/invoices/draft/check.ts'
import { PLAIN_CONTENT, PLAIN_LINE } from '../../../../../server/sales/invoices/content.ts'
import type { DraftContent, DraftLine } from '../../../../../server/sales/invoices/content.ts'
import type { PartyFacts } from '../../../../../server/sales/invoices/draft/parties.ts'

const party = (changes: Partial<PartyFacts> = {}): PartyFacts => ({
  name: 'Cliente',
  tradeName: null,
  nif: '12345678Z',
  idType: null,
  street: 'Calle 1',
  postalCode: '28013',
  city: 'Madrid',
  province: null,
  country: 'ES',
  email: null,
  phone: null,
  iban: null,
  registryInscription: null,
  dir3: null,
  ...changes,
})

const line = (changes: Partial<DraftLine> = {}): DraftLine => ({
  description: 'Trabajo',
  ...PLAIN_LINE,
  unitPriceMicro: 100_000_000,
  vatRateBp: 2100,
  ...changes,
})

const draft = (changes: Partial<DraftContent> = {}): DraftContent => ({
  ...PLAIN_CONTENT,
  kind: 'F1',
  issueDate: null,
  dueDate: null,
  client: party(),
  lines: [line()],
  ...changes,
})

function faultsOf(changes: Partial<DraftContent>, facts: Partial<CheckFacts> = {}): string[] {
  const content = draft(changes)
  const totals = computeTotals(content.lines, {
    priceMode: content.priceMode,
    withholdingRateBp: content.withholdingBp,
  })
  const today = facts.today ?? '2026-11-21'
  const all: CheckFacts = {
    today,
    issueDate: content.issueDate ?? today,
    issuer: party({ nif: 'B12345674' }),
    lastIssueDate: null,
    readiness: [],
    lookalike: null,
    ...facts,
  }
  return checkDraft(content, totals, all).map((fault) => {
    expect(fault.message, fault.code).toMatch(/\.$/)
    expect(fault.fix ?? '.', fault.code).toMatch(/\.$/)
    return `${fault.severity} ${fault.code} at ${fault.field}`
  })
}

test('an everyday draft has nothing wrong with it', () => expect(faultsOf({})).toEqual([]))

test('a transfer needs the account it goes to', () => {
  const missing = ['warning transfer_without_iban at paymentMethod']
  const account = { issuer: party({ nif: 'B12345674', iban: 'ES9121000418450200051332' }) }
  expect(
    faultsOf({ paymentMethod: 'transfer' }, { issuer: party({ nif: 'B12345674', iban: null }) }),
  ).toEqual(missing)
  expect(faultsOf({ paymentMethod: 'transfer' }, account)).toEqual([])
  for (const paymentMethod of [null, 'card', 'cash', 'direct_debit'] as const)
    expect(faultsOf({ paymentMethod })).toEqual([])
  // What gives money back asks for no account.
  const returned = { paymentMethod: 'transfer', lines: [line({ quantityMicro: -1_000_000 })] } as const
  expect(faultsOf(returned as never).filter((fault) => fault.includes('transfer'))).toEqual([])
})

describe('the customer', () => {
  test.each<[string, Partial<PartyFacts>, string[]]>([
    ['no NIF', { nif: null }, ['error client_nif_missing at clientNif']],
    ['a NIF of no shape', { nif: 'ABC' }, ['error nif_invalid at clientNif']],
    ['a wrong control letter', { nif: '12345678A' }, ['error nif_invalid at clientNif']],
    ['an entity whose control does not fit', { nif: 'B12345675' }, ['warning nif_doubtful at clientNif']],
    ['the company itself', { nif: 'B12345674' }, ['warning client_is_issuer at clientNif']],
    ['no street', { street: null }, ['warning client_address_missing at client.address']],
    ['no city', { city: null }, ['warning client_address_missing at client.address']],
    [
      'another country without the kind of identifier',
      { country: 'FR', nif: 'FR123' },
      ['error client_id_type_missing at client.idType'],
    ],
    ['a passport', { country: 'FR', nif: '12AB34567', idType: '03' }, []],
    ['a Spanish passport', { nif: 'AAA123456', idType: '03' }, []],
    [
      'an EU VAT number',
      { country: 'DE', nif: 'DE123456789', idType: '02' },
      ['warning vat_to_eu_business at lines[0].taxTreatment'],
    ],
    [
      'an EU VAT number without its country',
      { country: 'DE', nif: '123456789', idType: '02' },
      ['error vat_number_shape at clientNif', 'warning vat_to_eu_business at lines[0].taxTreatment'],
    ],
    ['not in the census', { nif: '12345678Z', idType: '07' }, []],
    [
      'not in the census, of another country',
      { country: 'FR', idType: '07' },
      ['error id_type_country at client.country'],
    ],
    ['a foreign document in Spain', { idType: '04', nif: 'X1' }, ['error id_type_country at client.idType']],
  ])('%s', (_name, client, faults) => expect(faultsOf({ client: party(client) })).toEqual(faults))

  test('a simplified invoice needs none, and says that it keeps none', () => {
    expect(faultsOf({ kind: 'F2', client: party({ nif: null, street: null }) })).toEqual([])
    expect(faultsOf({ kind: 'F2' })).toEqual(['warning simplified_with_nif at clientNif'])
  })
})

describe('dates', () => {
  test.each<[string, Partial<DraftContent>, Partial<CheckFacts>, string[]]>([
    ['tomorrow', { issueDate: '2026-11-22' }, {}, ['error issue_date_future at issueDate']],
    ['today', { issueDate: '2026-11-21' }, {}, []],
    ['before the registry', { issueDate: '2024-10-27' }, {}, ['error issue_date_too_old at issueDate']],
    ["the registry's first day", { issueDate: '2024-10-28' }, {}, []],
    [
      'before the last of the series',
      { issueDate: '2026-11-20' },
      { lastIssueDate: '2026-11-21' },
      ['error issue_date_out_of_order at issueDate'],
    ],
    ['the day of the last of the series', { issueDate: '2026-11-20' }, { lastIssueDate: '2026-11-20' }, []],
    [
      'operation after issue',
      { operationDate: '2026-11-22' },
      {},
      ['error operation_date_after_issue at operationDate'],
    ],
    [
      'operation after issue, deferred accrual',
      { operationDate: '2026-12-22', lines: [line({ regimeKey: '14' })] },
      {},
      [],
    ],
    [
      'operation 21 years ago',
      { operationDate: '2005-11-01', lines: [line({ taxTreatment: 'E1', vatRateBp: null })] },
      {},
      ['error operation_date_too_old at operationDate'],
    ],
    ['due before issue', { dueDate: '2026-11-20' }, {}, ['error due_date_before_issue at dueDate']],
    ['due in 60 days', { dueDate: '2027-01-20' }, {}, []],
    ['due in 61 days', { dueDate: '2027-01-21' }, {}, ['warning term_too_long at dueDate']],
  ])('%s', (_name, changes, facts, faults) => expect(faultsOf(changes, facts)).toEqual(faults))
})

describe('lines', () => {
  test.each<[string, Partial<DraftLine>, string[]]>([
    ['a rate that never was', { vatRateBp: 1800 }, ['error vat_rate_unknown at lines[0].vatRate']],
    ['a rate of another year', { vatRateBp: 500 }, ['error vat_rate_unknown at lines[0].vatRate']],
    ['taxed without a rate', { vatRateBp: null }, ['error vat_rate_unknown at lines[0].vatRate']],
    ['the surcharge of the rate', { surchargeRateBp: 520 }, []],
    ['the surcharge of tobacco', { surchargeRateBp: 175 }, []],
    [
      'the surcharge of another rate',
      { surchargeRateBp: 140 },
      ['error surcharge_wrong at lines[0].surcharge'],
    ],
    [
      'reverse charge with a rate',
      { taxTreatment: 'S2' },
      [
        'error rate_with_reverse_charge at lines[0].vatRate',
        'warning reverse_charge_private at lines[0].taxTreatment',
      ],
    ],
    [
      'reverse charge',
      { taxTreatment: 'S2', vatRateBp: 0 },
      ['warning reverse_charge_private at lines[0].taxTreatment'],
    ],
    ['exempt with a rate', { taxTreatment: 'E1' }, ['error rate_without_tax at lines[0].vatRate']],
    ['not subject with a rate', { taxTreatment: 'N1' }, ['error rate_without_tax at lines[0].vatRate']],
    [
      'exempt with a surcharge',
      { taxTreatment: 'E1', vatRateBp: null, surchargeRateBp: 520 },
      ['error surcharge_without_tax at lines[0].surcharge'],
    ],
    ['exempt', { taxTreatment: 'E1', vatRateBp: null }, []],
    [
      'an exemption of the Canary Islands',
      { taxTreatment: 'E7', vatRateBp: null },
      ['error treatment_not_vat at lines[0].taxTreatment'],
    ],
    [
      'an export under the general regime',
      { taxTreatment: 'E2', vatRateBp: null },
      ['error regime_mismatch at lines[0].regimeKey'],
    ],
    ['an export under its own', { taxTreatment: 'E2', vatRateBp: null, regimeKey: '02' }, []],
  ])('%s', (_name, changes, faults) => expect(faultsOf({ lines: [line(changes)] })).toEqual(faults))

  test('each fault names its line', () =>
    expect(faultsOf({ lines: [line(), line({ vatRateBp: 1800 })] })).toEqual([
      'error vat_rate_unknown at lines[1].vatRate',
    ]))
  test('the day of the operation decides on the rate', () => {
    expect(
      faultsOf({ operationDate: '2024-11-01', lines: [line({ vatRateBp: 750, surchargeRateBp: 100 })] }),
    ).toEqual([])
    expect(faultsOf({ operationDate: '2025-01-01', lines: [line({ vatRateBp: 750 })] })).toEqual([
      'error vat_rate_unknown at lines[0].vatRate',
    ])
  })
  test('a disbursement has no tax to be wrong', () =>
    expect(faultsOf({ lines: [line(), line({ isDisbursement: true, vatRateBp: null })] })).toEqual([]))
})

describe('kinds and totals', () => {
  const anybody = party({ nif: null })
  const cents = (amount: number) =>
    line({ taxTreatment: 'E1', vatRateBp: null, unitPriceMicro: amount * 10_000 })
  test.each<[string, Partial<DraftContent>, string[]]>([
    ['simplified of 400 euros', { kind: 'F2', client: anybody, lines: [cents(40_000)] }, []],
    [
      'simplified above 400 euros',
      { kind: 'F2', client: anybody, lines: [cents(40_001)] },
      ['warning simplified_large at lines'],
    ],
    [
      'simplified of 3,000 euros',
      { kind: 'F2', client: anybody, lines: [cents(300_000)] },
      ['warning simplified_large at lines'],
    ],
    [
      'simplified above 3,000 euros',
      { kind: 'F2', client: anybody, lines: [cents(300_001)] },
      ['error simplified_too_large at lines'],
    ],
    [
      'simplified with reverse charge',
      { kind: 'F2', client: anybody, lines: [line({ taxTreatment: 'S2', vatRateBp: 0 })] },
      ['error reverse_charge_needs_client at lines[0].taxTreatment'],
    ],
    [
      'qualified simplified as F2',
      { kind: 'F2', client: anybody, simplifiedArt7273: true },
      ['error art7273_needs_f1 at simplifiedArt7273'],
    ],
    ['qualified simplified as F1', { simplifiedArt7273: true }, []],
    [
      'only disbursements',
      { lines: [line({ isDisbursement: true, vatRateBp: null })] },
      ['error nothing_to_register at lines'],
    ],
    [
      'a negative base',
      { lines: [line({ unitPriceMicro: -100_000_000 })] },
      ['warning negative_base at lines'],
    ],
    [
      'a total of zero',
      { lines: [line(), line({ unitPriceMicro: -100_000_000 })] },
      ['warning total_zero at lines'],
    ],
    [
      'an unusual withholding',
      { withholdingBp: 1234 },
      [
        'warning withholding_unusual at withholdingPct',
        'warning withholding_of_company at withholdingPct',
        'warning withholding_private_client at withholdingPct',
      ],
    ],
    [
      'a usual withholding of a company to a person',
      { withholdingBp: 1500 },
      [
        'warning withholding_of_company at withholdingPct',
        'warning withholding_private_client at withholdingPct',
      ],
    ],
    [
      'twelve tax groups',
      {
        lines: Array.from({ length: 12 }, (_, index) =>
          // A margin scheme would ask for its cost.
          line({ regimeKey: String(index + 1).padStart(2, '0'), taxTreatment: 'E1', vatRateBp: null }),
        ),
      },
      [],
    ],
    [
      'thirteen tax groups',
      {
        lines: Array.from({ length: 13 }, (_, index) =>
          // A margin scheme would ask for its cost.
          line({ regimeKey: String(index + 1).padStart(2, '0'), taxTreatment: 'E1', vatRateBp: null }),
        ),
      },
      ['error too_many_tax_groups at lines'],
    ],
  ])('%s', (_name, changes, faults) => expect(faultsOf(changes)).toEqual(faults))

  test('another one like it is pointed out', () => {
    expect(faultsOf({}, { lookalike: { number: 'F2026-0001', issueDate: '2026-11-20' } })).toEqual([
      'warning looks_like_another at ',
    ])
  })

  test('what keeps the book from issuing comes first, and all faults come at once', () => {
    const readiness = [{ code: 'producer_missing', field: '', severity: 'error' as const, message: 'Blank.' }]
    expect(
      faultsOf(
        {
          client: party({ nif: null }),
          issueDate: '2026-11-22',
          dueDate: '2026-11-01',
          lines: [line({ vatRateBp: 1 }), line({ vatRateBp: 2 })],
        },
        { readiness },
      ),
    ).toEqual([
      'error producer_missing at ',
      'error client_nif_missing at clientNif',
      'error issue_date_future at issueDate',
      'error due_date_before_issue at dueDate',
      'error vat_rate_unknown at lines[0].vatRate',
      'error vat_rate_unknown at lines[1].vatRate',
    ])
  })
})
