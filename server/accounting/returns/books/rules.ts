/**
 * Published rules of the unified books, each as a condition on one row. Source: the numbered validations of the
 * template (AEAT, LSI.xlsx, V.18.02.2026). Cells are the exact text written to the file. Pure.
 */
import { percentOf } from '../../../domain/money.ts'
import { isNif } from '../../../domain/tax/nif.ts'
import { vatRates } from '../../../domain/tax/vat-rates.ts'
import type {
  GoodsColumn,
  IssuedColumn,
  ReceivedColumn,
  SheetName,
} from '../../../domain/formats/vat-book-columns.ts'

type Cells<Id extends string> = (id: Id) => string

export interface RuleFault {
  column: string
  rule: string
  code: string
  severity: 'error' | 'warning'
  message: string
}

export interface RuleContext {
  /** NIF of the business that keeps the books. */
  ownNif: string
  isLegal: boolean
  /** Date of the file. */
  today: string
  /** The business is under another tax than that of the published rules: only the form of its cells is checked. */
  otherTax?: boolean
}

type Found = (
  column: string,
  rule: string,
  code: string,
  message: string,
  severity?: 'error' | 'warning',
) => void

/** Parses `66325,12` into cents; null for anything else. */
export function centsOf(cell: string): number | null {
  const match = /^(-?)(\d+),(\d{2})$/.exec(cell)
  if (!match) return null
  const cents = Number(`${match[2]}${match[3]}`)
  return match[1] === '-' && cents !== 0 ? -cents : cents
}

/** Parses `02/05/2018` into `2018-05-02`; null for anything else. */
export function dayOf(cell: string): string | null {
  const match = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(cell)
  return match ? `${match[3]}-${match[2]}-${match[1]}` : null
}

const cents = (cell: string) => centsOf(cell) ?? 0
const isRectifying = (kind: string) => /^R[1-5]$/.test(kind)
const quarterOf = (day: string) => `${Math.ceil(Number(day.slice(5, 7)) / 3)}T`
const sameSign = (a: number, b: number) => a === 0 || b === 0 || a > 0 === b > 0

const ISSUED_KINDS = ['F1', 'F2', 'F3', 'F4', 'R1', 'R2', 'R3', 'R4', 'R5', 'SF', 'DV', 'AJ']
const RECEIVED_KINDS = ['F1', 'F2', 'F3', 'F4', 'F5', 'F6', 'R1', 'R2', 'R3', 'R4', 'R5', 'LC', 'SF']
const ISSUED_KEYS = [
  '01',
  '02',
  '03',
  '04',
  '05',
  '06',
  '07',
  '08',
  '09',
  '10',
  '11',
  '12',
  '13',
  '14',
  '15',
  '17',
  '18',
  '19',
]
const RECEIVED_KEYS = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '12', '13', '18', '19']
const METHODS = ['01', '02', '03', '04', '05']
const IDENTIFIED = ['F1', 'F3', 'R1', 'R2', 'R3', 'R4']
const ID_TYPES = ['', '02', '03', '04', '05', '06']
const INCOME = /^I0[1-9]$/
const EXPENSE = /^(G0[1-9]|G1[0-9]|G2[0-9]|G3[0-9]|G4[0-6]|GY4|GY8)$/
/** Concepts of expense without a document that names somebody (15). */
const WITHOUT_PARTY = /^(G02|G2[7-9]|G3[0-3]|G38|G39|GY8)$/
const SIMPLIFIED_LIMIT = 300_000
const FARMER_RATES = [1200, 1050]
/** NIF of entities that may receive donations at 0 %. */
const DONATION_NIF = /^[RGQNW]/

/** Returns true for a tax of base × rate, within a cent because of prices with tax included. */
const isTaxOf = (tax: number, base: number, rateBp: number) => Math.abs(tax - percentOf(base, rateBp)) <= 1

/** Returns true for a rate allowed in a row: a rate of its day; a transitional rate also later, in a correction (39). */
function isRateAllowed(rateBp: number, day: string, kind: string, isNegative: boolean, nif: string): boolean {
  if (rateBp === 0) {
    if (day >= '2023-01-01' && day <= '2024-09-30') return true
    return DONATION_NIF.test(nif)
  }
  const rows = vatRates.filter((row) => row.rateBp === rateBp)
  if (rows.some(({ from, to }) => from <= day && (to === null || day <= to))) return true
  const isBack = isNegative || kind === 'F3' || isRectifying(kind)
  return isBack && rows.some(({ from }) => from <= day)
}

