/** Tax systems: rates by date, causes and words of each tax, keys that the record takes, territories and refusals. */
import { describe, expect, test } from 'vitest'
import type { BreakdownLine, RegistryInvoice } from '../../../../server/registry/facts.ts'
import { breakdownRule } from '../../../../server/registry/systems/verifactu/record/rules/breakdown.ts'
import { percentOf } from '../../../../server/domain/money.ts'
import { legalMentions, proposeTreatment } from '../../../../server/tax/rules/index.ts'
import {
  isForal,
  refusalOf,
  SII_REFUSAL,
  TAX_SYSTEMS,
  taxSystemOf,
  taxSystemOfArea,
  taxSystemOfCode,
  TERRITORIES,
  territoryOfPostalCode,
  VAT_SYSTEM,
} from '../../../../server/tax/systems/index.ts'
import type { TaxSystem } from '../../../../server/tax/systems/index.ts'
import { DOCUMENT_LANGUAGES } from '../../../../server/domain/languages.ts'

const IGIC = taxSystemOf('canary')
const IPSI = taxSystemOf('ceuta_melilla')
const DAY = '2026-11-30'
const named = TAX_SYSTEMS.map((system) => [system.name, system] as const)

/** Returns the faults of the record's own rules for one line of 100 euros. */
function recordFaults(system: TaxSystem, line: Partial<BreakdownLine>): string[] {
  const vatRateBp = line.vatRateBp ?? null
  const invoice = {
    kind: 'F1',
    issueDate: DAY,
    operationDate: line.regimeKey === '14' ? '2026-12-31' : null,
    rectification: null,
    recipients: [
      line.taxTreatment === 'E5'
        ? { name: 'X', country: 'DE', idType: '02', id: 'DE111111125' }
        : { name: 'X', nif: line.regimeKey === '14' ? 'P2807900B' : '89890002E' },
    ],
    breakdown: [
      {
        tax: system.code,
        taxTreatment: 'S1',
        regimeKey: '01',
        vatRateBp,
        baseCents: 10_000,
        costBaseCents: null,
        taxCents: percentOf(10_000, vatRateBp ?? 0),
        surchargeRateBp: null,
        surchargeCents: 0,
        ...line,
      },
    ],
  } as unknown as RegistryInvoice
  return [...breakdownRule(invoice, '2027-01-02')].map(({ code }) => code)
}

describe('a system', () => {
  test('is found by territory, by code of the record and by area', () => {
    expect(TERRITORIES.map((territory) => taxSystemOf(territory).name)).toEqual([
      'IVA',
      'IGIC',
      'IPSI',
      'IVA',
      'IVA',
    ])
    for (const system of TAX_SYSTEMS) {
      expect(taxSystemOfCode(system.code)).toBe(system)
      expect(taxSystemOfArea(system.area)).toBe(system)
    }
    expect(taxSystemOfArea('third')).toBeUndefined()
  })

  test.each(named)('%s: each rate has its source and consecutive days', (_name, { rates }) => {
    for (const rate of rates) {
      expect(rate.source).toMatch(/\w/)
      const same = rates.filter((other) => other !== rate && other.rateBp === rate.rateBp)
      for (const other of same)
        expect((rate.to ?? '9999') < other.from || (other.to ?? '9999') < rate.from).toBe(true)
    }
  })

  test.each(named)('%s: the record takes every cause with its key', (_name, system) => {
    expect(new Set(system.causes.map(({ code }) => code)).size).toBe(system.causes.length)
    for (const cause of system.causes) {
      expect(system.treatments, cause.code).toContain(cause.taxTreatment)
      expect(system.regimeKeys, cause.code).toContain(cause.regimeKey)
      // Premises bear 21 % of VAT; the one-stop shop and margins state rates of their own.
      if (cause.taxTreatment === 'S1') continue
      const { taxTreatment, regimeKey } = cause
      const vatRateBp = taxTreatment === 'S2' ? 0 : null
      expect(recordFaults(system, { taxTreatment, regimeKey, vatRateBp }), cause.code).toEqual([])
    }
  })

  test.each(named)('%s: the record takes every treatment with its usual key', (_name, system) => {
    for (const taxTreatment of system.treatments) {
      const regimeKey = system.keyOf({ taxTreatment, cause: null, regime: 'general', hasCost: false })
      const vatRateBp = taxTreatment === 'S1' ? (system.ratesAt(DAY)[0]?.rateBp ?? 0) : null
      const line = { taxTreatment, regimeKey, vatRateBp: taxTreatment === 'S2' ? 0 : vatRateBp }
      expect(recordFaults(system, line), taxTreatment).toEqual([])
    }
  })

  test.each(named)('%s: every treatment without tax has words in every language', (_name, system) => {
    for (const language of DOCUMENT_LANGUAGES)
      for (const taxTreatment of system.treatments.filter((code) => code !== 'S1')) {
        const regimeKey = system.keyOf({ taxTreatment, cause: null, regime: 'general', hasCost: false })
        const words = legalMentions([{ taxTreatment, regimeKey }], {
          language,
          customerCountry: 'ES',
          system,
        })
        expect(words.join(), `${language} ${taxTreatment}`).toMatch(/\w/)
        if (system !== VAT_SYSTEM) expect(words.join()).not.toMatch(/37\/1992|\bIVA\b|\bVAT\b/)
      }
  })

  test.each(named)('%s: no cause is worded by the law of another tax', (_name, system) => {
    if (system === VAT_SYSTEM) return
    for (const cause of system.causes) {
      const words = legalMentions([{ ...cause, cause: cause.code }], {
        language: 'es',
        customerCountry: 'ES',
        system,
      })
      expect(words.join(), cause.code).not.toContain('37/1992')
      expect(cause.article, cause.code).toContain('Ley')
    }
  })
})

