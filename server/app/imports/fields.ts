/** Importable fields of each kind, with the column titles by which they are recognized and an example of each. */
import type { ImportKind } from './contract.ts'

export interface ImportField {
  name: string
  required?: true
  /** Parsed as a number or a date, so the file's notation is guessed from it. */
  reads?: 'number' | 'day'
  /** Titles in the template. */
  title: { es: string; en: string }
  /** Other titles that programs use in exports, folded. */
  also: readonly string[]
  example: { es: string; en: string }
}

function field(
  name: string,
  es: string,
  en: string,
  also: string,
  example: string | { es: string; en: string },
  more: Pick<ImportField, 'required' | 'reads'> = {},
): ImportField {
  return {
    name,
    title: { es, en },
    also: also.split('|').filter(Boolean),
    example: typeof example === 'string' ? { es: example, en: example } : example,
    ...more,
  }
}

const NUMBER = { reads: 'number' } as const
const DAY = { reads: 'day' } as const

const contacts: readonly ImportField[] = [
  field(
    'name',
    'Nombre o razón social',
    'Name',
    'nombre|razon social|nombre fiscal|cliente|proveedor|contacto|denominacion|nombre completo|company|customer|supplier|legal name|nombre cliente|nombre del cliente|nombre proveedor|empresa',
    'Talleres Beltrán, S.L.',
    { required: true },
  ),
  field('tradeName', 'Nombre comercial', 'Trade name', 'marca|alias|commercial name', 'Beltrán Motor'),
  field(
    'nif',
    'NIF',
    'Tax number',
    'cif|nif/cif|cif/nif|dni|nif cif|dni/cif|nif-iva|vat|vat number|tax id|identificador fiscal|numero de identificacion fiscal|id fiscal|nie',
    'B12345674',
  ),
  field(
    'idType',
    'Tipo de identificación',
    'Kind of identification',
    'tipo id|tipo identificacion|id type',
    '',
  ),
  field(
    'street',
    'Dirección',
    'Street',
    'domicilio|calle|direccion fiscal|address|street address|direccion 1|address line 1',
    'Calle Mayor, 1',
  ),
  field(
    'postalCode',
    'Código postal',
    'Postal code',
    'cp|c.p.|cod postal|cod. postal|codigo postal|zip|zip code|postcode',
    '28013',
  ),
  field('city', 'Población', 'City', 'ciudad|localidad|municipio|town|poblacion', 'Madrid'),
  field('province', 'Provincia', 'Province', 'state|region|estado', 'Madrid'),
  field('country', 'País', 'Country', 'pais|codigo pais|country code', { es: 'España', en: 'Spain' }),
  field(
    'email',
    'Correo',
    'Email',
    'email|e-mail|mail|correo electronico|correo-e|email facturacion',
    'hola@taller.example',
  ),
  field('phone', 'Teléfono', 'Telephone', 'tel|tel.|telf|movil|phone|mobile|telefono 1|tlf', '600 123 456'),
  field('iban', 'IBAN', 'IBAN', 'cuenta bancaria|cuenta|ccc|bank account|numero de cuenta', ''),
  field('role', 'Tipo', 'Type', 'tipo de contacto|tipo contacto|rol|role|contact type|relacion', {
    es: 'Cliente',
    en: 'Customer',
  }),
  field(
    'paymentDays',
    'Días para pagar',
    'Days to pay',
    'plazo|plazo de pago|dias de pago|vencimiento dias|payment days|payment terms|dias vencimiento',
    '30',
    NUMBER,
  ),
  field(
    'paymentMethod',
    'Forma de pago',
    'Payment method',
    'metodo de pago|medio de pago|payment method|modo de pago',
    { es: 'Transferencia', en: 'Transfer' },
  ),
  field(
    'withholdingPct',
    'Retención %',
    'Withholding %',
    'retencion|irpf|% irpf|% retencion|withholding|retencion irpf',
    '',
    NUMBER,
  ),
  field(
    'surcharge',
    'Recargo de equivalencia',
    'Equivalence surcharge',
    're|recargo|recargo equivalencia|surcharge',
    { es: 'No', en: 'No' },
  ),
  field('language', 'Idioma', 'Language', 'lengua|lang', { es: 'Español', en: 'Spanish' }),
  field('tags', 'Etiquetas', 'Tags', 'etiqueta|grupo|categoria|group|category|labels', ''),
  field(
    'externalRef',
    'Referencia',
    'Reference',
    'codigo|id|codigo cliente|ref|code|external id|codigo externo',
    '',
  ),
  field(
    'dir3Office',
    'Oficina contable',
    'Accounting office',
    'oc|dir3 oficina contable|oficina contable dir3',
    '',
  ),
  field('dir3Body', 'Órgano gestor', 'Managing body', 'og|dir3 organo gestor|organo gestor dir3', ''),
  field('dir3Unit', 'Unidad tramitadora', 'Processing unit', 'ut|dir3 unidad tramitadora', ''),
  field('notes', 'Notas', 'Notes', 'observaciones|comentarios|nota|comments|remarks', ''),
]