function isSurchargeAllowed(rateBp: number, surchargeBp: number): boolean {
  return vatRates.some((row) => row.rateBp === rateBp && row.surchargesBp.includes(surchargeBp))
}

/** Checks the identification of the other party (2, 29). */
function checkParty(
  {
    kind,
    idType,
    country,
    nif,
    name,
  }: { kind: string; idType: string; country: string; nif: string; name: string },
  needsNif: boolean,
  found: Found,
  rules: { id: string; needed: string },
  needsName = true,
): void {
  if (!ID_TYPES.includes(idType))
    found('idType', rules.id, 'id_type_unknown', 'The kind of identification is not in the list.')
  if (idType !== '' && idType !== '02' && !/^[A-Z]{2}$/.test(country))
    found('country', rules.id, 'country_missing', 'A foreign identification needs its country.')
  if (nif !== '' && idType === '' && !isNif(nif))
    found('nif', rules.id, 'nif_invalid', 'The NIF is not right: nine characters with its control.')
  if (/[^0-9A-Z]/.test(nif)) found('nif', rules.id, 'nif_separators', 'The identification holds separators.')
  if (nif === '' && needsNif)
    found(
      'nif',
      rules.needed,
      'nif_missing',
      `A document of kind ${kind} needs the other party's identification.`,
    )
  if (name === '' && needsName) found('name', rules.id, 'name_missing', 'The name is missing.')
}

function checkActivity(
  cells: Cells<'activityCode' | 'activityType' | 'iae'>,
  found: Found,
  rule: string,
): void {
  const code = cells('activityCode')
  if (code === '') {
    found('activityCode', rule, 'activity_missing', 'The activity of the business is not set.', 'warning')
    return
  }
  const types = code === 'A' ? 5 : code === 'B' ? 6 : 0
  const type = cells('activityType')
  if (!/^[A-D]$/.test(code) || (types > 0 && !(Number(type) >= 1 && Number(type) <= types)))
    found('activityCode', rule, 'activity_unknown', 'Code and type of the activity do not go together.')
  if (code === 'A' && cells('iae') === '')
    found('iae', rule, 'iae_missing', 'The heading of the IAE is missing.', 'warning')
}

/** Checks that companies leave the income tax fields empty (17). */
function checkLegal(
  values: readonly (readonly [string, string])[],
  isLegal: boolean,
  found: Found,
  rule: string,
): void {
  if (!isLegal) return
  for (const [column, value] of values)
    if (value !== '') found(column, rule, 'not_for_companies', 'A company leaves this field empty.')
}

function checkPayment(
  cells: Cells<'paidOn' | 'paid' | 'method' | 'regimeKey'>,
  found: Found,
  rule: string,
): void {
  if (cells('paidOn') === '') return
  if (cells('regimeKey') !== '07')
    found('regimeKey', rule, 'payment_without_cash', 'Only cash accounting (07) tells of payments.')
  if (!METHODS.includes(cells('method')))
    found('method', rule, 'method_unknown', 'The means of payment is not in the list.')
  if (centsOf(cells('paid')) === null) found('paid', rule, 'amount_missing', 'The amount paid is missing.')
}

