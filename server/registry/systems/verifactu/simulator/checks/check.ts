/** Types of the checks of a record, and the facts outside the record that a check may use. */
import type { XmlElement } from '../../wire/reader.ts'
import type { Census } from '../census.ts'
import type { RejectionCode, WarningCode } from '../messages/record-messages.ts'

export interface Surroundings {
  now: Date
  headerNif: string
  /** The header states that a failure delayed the records. */
  incident: boolean
  census: Census
  /** Maximum difference between the record's time and the authority's; late records of an incident are exempt. */
  clockWindowSeconds: number
  /** This issuer's installation already has records. */
  hasEarlierRecords: boolean
}

/** Returns the code that rejects a record, or null. */
export type Check = (record: XmlElement, around: Surroundings) => RejectionCode | null

/** Returns the code with which a record is accepted with errors, or null. */
export type WarningCheck = (record: XmlElement, around: Surroundings) => WarningCode | null
