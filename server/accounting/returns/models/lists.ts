/** Returns that list parties: 347, 349, 369, 190 and 180, with their totals as boxes. */
import type { Cents } from '../../../domain/money.ts'
import { eurosFromCents, percentFromBasisPoints } from '../../../domain/money.ts'
import type { Ctx } from '../../../context.ts'
import { euTotals, partiesAbove, partyQuarters, withholdingTotals } from '../../../tax/totals/index.ts'
import type { EuFigure, Side, WithholdingReason } from '../../../tax/totals/index.ts'
import { evaluate } from './boxes.ts'
import type { Box, Bilingual } from './boxes.ts'
import type { Computed } from '../compute.ts'
import type { FiscalWarning, ModelList } from '../contract.ts'
import { periodUnit, previousQuarter, quarterMonths } from '../calendar/periods.ts'
import type { ReturnPeriod } from '../calendar/periods.ts'
import { findInputs } from '../rows.ts'
import type { WageRecipientRow } from '../rows.ts'
import { wagesOfRecipients, wagesOfRow } from './wage-sums.ts'
import type { WageSums } from './wage-sums.ts'
import { euReturn } from './eu-return.ts'
import type { EuCorrection, EuOperation } from './eu-return.ts'
import { ossReturn } from './oss/one-stop-shop.ts'

type Listed = Pick<Computed, 'sections' | 'values' | 'lists' | 'resultCents'> & { warnings?: FiscalWarning[] }
type Cell = string | number | null

const ROWS_GIVEN = 1000

interface Column {
  id: string
  label: Bilingual
  kind: 'text' | 'amount' | 'percent' | 'count'
  /** Display text of the codes in its cells; other text is shown unchanged. */
  values?: Record<string, Bilingual>
}

const NIF: Column = { id: 'nif', label: { es: 'NIF', en: 'Tax number' }, kind: 'text' }
const NAME: Column = { id: 'name', label: { es: 'Nombre', en: 'Name' }, kind: 'text' }
const amount = (id: string, es: string, en: string): Column => ({ id, label: { es, en }, kind: 'amount' })
const count = (id: string, es: string, en: string): Column => ({ id, label: { es, en }, kind: 'count' })
const text = (id: string, es: string, en: string): Column => ({ id, label: { es, en }, kind: 'text' })

function listOf(id: string, title: Bilingual, columns: Column[], rows: readonly Cell[][]): ModelList {
  return { id, title, columns, rows: rows.slice(0, ROWS_GIVEN), total: rows.length }
}

const TOTALS: Record<string, Bilingual> = { total: { es: 'Resumen', en: 'Summary' } }

function totalBoxes(
  entries: readonly { box: string; es: string; en: string; count?: boolean; value: number }[],
) {
  const boxes: Box[] = entries.map(({ box, es, en, count: isCount }) => ({
    box,
    section: 'total',
    label: { es, en },
    ...(isCount ? { kind: 'count' as const } : {}),
  }))
  return evaluate(boxes, [], new Map(entries.map(({ box, value }) => [box, value])))
}

const sum = <T>(list: readonly T[], pick: (item: T) => number) =>
  list.reduce((all, item) => all + pick(item), 0)

/** Limits of model 347, by date. Source: RD 1065/2007 art. 33.1. */
const THIRD_PARTY_LIMITS: readonly { from: number; cents: Cents }[] = [{ from: 2008, cents: 300_506 }]

/** Returns the amount that the operations of a year with one party must exceed to be declared. */
export function thirdPartyLimit(year: number): Cents {
  return THIRD_PARTY_LIMITS.findLast(({ from }) => from <= year)?.cents ?? THIRD_PARTY_LIMITS[0]!.cents
}

/** Lists operations with third parties by quarter: key A purchases, key B sales. */
export const list347 = (ctx: Ctx, year: number): Promise<Listed> =>
  thirdParties(ctx, year, thirdPartyLimit(year))

