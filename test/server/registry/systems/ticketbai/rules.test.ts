/** The rules of TicketBAI before a number is spent: what can be signed, what the schema admits, what the services report. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  cancellationContent,
  checkTicketBai,
  checkTicketBaiAmendment,
  checkTicketBaiCancellation,
  isRegistered,
  PROFILES,
  softwareOf,
} from '../../../../../server/registry/systems/ticketbai/index.ts'
import type {
  SealingContext,
  TicketBaiInvoice,
} from '../../../../../server/registry/systems/ticketbai/index.ts'
import { signingPolicy } from '../../../../../server/registry/systems/ticketbai/profiles.ts'
import { dice } from '../../../../support/seeded-random.ts'
import { sweptCount } from '../../../../support/sweep.ts'
import { context, invoice, line, PROVINCES, randomInvoice, sealed } from './samples.ts'

/** Every code that a test below has seen, with its severity. */
const seen = new Set<string>()

function codes(made: TicketBaiInvoice, at: SealingContext = context('gipuzkoa')): string[] {
  return checkTicketBai(made, null, at).map(({ code, severity }) => {
    seen.add(code)
    return severity === 'error' ? code : `${code} (warning)`
  })
}

const german = { name: 'Müller', country: 'DE', idType: '02', id: 'DE123456789' } as const
const changed = (changes: Partial<TicketBaiInvoice>): TicketBaiInvoice => invoice({ changes })
const detail = (changes: Partial<TicketBaiInvoice['detail']>): TicketBaiInvoice => {
  const made = invoice()
  return { ...made, detail: { ...made.detail, ...changes } }
}
const row = (changes: Partial<TicketBaiInvoice['breakdown'][number]>): TicketBaiInvoice => {
  const made = invoice()
  return { ...made, breakdown: made.breakdown.map((one) => ({ ...one, ...changes })) }
}

describe('what signing needs', () => {
  const certificate = context('araba').certificate!
  test.each<[string, Partial<SealingContext>, string[]]>([
    ['all that is needed', {}, []],
    ['no certificate', { certificate: null }, ['certificate_missing']],
    ['one that has ended', { now: new Date('2031-01-01T00:00:00Z') }, ['certificate_expired']],
    [
      'one of tomorrow',
      { certificate: { ...certificate, validFrom: new Date('2026-12-01T00:00:00Z') } },
      ['certificate_not_yet_valid'],
    ],
    ['a curve', { certificate: { ...certificate, algorithm: 'ec' } }, ['certificate_not_rsa']],
    ['a device, with its person', { certificate: { ...certificate, isDevice: true } }, []],
    [
      'a device, unattended',
      { certificate: { ...certificate, isDevice: true }, attendance: 'unattended' },
      ['certificate_device_unattended'],
    ],
    [
      'a device, with its person elsewhere',
      { certificate: { ...certificate, isDevice: true }, attendance: 'remote' },
      ['certificate_device_elsewhere'],
    ],
    ['a person, unattended', { attendance: 'unattended' }, []],
  ])('%s', (_, changes, expected) => {
    expect(codes(invoice(), context('araba', changes))).toEqual(expected)
    const made = sealed(invoice(), 'araba').content
    const cancellation = cancellationContent(made, { software: made.footprint.software, device: null })
    const cancelled = checkTicketBaiCancellation(cancellation, context('araba', changes))
    expect(cancelled.map(({ code }) => code)).toEqual(expected)
  })

  test('a build without a licence issues nothing real, and test books work without it', () => {
    const producer = {
      name: 'P',
      nif: 'B12345674',
      address: '',
      systemId: 'S1',
      licences: { araba: ' ', bizkaia: 'TBAIBI1' },
    }
    const build = { producer, version: '2.0' }
    for (const [province, registered] of [
      ['araba', false],
      ['bizkaia', true],
      ['gipuzkoa', false],
    ] as const) {
      const software = softwareOf(PROFILES[province], 'production', build)
      expect(isRegistered(software)).toBe(registered)
      expect(codes(invoice(), context(province, { software }))).toEqual(
        registered ? [] : ['software_unregistered'],
      )
      expect(isRegistered(softwareOf(PROFILES[province], 'test', build))).toBe(true)
    }
    expect(softwareOf(PROFILES.bizkaia, 'production', build)).toEqual({
      licence: 'TBAIBI1',
      developer: { nif: 'B12345674' },
      name: 'Sello',
      version: '2.0',
    })
    const unknown = { ...producer, nif: '' }
    expect(isRegistered(softwareOf(PROFILES.bizkaia, 'production', { ...build, producer: unknown }))).toBe(
      false,
    )
  })

  test('the policy is that of the day', () => {
    const [policy] = PROFILES.araba.policies
    const later = { ...policy!, sha256: 'later', from: '2027-01-01' }
    const profile = { ...PROFILES.araba, policies: [later, ...PROFILES.araba.policies] }
    expect(signingPolicy(profile, '2026-12-31').sha256).toBe(policy!.sha256)
    expect(signingPolicy(profile, '2027-01-01').sha256).toBe('later')
    expect(() => signingPolicy({ ...profile, policies: [later] }, '2026-12-31')).toThrow(RangeError)
  })
})

