/** Layouts of programs for the desk: FactuSOL and ContaSOL, Sage 50, a3. */
import type { Cell } from '../../../../platform/spreadsheets/cells.ts'
import type { Preset } from './preset.ts'

/** Slots of the three VAT rates of FactuSOL's table of invoices. */
const factusolSlots = (suffix: string): Record<string, string> =>
  Object.fromEntries(
    [1, 2, 3].flatMap((slot) => {
      const name = (field: string) => (slot === 1 ? field : `${field}${slot}`)
      return [
        [name('base'), `BAS${slot}${suffix}`],
        [name('rate'), `PIVA${slot}${suffix}`],
        [name('tax'), `IIVA${slot}${suffix}`],
        [name('surchargeRate'), `PREC${slot}${suffix}`],
        [name('surcharge'), `IREC${slot}${suffix}`],
      ] as const
    }),
  )

const contasolSlots: Record<string, string> = Object.fromEntries(
  [1, 2, 3].flatMap((slot) => {
    const name = (field: string) => (slot === 1 ? field : `${field}${slot}`)
    return [
      [name('base'), `Base ${slot}`],
      [name('rate'), `Pct IVA ${slot}|% IVA ${slot}|Porcentaje IVA ${slot}`],
      [name('tax'), `Importe IVA ${slot}|IVA ${slot}|Cuota IVA ${slot}`],
      [name('surchargeRate'), `Pct Recargo ${slot}|% Recargo ${slot}|Porcentaje Recargo ${slot}`],
      [name('surcharge'), `Importe Recargo ${slot}|Recargo ${slot}|Cuota Recargo ${slot}`],
    ] as const
  }),
)

/** FactuSOL writes the state of collection as a digit: 0 pending, 1 partly, 2 collected. */
function spellState(cells: Cell[], columns: Readonly<Record<string, number>>): void {
  const at = columns.state
  if (at === undefined) return
  const word = { '0': 'pendiente', '1': 'parcial', '2': 'cobrada' }[String(cells[at] ?? '').trim()]
  if (word) cells[at] = word
}

/** ContaSOL writes the deduction as a digit: 0 deductible, 1 not, 2 by prorata. */
function spellDeduction(cells: Cell[], columns: Readonly<Record<string, number>>): void {
  const at = columns.deductiblePct
  if (at === undefined) return
  const digit = String(cells[at] ?? '').trim()
  cells[at] = digit === '1' ? '0' : ''
}

const FACTUSOL_FIELDS = {
  series: 'TIPFAC',
  number: 'CODFAC',
  externalRef: 'REFFAC',
  date: 'FECFAC',
  state: 'ESTFAC',
  name: 'CNOFAC',
  street: 'CDOFAC',
  city: 'CPOFAC',
  postalCode: 'CCPFAC',
  province: 'CPRFAC',
  nif: 'CNIFAC',
  withholdingRate: 'PRET1FAC',
  withholding: 'IRET1FAC',
  total: 'TOTFAC',
  ...factusolSlots('FAC'),
}
const CONTASOL_SOURCE =
  'Software DELSOL, “Instrucciones para la importación de datos desde Excel” (files IVS and IVR), as a public program writes them (api/export, “IVS.xls format for Contasol”)'
const SAGE_SOURCE =
  'The books of VAT of Sage 50 and ContaPlus as printed; the titles of their Excel files were found nowhere. Their journal is known: NaN-tic/trytond-account_import_contaplus and manuelcalerosolis/Gestool read and write it'
const A3_SOURCE =
  'Wolters Kluwer, a3responde on a3innuva Importia: it names the columns “Cuenta cliente” and “Cuenta proveedor”; the other titles were found nowhere'

