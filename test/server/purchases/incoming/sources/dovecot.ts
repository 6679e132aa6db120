/** A real IMAP server for the tests (Debian: dovecot-imapd), with its own certificate and mailboxes in a folder. */
import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { makeServerCertificate } from '../../../../support/files/certificates.ts'
import { openWorld } from '../../../../support/world.ts'
import type { World, WorldOptions } from '../../../../support/world.ts'

const DOVECOT = '/usr/sbin/dovecot'
const NOBODY = 65_534

/** True if the server is installed; a test without it says so and is skipped. */
export const hasDovecot = existsSync(DOVECOT)
if (!hasDovecot) console.warn('dovecot-imapd is not installed: the tests of mailboxes are skipped.')

export const USER = 'compras@talleres.example'
export const PASSWORD = 'contraseña-del-buzón-77'

interface Dovecot {
  port: number
  /** Puts a mail into a mailbox, as a delivery does. */
  deliver(mail: string | Uint8Array, mailbox?: string): void
  /** Names of the files of a mailbox: their flags are in them. */
  files(mailbox?: string): string[]
  /** Gives the mailbox another UIDVALIDITY, as after a migration of the provider. */
  renumber(mailbox?: string): Promise<void>
  stop(): Promise<void>
  start(): Promise<void>
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => (socket.destroy(), resolve(true)))
    socket.on('error', () => resolve(false))
  })
}

interface DovecotWish {
  hosts?: string[]
  issuer?: string
  /** Where tokens of OAuth 2 are checked, instead of passwords. */
  tokenInfoUrl?: string
}

