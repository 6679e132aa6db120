/** What a list page is described by: its search box, tabs, empty states, totals and what its selection can do. */
import type { RouteLocationRaw } from 'vue-router'
import type { TopicId } from '../../app/help/topics.ts'
import type { IconName } from '../../icons.ts'
import type { ShownGrid } from '../bulk-actions/optimistic.ts'
import type { AddressChanges } from './address.ts'

/** The rows of a page as its grid holds them. */
export type ListGrid<Row> = ShownGrid<Row> & { focus: () => Promise<void> }

/** Message keys of the search box, and how it looks. */
export interface ListSearch {
  label: string
  hint: string
  /** Message key of the button that empties it; without it there is none. */
  clear?: string
  /** Without the key that leads to it. */
  plain?: boolean
  /** Width of the box. */
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
  icon?: IconName
  /** The main action of the page. */
  primary?: boolean
  to?: RouteLocationRaw
  run?: () => void
}

/** What stands where rows would. */
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
  /** Left out in a narrow window. */
  wideOnly?: boolean
}

/** The foot of a list: how many rows and what they add up to. */
export interface ListTotals {
  /** Spoken name of the foot. */
  label?: string
  /** Null until known. */
  count: string | null
  sums?: readonly ListSum[]
}

/** An action on the selected rows. */
export interface BulkAction {
  label: string
  icon: IconName
  disabled?: boolean
  run: () => void
}
