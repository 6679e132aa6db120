/** What a preset says about the export of a program. */
import type { ListSide } from '../lists/fields.ts'
import type { ListRules } from '../lists/document.ts'
import type { LayoutCertainty } from '../types.ts'

export interface Preset {
  id: string
  /** Name of the program. */
  program: string
  side: ListSide
  sure: LayoutCertainty
  /** Title of the source and where it was found; of a believed layout, what is known. */
  source: string
  /** Titles that the table must have; an alternative in one text is separated by `|`. */
  needs: readonly string[]
  /** Titles of each field, in any case, with or without accents. */
  fields: Readonly<Record<string, string>>
  rules?: ListRules
}
