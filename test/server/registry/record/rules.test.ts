import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkRecord } from '../../../../server/registry/record/rules.ts'
import { invoice, ISSUER, submitted, taxed, TODAY, untaxed, validInvoice, verdict } from '../samples.ts'
import type { ForeignParty, RegistryInvoice } from '../../../../server/registry/record/fields.ts'

type Changes = Partial<RegistryInvoice>

const foreign = (changes: Partial<ForeignParty>): Changes => ({
  recipient: { name: 'CLIENTE', country: 'US', idType: '04', id: 'X1', ...changes },
})
const lines = (...breakdown: RegistryInvoice['breakdown']): Changes => ({ breakdown })
const regime = (regimeKey: string, line = taxed(10_000)): Changes => lines({ ...line, regimeKey })

/** What is wrong, the change, our code, the authority's, the field; and whether the simulated authority says the same. */
const WRONG: [string, Changes, string, string, string, ('same' | 'apart')?][] = [
  [
    'issuer with a bad letter',
    { issuer: { ...ISSUER, nif: '89890001A' } },
    'nif_invalid',
    '1123',
    'issuer.nif',
    'apart',
  ],
  ['nameless issuer', { issuer: { ...ISSUER, name: ' ' } }, 'name_length', '1100', 'issuer.name'],
  ['no number', { number: '' }, 'number_length', '1104', 'number', 'apart'],
  ['61 characters of number', { number: 'F'.repeat(61) }, 'number_length', '1104', 'number', 'apart'],
  ['blank around the number', { number: ' F1' }, 'number_length', '1104', 'number', 'apart'],
  ['ñ in the number', { number: 'AÑO-1' }, 'number_not_ascii', '1130', 'number'],
  ['quote in the number', { number: 'A"1' }, 'number_forbidden_character', '1287', 'number'],
  ['equals sign in the number', { number: 'A=1' }, 'number_forbidden_character', '1287', 'number'],
  ['issued tomorrow', { issueDate: '2026-11-17' }, 'issue_date_in_future', '1112', 'issueDate'],
  ['issued before the registry', { issueDate: '2024-10-27' }, 'issue_date_too_old', '1152', 'issueDate'],
  [
    'operation tomorrow',
    { operationDate: '2026-11-17' },
    'operation_date_in_future',
    '1173',
    'operationDate',
  ],
  [
    'operation after the issue',
    { issueDate: '2026-11-10', operationDate: '2026-11-12' },
    'operation_after_issue',
    '1146',
    'operationDate',
  ],
  [
    'operation 20 years ago',
    { operationDate: '2006-11-15' },
    'operation_date_too_old',
    '1134',
    'operationDate',
  ],
  [
    'operation over a year ahead',
    { ...regime('15'), operationDate: '2027-11-17' },
    'operation_date_too_late',
    '1125',
    'operationDate',
  ],
  [
    'art. 7.2-7.3 on F2',
    { kind: 'F2', recipient: null, simplifiedArt7273: true },
    'flag_7273_not_allowed',
    '1183',
    'simplifiedArt7273',
  ],
  [
    'art. 6.1.d on F1',
    { withoutRecipientArt61d: true },
    'flag_61d_not_allowed',
    '1185',
    'withoutRecipientArt61d',
  ],
  [
    'F2 over 3,000',
    { kind: 'F2', recipient: null, breakdown: [taxed(248_762)] },
    'simplified_limit',
    '1150',
    'totalCents',
  ],
  ['no description', { description: '  ' }, 'description_length', '1100', 'description'],
  [
    '501 characters of description',
    { description: 'x'.repeat(501) },
    'description_length',
    '1100',
    'description',
    'apart',
  ],
  ['F1 without customer', { recipient: null }, 'recipient_required', '1189', 'recipient'],
  ['F2 with customer', { kind: 'F2' }, 'recipient_not_allowed', '1190', 'recipient'],
  [
    'customer with a bad letter',
    { recipient: { name: 'C', nif: '89890002A' } },
    'nif_invalid',
    '1123',
    'recipient.nif',
  ],
  [
    'customer with a lower-case number',
    { recipient: { name: 'C', nif: '89890002e' } },
    'nif_invalid',
    '1123',
    'recipient.nif',
  ],
  [
    '121 characters of name',
    { recipient: { name: 'C'.repeat(121), nif: '89890002E' } },
    'name_length',
    '1100',
    'recipient.name',
    'apart',
  ],
  ['empty identification', foreign({ id: '' }), 'recipient_id_length', '1103', 'recipient.id'],
  [
    'EU number of a wrong form',
    foreign({ idType: '02', id: 'DE12345' }),
    'recipient_vat_number',
    '1103',
    'recipient.id',
  ],
  [
    'Spanish number as EU number',
    foreign({ idType: '02', id: 'ESB12345674' }),
    'recipient_vat_number',
    '1103',
    'recipient.id',
  ],
  [
    'British number as EU number',
    foreign({ idType: '02', id: 'GB123456789' }),
    'recipient_vat_gb',
    '1255',
    'recipient.id',
  ],
  [
    'no country',
    foreign({ country: '' }),
    'recipient_country_required',
    '1111',
    'recipient.country',
    'apart',
  ],
  ['unknown country', foreign({ country: 'ZZ' }), 'recipient_country', '1101', 'recipient.country', 'apart'],
  ['Spain with type 04', foreign({ country: 'ES' }), 'recipient_country_type', '1126', 'recipient.idType'],
  [
    'type 07 abroad',
    foreign({ idType: '07', id: '89890002E' }),
    'recipient_country_type',
    '1126',
    'recipient.idType',
  ],
  [
    'type 07 for a company',
    foreign({ country: 'ES', idType: '07', id: 'B12345674' }),
    'recipient_uncensused_nif',
    '1131',
    'recipient.id',
  ],
  ['no lines', lines(), 'breakdown_size', '4102', 'breakdown', 'apart'],
  [
    '13 lines',
    lines(...Array.from({ length: 13 }, () => taxed(100))),
    'breakdown_size',
    '4102',
    'breakdown',
    'apart',
  ],
  [
    'S1 without rate',
    lines({ ...taxed(0), vatRateBp: null }),
    'vat_rate_required',
    '1208',
    'breakdown[0].vatRate',
  ],
  ['20 %', lines(taxed(10_000, 2000)), 'vat_rate_unknown', '1124', 'breakdown[0].vatRate'],
  ['5 % today', lines(taxed(10_000, 500)), 'vat_rate_not_in_force', '1194', 'breakdown[0].vatRate'],
  ['7.5 % today', lines(taxed(10_000, 750)), 'vat_rate_not_in_force', '1235', 'breakdown[0].vatRate'],
  ['2 % today', lines(taxed(10_000, 200)), 'vat_rate_not_in_force', '1235', 'breakdown[0].vatRate'],
  ['21 % with 1.4', lines(taxed(10_000, 2100, 140)), 'surcharge_pair', '1162', 'breakdown[0].surchargeRate'],
  ['10 % with 5.2', lines(taxed(10_000, 1000, 520)), 'surcharge_pair', '1163', 'breakdown[0].surchargeRate'],
  ['4 % with 0.62', lines(taxed(10_000, 400, 62)), 'surcharge_pair', '1164', 'breakdown[0].surchargeRate'],
  ['0 % with 0', lines(taxed(10_000, 0, 0)), 'surcharge_pair', '1170', 'breakdown[0].surchargeRate'],
  [
    'surcharge without rate',
    lines({ ...taxed(10_000), surchargeCents: 520 }),
    'surcharge_rate_required',
    '1284',
    'breakdown[0].surchargeRate',
    'apart',
  ],
  ['VAT of the other sign', lines({ ...taxed(100), taxCents: -21 }), 'tax_sign', '1143', 'breakdown[0].tax'],
  [
    'VAT 10.01 off',
    lines({ ...taxed(1_000_000), taxCents: 211_001 }),
    'tax_amount',
    '1142',
    'breakdown[0].tax',
  ],
  [
    'S2 with a rate',
    lines({ ...untaxed('S2', 100), vatRateBp: 2100, taxCents: 21 }),
    'reverse_charge_rate',
    '1198',
    'breakdown[0].vatRate',
  ],
  [
    'S2 without zero',
    lines({ ...untaxed('S2', 100), vatRateBp: null }),
    'reverse_charge_rate',
    '1198',
    'breakdown[0].vatRate',
  ],
  [
    'S2 on F2',
    { kind: 'F2', recipient: null, breakdown: [untaxed('S2', 100)] },
    'reverse_charge_kind',
    '1197',
    'breakdown[0].taxTreatment',
  ],
  [
    'exempt with rate',
    lines({ ...untaxed('E1', 100), vatRateBp: 0 }),
    'exempt_with_rate',
    '1238',
    'breakdown[0].vatRate',
  ],
  [
    'not subject with rate',
    lines({ ...untaxed('N1', 100), vatRateBp: 2100, taxCents: 21 }),
    'not_subject_with_rate',
    '1237',
    'breakdown[0].vatRate',
  ],
  [
    'reverse charge with surcharge',
    lines({ ...untaxed('S2', 100), surchargeRateBp: 0 }),
    'surcharge_not_allowed',
    '1281',
    'breakdown[0].surchargeRate',
  ],
  ['E7', lines(untaxed('E7', 100)), 'exemption_not_vat', '1182', 'breakdown[0].taxTreatment'],
  ['unknown regime', regime('21'), 'regime_unknown', '1246', 'breakdown[0].regimeKey'],
  ['regime that never existed', regime('12'), 'regime_unknown', '1246', 'breakdown[0].regimeKey', 'apart'],
  ['E2 under 01', lines(untaxed('E2', 100)), 'regime_combination', '1199', 'breakdown[0].regimeKey'],
  ['02 taxed', regime('02'), 'regime_combination', '1286', 'breakdown[0].regimeKey'],
  ['03 not subject', regime('03', untaxed('N1', 1)), 'regime_combination', '1200', 'breakdown[0].regimeKey'],
  ['04 taxed', regime('04'), 'regime_combination', '1201', 'breakdown[0].regimeKey'],
  ['06', regime('06'), 'regime_combination', '1202', 'breakdown[0].regimeKey'],
  [
    '07 reverse charge',
    regime('07', untaxed('S2', 1)),
    'regime_combination',
    '1203',
    'breakdown[0].regimeKey',
  ],
  ['08 taxed', regime('08'), 'regime_combination', '1252', 'breakdown[0].regimeKey'],
  ['10 taxed', regime('10'), 'regime_combination', '1205', 'breakdown[0].regimeKey'],
  ['11 at 10 %', regime('11', taxed(1_000, 1000)), 'regime_combination', '1206', 'breakdown[0].regimeKey'],
  ['14 without later operation', regime('14'), 'regime_combination', '1147', 'breakdown[0].regimeKey'],
  [
    '14 on F2',
    { ...regime('14'), kind: 'F2', recipient: null, operationDate: '2026-12-01' },
    'regime_combination',
    '1148',
    'breakdown[0].regimeKey',
  ],
  [
    '14 for a private customer',
    { ...regime('14'), operationDate: '2026-12-01' },
    'regime_combination',
    '1149',
    'breakdown[0].regimeKey',
  ],
  [
    'E5 to a Spanish number',
    lines(untaxed('E5', 100)),
    'intra_community_recipient',
    '1289',
    'breakdown[0].taxTreatment',
  ],
  ['total a cent off', { totalCents: 12_101 }, 'total_mismatch', '2005', 'totalCents', 'apart'],
  ['VAT total a cent off', { taxTotalCents: 2_099 }, 'tax_total_mismatch', '2006', 'taxTotalCents', 'apart'],
  ['13 digits', lines(taxed(100_000_000_000_000)), 'amount_too_large', '4102', 'totalCents', 'apart'],
]