/** Checks a row of issued invoices. */
export function checkIssued(cells: Cells<IssuedColumn>, context: RuleContext, found: Found): void {
  const kind = cells('kind')
  const key = cells('regimeKey')
  const issueDay = dayOf(cells('issueDate')) ?? ''
  const day = dayOf(cells('operationDate')) ?? issueDay
  const qualification = cells('qualification')
  const exemption = cells('exemption')
  const nif = cells('nif')
  const idType = cells('idType')
  const base = cents(cells('base'))
  const tax = cents(cells('tax'))
  const rate = centsOf(cells('rate'))
  const surchargeRate = centsOf(cells('surchargeRate'))
  const isPaymentRow = cells('paidOn') !== ''

  if (issueDay > context.today)
    found('issueDate', '1', 'date_in_future', 'The issue date lies in the future.')
  if (!ISSUED_KINDS.includes(kind))
    found('kind', '9', 'kind_unknown', 'The kind of invoice is not in the list.')
  if (!ISSUED_KEYS.includes(key))
    found('regimeKey', '6', 'key_unknown', 'The operation key is not in the list.')
  checkParty(
    { kind, idType, country: cells('country'), nif, name: cells('name') },
    IDENTIFIED.includes(kind),
    found,
    { id: '2', needed: '33' },
  )
  if (nif === '' && (kind === 'F2' || kind === 'R5') && cells('name') !== 'VENTAS A CONSUMIDOR FINAL')
    found('name', '2', 'consumer_name', 'Without a NIF the name is VENTAS A CONSUMIDOR FINAL.')
  if (idType === '02' && !IDENTIFIED.includes(kind))
    found('kind', '29', 'kind_with_vat_number', 'A NIF-IVA does not go with this kind of invoice.')
  checkActivity(cells, found, '16')
  checkLegal(
    [
      ['concept', cells('concept')],
      ['income', cells('income')],
      ['withholdingRate', cells('withholdingRate')],
      ['withholding', cells('withholding')],
    ],
    context.isLegal,
    found,
    '17',
  )
  checkPayment(cells, found, '6')
  if (key !== '14' && key !== '15' && issueDay < day)
    found('issueDate', '25', 'issued_before_operation', 'The issue date is before the operation.')
  const periodDay = isPaymentRow ? (dayOf(cells('paidOn')) ?? '') : day
  if (cells('year') !== periodDay.slice(0, 4) || cells('period') !== quarterOf(periodDay))
    found('period', '11', 'period_wrong', 'Year and period are not those of the operation.')
  if (isPaymentRow) return

  if (cells('concept') !== '' && !INCOME.test(cells('concept')))
    found('concept', '10', 'concept_unknown', 'The concept of income is not in the list.')
  if (
    cells('concept') !== '' &&
    !['03', '05', '07', '09'].includes(key) &&
    cells('concept') !== 'I05' &&
    centsOf(cells('income')) !== base
  )
    found('income', '13', 'income_not_base', 'The income of a row is its base.')
  if ((qualification === '') === (exemption === ''))
    found(
      'qualification',
      '19',
      'qualification_or_exemption',
      'A row has either a qualification or a cause of exemption.',
    )
  if (qualification !== '' && !['S1', 'S2', 'N1', 'N2'].includes(qualification))
    found('qualification', '19', 'qualification_unknown', 'The qualification is not in the list.')
  if (exemption !== '' && !/^E[1-6]$/.test(exemption))
    found('exemption', '20', 'exemption_unknown', 'The cause of exemption is not in the list.')

  if (qualification === 'S1') {
    if (rate === null) found('rate', '21', 'rate_missing', 'A taxed row needs its rate.')
    else {
      if (!['03', '05'].includes(key) && !isTaxOf(tax, base, rate))
        found('tax', '21', 'tax_wrong', 'The tax is not base times rate.')
      const isFarmer = key === '19' && FARMER_RATES.includes(rate)
      if (key !== '17' && !isFarmer && !isRateAllowed(rate, day, kind, base < 0, nif))
        found('rate', '39', 'rate_not_allowed', 'That rate was not in force on the day of the operation.')
      if (surchargeRate !== null && !isSurchargeAllowed(rate, surchargeRate))
        found('surchargeRate', '35', 'surcharge_wrong', 'That surcharge does not go with the rate.')
      if (['11', '12', '13'].includes(key) && rate !== 2100)
        found('rate', '36', 'rent_rate', 'Rent of premises is taxed at 21 %.')
    }
    if (!sameSign(base, tax)) found('tax', '21', 'signs_differ', 'Base and tax differ in sign.')
  }
  if (surchargeRate !== null && kind !== 'F2' && kind !== 'F4' && nif === '')
    found('nif', '35', 'surcharge_needs_nif', 'With surcharge the customer is identified.')
  if (qualification === 'S2') {
    if (rate !== 0 || tax !== 0)
      found('rate', '22', 'reverse_with_tax', 'With reverse charge rate and tax are 0,00.')
    if (!['01', '04', '05', '12'].includes(key))
      found('regimeKey', '22', 'reverse_key', 'Reverse charge does not go with this key.')
    if (!IDENTIFIED.includes(kind))
      found('kind', '30', 'reverse_kind', 'Reverse charge does not go with this kind of invoice.')
  }
  if (key === '03' && qualification !== 'S1')
    found('qualification', '23', 'used_goods_taxed', 'Used goods (03) are taxed (S1).')
  if (key === '08' && qualification !== 'N2')
    found('qualification', '24', 'other_tax', 'What bears IGIC or IPSI (08) is N2.')
  if (key === '14') {
    if (cells('operationDate') === '' || day <= issueDay)
      found('operationDate', '26', 'deferred_day', 'Key 14 needs an operation date after the issue.')
    if (!/^[PQSV]/.test(nif)) found('nif', '26', 'deferred_public', 'Key 14 is for public bodies.')
    if (!['F1', 'R1', 'R2', 'R3', 'R4'].includes(kind))
      found('kind', '26', 'deferred_kind', 'Key 14 does not go with this kind of invoice.')
  }
  if (key === '01' && (exemption === 'E2' || exemption === 'E3'))
    found('regimeKey', '27', 'export_key', 'Exports have key 02.')
  if (exemption === 'E5' && idType !== '02')
    found('idType', '27', 'eu_without_vat_number', 'An exempt supply in the EU needs a NIF-IVA.')
  if (key === '10' && (qualification !== 'N1' || kind !== 'F1'))
    found('qualification', '28', 'third_party_collection', 'Key 10 is N1 and F1.')
  if (key === '07' && (['N1', 'N2', 'S2'].includes(qualification) || /^E[2-5]$/.test(exemption)))
    found('regimeKey', '31', 'cash_not_possible', 'Cash accounting does not go with this operation.')
  if ((kind === 'R2' || kind === 'R3') && idType !== '' && !(kind === 'R2' && idType === '02'))
    found('idType', '32', 'insolvency_nif', 'R2 and R3 need a Spanish NIF.')
  const total = centsOf(cells('total'))
  const surcharge = cents(cells('surcharge'))
  const expected = qualification === 'S1' ? base + tax + surcharge : base
  if (total !== null && !['03', '05', '09'].includes(key) && total !== expected)
    found('total', '37', 'total_wrong', 'The total is not base, tax and surcharge.')
  if ((exemption !== '' || qualification.startsWith('N')) && tax !== 0)
    found('tax', '37', 'tax_without_tax', 'What is exempt or not subject bears no tax.')
  if (key === '17' && day <= '2021-06-30')
    found('regimeKey', '38', 'one_stop_shop_day', 'Key 17 exists since 1 July 2021.')
}

