/** What a check of a record is, and what it may know beside the record. */
import type { XmlElement } from '../../wire/reader.ts'
import type { Census } from '../census.ts'
import type { RejectionCode, WarningCode } from '../messages/record-messages.ts'

export interface Surroundings {
  now: Date
  headerNif: string
  /** The header says that a failure delayed the records. */
  incident: boolean
  census: Census
  /** How far the record's time may be from the authority's; late records of an incident are exempt. */
  clockWindowSeconds: number
  /** This issuer's installation has records already. */
  hasEarlierRecords: boolean
}

/** Answers the code that rejects a record, or null. */
export type Check = (record: XmlElement, around: Surroundings) => RejectionCode | null

/** Answers the code with which a record is accepted with errors, or null. */
export type WarningCheck = (record: XmlElement, around: Surroundings) => WarningCode | null
