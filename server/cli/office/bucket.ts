/** Where an office keeps big documents: the settings of a bucket, from a file of JSON. */
import { dirname, resolve } from 'node:path'
import type { Bucket, BucketSettings } from '../../app/office/index.ts'
import { optionFault, readInputFile } from '../shared.ts'
import type { Io, Values } from '../shared.ts'
import { fileOf } from './settings.ts'

const OPTION = 'bucket-file'

/** The members of `BucketSettings` that operators set, with their kinds; the first four are required. */
const REQUIRED = ['region', 'bucket', 'accessKeyFile', 'secretKeyFile'] as const
const TEXTS: readonly string[] = [...REQUIRED, 'endpoint', 'prefix', 'caFile']

/** Returns what is wrong with the settings; null if nothing is. */
function faultOf(content: unknown): string | null {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return 'It is not an object.'
  const missing = REQUIRED.find((name) => !(name in content))
  if (missing !== undefined) return `${missing} is missing.`
  for (const [name, value] of Object.entries(content)) {
    if (name === 'pathStyle') {
      if (typeof value !== 'boolean') return 'pathStyle is true or false.'
    } else if (!TEXTS.includes(name)) return `${name} is no setting of a bucket.`
    else if (typeof value !== 'string' || (value.trim() === '' && name !== 'prefix'))
      return `${name} is a text that is not empty.`
    else if (name === 'endpoint' && !URL.canParse(value)) return 'endpoint is not an address.'
  }
  return null
}

function readSettings(file: string): BucketSettings {
  let content: unknown
  try {
    content = JSON.parse(readInputFile(file, OPTION))
  } catch (error) {
    if (error instanceof SyntaxError) throw optionFault(OPTION, 'The file with the bucket is not JSON.')
    throw error
  }
  const fault = faultOf(content)
  if (fault !== null) throw optionFault(OPTION, `The file with the bucket: ${fault}`)
  return content as BucketSettings
}

/**
 * Returns the bucket of the option or of the credential `bucket`; undefined if there is none. Files that its settings
 * name are relative to their file. Throws `validation_failed`. It connects with the first call.
 */
export async function bucketOf(values: Values, io: Io): Promise<Bucket | undefined> {
  const file = fileOf(values, OPTION, 'bucket', io)
  if (file === undefined) return undefined
  const { accessKeyFile, secretKeyFile, caFile, ...settings } = readSettings(file)
  const beside = (named: string): string => resolve(dirname(file), named)
  const { openBucket } = await import('../../app/office/index.ts')
  return openBucket(
    {
      ...settings,
      accessKeyFile: beside(accessKeyFile),
      secretKeyFile: beside(secretKeyFile),
      caFile: caFile === undefined ? undefined : beside(caFile),
    },
    () => new Date(),
  ).catch((error: unknown) => {
    throw optionFault(OPTION, error instanceof Error ? error.message : String(error))
  })
}
