/** Runs the simulated platform as a program of its own, for `sello platform`. It needs no books. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { X509Certificate } from 'node:crypto'
import { validationFailed } from '../../../domain/errors/app-error.ts'
import { checkNif } from '../../../domain/tax/nif.ts'
import { issueClientCertificate, makeAuthorityCa } from '../../../platform/simulated-authority/index.ts'
import type { AuthorityCa } from '../../../platform/simulated-authority/index.ts'
import { readPowers } from './authority.ts'
import type { Power } from './authority.ts'
import { startPlatformServer } from './server.ts'
import { filePlatformState } from './state-file.ts'
import { memoryPlatformState } from './state.ts'
import type { MemoryPlatformState } from './state.ts'

export interface PlatformCommand {
  /** 0 for any free port. */
  port: number
  controlPort: number
  /** Folder of its state and certificates; without it both end with the program. */
  dir?: string
  /** Tax numbers whose certificates are made, with commas between. */
  clients: string
  /** `HOLDER:COMPANY[:attorney|collaborator]`, with commas between. */
  powers: string
  /** Tax numbers that it does not know, with commas between. */
  unknown: string
  /** PEM text with the roots that client certificates must chain to. */
  clientCa?: string
  perMinute?: number
}

export interface PlatformIo {
  answer: (line: string) => void
  untilStopped: () => Promise<void>
}

function wrong(field: string, message: string): Error {
  return validationFailed([{ code: 'wrong_format', field, severity: 'error', message }])
}

const listed = (text: string): string[] => text.split(',').filter((each) => each !== '')

function taxNumbers(text: string, field: string): string[] {
  const numbers = listed(text)
  for (const each of numbers) {
    const check = checkNif(each)
    if (!check.ok || check.nif !== each) throw wrong(field, `${each} is no Spanish tax number.`)
  }
  return numbers
}

function powersIn(text: string): Power[] {
  const read = readPowers(
    listed(text).map((part) => {
      const [nif, holder, as = 'attorney', ...rest] = part.split(':')
      return { nif, for: holder, as: rest.length > 0 ? '' : as }
    }),
  )
  if (!read)
    throw wrong('powers', '--powers is HOLDER:COMPANY, or HOLDER:COMPANY:collaborator, with two tax numbers.')
  return read
}

/** Runs until it is stopped; prints one line with all addresses and files. Throws `validation_failed`. */
export async function runPlatformCommand(command: PlatformCommand, io: PlatformIo): Promise<void> {
  const clients = taxNumbers(command.clients, 'clients')
  const unknown = taxNumbers(command.unknown, 'unknown')
  const powers = powersIn(command.powers)
  const clientCa = command.clientCa === undefined ? [] : rootsIn(command.clientCa)
  const kept = command.dir !== undefined
  const folder = kept ? resolve(command.dir ?? '') : mkdtempSync(join(tmpdir(), 'sello-platform-'))
  try {
    const { ca, certificates, state } = await prepared(folder, clients, kept)
    const server = await startPlatformServer({
      ca,
      state,
      powers,
      unknown,
      clientCa,
      port: command.port,
      controlPort: command.controlPort,
      ...(command.perMinute === undefined ? {} : { perMinute: command.perMinute }),
    }).catch((error: unknown) => {
      if ((error as { code?: string }).code !== 'EADDRINUSE') throw error
      throw wrong('port', 'The port is taken.')
    })
    try {
      const { url, controlUrl, pageUrl } = server
      io.answer(
        JSON.stringify({
          url,
          pageUrl,
          controlUrl,
          ca: join(folder, CA_FILE),
          ...(clients.length === 0 ? {} : { certificates }),
          pid: process.pid,
        }),
      )
      await io.untilStopped()
    } finally {
      await server.close()
    }
  } finally {
    if (!kept) rmSync(folder, { recursive: true, force: true })
  }
}

const CA_FILE = 'ca.pem'
const CA_KEY_FILE = 'ca-key.pem'
const STATE_FILE = 'invoices.jsonl'
const SECRET = { mode: 0o600 }

type Certificates = Record<string, { certificate: string; key: string }>

interface Prepared {
  ca: AuthorityCa
  certificates: Certificates
  state: MemoryPlatformState
}

/** Prepares the folder: the root certificate of an earlier run, and the certificates that it lacks. */
async function prepared(folder: string, clients: readonly string[], kept: boolean): Promise<Prepared> {
  try {
    mkdirSync(folder, { recursive: true })
    const ca = await authorityOf(folder)
    const certificates: Certificates = {}
    for (const nif of clients) certificates[nif] = await clientOf(folder, ca, nif)
    const state = kept ? filePlatformState(join(folder, STATE_FILE)) : memoryPlatformState()
    return { ca, certificates, state }
  } catch (error) {
    const { code, syscall } = error as { code?: unknown; syscall?: unknown }
    if (error instanceof SyntaxError)
      throw wrong(
        'dir',
        `The file ${STATE_FILE} in the folder is damaged. Delete it, or name another folder.`,
      )
    if (typeof syscall !== 'string') throw error
    throw wrong('dir', `The folder cannot be used (${String(code)}). Name one that this user may write.`)
  }
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null
    throw error
  }
}

/** The name is part of what the root signs, and must be that of the earlier run. */
const CA_NAME = 'AC DE LA PLATAFORMA SIMULADA'

async function authorityOf(folder: string): Promise<AuthorityCa> {
  const certPem = readIfThere(join(folder, CA_FILE))
  const keyPem = readIfThere(join(folder, CA_KEY_FILE))
  if (certPem !== null && keyPem !== null) return { certPem, keyPem, name: CA_NAME }
  // RSA, because every program can read it.
  const ca = await makeAuthorityCa({ keyType: 'rsa', name: CA_NAME })
  writeFileSync(join(folder, CA_FILE), ca.certPem)
  writeFileSync(join(folder, CA_KEY_FILE), ca.keyPem, SECRET)
  return ca
}

async function clientOf(folder: string, ca: AuthorityCa, nif: string): Promise<Certificates[string]> {
  const files = { certificate: join(folder, `${nif}.pem`), key: join(folder, `${nif}-key.pem`) }
  if (readIfThere(files.certificate) !== null && readIfThere(files.key) !== null) return files
  const check = checkNif(nif)
  const isEntity = check.ok && check.kind === 'entity'
  const issued = await issueClientCertificate({
    ca,
    kind: isEntity ? 'seal' : 'person',
    nif,
    name: isEntity ? `EMPRESA ${nif}` : 'PERSONA DE EJEMPLO',
    keyType: 'rsa',
  })
  writeFileSync(files.certificate, issued.certPem, SECRET)
  writeFileSync(files.key, issued.keyPem, SECRET)
  return files
}

function rootsIn(pem: string): string[] {
  const found = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  try {
    for (const each of found) new X509Certificate(each)
  } catch {
    throw wrong('client-ca', 'A certificate in the file cannot be read.')
  }
  if (found.length === 0) throw wrong('client-ca', 'The file holds no certificate in PEM form.')
  return found
}