export const DESKTOP: readonly Preset[] = [
  {
    id: 'factusol-invoices',
    program: 'FactuSOL',
    side: 'issued',
    sure: 'reader',
    source: 'Columns of its table F_FAC, as several public programs read and write them',
    needs: ['TIPFAC', 'CODFAC', 'FECFAC', 'BAS1FAC', 'TOTFAC'],
    fields: FACTUSOL_FIELDS,
    rules: { amend: spellState },
  },
  {
    id: 'contasol-received',
    program: 'ContaSOL',
    side: 'received',
    sure: 'reader',
    source: CONTASOL_SOURCE,
    needs: ['Codigo', 'Libro IVA', 'Fecha', 'Factura', 'Base 1', 'Deducible', 'Bienes Soportados'],
    fields: {
      reception: 'Codigo',
      date: 'Fecha',
      number: 'Factura',
      name: 'Nombre',
      nif: 'CIF|NIF',
      deductiblePct: 'Deducible',
      investment: 'Bienes Soportados',
      total: 'Total',
      ...contasolSlots,
    },
    rules: { amend: spellDeduction },
  },
  {
    id: 'contasol-issued',
    program: 'ContaSOL',
    side: 'issued',
    sure: 'believed',
    source: `${CONTASOL_SOURCE}: only the file of received invoices was found, that of issued ones is assumed alike`,
    needs: ['Codigo', 'Libro IVA', 'Fecha', 'Factura', 'Base 1', 'Cliente|Nombre'],
    fields: {
      date: 'Fecha',
      number: 'Factura',
      name: 'Nombre|Cliente',
      nif: 'CIF|NIF',
      total: 'Total',
      ...contasolSlots,
    },
  },
  {
    id: 'sage50-issued',
    program: 'Sage 50',
    side: 'issued',
    sure: 'believed',
    source: SAGE_SOURCE,
    needs: [
      'Nº Orden|Orden',
      'Fecha',
      'Nº Factura|Factura',
      'Cliente|Nombre cliente',
      'CIF|NIF',
      'Base',
      '%IVA|% IVA',
      'Cuota',
    ],
    fields: {
      series: 'Serie',
      number: 'Nº Factura|Factura',
      date: 'Fecha',
      operationDate: 'Fecha operación',
      name: 'Cliente|Nombre cliente',
      nif: 'CIF|NIF',
      base: 'Base',
      rate: '%IVA|% IVA',
      tax: 'Cuota',
      surchargeRate: '%Rec|% Rec|%RE|% RE',
      surcharge: 'Cuota Rec|Recargo',
      total: 'Total',
    },
  },
  {
    id: 'sage50-received',
    program: 'Sage 50',
    side: 'received',
    sure: 'believed',
    source: SAGE_SOURCE,
    needs: [
      'Nº Orden|Orden',
      'Fecha',
      'Nº Factura|Factura',
      'Proveedor|Nombre proveedor',
      'CIF|NIF',
      'Base',
      '%IVA|% IVA',
      'Cuota',
    ],
    fields: {
      reception: 'Nº Orden|Orden',
      number: 'Nº Factura|Factura',
      date: 'Fecha expedición|Fecha factura|Fecha',
      receptionDate: 'Fecha registro|Fecha recepción',
      name: 'Proveedor|Nombre proveedor',
      nif: 'CIF|NIF',
      base: 'Base',
      rate: '%IVA|% IVA',
      tax: 'Cuota',
      surchargeRate: '%Rec|% Rec|%RE|% RE',
      surcharge: 'Cuota Rec|Recargo',
      total: 'Total',
    },
  },
  {
    id: 'a3-issued',
    program: 'a3',
    side: 'issued',
    sure: 'believed',
    source: A3_SOURCE,
    needs: [
      'Cuenta cliente',
      'Fecha factura|Fecha expedición',
      'Número factura|Nº factura',
      'NIF',
      'Base imponible|Base',
    ],
    fields: {
      series: 'Serie',
      number: 'Número factura|Nº factura',
      date: 'Fecha factura|Fecha expedición',
      operationDate: 'Fecha operación',
      name: 'Nombre|Razón social|Cliente|Nombre cliente',
      nif: 'NIF',
      postalCode: 'Código postal',
      country: 'País',
      base: 'Base imponible|Base',
      rate: '% IVA|Tipo IVA|Porcentaje IVA',
      tax: 'Cuota IVA|Cuota',
      surchargeRate: '% Recargo|% RE',
      surcharge: 'Cuota recargo|Cuota RE',
      withholdingRate: '% Retención|Porcentaje retención',
      withholding: 'Cuota retención|Retención',
      total: 'Total factura|Importe total|Total',
      account: 'Cuenta ventas|Cuenta ingresos',
    },
  },
  {
    id: 'a3-received',
    program: 'a3',
    side: 'received',
    sure: 'believed',
    source: A3_SOURCE,
    needs: [
      'Cuenta proveedor',
      'Fecha factura|Fecha expedición',
      'Número factura|Nº factura',
      'NIF',
      'Base imponible|Base',
    ],
    fields: {
      number: 'Número factura|Nº factura',
      date: 'Fecha factura|Fecha expedición',
      receptionDate: 'Fecha contabilización|Fecha recepción',
      name: 'Nombre|Razón social|Proveedor|Nombre proveedor',
      nif: 'NIF',
      postalCode: 'Código postal',
      country: 'País',
      base: 'Base imponible|Base',
      rate: '% IVA|Tipo IVA|Porcentaje IVA',
      tax: 'Cuota IVA|Cuota',
      surchargeRate: '% Recargo|% RE',
      surcharge: 'Cuota recargo|Cuota RE',
      withholdingRate: '% Retención|Porcentaje retención',
      withholding: 'Cuota retención|Retención',
      total: 'Total factura|Importe total|Total',
      account: 'Cuenta compras|Cuenta gastos',
    },
  },
]
