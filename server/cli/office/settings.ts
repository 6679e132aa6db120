/**
 * Where an office keeps what it needs: the address of its database and the master key, from files, from the
 * credentials of the service manager, or from the environment. Secrets are never passed in arguments.
 */
import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { isAbsolute, join } from 'node:path'
import { optionFault, readInputBytes, readInputFile, text } from '../shared.ts'
import type { Io, Options, Values } from '../shared.ts'

/** Options about the connection to the database. */
export const CONNECTION_OPTIONS: Options = {
  'database-ca-file': { type: 'string' },
  'unencrypted-database': { type: 'boolean' },
}

/** Options of every command that opens an office as its servers do. */
export const OFFICE_OPTIONS: Options = {
  'database-file': { type: 'string' },
  ...CONNECTION_OPTIONS,
  'master-key-file': { type: 'string' },
  'bucket-file': { type: 'string' },
}

/** What all commands of an office have in common, for their help. */
export const IN_OFFICE =
  'In an office: --database-file F (or SELLO_OFFICE_URL), --database-ca-file F, --unencrypted-database, --master-key-file F (or SELLO_OFFICE_KEY_FILE), --bucket-file F.json. Files are also taken from the credentials of systemd: database, database-ca, migration-database, master-key, bucket, identity-provider.'

/** Bytes of the master key. */
export const KEY_BYTES = 32

/** Returns the file of an option, or the credential of the service manager with that name; undefined if there is none. */
export function fileOf(values: Values, option: string, credential: string, io: Io): string | undefined {
  const named = text(values, option)
  if (named !== undefined) return named
  const folder = io.env.CREDENTIALS_DIRECTORY
  const file = folder === undefined ? undefined : join(folder, credential)
  return file !== undefined && existsSync(file) ? file : undefined
}

/** The address of a database as it is read from a file or from the environment. */
interface Address {
  url: string
  /** The option that a fault names. */
  field: string
}

function addressOf(values: Values, io: Io, role: 'servers' | 'migrations'): Address | null {
  const [option, credential, variable] =
    role === 'servers'
      ? (['database-file', 'database', 'SELLO_OFFICE_URL'] as const)
      : (['migration-database-file', 'migration-database', 'SELLO_OFFICE_MIGRATION_URL'] as const)
  const file = fileOf(values, option, credential, io)
  const url = file === undefined ? io.env[variable] : readInputFile(file, option).trim()
  return url === undefined || url === '' ? null : { url, field: option }
}

/** Hosts that stay on this computer: names and addresses of the loopback, and the folder of a socket. */
function isLocal(host: string): boolean {
  return isAbsolute(host) || host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)
}

/** Parameters that decide how the driver connects besides those checked here. */
const NOT_IN_ADDRESS: readonly string[] = ['ssl', 'uselibpqcompat', 'sslnegotiation', 'hostaddr']

/**
 * Returns the address for the driver if its connection is safe: on this computer, or by TLS with a certificate that
 * is checked. Throws `validation_failed`.
 */
function checkedAddress({ url, field }: Address, values: Values, io: Io): string {
  const refuse = (message: string): never => {
    throw optionFault(field, message)
  }
  let address: URL
  try {
    // The host may be missing where a socket's folder is a parameter, which a URL does not allow.
    address = new URL(url.replace(/^(postgres(?:ql)?:\/\/(?:[^/?#@]*@)?)(?=[/?#]|$)/, '$1none.invalid'))
  } catch {
    return refuse('The address is not of the form postgresql://role@host/database.')
  }
  const parameters = address.searchParams
  if (!['postgres:', 'postgresql:'].includes(address.protocol) || address.pathname.length < 2)
    refuse('The address is not of the form postgresql://role@host/database.')
  const named = address.hostname === 'none.invalid' ? null : address.hostname.replaceAll(/^\[|\]$/g, '')
  const hosts = [...(named === null ? [] : [decodeURIComponent(named)]), ...parameters.getAll('host')]
  const [host] = hosts
  if (host === undefined || hosts.length > 1) return refuse('The address names one host.')
  const unknown = NOT_IN_ADDRESS.find((name) => parameters.has(name))
  if (unknown !== undefined) refuse(`The address contains ${unknown}: use sslmode and sslrootcert.`)
  const mode = parameters.get('sslmode')
  const authority = fileOf(values, 'database-ca-file', 'database-ca', io)
  if (mode === 'verify-full') {
    // The driver compares the name in a certificate with a name, not with a number.
    if (isIP(host) !== 0)
      refuse('With sslmode=verify-full the address names the host as its certificate does.')
    if (authority === undefined || parameters.has('sslrootcert')) return url
    readInputBytes(authority, 'database-ca-file')
    return `${url}${url.includes('?') ? '&' : '?'}sslrootcert=${encodeURIComponent(authority)}`
  }
  if (mode !== null && mode !== 'disable')
    refuse('sslmode is verify-full, which checks the certificate of the database, or disable.')
  if (!isLocal(host) && values['unencrypted-database'] !== true)
    refuse(
      'The database is on another computer: add sslmode=verify-full to its address. --unencrypted-database allows a connection without TLS.',
    )
  return url
}

/** Returns the address of the database for the role of the servers. Throws `validation_failed`. */
export function databaseUrl(values: Values, io: Io): string {
  const address = addressOf(values, io, 'servers')
  if (!address)
    throw optionFault(
      'database-file',
      'Name a file with the address of the database with --database-file, or set SELLO_OFFICE_URL.',
    )
  return checkedAddress(address, values, io)
}

/** Returns the address for the role that owns the tables: the servers' role cannot change them. Throws `validation_failed`. */
export function migrationUrl(values: Values, io: Io): string {
  const address = addressOf(values, io, 'migrations')
  if (!address)
    throw optionFault(
      'migration-database-file',
      'Name a file with the address for the role that owns the tables with --migration-database-file, or set SELLO_OFFICE_MIGRATION_URL.',
    )
  return checkedAddress(address, values, io)
}

/** Returns the 32 bytes in the content of a key file: as they are, or as hexadecimal or Base64 text; null if it has none. */
function keyIn(content: Buffer): Buffer | null {
  if (content.length === KEY_BYTES) return content
  const written = content.toString('latin1').trim()
  if (/^[0-9a-f]{64}$/i.test(written)) return Buffer.from(written, 'hex')
  if (/^[A-Za-z0-9+/]{43}=?$/.test(written)) return Buffer.from(written, 'base64')
  return null
}

/** Returns the file with the master key. Throws `validation_failed` if none is named. */
export function masterKeyFile(values: Values, io: Io): string {
  const file =
    fileOf(values, 'master-key-file', 'master-key', io) ?? (io.env.SELLO_OFFICE_KEY_FILE || undefined)
  if (file === undefined)
    throw optionFault(
      'master-key-file',
      'Name the file with the master key with --master-key-file, or in SELLO_OFFICE_KEY_FILE.',
    )
  return file
}

/** Returns the master key. Throws `validation_failed` if no file is named, or if its content is not a key. */
export function masterKeyOf(values: Values, io: Io): Buffer {
  const key = keyIn(readInputBytes(masterKeyFile(values, io), 'master-key-file'))
  if (!key)
    throw optionFault(
      'master-key-file',
      `The file does not contain a key: ${KEY_BYTES} bytes, as they are or as hexadecimal or Base64 text.`,
    )
  return key
}