describe('what an invoice may hold', () => {
  const many = <T>(count: number, make: (index: number) => T): T[] =>
    Array.from({ length: count }, (_, index) => make(index))
  const key = (number: string) => ({ issuerNif: 'B12345674', number, issueDate: '2025-01-01' })

  test.each<[string, TicketBaiInvoice, string[]]>([
    ['a plain one', invoice(), []],
    ['an issuer without a number', changed({ issuer: { nif: 'B1', name: 'X' } }), ['nif_invalid']],
    ['a doubtful entity', changed({ issuer: { nif: 'B12345670', name: 'X' } }), ['nif_doubtful (warning)']],
    ['an issuer without a name', changed({ issuer: { nif: 'B12345674', name: ' ' } }), ['text_length']],
    [
      'a name of 121 characters',
      changed({ issuer: { nif: 'B12345674', name: 'x'.repeat(121) } }),
      ['text_length'],
    ],
    ['a control character', changed({ description: 'a\u0001' }), ['text_characters']],
    [
      'half of a character',
      detail({ lines: invoice().detail.lines.map((one) => ({ ...one, description: '\ud83e' })) }),
      ['text_characters'],
    ],
    ['a number of 21 digits', changed({ number: `F-${'1'.repeat(21)}` }), ['text_length']],
    ['a series of 20 characters', changed({ number: `${'S'.repeat(20)}-0001` }), []],
    ['a full one without a customer', changed({ recipients: [] }), ['recipient_required']],
    ['a simplified one without', changed({ recipients: [], kind: 'F2' }), []],
    [
      '101 customers',
      changed({ recipients: many(101, () => ({ name: 'X', nif: '12345678Z' })) }),
      ['recipients_count'],
    ],
    [
      'a number outside the census',
      changed({ recipients: [{ name: 'X', country: 'ES', idType: '07', id: '12345678Z' }] }),
      ['id_type_not_here'],
    ],
    [
      'an EU number of another form',
      changed({ recipients: [{ ...german, id: 'DE1' }] }),
      ['vat_number_form'],
    ],
    [
      'a country that is none',
      changed({ recipients: [{ name: 'X', country: 'ZZ', idType: '03', id: 'A1' }] }),
      ['country_unknown'],
    ],
    [
      'a document of 21 characters',
      changed({ recipients: [{ name: 'X', country: 'AR', idType: '03', id: 'A'.repeat(21) }] }),
      ['text_length'],
    ],
    ['an issue date of tomorrow', changed({ issueDate: '2026-12-01' }), ['issue_date_in_future']],
    ['a day that does not exist', changed({ issueDate: '2026-02-30' }), ['date_invalid']],
    ['a time that does not exist', detail({ issueTime: '24:00:00' }), ['time_invalid']],
    ['no lines', detail({ lines: [] }), ['lines_missing', 'lines_total (warning)']],
    ['1001 lines', invoice({ lines: many(1001, () => line()) }), ['lines_count']],
    [
      'lines that do not add up',
      detail({ lines: invoice().detail.lines.map((one) => ({ ...one, total: 1n })) }),
      ['lines_total (warning)'],
    ],
    [
      'a price of 13 digits',
      detail({ lines: invoice().detail.lines.map((one) => ({ ...one, unitPrice: 10n ** 20n })) }),
      ['amount_form'],
    ],
    ['a total of 13 digits', changed({ totalCents: 100_000_000_000_000 }), ['amount_form']],
    ['a total that does not add up', changed({ totalCents: 15_000 }), ['total', 'lines_total (warning)']],
    ['IGIC', row({ tax: '03' }), ['tax_not_here']],
    [
      'an exemption of the islands',
      row({ taxTreatment: 'E7', vatRateBp: null, taxCents: 0 }),
      ['exemption_only_igic', 'total'],
    ],
    ['an exempt line with a rate', row({ taxTreatment: 'E1' }), ['exempt_with_rate']],
    ['a rate where nothing is taxed', row({ taxTreatment: 'N1' }), ['not_subject_with_rate']],
    ['a rate of another year', row({ vatRateBp: 1800, taxCents: 1_800 }), ['vat_rate_not_in_force']],
    ['no rate', row({ vatRateBp: null }), ['rate_required']],
    ['a rate of 1000 %', row({ vatRateBp: 100_000 }), ['rate_form']],
    ['a surcharge of another rate', row({ surchargeRateBp: 140, surchargeCents: 140 }), ['surcharge_pair']],
    ['a surcharge without a rate', row({ surchargeCents: 520 }), ['surcharge_rate_required']],
    ['a tax that does not fit', row({ taxCents: 3_200 }), ['tax_amount', 'total']],
    ['reverse charge with a rate', row({ taxTreatment: 'S2' }), ['reverse_charge_rate']],
    [
      'reverse charge on a ticket',
      changed({
        ...row({ taxTreatment: 'S2', vatRateBp: 0, taxCents: 0 }),
        totalCents: 10_000,
        kind: 'F2',
        recipients: [],
        detail: { ...invoice().detail, lines: [{ ...invoice().detail.lines[0]!, total: 10_000_000_000n }] },
      }),
      ['reverse_charge_kind'],
    ],
    [
      'E5 to a Spanish customer',
      invoice({ lines: [line({ taxTreatment: 'E5', vatRateBp: null })] }),
      ['intra_community_recipient'],
    ],
    [
      'E5 as a service',
      invoice({ lines: [line({ taxTreatment: 'E5', vatRateBp: null })], changes: { recipients: [german] } }),
      ['supply_not_goods'],
    ],
    [
      'nothing said of goods and services',
      { ...detail({ supplies: [] }), recipients: [german] },
      ['supply_required'],
    ],
    [
      'four regimes',
      invoice({ lines: ['01', '07', '11', '14'].map((regimeKey) => line({ regimeKey })) }),
      ['regime_keys_count'],
    ],
    ['a regime of the state only', invoice({ lines: [line({ regimeKey: '21' })] }), ['regime_not_here']],
    ['no taxes', { ...invoice(), breakdown: [] }, ['breakdown_size', 'total']],
    [
      'a rectifying one without a method',
      changed({ kind: 'R1', rectified: [key('F2025-0001')] }),
      ['rectification_required'],
    ],
    [
      'a method without rectification',
      changed({ rectification: { method: 'I' } }),
      ['rectification_not_allowed'],
    ],
    [
      'a rectifying one without an original',
      changed({ kind: 'R4', rectification: { method: 'I' } }),
      ['rectified_missing (warning)'],
    ],
    [
      '101 originals',
      changed({ kind: 'F3', substituted: many(101, (index) => key(`F2025-${1000 + index}`)) }),
      ['originals_count'],
    ],
    [
      'an original with a long number',
      changed({ kind: 'F3', substituted: [key('1'.repeat(21))] }),
      ['text_length'],
    ],
  ])('%s', (_, made, expected) => {
    expect(codes(made)).toEqual(expected)
  })

  test('thirteen rates of one kind are too many', () => {
    const base = invoice().breakdown[0]!
    const rates = many(13, (index) => ({ ...base, vatRateBp: index * 100, taxCents: index * 100 }))
    const faults = codes({ ...invoice(), breakdown: rates, totalCents: 137_800 })
    expect(faults).toContain('breakdown_size')
  })

  test('a regime that a treasury has refused elsewhere is a warning there only', () => {
    const retail = invoice({ lines: [line({ regimeKey: '18' })] })
    expect(codes(retail, context('bizkaia'))).toEqual(['regime_doubtful (warning)'])
    expect(codes(retail, context('araba'))).toEqual([])
  })

  test('random invoices have no fault in any province', () => {
    const random = dice(20261201)
    for (const province of PROVINCES)
      for (let number = 1; number <= sweptCount(500, 100); number++)
        expect(
          codes(randomInvoice(random, number), context(province)).filter(
            (code) => !code.endsWith('(warning)'),
          ),
        ).toEqual([])
  })
})

