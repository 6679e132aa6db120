/** The firm's own directory of people, at which they sign in: its settings, from a file of JSON. */
import type { FirmDirectorySettings } from '../../app/people/index.ts'
import { readInputFile } from '../shared.ts'
import type { Io, Options, Values } from '../shared.ts'
import { fileOf } from './settings.ts'

const OPTION = 'identity-provider-file'

export const IDENTITY_OPTIONS: Options = { [OPTION]: { type: 'string' } }

/** Returns the settings of the option or of the credential `identity-provider`; undefined if there are none. */
export async function firmDirectoryOf(values: Values, io: Io): Promise<FirmDirectorySettings | undefined> {
  const file = fileOf(values, OPTION, 'identity-provider', io)
  if (file === undefined) return undefined
  const { firmDirectoryFrom } = await import('../../app/people/sign-in/index.ts')
  return firmDirectoryFrom(readInputFile(file, OPTION))
}