/** Lists the parties whose operations of a year exceed a limit in cents, tax included, sales and purchases apart. */
export async function thirdParties(ctx: Ctx, year: number, limitCents: Cents): Promise<Listed> {
  const of = async (side: Side) => {
    const parties = await partiesAbove(ctx, side, year, limitCents)
    const quarters = await partyQuarters(
      ctx,
      side,
      year,
      parties.map(({ partyId }) => partyId),
    )
    return parties.map((party) => ({ ...party, quarters: quarters.get(party.partyId) ?? [0, 0, 0, 0] }))
  }
  const sold = await of('issued')
  const bought = await of('received')
  const columns = [
    NIF,
    NAME,
    amount('total', 'Importe anual', 'Year'),
    ...[1, 2, 3, 4].map((quarter) => amount(`q${quarter}`, `${quarter}T`, `Q${quarter}`)),
  ]
  const rows = (parties: typeof sold): Cell[][] =>
    parties.map((party) => [
      party.nif,
      party.name,
      eurosFromCents(party.thirdCents),
      ...party.quarters.map(eurosFromCents),
    ])
  return {
    sections: TOTALS,
    values: totalBoxes([
      {
        box: '01',
        es: 'Número de personas y entidades',
        en: 'People and businesses',
        count: true,
        value: sold.length + bought.length,
      },
      {
        box: '02',
        es: 'Importe anual de las operaciones',
        en: 'Amount of the year',
        value: sum([...sold, ...bought], ({ thirdCents }) => thirdCents),
      },
    ]),
    lists: [
      listOf('B', { es: 'B. Ventas', en: 'B. Sales' }, columns, rows(sold)),
      listOf('A', { es: 'A. Compras', en: 'A. Purchases' }, columns, rows(bought)),
    ],
    resultCents: null,
  }
}

/** Amount of goods and services above which model 349 is due monthly. Source: RIVA art. 81.1. */
const MONTHLY_LIMIT: Cents = 5_000_000

/** Returns true if the sales to the EU of the quarter around a period, or of one of the four before, ask for monthly returns. */
export async function isMonthly349(
  ctx: Ctx,
  { year, quarter }: Pick<ReturnPeriod, 'year' | 'quarter'>,
): Promise<boolean> {
  const sales = (figures: readonly EuFigure[]) =>
    sum(
      figures.filter(({ euKey }) => ['E', 'S', 'T', 'M', 'H'].includes(euKey)),
      ({ baseCents }) => baseCents,
    )
  let at = { year, quarter: quarter ?? 4 }
  for (let back = 0; back <= 4; back++) {
    if (sales(await euTotals(ctx, quarterMonths(at.year, at.quarter))) > MONTHLY_LIMIT) return true
    at = previousQuarter(at.year, at.quarter)
  }
  return false
}

const EU_NAMES: Record<string, Bilingual> = {
  E: { es: 'Entregas de bienes', en: 'Goods sold' },
  A: { es: 'Adquisiciones de bienes', en: 'Goods bought' },
  S: { es: 'Servicios prestados', en: 'Services sold' },
  I: { es: 'Servicios recibidos', en: 'Services bought' },
  T: { es: 'Operaciones triangulares', en: 'Triangular sales' },
  M: { es: 'Entregas tras importación exenta', en: 'Goods sold after exempt import' },
  H: { es: 'Entregas tras importación exenta, por representante', en: 'The same, through a representative' },
  R: { es: 'Transferencias de bienes, ventas en consigna', en: 'Call-off stock sent' },
  D: { es: 'Devoluciones de bienes en consigna', en: 'Call-off stock returned' },
  C: { es: 'Sustituciones en ventas en consigna', en: 'Call-off stock, other buyer' },
}

/** Returns the VAT number with its country prefix. */
function vatNumber({ nif, country }: { nif: string | null; country: string }): string | null {
  if (nif === null) return null
  const prefix = country === 'GR' ? 'EL' : country
  return nif.startsWith(prefix) ? nif : `${prefix}${nif}`
}

