/** Plays a worked case in a test book and writes the result in the terms of a Spanish tax adviser. */
import type { InputOf, OutputOf } from '../../../server/api/contracts.ts'
import { openBooks } from '../../support/books.ts'
import type { DraftInput, Invoice, TestBooks } from '../../support/books.ts'
import { cancel } from '../sales/invoices/steps.ts'

type Step =
  /** `like: '@A'` refers to an earlier invoice wherever an invoice is expected. */
  | { issue: Partial<DraftInput>; as?: string }
  | { rectify: string; by: Omit<InputOf<'invoices.rectify'>, 'id'>; as?: string }
  | { annul: string }
  | { pay: string; by: Omit<InputOf<'payments.payInvoice'>, 'id'> }
  | { buy: InputOf<'received.create'>; as?: string }
  | { payBill: string; by: Omit<InputOf<'payments.payReceived'>, 'id'> }

export interface WorkedCase {
  /** File name: number and title. */
  name: string
  title: string
  /** The law, in one sentence. */
  law: string
  company?: Partial<InputOf<'company.create'>>
  steps: Step[]
}

const euro = (amount: number): string =>
  `${amount
    .toFixed(2)
    .replace('.', ',')
    .replace(/\B(?=(\d{3})+,)/g, '.')} €`
const percent = (rate: number | null | undefined): string =>
  rate === null || rate === undefined ? '—' : `${String(rate).replace('.', ',')} %`

const table = (head: string[], rows: string[][]): string[] => [
  `| ${head.join(' | ')} |`,
  `|${head.map(() => ' --- |').join('')}`,
  ...rows.map((row) => `| ${row.join(' | ')} |`),
]

const valueOf = (xml: string, name: string): string | null =>
  new RegExp(`<sf:${name}>([^<]*)</sf:${name}>`).exec(xml)?.[1] ?? null

/** Fields of a signed file of a Basque treasury that do not change with its signature. */
const SIGNED_FIELDS = [
  'SerieFactura',
  'NumFactura',
  'DescripcionFactura',
  'ImporteTotalFactura',
  'ClaveRegimenIvaOpTrascendencia',
  'TipoNoExenta',
  'CausaExencion',
  'BaseImponible',
  'TipoImpositivo',
  'CuotaImpuesto',
] as const

/** Returns the fields of the registry record under the registry's names. */
function recordOf(xml: string): string[] {
  if (/<(?:\w+:)?TicketBai[ >]/.test(xml))
    return [
      `- ${SIGNED_FIELDS.flatMap((name) =>
        [...xml.matchAll(new RegExp(`<${name}>([^<]*)<`, 'g'))].map((match) => `${name} ${match[1]}`),
      ).join(' · ')}`,
      `- Firma: ${/<ds:SignatureValue/.test(xml) ? 'sí' : 'no'}`,
    ]
  const heads = [
    'TipoFactura',
    'TipoRectificativa',
    'FechaOperacion',
    'BaseRectificada',
    'CuotaRectificada',
    'CuotaRecargoRectificado',
  ]
  const told = heads.flatMap((name) => {
    const value = valueOf(xml, name)
    return value === null ? [] : [`${name} ${value}`]
  })
  for (const [block, word] of [
    ['FacturasRectificadas', 'rectifica'],
    ['FacturasSustituidas', 'sustituye'],
  ] as const) {
    const inside = new RegExp(`<sf:${block}>(.*?)</sf:${block}>`, 's').exec(xml)?.[1]
    if (inside)
      told.push(
        `${word} ${[...inside.matchAll(/<sf:NumSerieFactura>([^<]*)</g)].map((match) => match[1]).join(', ')}`,
      )
  }
  const lines = [...xml.matchAll(/<sf:DetalleDesglose>(.*?)<\/sf:DetalleDesglose>/gs)].map((match) => {
    const detail = match[1] ?? ''
    const parts = [
      ['Impuesto', ''],
      ['ClaveRegimen', 'régimen '],
      ['CalificacionOperacion', ''],
      ['OperacionExenta', 'exenta '],
      ['TipoImpositivo', 'tipo '],
      ['BaseImponibleOimporteNoSujeto', 'base '],
      ['CuotaRepercutida', 'cuota '],
      ['TipoRecargoEquivalencia', 'recargo '],
      ['CuotaRecargoEquivalencia', 'cuota de recargo '],
    ] as const
    return parts
      .flatMap(([name, word]) => {
        const value = valueOf(detail, name)
        return value === null ? [] : [name === 'Impuesto' ? `impuesto ${value}` : `${word}${value}`]
      })
      .join(' · ')
  })
  return [
    `- ${told.join(' · ')}`,
    ...lines.map((line) => `- Desglose: ${line}`),
    `- CuotaTotal ${valueOf(xml, 'CuotaTotal') ?? ''} · ImporteTotal ${valueOf(xml, 'ImporteTotal') ?? ''}`,
  ]
}

