/** Command that runs one server of an office. */
import { BlockList, isIP } from 'node:net'
import { optionFault, text } from '../shared.ts'
import type { Command, Io, Values } from '../shared.ts'
import { uiFolder } from '../ui-folder.ts'
import { bucketOf } from './bucket.ts'
import { firmDirectoryOf, IDENTITY_OPTIONS } from './identity-provider.ts'
import { notifyManager } from './notify.ts'
import { refusalByDatabase } from './open.ts'
import type { ServerTls } from '../../api/http/index.ts'
import { databaseUrl, fileOf, IN_OFFICE, masterKeyOf, OFFICE_OPTIONS } from './settings.ts'

const DEFAULT_LISTEN = '127.0.0.1:4545'
const DEFAULT_CONNECTIONS = 8
const DRAIN_SECONDS = 5

interface Address {
  host: string
  port: number
}

/** Returns the host and port of an option: an IP address, so that nothing listens where a name happens to lead. */
function addressOf(written: string, option: string): Address {
  const [, host = '', port = ''] = /^\[?([0-9a-f.:]+?)\]?:(\d{1,5})$/i.exec(written) ?? []
  if (isIP(host) === 0 || Number(port) > 65_535)
    throw optionFault(option, `--${option} is an IP address and a port, such as ${DEFAULT_LISTEN}.`)
  return { host, port: Number(port) }
}

const isLoopback = (host: string): boolean => host === '::1' || /^127\./.test(host)

/** Shortest prefix of a network of proxies: more than these addresses are never all trusted. */
const LEAST_PREFIX = { ipv4: 16, ipv6: 48 } as const

/** Returns which addresses are trusted proxies. Throws `validation_failed`. */
function proxiesOf(values: Values): { isProxy: (address: string) => boolean; count: number } {
  const list = new BlockList()
  const named = (text(values, 'trust-proxy') ?? '').split(',').flatMap((each) => each.trim() || [])
  for (const each of named) {
    const [address = '', prefix] = each.split('/')
    const family = ({ 0: null, 4: 'ipv4', 6: 'ipv6' } as const)[isIP(address)] ?? null
    const bits = prefix === undefined ? null : Number(prefix)
    if (
      family === null ||
      (bits !== null &&
        (!/^\d{1,3}$/.test(prefix!) || bits < LEAST_PREFIX[family] || bits > (family === 'ipv4' ? 32 : 128)))
    )
      throw optionFault(
        'trust-proxy',
        `--trust-proxy lists IP addresses, or networks from /${LEAST_PREFIX.ipv4} (IPv6: /${LEAST_PREFIX.ipv6}) on.`,
      )
    if (bits === null) list.addAddress(address, family)
    else list.addSubnet(address, bits, family)
  }
  return {
    count: named.length,
    isProxy: (address) => {
      // An IPv4 address as a socket for both kinds writes it.
      const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
      const version = isIP(plain)
      return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6')
    },
  }
}

function numberOf(values: Values, option: string, fallback: number, least: number, most: number): number {
  const written = text(values, option)
  if (written === undefined) return fallback
  const number = Number(written)
  if (!/^\d{1,6}$/.test(written) || number < least || number > most)
    throw optionFault(option, `--${option} is a whole number from ${least} to ${most}.`)
  return number
}

/** Returns the certificate of the server; undefined behind a proxy. Throws `validation_failed`. */
async function tlsOf(values: Values, io: Io): Promise<ServerTls | undefined> {
  const certificate = fileOf(values, 'tls-certificate-file', 'tls-certificate', io)
  const key = fileOf(values, 'tls-key-file', 'tls-key', io)
  if (certificate === undefined && key === undefined) return undefined
  if (certificate === undefined) throw optionFault('tls-certificate-file', 'The key needs its certificate.')
  if (key === undefined) throw optionFault('tls-key-file', 'The certificate needs its key.')
  const { ServerTls: Tls } = await import('../../api/http/index.ts')
  try {
    return new Tls({ certificate, key }, (error) => io.say(`TLS: ${String(error)}`))
  } catch (error) {
    throw optionFault('tls-certificate-file', `The certificate cannot be used: ${(error as Error).message}`)
  }
}