/** Checks a row of received invoices. */
export function checkReceived(cells: Cells<ReceivedColumn>, context: RuleContext, found: Found): void {
  const kind = cells('kind')
  const key = cells('regimeKey')
  const issueDay = dayOf(cells('issueDate')) ?? ''
  const day = dayOf(cells('operationDate')) ?? issueDay
  const received = dayOf(cells('receptionDate'))
  const nif = cells('nif')
  const idType = cells('idType')
  const base = cents(cells('base'))
  const tax = cents(cells('tax'))
  const deductible = cents(cells('deductible'))
  const rate = centsOf(cells('rate'))
  const isReverse = cells('reverseCharge') === 'S'
  const isGood = cells('investment') === 'S'
  const isPaymentRow = cells('paidOn') !== ''

  if (!RECEIVED_KINDS.includes(kind))
    found('kind', '10', 'kind_unknown', 'The kind of invoice is not in the list.')
  if (!RECEIVED_KEYS.includes(key))
    found('regimeKey', '7', 'key_unknown', 'The operation key is not in the list.')
  const needsNif = ['F1', 'F3', 'F5', 'F6', 'R1', 'R2', 'R3', 'R4'].includes(kind)
  checkParty(
    { kind, idType, country: cells('country'), nif, name: cells('name') },
    needsNif,
    found,
    { id: '2', needed: '2' },
    // Stock, depreciation and provisions name nobody (15).
    !(kind === 'SF' && WITHOUT_PARTY.test(cells('concept'))),
  )
  checkActivity(cells, found, '17')
  checkLegal(
    [
      ['concept', cells('concept')],
      ['expense', cells('expense')],
      ['withholdingRate', cells('withholdingRate')],
      ['withholding', cells('withholding')],
    ],
    context.isLegal,
    found,
    '18',
  )
  checkPayment(cells, found, '7')
  if (issueDay > context.today)
    found('issueDate', '25', 'date_in_future', 'The issue date lies in the future.')
  if (received === null) found('receptionDate', '19', 'reception_missing', 'The day of reception is missing.')
  else if (received < issueDay || received < day)
    found('receptionDate', '19', 'received_too_early', 'It was received before it was issued or done.')
  if (cells('reception') === '')
    found('reception', '37', 'reception_number', 'The number of reception is missing.')
  const issuePeriod = `${issueDay.slice(0, 4)}${quarterOf(issueDay)}`
  const period = `${cells('year')}${cells('period')}`
  if (!/^\d{4}[1-4]T$/.test(period) || period < issuePeriod)
    found('period', '12', 'period_wrong', 'Year and period are before the issue.')
  if (isPaymentRow) return

  if (cells('concept') !== '' && !EXPENSE.test(cells('concept')))
    found('concept', '11', 'concept_unknown', 'The concept of expense is not in the list.')
  const expense = centsOf(cells('expense'))
  if (
    expense !== null &&
    cells('concept') !== 'G25' &&
    !['03', '05', '07'].includes(key) &&
    Math.abs(expense) > Math.abs(base)
  )
    found('expense', '13', 'expense_above_base', 'The expense of a row is at most its base.')
  if (isGood && ['02', '08'].includes(key))
    found('investment', '20', 'good_not_possible', 'This key has no investment goods.')
  if (isReverse && (['F5', 'LC'].includes(kind) || ['07', '08', '09'].includes(key)))
    found('reverseCharge', '23', 'reverse_not_possible', 'Reverse charge does not go with this key or kind.')
  if (key === '09') {
    if (!['F1', 'R1', 'R2', 'R3', 'R4'].includes(kind))
      found('kind', '26', 'eu_kind', 'A purchase in the EU does not go with this kind.')
    if (idType !== '02')
      found(
        'idType',
        '26',
        'eu_without_vat_number',
        'A purchase in the EU needs the NIF-IVA of the supplier.',
      )
  }
  if (kind === 'F5' || kind === 'LC') {
    if (!['01', '03', '04', '05', '08'].includes(key))
      found('regimeKey', '28', 'customs_key', 'Customs documents do not have this key.')
    if (nif !== context.ownNif) found('nif', '28', 'customs_nif', 'Customs documents carry the own NIF.')
    if (kind === 'LC' && !/^(LC|QZC|QRC|QCL|A01|A02)/.test(cells('number')))
      found('number', '28', 'customs_number', 'The number is not one of customs.')
    if (
      kind === 'F5' &&
      !/^(\d{2}[A-Z]{2}00\d{4}\d{7,8}[0-9A-Z]?|\d{2}[A-Z]{2}[0-9A-Z]{14})$/.test(cells('number'))
    )
      found('number', '28', 'customs_number', 'The number is not that of a customs declaration.', 'warning')
  }
  if (key === '08' && tax !== 0) found('tax', '29', 'other_tax', 'What bears IGIC or IPSI has no VAT.')
  if (key === '02') {
    if (nif === '') found('nif', '30', 'nif_missing', 'The farmer is identified.')
    if (cells('surchargeRate') !== '' || cells('surcharge') !== '')
      found('surcharge', '30', 'farmer_surcharge', 'The compensation has no surcharge.')
  }
  const surcharge = cents(cells('surcharge'))
  const isRectified = isRectifying(kind)
  const total = centsOf(cells('total'))
  const expected = isReverse || key === '09' ? base : base + tax + surcharge
  if (total !== null && !isRectified && !['03', '05'].includes(key) && total !== expected)
    found('total', '32', 'total_wrong', 'The total is not base, tax and surcharge.')
  if (cells('surcharge') !== '' && deductible !== 0)
    found('deductible', '33', 'surcharge_not_deductible', 'With surcharge nothing is deducted.')
  if (!sameSign(base, tax) || !sameSign(base, deductible))
    found('tax', '33', 'signs_differ', 'Base, tax and what is deducted differ in sign.')
  if (rate !== null && rate !== 0 && !isTaxOf(tax, base, rate))
    found(
      'tax',
      '33',
      'tax_wrong',
      'The tax is not base times rate.',
      Math.abs(tax - percentOf(base, rate)) <= 10 ? 'warning' : 'error',
    )
  if (Math.abs(deductible) > Math.abs(tax))
    found('deductible', '33', 'deducted_too_much', 'More is deducted than was charged.')
  if (['13', '18', '19'].includes(key) && deductible !== 0)
    found('deductible', '33', 'key_not_deductible', 'This key has nothing to deduct.')
  if (kind === 'F2' && deductible !== 0)
    found('deductible', '33', 'simplified_not_deductible', 'A simplified invoice has nothing to deduct.')
  if (['03', '05'].includes(key) && deductible !== 0)
    found('deductible', '36', 'scheme_not_deductible', 'Under this scheme nothing is deducted.')
  if (rate !== null && kind !== 'F5' && kind !== 'LC') {
    const isFarmer = key === '02' && FARMER_RATES.includes(rate)
    // On received invoices, 0 % requires no donation (38).
    if (!isFarmer && rate !== 0 && !isRateAllowed(rate, day, kind, base < 0, nif))
      found('rate', '38', 'rate_not_allowed', 'That rate was not in force on the day of the operation.')
  }
  const later = cells('deductedLater')
  const deduction = `${cells('deductionYear')}${cells('deductionPeriod')}`
  if ((cells('deductionYear') === '') !== (cells('deductionPeriod') === ''))
    found('deductionPeriod', '34', 'deduction_half', 'Year and period of the deduction go together.')
  if (deduction !== '' && later !== 'S')
    found('deductedLater', '35', 'deducted_later', 'A period of deduction means that it is deducted later.')
  if (deduction !== '' && deduction <= period)
    found('deductionPeriod', '34', 'deduction_not_later', 'The deduction is not in a later period.')
  if (
    key === '12' &&
    (cells('propertySituation') === '' ||
      (/^[123]$/.test(cells('propertySituation')) && cells('cadastralRef') === ''))
  )
    found(
      'cadastralRef',
      '39',
      'property_missing',
      'Rent of premises tells which: situation and cadastral reference.',
    )
}

