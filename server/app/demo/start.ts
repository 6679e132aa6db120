/**
 * State of the sample at start: which company it is, and whether it is shown. Separate from its creation, to keep the
 * start small.
 */
import type { Db } from '../../db/query.ts'

/** Name of its setting. */
export const SAMPLE = 'sample'

/** Stored state of the sample. */
export interface Sample {
  company: string
  book: string
  made: number
  shown: boolean
}

/** Returns the state of the sample; null when there is none. */
export async function readSample(db: Db): Promise<Sample | null> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', SAMPLE).executeTakeFirst()
  return row ? (JSON.parse(row.value) as Sample) : null
}

/** Returns the sample company's identifiers and whether it is shown, for lists of companies; null when there is none. */
export async function sampleCompany(db: Db): Promise<{ company: string; shown: boolean } | null> {
  const sample = await readSample(db)
  return sample && { company: sample.company, shown: sample.shown }
}
