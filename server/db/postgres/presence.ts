/** Whether a company may be read and written in this database, or is elsewhere. */
import { AppError } from '../../domain/errors/app-error.ts'

/** The columns of `companies` that say so. */
export const PRESENCE = 'away, away_to'

export interface Presence {
  away: 'arriving' | 'moving' | 'moved' | null
  away_to: string | null
}

/**
 * What `away_to` says of a company that was handed back to its owner as one file: here it is read, and written no more.
 * To the database it is one that is being moved.
 */
export const HANDED_BACK = 'handed-back'

/** Time after which a caller asks again while a company is moved. */
const MOVING_SECONDS = 10

/** Returns why a company may not be written here; null if it may. */
export function writeRefusal({ away, away_to: to }: Presence): AppError | null {
  if (away === null) return null
  if (away === 'moved') return movedError(to)
  if (away === 'moving' && to === HANDED_BACK) return new AppError('company_handed_back')
  return new AppError('company_moving', { details: { state: away }, retryAfterSeconds: MOVING_SECONDS })
}

/** Returns why a company may not be read here; null if it may. */
export function readRefusal({ away, away_to: to }: Presence): AppError | null {
  return away === 'moved' ? movedError(to) : null
}

function movedError(to: string | null): AppError {
  return new AppError('company_moved', { details: { to } })
}