/** Checks a row of investment goods. */
export function checkGoods(cells: Cells<GoodsColumn>, context: RuleContext, found: Found): void {
  if (!['4T', '0A'].includes(cells('period'))) found('period', '1', 'period_wrong', 'The period is 4T or 0A.')
  if (!/^(1[12]|2[1-9]|3[1239]|4[12349])$/.test(cells('type')))
    found('type', '2', 'good_unknown', 'The type of good is not in the list.')
  const inUse = dayOf(cells('inUseFrom'))
  if (inUse === null) found('inUseFrom', '1', 'use_missing', 'The first day of use is missing.')
  else if (cells('year') < inUse.slice(0, 4))
    found('inUseFrom', '1', 'use_later', 'It is used only after the year.')
  if (cells('depreciationMethod') === '' && !context.isLegal)
    found(
      'depreciationMethod',
      '4',
      'depreciation_missing',
      'Method and amounts of depreciation are to be filled in.',
      'warning',
    )
  if (['11', '12', '22'].includes(cells('type')))
    found(
      'identifier',
      '16',
      'identifier_to_check',
      'Buildings carry the cadastral reference, vehicles the number plate.',
      'warning',
    )
  checkActivity(cells, found, '17')
}

/** Checks sums over the rows of one document: simplified invoices (34, 27). */
export function checkDocument(
  sheet: SheetName,
  kind: string,
  totalCents: number,
  hasAgreement: boolean,
  found: Found,
): void {
  if (kind !== 'F2' && kind !== 'R5') return
  if (sheet === 'issued' && !hasAgreement && totalCents > SIMPLIFIED_LIMIT)
    found('total', '34', 'simplified_too_large', 'A simplified invoice is at most 3,000 euros.')
  if (sheet === 'received' && totalCents > SIMPLIFIED_LIMIT)
    found('total', '27', 'simplified_too_large', 'A simplified invoice is at most 3,000 euros.')
}
