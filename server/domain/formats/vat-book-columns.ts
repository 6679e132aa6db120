/**
 * Columns of the unified VAT and income books, type T. Source: AEAT, "Formato electrónico común y unificado de los
 * libros registro" (LSI.xlsx, template V.18.02.2026; Orden HAC/773/2019 arts. 10 to 12).
 */

type ColumnType =
  | { kind: 'year' }
  | { kind: 'text'; length: number }
  | { kind: 'date' }
  /** Total digits, including two decimals. */
  | { kind: 'decimal'; digits: number }

export interface BookColumn {
  id: string
  /** First and second header row. */
  top: string
  sub: string
  type: ColumnType
}

const text = (id: string, top: string, sub: string, length: number): BookColumn => ({
  id,
  top,
  sub,
  type: { kind: 'text', length },
})
const money = (id: string, top: string, sub = ''): BookColumn => ({
  id,
  top,
  sub,
  type: { kind: 'decimal', digits: 12 },
})
const rate = (id: string, top: string, sub = ''): BookColumn => ({
  id,
  top,
  sub,
  type: { kind: 'decimal', digits: 4 },
})
const date = (id: string, top: string, sub = ''): BookColumn => ({ id, top, sub, type: { kind: 'date' } })
const year = (id: string, top: string, sub: string): BookColumn => ({ id, top, sub, type: { kind: 'year' } })

const PERIOD = [year('year', 'Autoliquidación', 'Ejercicio'), text('period', 'Autoliquidación', 'Periodo', 2)]
const ACTIVITY = [
  text('activityCode', 'Actividad', 'Código', 1),
  text('activityType', 'Actividad', 'Tipo', 2),
  text('iae', 'Actividad', 'Grupo o Epígrafe del IAE', 4),
]
const PROPERTY = [
  text('propertySituation', 'Inmueble', 'Situación', 1),
  text('cadastralRef', 'Inmueble', 'Referencia Catastral', 20),
]
const LAST = [text('externalRef', 'Referencia Externa', '', 40)]

export const ISSUED_COLUMNS = [
  ...PERIOD,
  ...ACTIVITY,
  text('kind', 'Tipo de Factura', '', 2),
  text('concept', 'Concepto de Ingreso', '', 3),
  money('income', 'Ingreso Computable'),
  date('issueDate', 'Fecha Expedición'),
  date('operationDate', 'Fecha Operación'),
  text('series', 'Identificación de la Factura', 'Serie', 20),
  text('number', 'Identificación de la Factura', 'Número', 20),
  text('lastNumber', 'Identificación de la Factura', 'Número-Final', 20),
  text('idType', 'NIF Destinatario', 'Tipo', 2),
  text('country', 'NIF Destinatario', 'Código País', 2),
  text('nif', 'NIF Destinatario', 'Identificación', 20),
  text('name', 'Nombre Destinatario', '', 40),
  text('regimeKey', 'Clave de Operación', '', 2),
  text('qualification', 'Calificación de la Operación', '', 2),
  text('exemption', 'Operación Exenta', '', 2),
  money('total', 'Total Factura'),
  money('base', 'Base Imponible'),
  rate('rate', 'Tipo de IVA'),
  money('tax', 'Cuota IVA Repercutida'),
  rate('surchargeRate', 'Tipo de Recargo Eq.'),
  money('surcharge', 'Cuota Recargo Eq.'),
  date('paidOn', 'Cobro', 'Fecha'),
  money('paid', 'Cobro', 'Importe'),
  text('method', 'Cobro', 'Medio Utilizado', 2),
  text('methodId', 'Cobro', 'Identificación Medio Utilizado', 34),
  rate('withholdingRate', 'Tipo Retención del IRPF'),
  money('withholding', 'Importe Retenido del IRPF'),
  text('agreement', 'Registro Acuerdo Facturación', '', 15),
  ...PROPERTY,
  ...LAST,
] as const satisfies readonly BookColumn[]

export const RECEIVED_COLUMNS = [
  ...PERIOD,
  ...ACTIVITY,
  text('kind', 'Tipo de Factura', '', 2),
  text('concept', 'Concepto de Gasto', '', 3),
  money('expense', 'Gasto Deducible'),
  date('issueDate', 'Fecha Expedición'),
  date('operationDate', 'Fecha Operación'),
  text('number', 'Identificación Factura del Expedidor', 'Serie-Número', 40),
  text('lastNumber', 'Identificación Factura del Expedidor', 'Número-Final', 20),
  date('receptionDate', 'Fecha Recepción'),
  text('reception', 'Número Recepción', '', 20),
  text('lastReception', 'Número Recepción Final', '', 20),
  text('idType', 'NIF Expedidor', 'Tipo', 2),
  text('country', 'NIF Expedidor', 'Código País', 2),
  text('nif', 'NIF Expedidor', 'Identificación', 20),
  text('name', 'Nombre Expedidor', '', 40),
  text('regimeKey', 'Clave de Operación', '', 2),
  text('investment', 'Bien de Inversión', '', 1),
  text('reverseCharge', 'Inversión del Sujeto Pasivo', '', 1),
  text('deductedLater', 'Deducible en Periodo Posterior', '', 1),
  year('deductionYear', 'Periodo Deducción', 'Ejercicio'),
  text('deductionPeriod', 'Periodo Deducción', 'Periodo', 2),
  money('total', 'Total Factura'),
  money('base', 'Base Imponible'),
  rate('rate', 'Tipo de IVA'),
  money('tax', 'Cuota IVA Soportado'),
  money('deductible', 'Cuota Deducible'),
  rate('surchargeRate', 'Tipo de Recargo Eq.'),
  money('surcharge', 'Cuota Recargo Eq.'),
  date('paidOn', 'Pago', 'Fecha'),
  money('paid', 'Pago', 'Importe'),
  text('method', 'Pago', 'Medio Utilizado', 2),
  text('methodId', 'Pago', 'Identificación Medio Utilizado', 34),
  rate('withholdingRate', 'Tipo Retención del IRPF'),
  money('withholding', 'Importe Retenido del IRPF'),
  text('agreement', 'Registro Acuerdo Facturación', '', 15),
  ...PROPERTY,
  ...LAST,
] as const satisfies readonly BookColumn[]