function totalsOf(invoice: Invoice): string[] {
  const rows = invoice.taxBreakdown.map((tax) => [
    `${tax.taxTreatment} (régimen ${tax.regimeKey})`,
    percent(tax.vatRate),
    euro(tax.base),
    euro(tax.tax),
    tax.surchargeRate === undefined ? '—' : `${percent(tax.surchargeRate)}: ${euro(tax.surcharge ?? 0)}`,
    tax.outside === undefined ? '—' : euro(tax.outside),
  ])
  const sums = [
    `base ${euro(invoice.base)}`,
    invoice.taxName === 'IVA'
      ? `IVA y recargo ${euro(invoice.tax)}`
      : `${invoice.taxName} ${euro(invoice.tax)}`,
    ...(invoice.outside === 0 ? [] : [`fuera de la base ${euro(invoice.outside)}`]),
    ...(invoice.disbursements === 0 ? [] : [`suplidos ${euro(invoice.disbursements)}`]),
    `**total ${euro(invoice.total)}**`,
    ...(invoice.withholding
      ? [
          `retención ${percent(invoice.withholding.rate)} sobre ${euro(invoice.withholding.base)}: ${euro(-invoice.withholding.amount)}`,
        ]
      : []),
    ...(invoice.replaced === 0 ? [] : [`ya facturado en lo que sustituye ${euro(-invoice.replaced)}`]),
    `**a pagar ${euro(invoice.amountDue)}**`,
  ]
  const foreign = invoice.inCurrency
  return [
    ...table(['Operación', 'Tipo', 'Base', 'Cuota', 'Recargo', 'Fuera de la base'], rows),
    '',
    `Totales: ${sums.join('; ')}.`,
    ...(foreign
      ? [
          '',
          `En ${foreign.currency} (1 € = ${String(foreign.fxRate).replace('.', ',')}): base ${foreign.base.toFixed(2)}, ${invoice.taxName} ${foreign.tax.toFixed(2)}, total ${foreign.total.toFixed(2)}.`,
        ]
      : []),
  ]
}

async function entriesOf(
  world: TestBooks,
  type: 'invoice' | 'received' | 'payment',
  id: string,
): Promise<string[]> {
  const { items } = await world.run('ledger.entriesOf', { type, id, language: 'es' })
  if (items.length === 0) return ['Sin asiento.']
  return items.flatMap((entry) => [
    `Asiento del ${entry.date}:`,
    '',
    ...table(
      ['Cuenta', 'Nombre', 'Debe', 'Haber'],
      entry.lines.map((line) => [
        line.account,
        line.name,
        line.debit === 0 ? '' : euro(line.debit),
        line.credit === 0 ? '' : euro(line.credit),
      ]),
    ),
    '',
  ])
}

async function invoiceReport(world: TestBooks, invoice: Invoice, heading: string): Promise<string[]> {
  const { registrations = [] } = (await world.run('registry.status', { invoiceId: invoice.id })) as {
    registrations?: { xml?: string }[]
  }
  const xml = registrations.at(-1)?.xml ?? ''
  return [
    `## ${heading}`,
    '',
    `${invoice.kind} ${invoice.number ?? ''} de ${invoice.issueDate ?? ''}, a ${invoice.clientName}${invoice.clientNif ? ` (${invoice.clientNif})` : ''}.`,
    '',
    ...invoice.lines.map(
      (line) =>
        `- ${line.description}: ${line.quantity} × ${line.unitPrice.toFixed(2)}${line.discountPct ? ` −${percent(line.discountPct)}` : ''}${line.discountAmount ? ` −${euro(line.discountAmount)}` : ''}${line.isDisbursement ? ' (suplido)' : ''}${line.cost === undefined ? '' : ` (coste ${euro(line.cost)})`}`,
    ),
    '',
    ...totalsOf(invoice),
    '',
    ...(invoice.legalMentions.length > 0
      ? [`Menciones: ${invoice.legalMentions.map((mention) => `«${mention}»`).join(', ')}.`, '']
      : ['Sin menciones.', '']),
    'Registro:',
    '',
    ...recordOf(xml),
    '',
    ...(await entriesOf(world, 'invoice', invoice.id)),
  ]
}