/** Lists intra-Community operations by VAT number and key, and corrections of what earlier periods declared. */
export async function list349(ctx: Ctx, period: ReturnPeriod): Promise<Listed> {
  const { operations, corrections, unclear } = await euReturn(ctx, period)
  const operator = [
    text('key', 'Clave', 'Key'),
    { ...text('operation', 'Operación', 'Operation'), values: EU_NAMES },
    { ...NIF, label: { es: 'NIF-IVA', en: 'VAT number' } },
    NAME,
  ]
  const operatorCells = (of: EuOperation | EuCorrection): Cell[] => [
    of.euKey,
    of.euKey,
    vatNumber(of),
    of.name,
  ]
  const euros = (cents: Cents | null) => (cents === null ? null : eurosFromCents(cents))
  const warnings: FiscalWarning[] = []
  const warn = (code: FiscalWarning['code'], count: number, message: string) => {
    if (count > 0) warnings.push({ code, severity: 'warning', count, message })
  }
  warn(
    'operator_without_number',
    [...operations, ...corrections].filter(({ nif }) => nif === null).length,
    'Operators have no VAT number, and the form takes no row without one: ask for it, or check how the operation is taxed.',
  )
  if (periodUnit(period.code) === 'quarter' && (await isMonthly349(ctx, period)))
    warnings.push({
      code: 'monthly_349',
      severity: 'warning',
      message: 'More than 50,000 euros were sold to the EU in a quarter: the return is due every month.',
    })
  warn(
    'eu_period_unclear',
    unclear,
    'Rectifying documents name no original, or originals of several periods: check which period they correct.',
  )
  warn(
    'eu_declared_unknown',
    corrections.filter(({ declaredCents }) => declaredCents === null).length,
    'Corrections of invoices of another program: what was declared before is not known here.',
  )
  warn(
    'eu_negative',
    [...operations, ...corrections].filter(
      (each) => ('baseCents' in each ? each.baseCents : (each.rectifiedCents ?? 0)) < 0,
    ).length,
    'Operations of an operator come to less than zero, which the form does not take: tell apart what corrects earlier periods.',
  )
  return {
    sections: TOTALS,
    values: totalBoxes([
      { box: '01', es: 'Número total de operadores', en: 'Operators', count: true, value: operations.length },
      {
        box: '02',
        es: 'Importe de las operaciones',
        en: 'Amount',
        value: sum(operations, ({ baseCents }) => baseCents),
      },
      {
        box: '03',
        es: 'Operadores con rectificaciones',
        en: 'Operators with corrections',
        count: true,
        value: corrections.length,
      },
      {
        box: '04',
        es: 'Importe de las rectificaciones (bases rectificadas)',
        en: 'Amount of corrections (rectified bases)',
        value: sum(corrections, ({ rectifiedCents }) => rectifiedCents ?? 0),
      },
    ]),
    lists: [
      listOf(
        'operations',
        { es: 'Operaciones', en: 'Operations' },
        [...operator, amount('base', 'Base imponible', 'Base'), count('documents', 'Facturas', 'Invoices')],
        operations.map((each) => [...operatorCells(each), eurosFromCents(each.baseCents), each.documents]),
      ),
      listOf(
        'corrections',
        { es: 'Rectificaciones de periodos anteriores', en: 'Corrections of earlier periods' },
        [
          ...operator,
          text('year', 'Ejercicio', 'Year'),
          text('period', 'Periodo', 'Period'),
          amount('base', 'Base imponible rectificada', 'Rectified base'),
          amount('declared', 'Base declarada anteriormente', 'Base declared before'),
          amount('difference', 'Diferencia', 'Difference'),
          count('documents', 'Facturas', 'Invoices'),
        ],
        corrections.map((each) => [
          ...operatorCells(each),
          String(each.year),
          each.period,
          euros(each.rectifiedCents),
          euros(each.declaredCents),
          eurosFromCents(each.differenceCents),
          each.documents,
        ]),
      ),
    ],
    resultCents: null,
    warnings,
  }
}

const OSS_KINDS: Record<string, Bilingual> = {
  goods: { es: 'Bienes', en: 'Goods' },
  services: { es: 'Servicios', en: 'Services' },
}

