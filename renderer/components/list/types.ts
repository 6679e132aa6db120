/** Definition of a list page: its search field, tabs, empty states, totals and bulk actions. */
import type { RouteLocationRaw } from 'vue-router'
import type { TopicId } from '../../app/help/topics.ts'
import type { IconName } from '../../icons.ts'
import type { ShownGrid } from '../bulk-actions/optimistic.ts'
import type { AddressChanges } from './address.ts'

/** Rows of a page as its grid holds them. */
export type ListGrid<Row> = ShownGrid<Row> & {
  focus: () => Promise<void>
  /** Moves to the first row. */
  top: () => Promise<void>
}

/** Message keys and appearance of the search field. */
export interface ListSearch {
  label: string
  hint: string
  /** Message key of the clear button; without it there is none. */
  clear?: string
  /** True to hide the shortcut of the field. */
  plain?: boolean
  /** Width of the field. */
  class: string
}

/** A built-in view. */
export interface ListTab {
  key: string
  label: string
  isShown: boolean
  count?: number | undefined
  changes: AddressChanges
}

interface EmptyAction {
  label: string
  /** Operation that it leads to; somebody who may not run it has no such button. */
  runs?: string | readonly string[]
  icon?: IconName
  /** The main action of the page. */
  primary?: boolean
  to?: RouteLocationRaw
  run?: () => void
}

/** Empty state of a list. */
export interface EmptyList {
  icon: IconName
  title: string
  description?: string
  help?: TopicId
  actions?: readonly EmptyAction[]
}

interface ListSum {
  label: string
  euros: number
  strong?: boolean
  /** Hidden in a narrow window. */
  wideOnly?: boolean
}

/** The foot of a list: the number of rows and their totals. */
export interface ListTotals {
  /** Accessible name of the foot. */
  label?: string
  /** Null until known. */
  count: string | null
  sums?: readonly ListSum[]
}

/** An action on the selected rows. */
export interface BulkAction {
  label: string
  /** Operation that it calls; somebody who may not run it has no such button. */
  runs?: string | readonly string[]
  icon: IconName
  disabled?: boolean
  run: () => void
}