async function boxesOf(world: TestBooks): Promise<string[]> {
  const report: string[] = []
  for (const model of ['303', '420', '130', '111', '115', '349', '369'] as const) {
    const { applies, boxes, lists } = await world.run('fiscal.model', { model, year: 2026, quarter: 4 })
    if (!applies) continue
    const filled = boxes.filter((box) => box.kind === 'amount' && box.amount !== 0 && box.documents !== 0)
    const rows = lists.flatMap(({ columns, rows: all }) =>
      all.map((row) => row.map((cell, at) => columns[at]?.values?.[cell ?? '']?.es ?? cell).join(' · ')),
    )
    if (filled.length === 0 && rows.length === 0) continue
    report.push(
      `Modelo ${model}: ${[...filled.map((box) => `[${box.box}] ${euro(box.amount)}`), ...rows].join('; ')}.`,
      '',
    )
  }
  return report.length > 0 ? report : ['Ninguna casilla.', '']
}

/** Returns the report of a case, as its golden file contains it. */
export async function play(worked: WorkedCase): Promise<string> {
  const world = await openBooks({
    at: '2026-11-20T10:00:00+01:00',
    // Another tax is chosen at set-up.
    ...(worked.company?.territory === undefined ? {} : { company: worked.company }),
  })
  for (const [name, value] of Object.entries(companyColumns(worked.company ?? {})))
    await world.tamper(`update companies set ${name} = '${value}'`)
  const known = new Map<string, string>()
  const named = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value), (_key, each: unknown) =>
      typeof each === 'string' && known.has(each) ? known.get(each) : each,
    ) as T
  const report = [`# ${worked.title}`, '', worked.law, '']
  for (const [index, step] of worked.steps.entries())
    report.push(...(await take(world, named(step), index + 1, known)))
  report.push('## Casillas del 4T 2026', '', ...(await boxesOf(world)))
  return `${report
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`
}

function companyColumns(company: NonNullable<WorkedCase['company']>): Record<string, string> {
  return {
    ...(company.vatRegime ? { vat_regime: company.vatRegime } : {}),
    ...(company.kind ? { kind: company.kind } : {}),
  }
}

async function take(
  world: TestBooks,
  step: Step,
  position: number,
  known: Map<string, string>,
): Promise<string[]> {
  const keep = (as: string | undefined, id: string) => as && known.set(`@${as}`, id)
  if ('issue' in step) {
    const invoice = await world.invoice(step.issue)
    keep(step.as, invoice.id)
    return invoiceReport(world, invoice, `${position}. Factura`)
  }
  if ('rectify' in step) {
    const draft = await world.run('invoices.rectify', { id: step.rectify, ...step.by })
    const invoice = await world.issue(draft.id)
    keep(step.as, invoice.id)
    return invoiceReport(world, invoice, `${position}. Rectificativa`)
  }
  if ('annul' in step) {
    await world.send()
    const { number } = await world.run('invoices.get', { id: step.annul })
    await cancel(world, step.annul)
    return [
      `## ${position}. Anulación de ${number ?? ''}`,
      '',
      ...(await entriesOf(world, 'invoice', step.annul)),
    ]
  }
  if ('pay' in step) {
    const { id } = await world.run('payments.payInvoice', { id: step.pay, ...step.by })
    return paymentReport(world, position, 'Cobro', id, step.by)
  }
  if ('payBill' in step) {
    const { id } = await world.run('payments.payReceived', { id: step.payBill, ...step.by })
    return paymentReport(world, position, 'Pago', id, step.by)
  }
  const received = await world.run('received.create', step.buy)
  keep(step.as, received.id)
  return receivedReport(world, received, position)
}

async function paymentReport(
  world: TestBooks,
  position: number,
  word: string,
  id: string,
  by: { date: string; amount: number },
): Promise<string[]> {
  return [
    `## ${position}. ${word}`,
    '',
    `${euro(by.amount)} el ${by.date}.`,
    '',
    ...(await entriesOf(world, 'payment', id)),
  ]
}

async function receivedReport(
  world: TestBooks,
  received: OutputOf<'received.create'>,
  position: number,
): Promise<string[]> {
  return [
    `## ${position}. Factura recibida`,
    '',
    `${received.receptionNumber}: ${received.supplierNumber ?? 'sin número'} de ${received.supplierName}, de ${received.issueDate}.`,
    '',
    ...table(
      ['Operación', 'Tipo', 'Base', 'Cuota', 'Deducible', 'Concepto', 'Cuenta'],
      received.taxLines.map((line) => [
        `${line.taxTreatment} (clave ${line.regimeKey})${line.selfAssessed ? ', autorrepercutida' : ''}`,
        percent(line.vatRate),
        euro(line.base),
        euro(line.tax),
        euro(line.deductible),
        line.concept,
        line.account,
      ]),
    ),
    '',
    `Total ${euro(received.total)}; **a pagar ${euro(received.payable)}**.`,
    '',
    ...(await entriesOf(world, 'received', received.id)),
  ]
}
