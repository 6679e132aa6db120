/**
 * Concepts of expense of the authority's unified books, each with the account of the chart it usually goes to.
 * Source: AEAT, template of the unified books (LSI), list of column "Concepto de Gasto"; accounts: RD 1514/2007, part 4.
 */
import type { BusinessDate } from '../../domain/dates.ts'

interface ExpenseConcept {
  code: string
  /** Name in the books. */
  name: string
  account: string
  /** Usually bears VAT. */
  vat: boolean
  from: BusinessDate | null
  to: BusinessDate | null
}

const row = (
  code: string,
  account: string,
  name: string,
  options: { vat?: boolean; to?: BusinessDate } = {},
): ExpenseConcept => ({
  code,
  name,
  account,
  vat: options.vat ?? false,
  from: null,
  to: options.to ?? null,
})
const taxed = { vat: true }

export const EXPENSE_CONCEPTS: readonly ExpenseConcept[] = [
  row('G01', '600', 'Compra de existencias', taxed),
  row('G02', '610', 'Variación de existencias (disminución de existencias finales)'),
  row('G03', '602', 'Otros consumos de explotación', taxed),
  row('G04', '640', 'Sueldos y salarios'),
  row('G05', '642', 'Seguridad Social a cargo de la empresa'),
  row('G06', '642', 'Seguridad Social y aportaciones a mutualidades alternativas del titular', {
    to: '2024-03-31',
  }),
  row('G07', '641', 'Indemnizaciones'),
  row('G08', '629', 'Dietas y asignaciones de viajes del personal empleado', taxed),
  row('G09', '643', 'Aportaciones a sistemas de previsión social imputadas al personal empleado'),
  row('G10', '649', 'Otros gastos de personal', taxed),
  row('G11', '629', 'Gastos de manutención del contribuyente (art. 30.2.5.ª.c LIRPF)', taxed),
  row('G12', '621', 'Arrendamientos y cánones', taxed),
  row('G13', '622', 'Reparaciones y conservación', taxed),
  row('G14', '628', 'Gastos por suministro eléctrico', taxed),
  row('G15', '628', 'Gastos por suministro de agua', taxed),
  row('G16', '628', 'Gastos por suministro de gas', taxed),
  row('G17', '628', 'Gastos por suministro de telefonía e internet', taxed),
  row('G18', '628', 'Otros suministros', taxed),
  row('G19', '623', 'Servicios de profesionales independientes', taxed),
  row('G20', '625', 'Primas de seguros'),
  row('G22', '629', 'Otros servicios exteriores', taxed),
  row('G23', '662', 'Intereses de deudas'),
  row('G24', '626', 'Otros gastos financieros'),
  row('G25', '631', 'IVA soportado (recargo de equivalencia y/o agricultura, ganadería y pesca)'),
  row('G26', '631', 'Otros tributos fiscalmente deducibles'),
  row('G27', '681', 'Amortización de edificios'),
  row('G28', '681', 'Amortización de instalaciones, mobiliario, enseres y resto de inmovilizado material'),
  row('G29', '681', 'Amortización de maquinaria'),
  row('G30', '681', 'Amortización de elementos de transporte'),
  row('G31', '681', 'Amortización de equipos electrónicos e informáticos'),
  row('G32', '681', 'Amortización de útiles y herramientas'),
  row('G33', '681', 'Amortización de ganado y cultivos agrícolas amortizables'),
  row('G34', '650', 'Pérdidas por insolvencias de deudores'),
  row('G35', '678', 'Incentivos al mecenazgo. Convenios de colaboración en actividades de interés general'),
  row('G36', '678', 'Incentivos al mecenazgo. Gastos en actividades de interés general'),
  row('G37', '659', 'Otros conceptos fiscalmente deducibles (excepto provisiones)'),
  row('G38', '680', 'Amortización del inmovilizado inmaterial'),
  row('G39', '695', 'Provisiones fiscalmente deducibles'),
  row('G40', '623', 'Gastos de formalización de contratos', taxed),
  row('G41', '623', 'Gastos de defensa jurídica', taxed),
  row('G42', '623', 'Otras cantidades devengadas por terceros por servicios personales', taxed),
  row('G43', '650', 'Saldos de dudoso cobro'),
  row('G44', '629', 'Gastos de comunidad', taxed),
  row('G45', '642', 'Seguridad Social del titular de la actividad'),
  row('G46', '642', 'Aportaciones a mutualidades alternativas del titular de la actividad'),
]

/** Concept of an expense when nothing else is known. */
export const GENERAL_CONCEPT = 'G22'
export const RENT_CONCEPT = 'G12'
/** Other tangible assets: account of an investment good until a person chooses another. */
export const ASSET_ACCOUNT = '219'

const byCode = new Map(EXPENSE_CONCEPTS.map((concept) => [concept.code, concept]))

export function findConcept(code: string): ExpenseConcept | undefined {
  return byCode.get(code)
}

interface DatedRate {
  rateBp: number
  from: BusinessDate
  to: BusinessDate | null
  source: string
}

/** Flat-rate compensation of farmers. */
const FARMER_RATES: readonly DatedRate[] = [
  {
    rateBp: 1200,
    from: '2013-01-01',
    to: null,
    source: 'Ley 37/1992 art. 130.Cinco.1.º: crops and forestry',
  },
  {
    rateBp: 1050,
    from: '2013-01-01',
    to: null,
    source: 'Ley 37/1992 art. 130.Cinco.2.º: livestock and fishing',
  },
]

export function isFarmerRate(rateBp: number, date: BusinessDate): boolean {
  return FARMER_RATES.some(
    (rate) => rate.rateBp === rateBp && rate.from <= date && (rate.to === null || date <= rate.to),
  )
}

interface DatedAmount {
  cents: number
  from: BusinessDate
  to: BusinessDate | null
  source: string
}

/** A good below this price is no investment good for VAT. */
const INVESTMENT_FLOORS: readonly DatedAmount[] = [
  { cents: 300_506, from: '1993-01-01', to: null, source: 'Ley 37/1992 art. 108.Dos.5.º' },
]

/** Returns the lowest price of an investment good on a day, in cents; 0 when there is no such rule. */
export function investmentFloorCents(date: BusinessDate): number {
  return INVESTMENT_FLOORS.find((row) => row.from <= date && (row.to === null || date <= row.to))?.cents ?? 0
}
