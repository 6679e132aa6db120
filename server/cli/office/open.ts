/** Opens the database of an office for a command. The driver is loaded here, and by no command of a desk. */
import { AppError } from '../../domain/errors/app-error.ts'
import type { OpenedSello } from '../../app/environment.ts'
import type { Io, Values } from '../shared.ts'
import { bucketOf } from './bucket.ts'
import { databaseUrl, masterKeyOf } from './settings.ts'

/** Codes of the driver, of TLS and of the database when it does not let this role in. */
const REFUSED =
  /^(28\w{3}|3D000|42501|53300|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_\w+|ERR_SSL_\w+|HOSTNAME_MISMATCH)$/

/** Converts a refused connection to `office_database_refused`; returns other errors unchanged. */
export function refusalByDatabase(error: unknown): unknown {
  if (error instanceof AppError) {
    if (error.code !== 'store_readonly' || !error.cause) return error
    const cause = refusalByDatabase(error.cause)
    return cause instanceof AppError ? cause : error
  }
  const { code, message = '' } = error as { code?: unknown; message?: string }
  const why =
    typeof code === 'string' && REFUSED.test(code)
      ? code
      : /does not support SSL/i.test(message)
        ? 'no_tls'
        : null
  return why === null ? error : new AppError('office_database_refused', { details: { why }, cause: error })
}

/**
 * Opens the office of the options, runs the work and closes it again. Throws `validation_failed`,
 * `office_not_migrated`, `office_key_wrong`, `office_database_refused`, or an error of the store.
 */
export async function withOffice<T>(
  values: Values,
  io: Io,
  work: (sello: OpenedSello) => Promise<T>,
): Promise<T> {
  const url = databaseUrl(values, io)
  const masterKey = masterKeyOf(values, io)
  const { connectOfficeSello } = await import('../../api/office.ts')
  const bucket = await bucketOf(values, io)
  const office = await connectOfficeSello({ url, masterKey, bucket }).catch((error: unknown) => {
    throw refusalByDatabase(error)
  })
  try {
    return await work(office.sello)
  } finally {
    await office.close()
  }
}