describe('IGIC', () => {
  test('has zero as a rate, and no rate of La Palma or of 1 % by default', () => {
    expect(IGIC.ratesAt(DAY).map(({ rateBp }) => rateBp)).toEqual([3500, 2000, 1500, 950, 700, 500, 300, 0])
    expect(IGIC.defaultRateAt(DAY)).toBe(700)
    expect(IGIC.rateAt(100, DAY)).toBeDefined()
    expect(recordFaults(IGIC, { vatRateBp: 0 })).toEqual([])
  })

  test.each([
    ['2018-12-31', 700],
    ['2019-06-01', 650],
    ['2020-01-01', 700],
  ])('on %s the general rate is %s', (date, rateBp) => {
    expect(IGIC.defaultRateAt(date)).toBe(rateBp)
  })

  test('has a surcharge at customs only, a tenth of the rate', () => {
    for (const { surchargesBp, importSurchargeBp, rateBp } of IGIC.rates) {
      expect(surchargesBp).toEqual([])
      if (importSurchargeBp !== null) expect(importSurchargeBp).toBe(rateBp / 10)
    }
    expect(IGIC.rateAt(700, DAY)?.importSurchargeBp).toBe(70)
  })

  test('has the schemes of retailers and small businesses, and not the equivalence surcharge', () => {
    const keyOf = (regime: 'retailer' | 'small_business', taxTreatment: 'E1' | 'E7', cause: string) =>
      IGIC.keyOf({ taxTreatment, cause, regime, hasCost: false })
    expect(keyOf('retailer', 'E1', 'retailer')).toBe('17')
    expect(keyOf('retailer', 'E1', 'medical')).toBe('01')
    expect(keyOf('small_business', 'E7', 'small_business')).toBe('18')
    expect(IGIC.regimeOf('surcharge')).toBeUndefined()
    expect(IGIC.regimeOf('simplified')).toBeUndefined()
    expect(VAT_SYSTEM.regimeOf('retailer')).toBeUndefined()
  })

  const words = (code: string) =>
    legalMentions([{ ...IGIC.findCause(code)!, cause: code }], {
      language: 'es',
      customerCountry: 'ES',
      system: IGIC,
    }).join()
  test('cites the laws of the islands', () => {
    expect(words('retailer')).toContain('Comerciante minorista')
    expect(words('small_business')).toContain('pequeño empresario o profesional')
    expect(words('investment_goods')).toContain('art. 25 Ley 19/1994')
    expect(words('special_zone')).toContain('art. 47 Ley 19/1994')
    expect(words('export')).toContain('Ley 20/1991')
    expect(words('medical')).toContain('art. 50 Ley 4/2012')
  })
})

describe('IPSI', () => {
  test('leaves each rate to a person', () => {
    expect(IPSI.ratesAt(DAY).map(({ rateBp }) => rateBp)).toEqual([1000, 800, 400, 300, 200, 100, 50])
    expect(IPSI.defaultRateAt(DAY)).toBeNull()
  })
  test('reports exemptions under 19 and everything taxed under 01', () => {
    const keyOf = (taxTreatment: 'S1' | 'E1') =>
      IPSI.keyOf({ taxTreatment, cause: null, regime: 'general', hasCost: false })
    expect([keyOf('S1'), keyOf('E1')]).toEqual(['01', '19'])
  })
  test('names no return: the numbers of the cities’ forms are unknown', () =>
    expect(IPSI.returns).toEqual([]))
})

