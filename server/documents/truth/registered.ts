/** What the registry record says, read from its stored text; the address in the QR; the VAT book; the tax totals. */
import { createHash } from 'node:crypto'
import { ISSUED_COLUMNS } from '../../domain/formats/vat-book-columns.ts'
import type { BookRow } from '../../accounting/returns/books/port.ts'
import type { CountedTax } from '../../tax/totals/index.ts'
import { addTax } from './said.ts'
import { saidByFileQr } from './signed-file.ts'
import type { Fact, Said, SaidTax } from './said.ts'
import { basisPoints, cents, inside, partsOf, textOf } from './scan.ts'
import { named, registeredKey } from './stored.ts'

/** `02-05-2018` or `02/05/2018` as `2018-05-02`. */
function isoDay(text: string | null): string | null {
  const match = /^(\d\d)[-/](\d\d)[-/](\d{4})$/.exec(text ?? '')
  return match ? `${match[3]}-${match[2]}-${match[1]}` : text
}

function keys(xml: string, item: string): string[] {
  return partsOf(xml, `sf:${item}`).map((part) =>
    named(textOf(part, 'sf:NumSerieFactura') ?? '', isoDay(textOf(part, 'sf:FechaExpedicionFactura')) ?? ''),
  )
}

const idOf = (party: string): string | null => textOf(party, 'sf:NIF') ?? textOf(party, 'sf:ID')

function makerFacts(xml: string): Record<string, Fact> {
  const by = textOf(xml, 'sf:EmitidaPorTerceroODestinatario')
  const third = inside(xml, 'sf:Tercero')
  return {
    issuedBy: by === 'T' ? 'third_party' : by === 'D' ? 'recipient' : by,
    thirdPartyName: textOf(third, 'sf:NombreRazon'),
    thirdPartyTaxId: third === '' ? null : idOf(third),
  }
}

function rectifiedAmounts(xml: string): Record<string, Fact> {
  const amount = (name: string): number | null => {
    const text = textOf(xml, `sf:${name}`)
    return text === null ? null : cents(text)
  }
  return {
    rectifiedBase: amount('BaseRectificada'),
    rectifiedTax: amount('CuotaRectificada'),
    rectifiedSurcharge: amount('CuotaRecargoRectificado'),
  }
}

/** Returns what the text of a record says. `hash` is the one stored with it. */
export function saidByRecord(xml: string, hash: string): Said[] {
  const registered = new Map<string, SaidTax>()
  for (const line of partsOf(inside(xml, 'sf:Desglose'), 'sf:DetalleDesglose')) {
    const treatment = textOf(line, 'sf:OperacionExenta') ?? textOf(line, 'sf:CalificacionOperacion') ?? ''
    const amount = (name: string): number => {
      const text = textOf(line, name)
      return text === null ? 0 : cents(text)
    }
    addTax(
      registered,
      registeredKey(
        treatment,
        textOf(line, 'sf:ClaveRegimen') ?? '',
        basisPoints(textOf(line, 'sf:TipoImpositivo')),
        basisPoints(textOf(line, 'sf:TipoRecargoEquivalencia')),
      ),
      {
        base: amount('sf:BaseImponibleOimporteNoSujeto'),
        tax: amount('sf:CuotaRepercutida'),
        surcharge: amount('sf:CuotaRecargoEquivalencia'),
      },
    )
  }
  const kind = textOf(xml, 'sf:TipoFactura')
  const recipients = inside(xml, 'sf:Destinatarios')
  const issued = inside(xml, 'sf:IDFactura')
  const number = textOf(issued, 'sf:NumSerieFactura')
  const operation = textOf(xml, 'sf:DescripcionOperacion')
  const chain = inside(xml, 'sf:Encadenamiento')
  const [, behind = ''] = xml.split('</sf:Encadenamiento>')
  const generatedAt = textOf(behind, 'sf:FechaHoraHusoGenRegistro')
  const record: Said = {
    source: 'registry record',
    facts: {
      number,
      issueDate: isoDay(textOf(issued, 'sf:FechaExpedicionFactura')),
      operationDate: isoDay(textOf(xml, 'sf:FechaOperacion')),
      kind,
      isRectifying: kind?.startsWith('R') ? 1 : 0,
      method: textOf(xml, 'sf:TipoRectificativa'),
      sellerTaxId: textOf(issued, 'sf:IDEmisorFactura'),
      sellerName: textOf(xml, 'sf:NombreRazonEmisor'),
      ...(recipients === ''
        ? kind === 'F2' || kind === 'R5'
          ? {}
          : { buyerTaxId: null }
        : { buyerTaxId: idOf(recipients), buyerName: textOf(recipients, 'sf:NombreRazon') }),
      ...makerFacts(xml),
      operation,
      references: [...keys(xml, 'IDFacturaRectificada'), ...keys(xml, 'IDFacturaSustituida')]
        .sort()
        .join('; '),
      ...rectifiedAmounts(inside(xml, 'sf:ImporteRectificacion')),
      registeredTax: cents(textOf(xml, 'sf:CuotaTotal')),
      registeredTotal: cents(textOf(xml, 'sf:ImporteTotal')),
      hash: textOf(behind, 'sf:Huella'),
    },
    registered,
  }
  // Source: AEAT, hash specification for registration records (docs/adr/0004-record-chain.md).
  const hashed = [
    ['IDEmisorFactura', textOf(issued, 'sf:IDEmisorFactura')],
    ['NumSerieFactura', number],
    ['FechaExpedicionFactura', textOf(issued, 'sf:FechaExpedicionFactura')],
    ['TipoFactura', kind],
    ['CuotaTotal', textOf(xml, 'sf:CuotaTotal')],
    ['ImporteTotal', textOf(xml, 'sf:ImporteTotal')],
    ['Huella', textOf(chain, 'sf:Huella') ?? ''],
    ['FechaHoraHusoGenRegistro', generatedAt],
  ]
  const text = hashed.map(([name, value]) => `${name}=${value ?? ''}`).join('&')
  return [
    record,
    {
      source: 'hash of the record',
      facts: { hash: createHash('sha256').update(text).digest('hex').toUpperCase() },
    },
    { source: 'chain', facts: { hash: hash.toUpperCase() } },
  ]
}

