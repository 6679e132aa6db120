/** What the signed file of an invoice says, read from its stored text, and the address in its QR code. */
import { createHash } from 'node:crypto'
import { addTax } from './said.ts'
import type { Fact, Said, SaidTax } from './said.ts'
import { basisPoints, cents, inside, partsOf, textOf } from './scan.ts'
import { named, registeredKey } from './stored.ts'

/** `02-05-2018` as `2018-05-02`. */
function isoDay(text: string | null): string | null {
  const match = /^(\d\d)-(\d\d)-(\d{4})$/.exec(text ?? '')
  return match ? `${match[3]}-${match[2]}-${match[1]}` : text
}

const joined = (series: string | null, number: string | null): string | null =>
  series === null || series === '' ? number : `${series}-${number ?? ''}`

function originals(xml: string): string[] {
  return partsOf(inside(xml, 'FacturasRectificadasSustituidas'), 'IDFacturaRectificadaSustituida').map(
    (part) =>
      named(
        joined(textOf(part, 'SerieFactura'), textOf(part, 'NumFactura')) ?? '',
        isoDay(textOf(part, 'FechaExpedicionFactura')) ?? '',
      ),
  )
}

/** Keys of the common list that have another number in these files. */
const COMMON_KEYS: Readonly<Record<string, string>> = { '51': '18', '52': '20' }
const CAUSES: Readonly<Record<string, string>> = { OT: 'N1', RL: 'N2', IE: 'N2', VT: 'N2' }

/** Returns the amounts by tax; null where the file does not say which of several regimes they are of. */
function taxesIn(xml: string): Map<string, SaidTax> | null {
  const keys = partsOf(inside(xml, 'Claves'), 'IDClave').map(
    (part) => textOf(part, 'ClaveRegimenIvaOpTrascendencia') ?? '',
  )
  const [key = '', ...others] = keys
  if (others.length > 0) return null
  const regime = COMMON_KEYS[key] ?? key
  const taxes = new Map<string, SaidTax>()
  const breakdown = inside(xml, 'TipoDesglose')
  const add = (treatment: string, rate: number | null, surcharge: number | null, amounts: SaidTax): void =>
    addTax(taxes, registeredKey(treatment, regime, rate, surcharge), amounts)
  const amount = (part: string, name: string): number => {
    const text = textOf(part, name)
    return text === null ? 0 : cents(text)
  }
  for (const part of partsOf(breakdown, 'DetalleExenta'))
    add(textOf(part, 'CausaExencion') ?? '', null, null, {
      base: amount(part, 'BaseImponible'),
      tax: 0,
      surcharge: 0,
    })
  for (const part of partsOf(breakdown, 'DetalleNoSujeta'))
    add(CAUSES[textOf(part, 'Causa') ?? ''] ?? '', null, null, {
      base: amount(part, 'Importe'),
      tax: 0,
      surcharge: 0,
    })
  for (const group of partsOf(breakdown, 'DetalleNoExenta'))
    for (const part of partsOf(group, 'DetalleIVA'))
      add(
        textOf(group, 'TipoNoExenta') ?? '',
        basisPoints(textOf(part, 'TipoImpositivo')),
        basisPoints(textOf(part, 'TipoRecargoEquivalencia')),
        {
          base: amount(part, 'BaseImponible'),
          tax: amount(part, 'CuotaImpuesto'),
          surcharge: amount(part, 'CuotaRecargoEquivalencia'),
        },
      )
  return taxes
}

function kindIn(xml: string): string {
  const code = textOf(inside(xml, 'FacturaRectificativa'), 'Codigo')
  if (code !== null) return code
  if (textOf(xml, 'FacturaEmitidaSustitucionSimplificada') === 'S') return 'F3'
  return textOf(xml, 'FacturaSimplificada') === 'S' ? 'F2' : 'F1'
}

/** Returns what a signed file says, without its lines. `hash` is the one stored with it. */
export function saidByFile(xml: string, hash: string): Said[] {
  const issuer = inside(xml, 'Emisor')
  const recipients = inside(xml, 'Destinatarios')
  const header = inside(xml, 'CabeceraFactura')
  const data = inside(xml, 'DatosFactura')
  const kind = kindIn(header)
  const replaced = inside(header, 'ImporteRectificacionSustitutiva')
  const by = textOf(xml, 'EmitidaPorTercerosODestinatario')
  const taxes = taxesIn(xml)
  const optional = (name: string): number | null => {
    const text = textOf(replaced, name)
    return text === null ? null : cents(text)
  }
  const idOf = (part: string): string | null => textOf(part, 'NIF') ?? textOf(part, 'ID')
  const facts: Record<string, Fact | undefined> = {
    number: joined(textOf(header, 'SerieFactura'), textOf(header, 'NumFactura')),
    issueDate: isoDay(textOf(header, 'FechaExpedicionFactura')),
    operationDate: isoDay(textOf(data, 'FechaOperacion')),
    kind,
    isRectifying: kind.startsWith('R') ? 1 : 0,
    method: textOf(inside(header, 'FacturaRectificativa'), 'Tipo'),
    sellerTaxId: textOf(issuer, 'NIF'),
    sellerName: textOf(issuer, 'ApellidosNombreRazonSocial'),
    ...(recipients === ''
      ? kind === 'F2' || kind === 'R5'
        ? {}
        : { buyerTaxId: null }
      : { buyerTaxId: idOf(recipients), buyerName: textOf(recipients, 'ApellidosNombreRazonSocial') }),
    issuedBy: by === 'T' ? 'third_party' : by === 'D' ? 'recipient' : null,
    operation: textOf(data, 'DescripcionFactura'),
    references: originals(header).sort().join('; '),
    rectifiedBase: optional('BaseRectificada'),
    rectifiedTax: optional('CuotaRectificada'),
    rectifiedSurcharge: optional('CuotaRecargoRectificada'),
    registeredTotal: cents(textOf(data, 'ImporteTotalFactura')),
    ...(taxes && {
      registeredTax: [...taxes.values()].reduce((sum, { tax, surcharge }) => sum + tax + surcharge, 0),
    }),
  }
  const computed = createHash('sha256').update(xml).digest('hex').toUpperCase()
  return [
    { source: 'signed file', facts, ...(taxes ? { registered: taxes } : {}) },
    { source: 'hash of the file', facts: { hash: computed } },
    { source: 'chain', facts: { hash: hash.toUpperCase() } },
  ]
}

/** Returns what the address in the QR code of a signed file says. */
export function saidByFileQr(url: string, source: string): Said {
  const asked = new Map<string, string>()
  for (const part of (url.split('?')[1] ?? '').split('&')) {
    const at = part.indexOf('=')
    asked.set(part.slice(0, at), decodeURIComponent(part.slice(at + 1)))
  }
  const [, nif = null, day = '', month = '', year = ''] =
    /^TBAI-([A-Z0-9]{9})-(\d\d)(\d\d)(\d\d)-/.exec(asked.get('id') ?? '') ?? []
  return {
    source,
    facts: {
      sellerTaxId: nif,
      number: joined(asked.get('s') ?? null, asked.get('nf') ?? null),
      issueDate: `20${year}-${month}-${day}`,
      registeredTotal: cents(asked.get('i') ?? null),
      qrService: url.split('?')[0] ?? '',
    },
  }
}
