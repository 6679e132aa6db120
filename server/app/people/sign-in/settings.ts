/** Reads the settings of the firm's directory from the file that the operator has written. */
import { z } from 'zod'
import { validationFailed } from '../../../domain/errors/app-error.ts'
import { faultsOf } from '../../../domain/contract/define-contract.ts'
import type { FirmDirectorySettings } from './firm-directory.ts'

const isLocal = ({ hostname }: URL): boolean => /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)

const Issuer = z
  .url()
  .max(300)
  .refine((text) => {
    const url = new URL(text)
    return url.protocol === 'https:' || isLocal(url)
  }, 'The directory is reached with TLS, except on this computer.')

const Settings = z.strictObject({
  issuer: Issuer,
  clientId: z.string().min(1).max(200),
  clientSecret: z.string().min(1).max(500),
  name: z.string().min(1).max(60),
  groupsClaim: z.string().min(1).max(100).default('groups'),
  linkByEmail: z.boolean().default(false),
})

/** Returns the settings in a text of JSON. Throws `validation_failed` with every fault. */
export function firmDirectoryFrom(text: string): FirmDirectorySettings {
  let written: unknown
  try {
    written = JSON.parse(text)
  } catch {
    throw validationFailed([
      { code: 'wrong_format', field: '', severity: 'error', message: 'The file has no JSON.' },
    ])
  }
  const parsed = Settings.safeParse(written, { reportInput: true })
  if (!parsed.success) throw validationFailed(faultsOf(parsed.error))
  const { issuer } = parsed.data
  return { ...parsed.data, allowInsecure: new URL(issuer).protocol === 'http:' }
}