/** Returns what the address in a tax QR says, of whichever registry it is. */
export function saidByQr(url: string, source: string): Said {
  if (url.includes('?id=TBAI-')) return saidByFileQr(url, source)
  const asked = new Map<string, string>()
  for (const part of (url.split('?')[1] ?? '').split('&')) {
    const at = part.indexOf('=')
    asked.set(part.slice(0, at), decodeURIComponent(part.slice(at + 1)))
  }
  return {
    source,
    facts: {
      sellerTaxId: asked.get('nif') ?? null,
      number: asked.get('numserie') ?? null,
      issueDate: isoDay(asked.get('fecha') ?? null),
      registeredTotal: cents(asked.get('importe') ?? null),
      qrService: url.split('?')[0] ?? '',
    },
  }
}

const COLUMN = new Map(ISSUED_COLUMNS.map((column, index) => [column.id, index]))
/** Columns of series and number have this many characters: what is longer is cut there. */
const WIDTH = 20

/** Returns what the rows of the VAT book say. */
export function saidByBook(rows: readonly BookRow[]): Said {
  const registered = new Map<string, SaidTax>()
  const cell = (row: BookRow, id: string): string => row.cells[COLUMN.get(id) ?? -1] ?? ''
  const amount = (row: BookRow, id: string): number => {
    const text = cell(row, id)
    return text === '' ? 0 : cents(text.replace(',', '.'))
  }
  for (const row of rows)
    addTax(
      registered,
      registeredKey(
        cell(row, 'exemption') || cell(row, 'qualification'),
        cell(row, 'regimeKey'),
        amount(row, 'rate'),
        amount(row, 'surchargeRate'),
      ),
      { base: amount(row, 'base'), tax: amount(row, 'tax'), surcharge: amount(row, 'surcharge') },
    )
  const [first] = rows
  if (!first) return { source: 'VAT book', facts: {}, registered }
  const [series, count] = [cell(first, 'series'), cell(first, 'number')]
  const isWhole = series.length < WIDTH && count.length < WIDTH
  const kind = cell(first, 'kind')
  const nif = cell(first, 'nif')
  return {
    source: 'VAT book',
    facts: {
      number: isWhole ? `${series}-${count}` : undefined,
      issueDate: isoDay(cell(first, 'issueDate')),
      operationDate: isoDay(cell(first, 'operationDate')) || null,
      kind,
      quarter: `${cell(first, 'year')} ${cell(first, 'period').slice(0, 1)}`,
      ...(nif === '' ? {} : nif.length < WIDTH ? { buyerTaxId: nif, buyerName: cell(first, 'name') } : {}),
    },
    registered,
  }
}

/** Returns what the tax totals have counted. */
export function saidByTotals(counted: readonly CountedTax[]): Said {
  const registered = new Map<string, SaidTax>()
  for (const one of counted)
    addTax(
      registered,
      registeredKey(one.tax_treatment, one.regime_key, one.vat_rate_bp, Math.max(0, one.surcharge_bp)),
      { base: one.base_cents, tax: one.tax_cents, surcharge: one.surcharge_cents },
    )
  return { source: 'tax totals', facts: { month: counted[0]?.month }, registered }
}