describe('what the authority would reject is said before issuing', () => {
  test.each(WRONG)('%s', (_what, changes, code, authorityCode, field) => {
    const faults = checkRecord(invoice(changes), TODAY)
    expect(faults).toContainEqual(expect.objectContaining({ code, authorityCode, field, severity: 'error' }))
    for (const fault of faults) expect(Math.min(fault.message.length, fault.fix.length)).toBeGreaterThan(10)
  })

  test.each(WRONG.filter((row) => row[5] !== 'apart'))(
    'and the simulated authority agrees: %s',
    async (_what, changes, _code, authorityCode) => {
      expect(verdict(await submitted(invoice(changes)))).toBe(`Incorrecto ${authorityCode}`)
    },
  )

  test('all faults are told, not the first', () => {
    const faults = checkRecord(
      invoice({ number: 'Ñ<', recipient: null, breakdown: [taxed(1, 2000), untaxed('E2', 1)] }),
      TODAY,
    )
    expect(faults.map(({ authorityCode }) => authorityCode)).toEqual(['1130', '1287', '1189', '1124', '1199'])
  })
})

describe('what the authority admits is not in the way', () => {
  test('every valid invoice passes', () => {
    fc.assert(
      fc.property(validInvoice, (made) => {
        expect(checkRecord(made, TODAY)).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  test.each<[string, Changes]>([
    ['5 % in summer 2024', { operationDate: '2024-07-01', breakdown: [taxed(1_000, 500, 62)] }],
    ['7.5 % at the end of 2024', { operationDate: '2024-12-31', breakdown: [taxed(1_000, 750, 100)] }],
    ['2 % at the end of 2024', { operationDate: '2024-10-01', breakdown: [taxed(1_000, 200, 26)] }],
    ['5 % with 0.5 in 2022', { operationDate: '2022-12-31', breakdown: [taxed(1_000, 500, 50)] }],
    ['0 % with 0 in 2023', { operationDate: '2023-05-05', breakdown: [taxed(1_000, 0, 0)] }],
    ['VAT 10.00 off', lines({ ...taxed(1_000_000), taxCents: 211_000 })],
    ['F2 of 3,010', { kind: 'F2', recipient: null, breakdown: [{ ...taxed(248_760), taxCents: 52_240 }] }],
    [
      'F2 over 3,000 by art. 6.1.d',
      { kind: 'F2', recipient: null, withoutRecipientArt61d: true, breakdown: [taxed(1_000_000)] },
    ],
    ['500 characters outside the basic plane', { description: '😀'.repeat(500) }],
    ['Northern Ireland', foreign({ idType: '02', id: 'XI123456789', country: 'GB' })],
    ['Greece', foreign({ idType: '02', id: 'EL123456789', country: 'GR' })],
    ['Spanish passport', foreign({ country: 'ES', idType: '03', id: 'AAA123456' })],
    ['E5 to France', { ...foreign({ idType: '02', id: 'FR12345678901' }), breakdown: [untaxed('E5', 100)] }],
    ['totals of the margin scheme', { ...regime('03'), totalCents: 99_999, taxTotalCents: 1 }],
  ])('%s', async (_what, changes) => {
    expect(checkRecord(invoice(changes), TODAY)).toEqual([])
    expect(verdict(await submitted(invoice(changes)))).toBe('Correcto')
  })

  test('a doubtful entity number and a self-supply only warn', async () => {
    const doubtful = invoice({ recipient: { name: 'C', nif: 'B12345670' } })
    expect(checkRecord(doubtful, TODAY)).toMatchObject([
      { code: 'nif_control', severity: 'warning', field: 'recipient.nif' },
    ])
    expect(verdict(await submitted(doubtful))).toBe('Correcto')
    const own = invoice({ recipient: ISSUER })
    expect(checkRecord(own, TODAY)).toMatchObject([{ code: 'recipient_is_issuer', severity: 'warning' }])
    expect(verdict(await submitted(own))).toBe('Correcto')
  })
})
