/** Rules for regime keys: the list of each tax, and the requirements of each regime for its line and invoice. */
import type { BusinessDate } from '../../../../../domain/dates.ts'
import { isSpanishParty } from '../fields.ts'
import type { BreakdownLine, RegistryInvoice, TaxCode } from '../fields.ts'
import { SCHEMA_FAULT } from './fault.ts'
import type { RuleFinding } from './fault.ts'
import { isFull } from './kinds.ts'

const NAMES: Record<TaxCode, string> = { '01': 'VAT', '02': 'IPSI', '03': 'IGIC', '05': 'another tax' }
/** The registry's lists: L8A for VAT, L8B for IGIC, and the few keys of IPSI. Other taxes have no regimes. */
const REGIMES: Record<TaxCode, readonly string[]> = {
  '01': '01 02 03 04 05 06 07 08 09 10 11 14 15 17 18 19 20'.split(' '),
  '02': '01 08 11 18 19 20'.split(' '),
  '03': '01 02 03 04 05 06 07 08 09 10 11 14 15 17 18 19 20 21'.split(' '),
  '05': [],
}
/** The schema has one list for all taxes: a key in none of the lists violates it. */
const ALL_REGIMES = new Set(Object.values(REGIMES).flat())
/** Until this day IPSI without a key is accepted with an error; from the next day it is rejected. */
const LAST_DAY_WITHOUT_IPSI_REGIME: BusinessDate = '2026-12-31'

export function* regimeRule(
  line: BreakdownLine,
  path: string,
  invoice: RegistryInvoice,
  today: BusinessDate,
): Iterable<RuleFinding> {
  const { tax, regimeKey } = line
  const field = `${path}.regimeKey`
  if (regimeKey !== null && !ALL_REGIMES.has(regimeKey)) {
    yield {
      code: 'regime_unknown',
      authorityCode: SCHEMA_FAULT,
      field,
      message: `${regimeKey === '' ? 'An empty text' : regimeKey} is no regime key.`,
      fix: 'Choose the regime; the general one is 01.',
    }
  } else if (tax === '05') {
    if (regimeKey === null) return
    yield {
      code: 'regime_not_allowed',
      authorityCode: '1260',
      field,
      message: 'Taxes other than VAT, IPSI and IGIC have no regime.',
      fix: 'Leave the regime out.',
    }
  } else if (regimeKey === null || !REGIMES[tax].includes(regimeKey)) {
    yield regimeFault(tax, regimeKey, field, today)
  } else {
    for (const { taxes, holds, code, authorityCode, at, message } of COMBINATIONS[regimeKey] ?? []) {
      if (!taxes.includes(tax) || holds(line, invoice)) continue
      yield {
        code,
        authorityCode,
        field: `${path}.${at ?? 'regimeKey'}`,
        message,
        fix: 'Correct the invoice, or choose another regime or tax treatment.',
        params: { regime: regimeKey },
      }
    }
  }
}

function regimeFault(
  tax: TaxCode,
  regimeKey: string | null,
  field: string,
  today: BusinessDate,
): RuleFinding {
  const fault: RuleFinding = {
    code: regimeKey === null ? 'regime_required' : 'regime_of_another_tax',
    authorityCode: regimeKey === null ? '1245' : '1246',
    field,
    message: regimeKey === null ? 'The line needs a regime.' : `${regimeKey} is no regime of ${NAMES[tax]}.`,
    fix: 'Choose the regime; the general one is 01.',
  }
  if (tax !== '02' || today > LAST_DAY_WITHOUT_IPSI_REGIME) return fault
  return { ...fault, code: 'ipsi_regime', authorityCode: '2009', severity: 'warning' }
}

interface Combination {
  taxes: readonly TaxCode[]
  holds: (line: BreakdownLine, invoice: RegistryInvoice) => boolean
  code: string
  authorityCode: string
  /** Field of the line with the fault, when it is not the regime. */
  at?: keyof BreakdownLine
  message: string
}

const VAT: readonly TaxCode[] = ['01']
const IGIC: readonly TaxCode[] = ['03']
const VAT_AND_IGIC: readonly TaxCode[] = ['01', '03']

