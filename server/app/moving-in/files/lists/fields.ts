/**
 * Fields of lists of invoices with the titles that programs give them. A field of a tax may stand once for each slot:
 * `base`, `base2` … by number, or `base@2100` by rate, as lists with a column for each rate have it.
 */
import { foldedTitle } from '../titles.ts'

export type ListSide = 'issued' | 'received'

interface ListField {
  name: string
  reads?: 'number' | 'day'
  titles: readonly string[]
}

const field = (name: string, titles: string, reads?: ListField['reads']): ListField => ({
  name,
  ...(reads ? { reads } : {}),
  titles: [...new Set(titles.split('|').map(foldedTitle))],
})

/** Titles of the other party, by side. */
const PARTY: Record<ListSide, readonly ListField[]> = {
  issued: [
    field(
      'name',
      'cliente|nombre cliente|nombre del cliente|razón social|razón social cliente|nombre o razón social|nombre fiscal|destinatario|nombre destinatario|nombre del contacto|contacto|nombre|customer|customer name|client|billing name|nombre/razón social|apellidos y nombre|name',
    ),
    field(
      'nif',
      'nif|cif|nif/cif|cif/nif|dni/cif|nif cliente|cif cliente|nif del cliente|nif destinatario|identificación fiscal|id fiscal|número de identificación fiscal|tax id|vat number|customer tax id|nif-iva|dni',
    ),
  ],
  received: [
    field(
      'name',
      'proveedor|nombre proveedor|nombre del proveedor|acreedor|razón social|nombre o razón social|nombre fiscal|emisor|expedidor|nombre expedidor|nombre del contacto|contacto|nombre|supplier|supplier name|vendor|nombre/razón social|apellidos y nombre|name',
    ),
    field(
      'nif',
      'nif|cif|nif/cif|cif/nif|dni/cif|nif proveedor|cif proveedor|nif del proveedor|nif expedidor|nif emisor|identificación fiscal|id fiscal|número de identificación fiscal|tax id|vat number|nif-iva|dni',
    ),
  ],
}

const COMMON: readonly ListField[] = [
  field('series', 'serie|serie factura|serie de facturación|series'),
  field(
    'number',
    'número de factura|nº factura|núm. factura|num factura|n. factura|número factura|factura|número|nº|num|núm.|nº de factura|serie/número|serie-número|número documento|nº documento|num documento|documento|referencia factura|invoice number|invoice|number|invoice no|document number|nº fra|nº fra.|factura nº',
  ),
  field(
    'date',
    'fecha de factura|fecha factura|fecha expedición|fecha de expedición|fecha emisión|fecha de emisión|fecha|fecha fra|issue date|invoice date|date|fecha doc|fecha documento',
    'day',
  ),
  field('operationDate', 'fecha operación|fecha de operación|fecha devengo|operation date', 'day'),
  field(
    'dueDate',
    'vencimiento|fecha vencimiento|fecha de vencimiento|vto|f. vencimiento|due date|primer vencimiento',
    'day',
  ),
  field('idType', 'tipo identificación|tipo de identificación|tipo id'),
  field('street', 'dirección|domicilio|calle|address|street|billing street|billing address1'),
  field('postalCode', 'código postal|cp|c.p.|cod. postal|postal code|zip|billing zip'),
  field('city', 'población|ciudad|localidad|municipio|city|town|billing city'),
  field('province', 'provincia|province|state|billing province name'),
  field('country', 'país|código país|cod. país|country|country code|billing country'),
  field('account', 'cuenta contable|cuenta|subcuenta|cuenta ventas|cuenta de gasto|account'),
  field('description', 'concepto|descripción|detalle|descripción interna|description|observaciones'),
  field(
    'kind',
    'tipo factura|tipo de factura|tipo documento|tipo de documento|tipo|clase|document type|type',
  ),
  field('rectifies', 'factura rectificada|rectifica a|factura original|rectifies'),
  field(
    'state',
    'estado|estado de pago|estado pago|estado cobro|situación|status|payment status|payment state|financial status|cobrada|pagada|pagado|cobrado?',
  ),
  field(
    'paid',
    'importe cobrado|importe pagado|cobrado|pagado|cantidad cobrada|amount paid|total cobrado|total pagado',
    'number',
  ),
  field(
    'open',
    'pendiente|importe pendiente|saldo pendiente|pendiente de cobro|pendiente de pago|pendiente cobro|pendiente pago|amount due|amount remaining|saldo|outstanding balance',
    'number',
  ),
  field('currency', 'moneda|divisa|currency'),
  field(
    'withholdingRate',
    '% irpf|% retención|irpf %|retención %|tipo retención|tipo irpf|porcentaje retención|% ret|tipo de retención',
    'number',
  ),
  field(
    'withholding',
    'irpf|retención|retención irpf|importe retención|importe irpf|cuota irpf|cuota retención|ret.|retenciones|importe retenido|withholding',
    'number',
  ),
  field(
    'total',
    'total|total factura|importe total|total documento|total con iva|importe|importe factura|total a pagar|total (€)|total €|total eur|líquido|total amount|amount',
    'number',
  ),
  field('externalRef', 'referencia|referencia externa|ref.|id|reference|external id'),
  field('cashAccounting', 'criterio de caja|recc|régimen criterio de caja'),
  field('regimeKey', 'clave de operación|clave operación|clave régimen|régimen'),
]

