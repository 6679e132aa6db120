/** Words and marks of an adviser's changes, and the reading of a file that came. */
import { icons } from '../../icons.ts'
import type { IconName } from '../../icons.ts'
import type { OutputOf } from '../../../server/api/contracts.ts'

export type BundlesState = OutputOf<'bundles.state'>
export type Pairing = BundlesState['pairings'][number]
export type Change = BundlesState['changes'][number]

/** Ending of the names of the files. */
export const FILE_ENDING = '.sello-gestoria'

export const KIND_ICONS: Readonly<Record<Change['kind'], IconName>> = {
  purchase: icons.received,
  contact: icons.contacts,
  entry: icons.ledger,
  closing: icons.lock,
  return: icons.returns,
}

/** Returns the message key of what a change does. */
export const operationKey = (operation: string): string => `adviser.does.${operation.replace('.', '_')}`

type Received = 'invitation' | 'answer' | 'bundle'

/** Returns what a file is: the two papers of a pairing are readable. */
export async function kindOfFile(file: Blob): Promise<Received> {
  const start = await file.slice(0, 400).text()
  if (!start.trimStart().startsWith('{')) return 'bundle'
  return start.includes('"invitation"') ? 'invitation' : 'answer'
}