const items: readonly ImportField[] = [
  field(
    'sku',
    'Código',
    'Code',
    'sku|referencia|ref|ref.|codigo articulo|codigo producto|item code|product code|id|reference',
    'REV-01',
  ),
  field(
    'name',
    'Nombre',
    'Name',
    'producto|servicio|articulo|concepto|item|product|service|denominacion|titulo|nombre del producto',
    { es: 'Revisión anual', en: 'Yearly service' },
    { required: true },
  ),
  field('description', 'Descripción', 'Description', 'detalle|descripcion larga|details|texto', ''),
  field('unit', 'Unidad', 'Unit', 'ud|unidad de medida|uom|medida', { es: 'hora', en: 'hour' }),
  field(
    'unitPrice',
    'Precio',
    'Price',
    'precio unitario|pvp|precio venta|precio de venta|tarifa|importe|unit price|sale price|precio sin iva|base|precio neto',
    { es: '49,50', en: '49.50' },
    { required: true, reads: 'number' },
  ),
  field(
    'priceMode',
    'IVA incluido',
    'VAT included',
    'precio con iva|impuestos incluidos|tax included|price mode|igic incluido|ipsi incluido',
    { es: 'No', en: 'No' },
  ),
  field(
    'vatRate',
    'IVA %',
    'VAT %',
    'iva|% iva|tipo iva|tipo de iva|vat|vat rate|tax|impuesto|tax rate|igic|igic %|ipsi|ipsi %|tipo impositivo',
    '21',
    NUMBER,
  ),
  field('taxTreatment', 'Calificación', 'Tax treatment', 'clave iva|tax treatment', ''),
  field('cause', 'Causa', 'Cause', 'causa de exencion|motivo exencion|cause|exemption cause', ''),
  field('account', 'Cuenta contable', 'Ledger account', 'cuenta|cuenta ventas|account|subcuenta', ''),
  field('active', 'Activo', 'Active', 'habilitado|en venta|enabled|disponible', { es: 'Sí', en: 'Yes' }),
]

const taxLine = (suffix: string): ImportField[] => [
  field(
    `base${suffix}`,
    `Base${suffix && ` ${suffix}`}`,
    `Base${suffix && ` ${suffix}`}`,
    suffix
      ? `base imponible ${suffix}|base${suffix}`
      : 'base imponible|importe neto|neto|subtotal|net|taxable base|base 1|importe sin iva',
    suffix ? '' : { es: '100,00', en: '100.00' },
    suffix ? NUMBER : { required: true, reads: 'number' },
  ),
  field(
    `vatRate${suffix}`,
    `IVA %${suffix && ` ${suffix}`}`,
    `VAT %${suffix && ` ${suffix}`}`,
    suffix
      ? `tipo iva ${suffix}|% iva ${suffix}|iva ${suffix}`
      : '% iva|tipo iva|tipo de iva|tipo|vat rate|tipo impositivo|iva% 1|tipo iva 1|% iva 1|igic %|ipsi %',
    suffix ? '' : '21',
    NUMBER,
  ),
  field(
    `tax${suffix}`,
    `Cuota IVA${suffix && ` ${suffix}`}`,
    `VAT amount${suffix && ` ${suffix}`}`,
    suffix
      ? `cuota ${suffix}|importe iva ${suffix}`
      : 'cuota|iva|importe iva|cuota soportada|vat|vat amount|tax|iva soportado|cuota igic|cuota ipsi',
    suffix ? '' : { es: '21,00', en: '21.00' },
    NUMBER,
  ),
]