const RECEIVED: readonly ListField[] = [
  field(
    'receptionDate',
    'fecha recepción|fecha de recepción|fecha registro|fecha de registro|fecha contable|fecha contabilización',
    'day',
  ),
  field('reception', 'número recepción|nº recepción|número de registro|nº registro|registro|nº asiento'),
  field('deductible', 'cuota deducible|iva deducible|importe deducible', 'number'),
  field('deductiblePct', '% deducible|porcentaje deducible|deducible %', 'number'),
  field('concept', 'concepto de gasto|clave gasto|tipo de gasto|código gasto'),
  field('investment', 'bien de inversión|bienes de inversión|inversión|bienes soportados'),
]

/** Fields of one tax. */
const TAX: readonly ListField[] = [
  field(
    'base',
    'base imponible|base|base iva|importe neto|neto|subtotal|importe sin iva|total sin iva|importe base|base imp.|bi|net|net amount|taxable base|untaxed amount|importe bruto',
    'number',
  ),
  field(
    'rate',
    '% iva|iva %|tipo iva|tipo de iva|tipo impositivo|porcentaje iva|vat rate|vat %|tax rate|tax percent|tipo %',
    'number',
  ),
  field(
    'tax',
    'cuota iva|cuota|importe iva|iva|total iva|cuota de iva|cuota repercutida|cuota soportada|iva repercutido|iva soportado|impuestos|importe impuestos|vat|vat amount|tax|tax amount|taxes',
    'number',
  ),
  field(
    'surchargeRate',
    '% recargo|recargo %|% re|re %|tipo recargo|tipo recargo eq|% rec. equiv|tipo re|% r.e.|% req',
    'number',
  ),
  field(
    'surcharge',
    'recargo|cuota recargo|importe recargo|re|r.e.|recargo equivalencia|recargo de equivalencia|cuota re|cuota recargo eq|req',
    'number',
  ),
]

/** Of lines: the base is price times quantity. */
const LINE: readonly ListField[] = [
  field(
    'unitPrice',
    'precio|precio unidad|precio unitario|base unitaria|importe unitario|unit price',
    'number',
  ),
  field('quantity', 'cantidad|unidades|uds|quantity', 'number'),
  field('discount', 'descuento|descuento %|% descuento|dto|% dto|discount', 'number'),
]

export const SLOTS = [1, 2, 3, 4, 5] as const

/** Returns the fields of a list, those that name it most surely first. */
export function listFields(side: ListSide): readonly ListField[] {
  return [...PARTY[side], ...COMMON, ...(side === 'received' ? RECEIVED : []), ...TAX, ...LINE]
}

/** Words by which a column names a tax field, for columns with a number or a rate: `Base 21%`, `Cuota 2`. */
const NUMBERED: readonly (readonly [field: string, pattern: RegExp])[] = [
  ['surchargeRate', /^(?:% ?|tipo |porcentaje |pct )(?:de )?(?:recargo|re|rec|req)(?: eq\w*)?$/],
  ['surcharge', /^(?:cuota |importe )?(?:de )?(?:recargo|re|r e|rec|req)(?: de)?(?: eq\w*)?$/],
  ['rate', /^(?:% ?|tipo |porcentaje |pct )(?:de )?(?:iva)?$|^iva ?%$/],
  ['base', /^(?:base|b i|bi|neto|importe neto|base imponible|base imp|base iva|base al)$/],
  ['tax', /^(?:cuota|iva|importe iva|importe|cuota iva|impuesto|iva al|cuota al)$/],
]
const EXEMPT = /\b(exent[ao]s?|exento de iva|no sujet[ao]s?|sin iva)\b/

interface TaxColumn {
  field: string
  /** By position, from 1. */
  slot?: number
  /** By rate in basis points; null: without VAT. */
  rateBp?: number | null
}

/** Returns which tax field of which slot or rate a title names: `Base 1`, `Base 21%`, `IVA 10`, `Base exenta`. */
export function taxColumnOf(title: string): TaxColumn | null {
  const folded = foldedTitle(title)
  if (EXEMPT.test(folded) && /base|importe|total|neto|exent/.test(folded))
    return { field: 'base', rateBp: null }
  const match = /^(.*?) ?(\d{1,2}(?: \d)?)( ?%)?$/.exec(folded)
  if (!match) return null
  const words = (match[1] ?? '').trim()
  const found = NUMBERED.find(([, pattern]) => pattern.test(words))
  if (!found) return null
  const value = Number((match[2] ?? '').replace(' ', '.'))
  const isPercent = match[3] !== undefined
  const [name] = found
  const isSlot = !isPercent && Number.isInteger(value) && value >= 1 && value <= 5 && value !== 4
  if (isSlot || name === 'rate' || name === 'surchargeRate')
    return value >= 1 && value <= 5 && Number.isInteger(value) ? { field: name, slot: value } : null
  return { field: name, rateBp: Math.round(value * 100) }
}
