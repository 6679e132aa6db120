/** Returns that Sello can write as a file. */
import type { ModelNumber } from '../contract.ts'
import type { PageModel } from './pages.ts'
import { records347, records349 } from './parties.ts'
import { records190 } from './recipients.ts'
import { records180 } from './rent-records.ts'

const PAGE_MODELS: readonly string[] = ['303', '130', '131', '111', '115', '123', '390']

/** Makers of the records of the returns that list parties, by model. */
export const LISTS = { '347': records347, '349': records349, '190': records190, '180': records180 } as const
export type ListModel = keyof typeof LISTS

export type DeclaredModel = PageModel | ListModel | '369'

/** Returns true for a return that lists parties. */
export function isListModel(model: string): model is ListModel {
  return Object.hasOwn(LISTS, model)
}

/** Returns true for a return that Sello can write as a file. */
export function hasFile(model: ModelNumber): model is DeclaredModel {
  return PAGE_MODELS.includes(model) || model === '369' || isListModel(model)
}