/** Lists one-stop shop base and tax by state and rate, and corrections of earlier quarters. */
export async function list369(ctx: Ctx, period: ReturnPeriod): Promise<Listed> {
  const { lines, corrections, unclear, dueCents, refundedCents } = await ossReturn(ctx, period)
  return {
    sections: TOTALS,
    values: totalBoxes([
      {
        box: '01',
        es: 'Base imponible total',
        en: 'Total of bases',
        value: sum(lines, ({ baseCents }) => baseCents),
      },
      { box: '02', es: 'Cuota total a ingresar', en: 'Total tax to pay', value: dueCents },
      {
        box: 'corrected',
        es: 'Correcciones de periodos anteriores',
        en: 'Corrections of earlier periods',
        value: sum(corrections, ({ taxCents }) => taxCents),
      },
      {
        box: 'refunded',
        es: 'Saldos negativos, que devuelve cada Estado',
        en: 'Negative balances, which each state refunds',
        value: refundedCents,
      },
    ]),
    lists: [
      listOf(
        'countries',
        { es: 'Por país de consumo y tipo', en: 'By country and rate' },
        [
          text('country', 'País', 'Country'),
          { id: 'rate', label: { es: 'Tipo', en: 'Rate' }, kind: 'percent' },
          { ...text('kind', 'Clase', 'Kind'), values: OSS_KINDS },
          amount('base', 'Base', 'Base'),
          amount('tax', 'Cuota', 'Tax'),
          count('documents', 'Facturas', 'Invoices'),
        ],
        lines.map((line) => [
          line.country,
          line.rateBp < 0 ? null : percentFromBasisPoints(line.rateBp),
          line.nature,
          eurosFromCents(line.baseCents),
          eurosFromCents(line.taxCents),
          line.documents,
        ]),
      ),
      listOf(
        'corrections',
        { es: 'Correcciones de periodos anteriores', en: 'Corrections of earlier periods' },
        [
          text('country', 'País', 'Country'),
          text('year', 'Ejercicio', 'Year'),
          text('period', 'Periodo', 'Period'),
          amount('tax', 'Cuota corregida', 'Corrected tax'),
          count('documents', 'Facturas', 'Invoices'),
        ],
        corrections.map((each) => [
          each.country,
          String(each.year),
          `${each.quarter}T`,
          eurosFromCents(each.taxCents),
          each.documents,
        ]),
      ),
    ],
    resultCents: dueCents,
    warnings:
      unclear === 0
        ? []
        : [
            {
              code: 'eu_period_unclear',
              severity: 'warning',
              count: unclear,
              message:
                'Rectifying documents name no original, or originals of several periods: check which period they correct.',
            },
          ],
  }
}

/** Rows listed in addition to recipients from invoices: cells in column order, and what they add to the totals. */
interface Besides {
  cells: Cell[][]
  /** Number of recipients, or 0 when only their sum is known. */
  count: number
  baseCents: Cents
  withheldCents: Cents
}
const NOTHING_BESIDES: Besides = { cells: [], count: 0, baseCents: 0, withheldCents: 0 }

async function listWithheld(
  ctx: Ctx,
  period: ReturnPeriod,
  reasons: readonly WithholdingReason[],
  key: (reason: WithholdingReason) => string,
  besides: Besides = NOTHING_BESIDES,
): Promise<Listed> {
  const rows = (await withholdingTotals(ctx, period.months)).filter(({ reason }) => reasons.includes(reason))
  return {
    sections: TOTALS,
    values: totalBoxes([
      {
        box: '01',
        es: 'Número total de percepciones',
        en: 'Recipients',
        count: true,
        value: rows.length + besides.count,
      },
      {
        box: '02',
        es: 'Importe total de las percepciones',
        en: 'Paid',
        value: sum(rows, ({ baseCents }) => baseCents) + besides.baseCents,
      },
      {
        box: '03',
        es: 'Importe total de las retenciones',
        en: 'Withheld',
        value: sum(rows, ({ amountCents }) => amountCents) + besides.withheldCents,
      },
    ]),
    lists: [
      listOf(
        'recipients',
        { es: 'Perceptores', en: 'Recipients' },
        [
          NIF,
          { ...NAME, values: WAGES_AS_SUM },
          text('key', 'Clave', 'Key'),
          amount('base', 'Percepciones', 'Paid'),
          amount('withheld', 'Retenciones', 'Withheld'),
          count('documents', 'Facturas', 'Invoices'),
        ],
        [
          ...rows.map((row): Cell[] => [
            row.nif,
            row.name,
            key(row.reason),
            eurosFromCents(row.baseCents),
            eurosFromCents(row.amountCents),
            row.documents,
          ]),
          ...besides.cells,
        ],
      ),
    ],
    resultCents: null,
  }
}