function publicUrlsOf(values: Values): string[] {
  const named = (text(values, 'public-url') ?? '').split(',').flatMap((each) => each.trim() || [])
  for (const each of named) {
    const url = URL.canParse(each) ? new URL(each) : null
    if (
      !url ||
      !/^https?:$/.test(url.protocol) ||
      url.pathname !== '/' ||
      url.search !== '' ||
      url.username !== ''
    )
      throw optionFault('public-url', '--public-url is an address such as https://office.example.')
  }
  return named
}

export const serve: Command = {
  usage:
    'office serve [--listen IP:PORT | --no-door] [--public-url URL,…] [--trust-proxy IP,…] [--metrics IP:PORT] [--work all|none|KIND,…] [--connections N] [--drain SECONDS] [--tls-certificate-file F --tls-key-file F] [--no-window] [--identity-provider-file F.json] [--log-requests]',
  about:
    'Run one server of an office until it is stopped: its window, REST and MCP behind a proxy, and background work. With --no-door it only works.',
  inOffice: IN_OFFICE,
  options: {
    ...OFFICE_OPTIONS,
    listen: { type: 'string' },
    'no-door': { type: 'boolean' },
    'public-url': { type: 'string' },
    'trust-proxy': { type: 'string' },
    metrics: { type: 'string' },
    work: { type: 'string' },
    connections: { type: 'string' },
    drain: { type: 'string' },
    'log-requests': { type: 'boolean' },
    'no-window': { type: 'boolean' },
    ...IDENTITY_OPTIONS,
    'tls-certificate-file': { type: 'string' },
    'tls-key-file': { type: 'string' },
  },
  async run(values, _settings, io) {
    const noDoor = values['no-door'] === true
    const written = text(values, 'listen')
    if (noDoor && written !== undefined)
      throw optionFault('no-door', '--no-door listens nowhere: leave --listen out.')
    const listen = noDoor ? null : addressOf(written ?? DEFAULT_LISTEN, 'listen')
    const { isProxy, count } = proxiesOf(values)
    const tls = await tlsOf(values, io)
    if (listen && !isLoopback(listen.host) && count === 0 && !tls)
      throw optionFault(
        'listen',
        'Requests are not encrypted: listen on a loopback address, name the proxies in front with --trust-proxy, or give a certificate with --tls-certificate-file.',
      )
    const publicUrls = publicUrlsOf(values)
    const metrics = text(values, 'metrics')
    const connections = numberOf(values, 'connections', DEFAULT_CONNECTIONS, 1, 200)
    const drainMs = numberOf(values, 'drain', DRAIN_SECONDS, 0, 30) * 1000
    const metricsAt = metrics === undefined ? null : addressOf(metrics, 'metrics')
    const url = databaseUrl(values, io)
    const masterKey = masterKeyOf(values, io)
    const [{ startOfficeServer }, { OFFICE_WORK_KINDS }] = await Promise.all([
      import('../../api/office-server/run.ts'),
      import('../../app/office/index.ts'),
    ])
    const wanted = text(values, 'work') ?? 'all'
    const named = wanted === 'none' ? [] : wanted.split(',').map((each) => each.trim())
    const work =
      wanted === 'all' ? OFFICE_WORK_KINDS : OFFICE_WORK_KINDS.filter((kind) => named.includes(kind))
    if (wanted !== 'all' && work.length !== new Set(named).size)
      throw optionFault('work', `--work is all, none, or some of ${OFFICE_WORK_KINDS.join(', ')}.`)
    const bucket = await bucketOf(values, io)
    const running = await startOfficeServer({
      url,
      masterKey,
      bucket,
      connections,
      listen,
      publicUrls,
      isProxy,
      metrics: metricsAt,
      work,
      docsDir: uiFolder(),
      uiDir: values['no-window'] === true ? null : uiFolder(),
      tls,
      firmDirectory: await firmDirectoryOf(values, io),
      logRequests: values['log-requests'] === true,
      drainMs,
      log: io.say,
    }).catch((error: unknown) => {
      throw refusalByDatabase(error)
    })
    const { url: ownUrl, metricsUrl } = running
    io.answer(JSON.stringify({ url: ownUrl, metricsUrl, work, pid: process.pid }))
    await notifyManager('READY=1', io.env, io.say)
    await io.untilStopped()
    const notified = notifyManager('STOPPING=1', io.env, io.say)
    const unfinished = await running.stop()
    await notified
    return { exitCode: unfinished === 0 ? 0 : 1 }
  },
}