/** Starts a server that ends with the test. */
export async function openDovecot({ hosts, issuer, tokenInfoUrl }: DovecotWish = {}): Promise<Dovecot> {
  const isRoot = process.getuid?.() === 0
  const folder = mkdtempSync(join(tmpdir(), 'sello-imap-'))
  chmodSync(folder, 0o755)
  const certificate = makeServerCertificate({ hosts: hosts ?? ['127.0.0.1'], ...(issuer ? { issuer } : {}) })
  const put = (name: string, text: string): string => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }
  const home = join(folder, 'home')
  const owner = isRoot ? NOBODY : process.getuid!()
  const make = (path: string): string => {
    mkdirSync(path, { recursive: true })
    if (isRoot) chownSync(path, owner, NOBODY)
    return path
  }
  make(home)
  make(join(home, 'Maildir'))
  const port = await freePort()
  const users = put('users', `${USER}:{PLAIN}${PASSWORD}\n`)
  const oauth = put(
    'oauth2',
    `tokeninfo_url = ${tokenInfoUrl}?access_token=\nusername_attribute = email\nactive_attribute = active\nactive_value = yes\n`,
  )
  const me = isRoot ? null : execFileSync('id', ['-un'], { encoding: 'utf8' }).trim()
  const passdb =
    tokenInfoUrl === undefined
      ? `passdb {\n driver = passwd-file\n args = username_format=%u ${users}\n}`
      : `auth_mechanisms = xoauth2\npassdb {\n driver = oauth2\n mechanisms = xoauth2 oauthbearer\n args = ${oauth}\n}`
  const config = put(
    'dovecot.conf',
    `base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
ssl = required
ssl_min_protocol = TLSv1.2
ssl_cert = <${put('cert.pem', certificate.certPem)}
ssl_key = <${put('key.pem', certificate.keyPem)}
mail_location = maildir:~/Maildir
first_valid_uid = 1
last_valid_uid = 0
auth_failure_delay = 0
auth_cache_size = 0
mail_max_userip_connections = 100
disable_plaintext_auth = yes
${me === null ? '' : `default_internal_user = ${me}\ndefault_login_user = ${me}\n`}
${passdb}
userdb {
 driver = static
 args = uid=${owner} gid=${isRoot ? NOBODY : process.getgid!()} home=${home}
}
service imap-login {
 chroot =
 inet_listener imap {
  port = 0
 }
 inet_listener imaps {
  port = ${port}
  ssl = yes
 }
}
service anvil {
 chroot =
}
namespace inbox {
 inbox = yes
 separator = /
}
`,
  )
  chmodSync(join(folder, 'key.pem'), 0o600)
  let child: ChildProcess | null = null
  let count = 0
  const pathOf = (mailbox: string): string =>
    mailbox === 'INBOX' ? join(home, 'Maildir') : join(home, 'Maildir', `.${mailbox}`)
  const dovecot: Dovecot = {
    port,
    deliver(mail, mailbox = 'Facturas') {
      const box = make(pathOf(mailbox))
      for (const each of ['cur', 'new', 'tmp']) make(join(box, each))
      count += 1
      const path = join(box, 'new', `${1_700_000_000 + count}.M${count}.here`)
      writeFileSync(path, mail)
      if (isRoot) chownSync(path, owner, NOBODY)
    },
    files: (mailbox = 'Facturas') =>
      ['cur', 'new'].flatMap((each) => readdirSync(join(pathOf(mailbox), each))).toSorted(),
    async renumber(mailbox = 'Facturas') {
      await dovecot.stop()
      const box = pathOf(mailbox)
      const list = readFileSync(join(box, 'dovecot-uidlist'), 'utf8')
      const validity = Number(/ V(\d+)/.exec(list)?.[1]) + 1_000
      for (const each of readdirSync(box)) if (each.startsWith('dovecot')) rmSync(join(box, each))
      const uidlist = join(box, 'dovecot-uidlist')
      writeFileSync(
        uidlist,
        `3 V${validity} N1 G${'0'.repeat(24)}${validity.toString(16).padStart(8, '0')}\n`,
      )
      if (isRoot) chownSync(uidlist, owner, NOBODY)
      await dovecot.start()
    },
    async stop() {
      const running = child
      child = null
      if (!running || running.exitCode !== null) return
      await new Promise<void>((resolve) => {
        running.once('exit', () => resolve())
        // Its processes hold the connections.
        process.kill(-running.pid!, 'SIGTERM')
      })
    },
    async start() {
      child = spawn(DOVECOT, ['-F', '-c', config], { stdio: 'ignore', detached: true })
      for (let wait = 0; wait < 200; wait++) {
        if (await answers(port)) return
        if (child.exitCode !== null) break
        await pause(50)
      }
      const log = existsSync(join(folder, 'log')) ? readFileSync(join(folder, 'log'), 'utf8') : ''
      throw new Error(`dovecot did not start: ${log}`)
    },
  }
  onTestFinished(async () => {
    await dovecot.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  await dovecot.start()
  return dovecot
}

/** Opens a sandbox that trusts the root certificate of the tests' mail servers. */
export async function openSourceWorld(options: WorldOptions = {}): Promise<World> {
  const world = await openWorld(options)
  world.env.sandbox = true
  world.env.mockEndpoint = { url: 'https://127.0.0.1:1/', caPem: makeServerCertificate().caPem }
  return world
}

/** Returns a small PDF that differs by its number. */
export const pdfOf = (number: number | string): Buffer =>
  Buffer.from(`%PDF-1.4\n% factura ${number}\n1 0 obj\n<< >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n`)

interface Part {
  name?: string
  type?: string
  disposition?: 'attachment' | 'inline'
  id?: string
  bytes: Uint8Array
}

/** Returns a mail with attachments. */
export function mailOf(
  mail: { subject?: string; from?: string; text?: string; html?: string; parts?: Part[] } = {},
): string {
  const {
    subject = 'Factura',
    from = 'Ana <ana@proveedor.example>',
    text = 'Adjunto.',
    html,
    parts = [],
  } = mail
  const border = 'limite-0123456789'
  const lines = [
    `From: ${from}`,
    `To: ${USER}`,
    `Subject: ${subject}`,
    'Date: Mon, 29 Jun 2026 10:00:00 +0200',
    'MIME-Version: 1.0',
    `Content-Type: multipart/mixed; boundary="${border}"`,
    '',
    `--${border}`,
    `Content-Type: text/${html === undefined ? 'plain' : 'html'}; charset=utf-8`,
    'Content-Transfer-Encoding: 8bit',
    '',
    html ?? text,
  ]
  for (const { name, type = 'application/octet-stream', disposition = 'attachment', id, bytes } of parts) {
    const isMail = type === 'message/rfc822'
    lines.push(
      `--${border}`,
      `Content-Type: ${type}${name === undefined ? '' : `; name="${name}"`}`,
      `Content-Transfer-Encoding: ${isMail ? '8bit' : 'base64'}`,
      `Content-Disposition: ${disposition}${name === undefined ? '' : `; filename="${name}"`}`,
      ...(id === undefined ? [] : [`Content-ID: <${id}>`]),
      '',
      isMail
        ? Buffer.from(bytes).toString('utf8')
        : Buffer.from(bytes).toString('base64').replace(/.{76}/g, '$&\r\n'),
    )
  }
  lines.push(`--${border}--`, '')
  return lines.join('\r\n')
}