const WAGES_AS_SUM: Record<string, Bilingual> = {
  wages_of_111: { es: 'Nóminas escritas en el modelo 111', en: 'Wages typed into form 111' },
}

/** Returns the wages of a year as typed in the quarterly 111; null when none are. */
async function wagesOf111(ctx: Ctx, year: number): Promise<WageSums | null> {
  const typed = await findInputs(ctx, '111', { from: year, to: year })
  const of = (box: string) => sum([...typed.values()], (inputs) => inputs.get(box) ?? 0)
  const wages = {
    paidCents: of('02'),
    withheldCents: of('03'),
    inKindCents: of('05'),
    inKindWithheldCents: of('06'),
  }
  return Object.values(wages).every((cents) => cents === 0) ? null : wages
}

function wageCells(row: WageRecipientRow): Cell[] {
  const { baseCents, withheldCents } = wholeOf(wagesOfRow(row))
  return [
    row.nif,
    row.name,
    `${row.key}${row.subkey ?? ''}`,
    eurosFromCents(baseCents),
    eurosFromCents(withheldCents),
    null,
  ]
}

const wholeOf = (wages: WageSums) => ({
  baseCents: wages.paidCents + wages.inKindCents,
  withheldCents: wages.withheldCents + wages.inKindWithheldCents,
})

/**
 * Lists recipients of model 190 by key: A wages, G professionals. Recipients of wages are typed; without them only
 * the sums of the 111 are known.
 */
export async function list190(ctx: Ctx, period: ReturnPeriod): Promise<Listed> {
  const typed = await wagesOfRecipients(ctx, period.year)
  const sums = await wagesOf111(ctx, period.year)
  const isTyped = typed.rows.length > 0
  const besides: Besides = isTyped
    ? { cells: typed.rows.map(wageCells), count: typed.rows.length, ...wholeOf(typed) }
    : sums === null
      ? NOTHING_BESIDES
      : {
          cells: [
            [
              null,
              'wages_of_111',
              'A',
              eurosFromCents(wholeOf(sums).baseCents),
              eurosFromCents(wholeOf(sums).withheldCents),
              null,
            ],
          ],
          count: 0,
          ...wholeOf(sums),
        }
  const listed = await listWithheld(
    ctx,
    period,
    ['work', 'professional'],
    (reason) => (reason === 'work' ? 'A' : 'G'),
    besides,
  )
  return { ...listed, warnings: wageWarnings(isTyped ? typed : null, sums) }
}

/** Warns when the year's rows and the quarters' sums differ: the tax agency compares the 190 with the four 111. */
function wageWarnings(typed: WageSums | null, sums: WageSums | null): FiscalWarning[] {
  if (typed === null)
    return sums === null
      ? []
      : [
          {
            code: 'wage_rows_unknown',
            severity: 'warning',
            message: 'Of wages only the sums typed into form 111 are known: type who was paid.',
          },
        ]
  const parts = ['paidCents', 'withheldCents', 'inKindCents', 'inKindWithheldCents'] as const
  if (parts.every((part) => typed[part] === (sums?.[part] ?? 0))) return []
  const year = wholeOf(typed)
  const quarters = sums === null ? { baseCents: 0, withheldCents: 0 } : wholeOf(sums)
  return [
    {
      code: 'wage_rows_differ',
      severity: 'warning',
      message: 'The recipients of wages do not add up to what the four forms 111 say, in money and in kind.',
      amounts: {
        paid: eurosFromCents(year.baseCents),
        withheld: eurosFromCents(year.withheldCents),
        paidIn111: eurosFromCents(quarters.baseCents),
        withheldIn111: eurosFromCents(quarters.withheldCents),
      },
    },
  ]
}

/** Lists landlords. */
export const list180 = (ctx: Ctx, period: ReturnPeriod): Promise<Listed> =>
  listWithheld(ctx, period, ['rent'], () => '')
