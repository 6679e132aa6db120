/** How commands that move companies reach the databases: settings that the commands of an office have in common. */
import type { Bucket } from '../../app/office/index.ts'
import { requiredOption } from '../shared.ts'
import type { Io, Values } from '../shared.ts'

export interface OfficeAccess {
  /** Returns the address of the database for the role that owns the tables. Throws `validation_failed`. */
  url: (values: Values, io: Io) => string
  /** Returns the key of the sealed columns. Throws `validation_failed`. */
  masterKey: (values: Values, io: Io) => Buffer
  /** Returns how the bucket of the options is opened; undefined: documents are in the database. Throws `validation_failed`. */
  bucket?: (values: Values, io: Io) => (() => Promise<Bucket>) | undefined
}

/** An office as commands reach it. */
interface ReachedOffice {
  url: string
  masterKey: Buffer
  openBucket: (() => Promise<Bucket>) | undefined
}

/** The clock of the moves that commands begin. */
export const clock = (): Date => new Date()

/** Returns the address, key and bucket of the office that the options name. */
export function officeOf(access: OfficeAccess, values: Values, io: Io): ReachedOffice {
  return {
    url: access.url(values, io),
    masterKey: access.masterKey(values, io),
    openBucket: access.bucket?.(values, io),
  }
}

/** Neither the environment nor the service manager names a second database. */
const withoutEnvironment = (io: Io): Io => ({ ...io, env: {} })

/** Returns the options of a second database under the names of the first. */
function secondValues(values: Values): Values {
  return {
    ...values,
    'database-file': requiredOption(values, 'target-database-file'),
    'migration-database-file': undefined,
    'master-key-file': values['target-master-key-file'],
    'bucket-file': values['target-bucket-file'],
  }
}

/** Returns the address, key and bucket of the office that a company is moved to. */
export function targetOf(access: OfficeAccess, values: Values, io: Io): ReachedOffice {
  return officeOf(access, secondValues(values), withoutEnvironment(io))
}

/** Returns the address of the directory. */
export function directoryUrl(access: OfficeAccess, values: Values, io: Io): string {
  const file = requiredOption(values, 'directory-file')
  return access.url(
    { ...values, 'database-file': file, 'migration-database-file': undefined },
    withoutEnvironment(io),
  )
}

/** Returns how people call a database: host and name, without role and password. */
export function nameOf(url: string): string {
  try {
    const { host, pathname } = new URL(url)
    return `${host}${pathname}`
  } catch {
    return 'office'
  }
}
