/**
 * The columns of the files in which public bodies publish their units, by title. Two layouts: a list of units (the common
 * directory, DIR3), and a list of offices that belong together (accounting office, managing body, processing unit). Titles
 * are compared without case, accents and signs; which ones are used is an assumption, so that several are known for each.
 */
import type { Cell } from '../../../platform/spreadsheets/cells.ts'
import { textOf } from '../../../platform/spreadsheets/values.ts'
import { searchText } from '../../../domain/text.ts'

const UNIT_TITLES = {
  code: [
    'codigo',
    'codigo dir3',
    'codigo unidad',
    'codigo de unidad',
    'codigo de la unidad',
    'codigo unidad organica',
    'codigo de unidad organica',
    'c id ud organica',
    'codigo oficina',
    'c id oficina',
  ],
  name: [
    'denominacion',
    'nombre',
    'denominacion unidad',
    'denominacion de la unidad',
    'denominacion unidad organica',
    'nombre unidad',
    'c dnm ud organica',
    'denominacion oficina',
    'c dnm oficina',
  ],
  role: ['rol', 'tipo', 'funcion', 'tipo de unidad', 'rol de la unidad'],
  administration: [
    'administracion',
    'denominacion unidad superior',
    'c dnm ud organica superior',
    'denominacion unidad raiz',
    'denominacion unidad principal',
    'c dnm ud organica principal',
  ],
  nif: ['nif', 'cif', 'nif cif', 'cif nif'],
  street: ['direccion', 'domicilio', 'calle'],
  postalCode: ['codigo postal', 'cp', 'cod postal'],
  town: ['localidad', 'municipio', 'poblacion'],
  province: ['provincia', 'c desc prov', 'denominacion provincia'],
  state: ['estado', 'c id estado', 'situacion'],
} as const

const OFFICES = {
  accountingOffice: ['oficina contable', 'oc'],
  managingBody: ['organo gestor', 'og'],
  processingUnit: ['unidad tramitadora', 'ut'],
  proposingBody: ['organo proponente', 'op', 'unidad proponente'],
} as const
export type Office = keyof typeof OFFICES
export const OFFICE_NAMES = Object.keys(OFFICES) as Office[]

export type UnitColumn = keyof typeof UNIT_TITLES

/** The layout of a file: the places of its columns, from 0. */
export type Layout =
  | { kind: 'units'; columns: Partial<Record<UnitColumn, number>> & { code: number; name: number } }
  | {
      kind: 'relations'
      offices: Partial<Record<Office, { code: number; name: number | null }>>
      administration: number | null
    }

const folded = (cell: Cell): string =>
  searchText(textOf(cell))
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()

function officeColumns(titles: readonly string[]): Extract<Layout, { kind: 'relations' }> | null {
  const offices: Partial<Record<Office, { code: number; name: number | null }>> = {}
  for (const office of OFFICE_NAMES) {
    const named = OFFICES[office]
    const place = (patterns: (name: string) => string[]): number =>
      titles.findIndex((title) => named.some((name) => patterns(name).includes(title)))
    const code = place((name) => [
      `codigo ${name}`,
      `codigo de ${name}`,
      `codigo dir3 ${name}`,
      `cod ${name}`,
      `id ${name}`,
      `${name} codigo`,
    ])
    const name = place((one) => [
      one,
      `nombre ${one}`,
      `denominacion ${one}`,
      `${one} nombre`,
      `${one} denominacion`,
    ])
    if (code >= 0) offices[office] = { code, name: name >= 0 ? name : null }
    // One column for code and name, or for the code alone.
    else if (name >= 0) offices[office] = { code: name, name: null }
  }
  if (!offices.accountingOffice || !offices.managingBody || !offices.processingUnit) return null
  const administration = titles.findIndex((title) =>
    ['administracion', 'nombre administracion', 'denominacion administracion'].includes(title),
  )
  return { kind: 'relations', offices, administration: administration >= 0 ? administration : null }
}

/** Returns the layout that a row of titles gives, or null if it is none. */
export function layoutOf(cells: readonly Cell[]): Layout | null {
  const titles = cells.map(folded)
  const relations = officeColumns(titles)
  if (relations) return relations
  const columns: Partial<Record<UnitColumn, number>> = {}
  for (const [column, names] of Object.entries(UNIT_TITLES)) {
    const place = titles.findIndex((title) => (names as readonly string[]).includes(title))
    if (place >= 0) columns[column as UnitColumn] = place
  }
  const { code, name } = columns
  return code === undefined || name === undefined
    ? null
    : { kind: 'units', columns: { ...columns, code, name } }
}

/** Returns a column as spreadsheets name it: A, B, …, AA. */
export function columnName(place: number): string {
  let name = ''
  for (let rest = place; rest >= 0; rest = Math.floor(rest / 26) - 1)
    name = String.fromCodePoint(65 + (rest % 26)) + name
  return name
}
