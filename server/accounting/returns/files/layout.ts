/**
 * Layouts of the files of returns, as dated data: which characters a field takes, and where. Sources: the tax agency's
 * published designs of records, whose version and date each layout names.
 */
import { AppError } from '../../../domain/errors/app-error.ts'

/**
 * Kinds of fields. `A` and `An` are text, left-aligned and filled with blanks; `Num` are digits, filled with zeros at the
 * left; `N` the same with an `N` in the first place of a negative number, `S` with a `-` there.
 */
type FieldKind = 'A' | 'An' | 'Num' | 'N' | 'S'

export interface LayoutField {
  /** Unique in its record: the number of a box (`07`, and `114/2` where a form repeats it), a name, or `#12` by its place. */
  key: string
  /** Its first character in the record, from 1. */
  at: number
  length: number
  as: FieldKind
  /** Implied decimals of a number. */
  decimals?: number
  /** Its only content: a constant, or empty for what is reserved. */
  is?: string
  /** The number of the box, where the key is another. */
  box?: string
  /** What a text may contain besides capitals, digits and blanks. */
  signs?: string
  /** All it may contain, besides nothing. */
  values?: readonly string[]
  /** The boxes that add to it or are taken off: `03-04`. */
  sum?: string
  /** A number that is left empty is blank, and one that is written may have blanks before it. */
  blank?: true
}

export interface Layout {
  model: FileModel
  /** The agency's name of the design. */
  version: string
  /** When it was published: a day, a month or a year, as far as it is known. */
  published: string
  /** First exercise that it holds for. */
  from: number
  /** Last one; open where no later design is announced. */
  to?: number
  /** Pages in an envelope, or records of 500 characters. */
  kind: 'pages' | 'records'
  /** What follows the opening tag of pages, 311 characters, where it is not the usual block about the program. */
  head?: readonly LayoutField[]
  /** Numbers that are left empty are blanks, never zeros. */
  blankNumbers?: true
  /** Groups of pages of which a file may have only one. */
  regimes?: readonly (readonly string[])[]
  /** Fields by record, in their order. */
  records: Readonly<Record<string, readonly LayoutField[]>>
}

const LOADERS = {
  '111': [() => import('./layouts/111-2019.json', { with: { type: 'json' } })],
  '115': [() => import('./layouts/115-2019.json', { with: { type: 'json' } })],
  '123': [() => import('./layouts/123-2024.json', { with: { type: 'json' } })],
  '130': [() => import('./layouts/130-2019.json', { with: { type: 'json' } })],
  '131': [() => import('./layouts/131-2026.json', { with: { type: 'json' } })],
  '180': [() => import('./layouts/180-2023.json', { with: { type: 'json' } })],
  '190': [() => import('./layouts/190-2025.json', { with: { type: 'json' } })],
  '303': [() => import('./layouts/303-2026.json', { with: { type: 'json' } })],
  '347': [() => import('./layouts/347-2025.json', { with: { type: 'json' } })],
  '349': [() => import('./layouts/349-2020.json', { with: { type: 'json' } })],
  '369': [() => import('./layouts/369-2021.json', { with: { type: 'json' } })],
  '390': [() => import('./layouts/390-2025.json', { with: { type: 'json' } })],
} as const

/** Returns that can be written as a file. */
export type FileModel = keyof typeof LOADERS

export const FILE_MODELS = Object.keys(LOADERS) as FileModel[]

/** Returns a layout whose numbers say that they are blank where they are empty, if it is one of those. */
function withBlanks(layout: Layout): Layout {
  if (layout.blankNumbers !== true) return layout
  const isNumber = ({ as, is }: LayoutField): boolean => as !== 'A' && as !== 'An' && is === undefined
  return {
    ...layout,
    records: Object.fromEntries(
      Object.entries(layout.records).map(([name, fields]) => [
        name,
        fields.map((field) => (isNumber(field) ? { ...field, blank: true as const } : field)),
      ]),
    ),
  }
}

/** Returns all layouts of a model, oldest first. */
export async function layoutsOf(model: FileModel): Promise<Layout[]> {
  const loaded = await Promise.all(LOADERS[model].map((load) => load()))
  return loaded.map((module) => withBlanks(module.default as Layout))
}

/** Returns the layout of a model for an exercise. Throws `no_file_layout`, which names the last one. */
export async function layoutFor(model: FileModel, year: number): Promise<Layout> {
  const layouts = await layoutsOf(model)
  const found = layouts.findLast(({ from, to = Infinity }) => from <= year && year <= to)
  if (found) return found
  const last = layouts.at(-1)
  throw new AppError('no_file_layout', {
    field: 'year',
    details: { model, year, lastVersion: last?.version, lastPublished: last?.published, lastYear: last?.to },
  })
}