describe('between the territories', () => {
  type Case = [
    name: string,
    seller: 'mainland' | 'canary' | 'ceuta_melilla',
    place: string,
    supply: 'goods' | 'professional',
    kind: 'business' | 'consumer',
    answer: { tax: string; taxTreatment: string; regimeKey: string; vatRate: number | null },
  ]
  test.each<Case>([
    [
      'mainland goods to the Canaries',
      'mainland',
      'ES-CN',
      'goods',
      'business',
      { tax: 'vat', taxTreatment: 'E2', regimeKey: '02', vatRate: null },
    ],
    [
      'mainland advice to a business there',
      'mainland',
      'ES-CN',
      'professional',
      'business',
      { tax: 'vat', taxTreatment: 'N2', regimeKey: '08', vatRate: null },
    ],
    [
      'mainland advice to a person there',
      'mainland',
      'ES-CN',
      'professional',
      'consumer',
      { tax: 'vat', taxTreatment: 'S1', regimeKey: '01', vatRate: 21 },
    ],
    [
      'Canarian goods to the mainland',
      'canary',
      'ES',
      'goods',
      'business',
      { tax: 'igic', taxTreatment: 'E2', regimeKey: '02', vatRate: null },
    ],
    [
      'Canarian advice to a business of the mainland',
      'canary',
      'ES',
      'professional',
      'business',
      { tax: 'igic', taxTreatment: 'N2', regimeKey: '01', vatRate: null },
    ],
    [
      'Canarian goods to France',
      'canary',
      'FR',
      'goods',
      'business',
      { tax: 'igic', taxTreatment: 'E2', regimeKey: '02', vatRate: null },
    ],
    [
      'Canarian goods to a person in France',
      'canary',
      'FR',
      'goods',
      'consumer',
      { tax: 'igic', taxTreatment: 'E2', regimeKey: '02', vatRate: null },
    ],
    [
      'Canarian advice to a business in the US',
      'canary',
      'US',
      'professional',
      'business',
      { tax: 'igic', taxTreatment: 'N2', regimeKey: '01', vatRate: null },
    ],
    [
      'Canarian goods to Ceuta',
      'canary',
      'ES-CE',
      'goods',
      'business',
      { tax: 'igic', taxTreatment: 'E2', regimeKey: '02', vatRate: null },
    ],
    [
      'Ceutan goods to the mainland',
      'ceuta_melilla',
      'ES',
      'goods',
      'business',
      { tax: 'ipsi', taxTreatment: 'E2', regimeKey: '01', vatRate: null },
    ],
    [
      'Ceutan advice to a business of the mainland',
      'ceuta_melilla',
      'ES',
      'professional',
      'business',
      { tax: 'ipsi', taxTreatment: 'N2', regimeKey: '01', vatRate: null },
    ],
  ])('%s', (_name, territory, place, supply, kind, answer) => {
    const proposal = proposeTreatment({
      date: DAY,
      supply,
      customer: { kind, place, vatNumber: 'valid' },
      seller: { territory },
    })
    expect(proposal).toMatchObject(answer)
    expect(
      recordFaults(taxSystemOf(territory), {
        taxTreatment: proposal.taxTreatment,
        regimeKey: proposal.regimeKey,
        vatRateBp: proposal.vatRate === null ? null : proposal.vatRate * 100,
      }),
    ).toEqual([])
  })

  test('no Canarian sale to the Union is for the recapitulative statement or the one-stop shop', () => {
    for (const supply of ['goods', 'professional', 'digital'] as const)
      for (const kind of ['business', 'consumer'] as const) {
        const { warnings, foreignTax } = proposeTreatment({
          date: DAY,
          supply,
          customer: { kind, place: 'FR', vatNumber: 'valid' },
          seller: { territory: 'canary', oss: true },
        })
        expect(warnings.map(({ code }) => code)).not.toContain('model_349')
        expect(foreignTax).toBeNull()
      }
  })
})

describe('territories', () => {
  test.each([
    ['35001', 'canary'],
    ['38760', 'canary'],
    ['51001', 'ceuta_melilla'],
    ['52001', 'ceuta_melilla'],
    ['48001', 'basque'],
    ['31002', 'navarre'],
    ['28013', 'mainland'],
    ['3500', null],
  ])('%s is in %s', (postalCode, territory) => expect(territoryOfPostalCode(postalCode)).toBe(territory))

  test('each refusal has a reason in both languages and the day of the last look', () => {
    const refused = TERRITORIES.filter((territory) => refusalOf(territory) !== null)
    expect(refused).toEqual(['navarre'])
    expect(refused.every(isForal)).toBe(true)
    for (const refusal of [...refused.map(refusalOf), SII_REFUSAL]) {
      expect(refusal?.reason.es).toMatch(/\w/)
      expect(refusal?.reason.en).toMatch(/\w/)
      expect(refusal?.lookedUpOn).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    }
  })
})