/** Requirements of each regime. */
const COMBINATIONS: Record<string, readonly Combination[]> = {
  '01': [
    {
      taxes: VAT_AND_IGIC,
      holds: ({ taxTreatment }) => taxTreatment !== 'E2' && taxTreatment !== 'E3',
      code: 'general_regime_export',
      authorityCode: '1199',
      message:
        'Exports (E2) and assimilated operations (E3) do not go under the general regime (01); exports go under 02.',
    },
  ],
  '02': [
    {
      taxes: VAT_AND_IGIC,
      holds: isExempt,
      code: 'export_regime_taxed',
      authorityCode: '1286',
      message: 'The export regime (02) admits only exempt lines.',
    },
  ],
  '03': [
    {
      taxes: VAT_AND_IGIC,
      holds: (line) => line.taxTreatment === 'S1' || isExempt(line),
      code: 'second_hand_regime',
      authorityCode: '1200',
      message: 'The regime of second-hand goods (03) admits only taxed or exempt lines.',
    },
  ],
  '04': [
    {
      taxes: VAT_AND_IGIC,
      holds: (line) => line.taxTreatment === 'S2' || isExempt(line),
      code: 'gold_regime',
      authorityCode: '1201',
      message: 'The investment gold regime (04) admits only reverse charge or exempt lines.',
    },
  ],
  '06': [
    {
      taxes: VAT_AND_IGIC,
      holds: (_line, { kind }) => kind !== 'F2' && kind !== 'F3' && kind !== 'R5',
      code: 'group_regime_kind',
      authorityCode: '1202',
      message: 'The advanced regime of groups of entities (06) needs a full invoice.',
    },
    {
      taxes: VAT_AND_IGIC,
      holds: ({ costBaseCents }) => costBaseCents !== null,
      code: 'group_regime_cost_base',
      authorityCode: '1202',
      at: 'costBaseCents',
      message: 'The advanced regime of groups of entities (06) needs the base at cost.',
    },
  ],
  '07': [
    {
      taxes: VAT_AND_IGIC,
      holds: (line) => line.taxTreatment === 'S1' || (isExempt(line) && !/^E[2-5]$/.test(line.taxTreatment)),
      code: 'cash_regime',
      authorityCode: '1203',
      message: 'Cash accounting (07) excludes reverse charge, lines not subject and exemptions E2 to E5.',
    },
  ],
  '08': [
    {
      taxes: ['01', '02', '03'],
      holds: ({ taxTreatment }) => taxTreatment === 'N2',
      code: 'other_territory_regime',
      authorityCode: '1252',
      message: "Operations that bear another territory's tax (08) are not subject by place of supply: N2.",
    },
  ],
  '10': [
    {
      taxes: VAT_AND_IGIC,
      holds: ({ taxTreatment }, { kind, recipients }) =>
        taxTreatment === 'N1' && kind === 'F1' && recipients.every(isSpanishParty),
      code: 'collection_regime',
      authorityCode: '1205',
      message:
        'Collection for third parties (10) needs N1, a full invoice (F1) and a customer with a Spanish tax number.',
    },
  ],
  '11': [
    {
      taxes: VAT,
      holds: ({ vatRateBp }) => vatRateBp === 2100,
      code: 'lease_regime_rate',
      authorityCode: '1206',
      at: 'vatRateBp',
      message: 'The lease of business premises (11) bears 21 %.',
    },
  ],
  '14': [
    {
      taxes: VAT_AND_IGIC,
      holds: (_line, { operationDate, issueDate }) => operationDate !== null && operationDate > issueDate,
      code: 'public_works_date',
      authorityCode: '1147',
      message: 'Public works certificates (14) need an operation date after the issue date.',
    },
    {
      taxes: VAT_AND_IGIC,
      holds: (_line, { kind }) => kind !== 'F3' && isFull(kind),
      code: 'public_works_kind',
      authorityCode: '1148',
      message: 'Public works certificates (14) need a full invoice (F1) or one that rectifies it (R1 to R4).',
    },
    {
      taxes: VAT_AND_IGIC,
      holds: (_line, { recipients }) =>
        recipients.every((one) => isSpanishParty(one) && /^[PQSV]/.test(one.nif)),
      code: 'public_works_recipient',
      authorityCode: '1149',
      message:
        'Public works certificates (14) need a public body as customer (tax number with P, Q, S or V).',
    },
  ],
  '20': [
    {
      taxes: IGIC,
      holds: ({ taxTreatment }) => taxTreatment === 'N2',
      code: 'ipsi_under_igic_regime',
      authorityCode: '1293',
      message: 'Under IGIC, operations that bear IPSI (20) are not subject by place of supply: N2.',
    },
  ],
}

function isExempt({ taxTreatment }: BreakdownLine): boolean {
  return taxTreatment.startsWith('E')
}