describe('a correction', () => {
  const original = sealed(invoice(), 'araba').content
  const faults = (made: TicketBaiInvoice, at: SealingContext): string[] =>
    checkTicketBaiAmendment(made, original, at).map(({ code }) => {
      seen.add(code)
      return code
    })

  test('needs no certificate', () => {
    expect(faults(invoice(), context('araba', { certificate: null }))).toEqual([])
  })

  test('exists in two provinces, and keeps number, date and issuer', () => {
    expect(faults(invoice(), context('gipuzkoa'))).toEqual([])
    expect(faults(invoice(), context('bizkaia'))).toEqual(['amend_not_here'])
    expect(faults(changed({ number: 'F2026-0002' }), context('araba'))).toEqual(['amend_identity'])
    expect(faults(changed({ issueDate: '2026-11-29' }), context('araba'))).toEqual(['amend_identity'])
  })
})

test('every rule has been broken above', () => {
  const folder = resolve(import.meta.dirname, '../../../../../server/registry/systems/ticketbai/rules')
  const written = readdirSync(folder).flatMap((file) => {
    const source = readFileSync(join(folder, file), 'utf8')
    return [...source.matchAll(/\bcode:\s*([^,]+),/g)].flatMap(([, value = '']) =>
      [...value.matchAll(/'([a-z]+_[a-z_]+|total)'/g)].map(([, code = '']) => code),
    )
  })
  expect(written.length).toBeGreaterThan(40)
  expect([...new Set(written)].filter((code) => !seen.has(code))).toEqual([])
})