export const GOODS_COLUMNS = [
  ...PERIOD,
  ...ACTIVITY,
  text('type', 'Tipo de Bien', '', 2),
  text('identifier', 'Descripción del Bien', 'Identificador', 40),
  text('description', 'Descripción del Bien', 'Literal', 160),
  date('inUseFrom', 'Fecha Inicio Utilización'),
  money('value', 'Valor Adquisición'),
  money('depreciable', 'Valor Amortizable'),
  text('depreciationMethod', 'Método de Amortización', '', 2),
  rate('depreciationRate', 'Porcentaje Amortización'),
  money('accumulatedBefore', 'Amortización Acumulada Inicial'),
  money('depreciation', 'Cuota Amortización'),
  money('accumulated', 'Amortización Acumulada Final'),
  money('pending', 'Pendiente de Amortizar'),
  date('issueDate', 'Identificación de la Factura de Adquisición', 'Fecha Expedición'),
  text('number', 'Identificación de la Factura de Adquisición', 'Serie-Número', 40),
  text('lastNumber', 'Identificación de la Factura de Adquisición', 'Número-Final', 20),
  text('reception', 'Número Recepción', '', 20),
  text('lastReception', 'Número Recepción Final', '', 20),
  text('idType', 'NIF Expedidor', 'Tipo', 2),
  text('country', 'NIF Expedidor', 'Código País', 2),
  text('nif', 'NIF Expedidor', 'Identificación', 20),
  text('name', 'Nombre Expedidor', '', 40),
  money('base', 'Base Imponible'),
  rate('rate', 'Tipo de IVA'),
  {
    id: 'proRata',
    top: 'Año Inicio Utilización',
    sub: 'Prorrata Definitiva',
    type: { kind: 'decimal', digits: 5 },
  },
  money('deductible', 'Año Inicio Utilización', 'Cuota Deducible'),
  { id: 'proRataNow', top: 'Ejercicio', sub: 'Prorrata Definitiva', type: { kind: 'decimal', digits: 5 } },
  money('deductibleNow', 'Ejercicio', 'Cuota Deducible'),
  money('adjustment', 'Cuota a Regularizar'),
  date('outOn', 'Baja del Bien', 'Fecha'),
  text('outCause', 'Baja del Bien', 'Causa', 2),
  text('saleSeries', 'Identificación de la Factura de Transmisión del Bien', 'Serie', 20),
  text('saleNumber', 'Identificación de la Factura de Transmisión del Bien', 'Número', 20),
  text('saleLastNumber', 'Identificación de la Factura de Transmisión del Bien', 'Número-Final', 20),
  text('agreement', 'Registro Acuerdo Facturación', '', 15),
  ...LAST,
] as const satisfies readonly BookColumn[]

export type IssuedColumn = (typeof ISSUED_COLUMNS)[number]['id']
export type ReceivedColumn = (typeof RECEIVED_COLUMNS)[number]['id']
export type GoodsColumn = (typeof GOODS_COLUMNS)[number]['id']

export const SHEETS = {
  issued: {
    name: 'EXPEDIDAS_INGRESOS',
    title: 'LIBRO REGISTRO FACTURAS EXPEDIDAS Y LIBRO REGISTRO DE VENTAS E INGRESOS',
    columns: ISSUED_COLUMNS,
  },
  received: {
    name: 'RECIBIDAS_GASTOS',
    title: 'LIBRO REGISTRO FACTURAS RECIBIDAS Y LIBRO REGISTRO DE COMPRAS Y GASTOS',
    columns: RECEIVED_COLUMNS,
  },
  goods: {
    name: 'BIENES-INVERSIÓN',
    title: 'LIBRO REGISTRO DE BIENES DE INVERSIÓN',
    columns: GOODS_COLUMNS,
  },
} as const
export type SheetName = keyof typeof SHEETS

/** Rows above the data: title, groups, columns. */
export const HEADER_ROWS = 3

/** Returns the letter of a column: 0 is A, 26 is AA. */
export function columnLetter(index: number): string {
  return index < 26
    ? String.fromCharCode(65 + index)
    : columnLetter(Math.floor(index / 26) - 1) + columnLetter(index % 26)
}

/** Returns the three header rows of a sheet. */
export function headerRows(sheet: SheetName, exercise: number): string[][] {
  const { title, columns } = SHEETS[sheet]
  const list: readonly BookColumn[] = columns
  return [
    list.map((_, index) => (index === 0 ? `${title}. Ejercicio: ${exercise}` : '')),
    list.map((column, index) => (list[index - 1]?.top === column.top ? '' : column.top)),
    list.map((column) => column.sub),
  ]
}