const received: readonly ImportField[] = [
  field(
    'supplierName',
    'Proveedor',
    'Supplier',
    'nombre|nombre proveedor|razon social|emisor|nombre del proveedor|supplier name|acreedor|vendor|name',
    { es: 'Papelería Sol, S.L.', en: 'Papelería Sol, S.L.' },
    { required: true },
  ),
  field(
    'supplierNif',
    'NIF',
    'Tax number',
    'cif|nif proveedor|cif proveedor|nif/cif|cif/nif|nif emisor|vat number|tax id|nif del proveedor',
    'B12345674',
  ),
  field(
    'country',
    'País',
    'Country',
    'pais|pais proveedor|pais del proveedor|codigo pais|country code|supplier country',
    '',
  ),
  field(
    'supplierNumber',
    'Número',
    'Number',
    'numero de factura|n factura|n. factura|nº factura|num factura|factura|invoice number|serie-numero|numero factura|document number|nº',
    'A-2026-118',
  ),
  field(
    'issueDate',
    'Fecha',
    'Date',
    'fecha factura|fecha de expedicion|fecha expedicion|fecha emision|fecha de emision|issue date|invoice date|fecha de factura',
    { es: '15/01/2026', en: '2026-01-15' },
    { required: true, reads: 'day' },
  ),
  field(
    'receptionDate',
    'Fecha de recepción',
    'Reception date',
    'recibida|fecha recepcion|fecha contable|fecha registro|received on|fecha de registro',
    '',
    DAY,
  ),
  field('dueDate', 'Vencimiento', 'Due date', 'fecha vencimiento|fecha de vencimiento|vence', '', DAY),
  ...taxLine(''),
  ...taxLine('2'),
  ...taxLine('3'),
  field(
    'nature',
    'Tipo de operación',
    'Kind of operation',
    'operacion|naturaleza|tipo operacion|clave de operacion|tratamiento iva|regimen iva|nature|tax nature|operation kind|vat treatment',
    '',
  ),
  field(
    'deductiblePct',
    '% deducible',
    'Deductible %',
    'deducible|porcentaje deducible|iva deducible %|deductible|deductible percent',
    '',
    NUMBER,
  ),
  field(
    'withholdingPct',
    'Retención %',
    'Withholding %',
    '% irpf|% retencion|tipo retencion|withholding rate|retencion|irpf',
    '',
    NUMBER,
  ),
  field(
    'total',
    'Total',
    'Total',
    'total factura|importe total|importe|total amount',
    { es: '121,00', en: '121.00' },
    NUMBER,
  ),
  field('concept', 'Concepto de gasto', 'Expense concept', 'clave gasto|concepto gasto|codigo gasto', ''),
  field('account', 'Cuenta contable', 'Ledger account', 'cuenta|cuenta gasto|subcuenta|account', ''),
  field('notes', 'Notas', 'Notes', 'observaciones|concepto|descripcion|comentarios|description|remarks', ''),
]

export const IMPORT_FIELDS: Readonly<Record<ImportKind, readonly ImportField[]>> = {
  contacts,
  items,
  received,
}

/** Returns the fields of a kind as API output. */
export function fieldList(kind: ImportKind): { name: string; required: boolean }[] {
  return IMPORT_FIELDS[kind].map(({ name, required }) => ({ name, required: required ?? false }))
}
