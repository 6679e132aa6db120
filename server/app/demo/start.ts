/** What a start needs of the sample: which company it is, and whether it is shown. Making one is another matter. */
import type { Db } from '../../db/query.ts'

/** The setting it is kept under. */
export const SAMPLE = 'sample'

/** What the store keeps of the sample. */
export interface Sample {
  company: string
  book: string
  made: number
  shown: boolean
}

/** Null before there is any. */
export async function readSample(db: Db): Promise<Sample | null> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', SAMPLE).executeTakeFirst()
  return row ? (JSON.parse(row.value) as Sample) : null
}

/** The sample company's identifiers and whether it is shown, for whoever lists companies; null before there is one. */
export async function sampleCompany(db: Db): Promise<{ company: string; shown: boolean } | null> {
  const sample = await readSample(db)
  return sample && { company: sample.company, shown: sample.shown }
}
