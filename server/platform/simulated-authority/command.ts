/** Runs a simulated authority as a program of its own, for `sello authority`. It needs no books and stores nothing. */
import { randomBytes, X509Certificate } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { validationFailed } from '../../domain/errors/app-error.ts'
import { checkNif } from '../../domain/tax/nif.ts'
import { issueClientCertificate, makeAuthorityCa } from './certificates/certificates.ts'
import type { AuthorityCa, IssuedCertificate } from './certificates/certificates.ts'

export interface AuthorityCommand {
  /** 0 for any free port. */
  port: number
  /** PEM text with the roots that client certificates must chain to; when absent, any certificate is accepted. */
  clientCa?: string
  /** A new temporary folder, deleted at the end, when absent. */
  outDir?: string
  /** A client certificate to create: the tax number and the name of its holder. */
  certificate?: { nif: string; name: string; kind?: string }
}

export interface CommandIo {
  answer: (line: string) => void
  untilStopped: () => Promise<void>
}

const KINDS = ['person', 'representative', 'seal'] as const
type Kind = (typeof KINDS)[number]

function wrong(field: string, message: string): Error {
  return validationFailed([{ code: 'wrong_format', field, severity: 'error', message }])
}

interface StartedServer {
  /** Addresses for the printed line. */
  addresses: Readonly<Record<string, string | null>>
  close: () => Promise<void>
}

/**
 * Starts a server with `start` and runs it until it is stopped; prints one line with all addresses and files. Throws
 * `validation_failed` for a wrong option.
 */
export async function runSimulatedAuthority(
  command: AuthorityCommand,
  io: CommandIo,
  start: (options: { ca: AuthorityCa; port: number; clientCa: string[] }) => Promise<StartedServer>,
): Promise<void> {
  const clientCa = command.clientCa === undefined ? [] : certificatesIn(command.clientCa)
  const kind = command.certificate && kindOf(command.certificate)
  // RSA for all, because every program can read such a PKCS#12 file.
  const ca = await makeAuthorityCa({ keyType: 'rsa' })
  const server = await start({ ca, port: command.port, clientCa }).catch((error: unknown) => {
    if ((error as { code?: string }).code !== 'EADDRINUSE') throw error
    throw wrong('port', `Port ${command.port} is taken.`)
  })
  const folder =
    command.outDir === undefined ? mkdtempSync(join(tmpdir(), 'sello-authority-')) : resolve(command.outDir)
  try {
    const caFile = join(folder, 'ca.pem')
    const client = await writeFiles(() => {
      mkdirSync(folder, { recursive: true })
      writeFileSync(caFile, ca.certPem)
      return command.certificate && kind ? writeClient(folder, ca, command.certificate, kind) : {}
    })
    io.answer(
      JSON.stringify({
        ...server.addresses,
        ca: caFile,
        ...client,
        pid: process.pid,
      }),
    )
    await io.untilStopped()
  } finally {
    await server.close()
    if (command.outDir === undefined) rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs the work, and reports a folder that cannot be used as a mistake in the options. */
async function writeFiles<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code, syscall } = error as { code?: unknown; syscall?: unknown }
    if (typeof syscall !== 'string') throw error
    throw wrong('out', `The folder cannot be used (${String(code)}). Name one that this user may write.`)
  }
}

function certificatesIn(pem: string): string[] {
  const found = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  try {
    for (const each of found) new X509Certificate(each)
  } catch {
    throw wrong('client-ca', 'A certificate in the file cannot be read.')
  }
  if (found.length === 0) throw wrong('client-ca', 'The file holds no certificate in PEM form.')
  return found
}

/** Returns the given kind, or else a person's for a person's number and a representative's for a company's. */
function kindOf({ nif, kind }: { nif: string; kind?: string }): Kind {
  const check = checkNif(nif)
  if (!check.ok || check.nif !== nif) throw wrong('certificate-for', 'This is no Spanish tax number.')
  const isEntity = check.kind === 'entity'
  if (kind === undefined) return isEntity ? 'representative' : 'person'
  const found = KINDS.find((each) => each === kind)
  if (!found) throw wrong('kind', `--kind is one of ${KINDS.join(', ')}.`)
  if ((found === 'person') === isEntity)
    throw wrong('kind', `The tax number does not belong to the kind of certificate ${found}.`)
  return found
}

/** Writes files that only this user can read; the password has a file of its own. */
async function writeClient(
  folder: string,
  ca: AuthorityCa,
  { nif, name }: { nif: string; name: string },
  kind: Kind,
): Promise<{ certificate: string; passwordFile: string; certificatePem: string; keyPem: string }> {
  const issued = await issueClientCertificate(
    kind === 'representative'
      ? {
          ca,
          kind,
          nif: '12345678Z',
          name: 'REPRESENTANTE DE EJEMPLO',
          organization: name,
          organizationNif: nif,
          keyType: 'rsa',
        }
      : { ca, kind, nif, name, keyType: 'rsa' },
  )
  const password = randomBytes(12).toString('base64url')
  const files = {
    certificate: join(folder, 'client.p12'),
    passwordFile: join(folder, 'client-password.txt'),
    certificatePem: join(folder, 'client.pem'),
    keyPem: join(folder, 'client-key.pem'),
  }
  const secret = { mode: 0o600 }
  writeFileSync(files.certificate, await pkcs12Of(issued, password), secret)
  writeFileSync(files.passwordFile, password, secret)
  writeFileSync(files.certificatePem, issued.certPem)
  writeFileSync(files.keyPem, issued.keyPem, secret)
  return files
}

async function pkcs12Of({ certPem, keyPem, caPem }: IssuedCertificate, password: string): Promise<Buffer> {
  const { default: forge } = await import('node-forge')
  const container = forge.pkcs12.toPkcs12Asn1(
    forge.pki.privateKeyFromPem(keyPem),
    [forge.pki.certificateFromPem(certPem), forge.pki.certificateFromPem(caPem)],
    password,
    { algorithm: 'aes256', friendlyName: 'client' },
  )
  return Buffer.from(forge.asn1.toDer(container).getBytes(), 'binary')
}
