/**
 * Restricts every test, and every Node program that a test starts, to this computer: any use of a name, an address or
 * a server elsewhere is blocked and recorded, so that swallowing the error hides nothing. Loaded by setup.ts in each
 * test worker and by `--import` in their children; it must not import the product.
 */
import dgram from 'node:dgram'
import dns from 'node:dns'
import { appendFileSync, readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import tls from 'node:tls'

/** Names the file of violations, one per line. */
export const BREACH_FILE = 'SELLO_TEST_BREACHES'

/** The authority's own domains. */
const AUTHORITY = /(?:^|\.)(?:agenciatributaria\.gob\.es|agenciatributaria\.es|aeat\.es)\.?$/i
const MARK = Symbol.for('sello.network-guard')

interface Guarded {
  [MARK]?: { connects: number }
}

type AnyFunction = (this: unknown, ...args: never[]) => unknown

/** Returns how many connections to servers this process has tried to open since the guard was installed. */
export function connectsTried(): number {
  return state().connects
}

function state(): { connects: number } {
  const set = (globalThis as Guarded)[MARK]
  if (!set) throw new Error('The network guard is not set in this process.')
  return set
}

/** Returns the violations of this process and its children. */
export function breaches(file = process.env[BREACH_FILE] ?? ''): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean)
  } catch {
    return []
  }
}

/** Records a violation, and returns the error that blocks it. */
function breach(what: string): Error {
  const file = process.env[BREACH_FILE]
  const program = process.argv.slice(1, 3).join(' ')
  if (file) appendFileSync(file, `${what} (process ${process.pid}: ${program})\n`)
  return new Error(`A test may not leave this computer: ${what}`)
}

function isLoopback(address: string): boolean {
  return /^127\./.test(address) || /^(?:::1|0:0:0:0:0:0:0:1|::ffff:127\.[\d.]+)$/i.test(address)
}

/** If a server listens on all addresses, clients can reach it by these too. */
function isHere(host: string): boolean {
  const bare = host
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
  return bare === '' || bare === 'localhost' || bare === '0.0.0.0' || bare === '::' || isLoopback(bare)
}

interface Target {
  host?: string
  port?: number | string
  path?: string | null
  lookup?: net.LookupFunction
}

/**
 * Returns the options of any form of `connect`: (options), (port, host), (path), and the array that Node makes of
 * them.
 */
function targetOf(args: readonly unknown[]): Target {
  const [first, second] = args
  if (Array.isArray(first)) return targetOf(first)
  if (typeof first === 'object' && first !== null) return first
  if (typeof first === 'string' && Number.isNaN(Number(first))) return { path: first }
  return { port: first as number, ...(typeof second === 'string' ? { host: second } : {}) }
}

/** Wraps a custom lookup: any name is allowed, but the result must be on this computer. */
function guardedLookup(lookup: net.LookupFunction): net.LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, options, (error, found, family) => {
      const addresses = typeof found === 'string' ? [found] : (found ?? []).map((each) => each.address)
      const elsewhere = error ? undefined : addresses.find((address) => !isLoopback(address))
      const refusal = elsewhere === undefined ? error : breach(`connect to ${hostname} at ${elsewhere}`)
      callback(refusal, found, family)
    })
}

function checkTarget(target: Target): void {
  const host = target.host ?? 'localhost'
  // HTTP calls have a path of null here: only a string names a local socket.
  if (typeof target.path === 'string' || isHere(host)) return
  const mayBeHere = net.isIP(host) === 0 && target.lookup && !AUTHORITY.test(host)
  if (!mayBeHere || !target.lookup) throw breach(`connect to ${host}:${target.port ?? ''}`)
  target.lookup = guardedLookup(target.lookup)
}

/** Replaces a function of one of Node's modules or classes by `make(original)`. */
function replace(holder: object, name: string, make: (original: AnyFunction) => AnyFunction): void {
  const members = holder as Record<string, AnyFunction>
  const original = members[name]
  if (typeof original !== 'function') return
  members[name] = Object.defineProperties(make(original), Object.getOwnPropertyDescriptors(original))
}

function guardNames(holder: object, what: string): void {
  for (const name of Object.getOwnPropertyNames(holder)) {
    if (!/^(?:lookup|resolve|reverse)/.test(name)) continue
    replace(
      holder,
      name,
      (original) =>
        function (this: unknown, ...args) {
          const host: unknown = args[0]
          if (typeof host === 'string' && !isHere(host)) throw breach(`${what}.${name} of ${host}`)
          return original.apply(this, args)
        },
    )
  }
}

/** Installs the guard in this process, once. */
/** Returns true if the first argument of a connect names a path. */
function isInFolder(given: unknown): boolean {
  const [first] = Array.isArray(given) ? (given as unknown[]) : [given]
  return typeof first === 'string'
    ? first.startsWith('/')
    : typeof (first as { path?: unknown })?.path === 'string'
}

function guardNetwork(): void {
  const global = globalThis as Guarded
  if (global[MARK]) return
  const counted = { connects: 0 }
  global[MARK] = counted

  // Every TCP connection uses this function: net, tls, http, https, http2, fetch and WebSocket.
  replace(
    net.Socket.prototype,
    'connect',
    (original) =>
      function (this: unknown, ...args) {
        // A database on a socket in a folder is no server on the network.
        if (!isInFolder(args[0])) counted.connects += 1
        checkTarget(targetOf(args))
        return original.apply(this, args)
      },
  )
  // The server name of TLS, even over a connection to another place.
  replace(
    tls.TLSSocket.prototype,
    'setServername',
    (original) =>
      function (this: unknown, ...args) {
        if (AUTHORITY.test(String(args[0]))) throw breach(`TLS for ${String(args[0])}`)
        return original.apply(this, args)
      },
  )
  replace(
    tls,
    'connect',
    (original) =>
      function (this: unknown, ...args) {
        for (const each of args as readonly unknown[]) {
          const name = (each as { servername?: unknown } | null)?.servername
          if (typeof name === 'string' && AUTHORITY.test(name)) throw breach(`TLS for ${name}`)
        }
        return original.apply(this, args)
      },
  )
  for (const name of ['connect', 'send'])
    replace(
      dgram.Socket.prototype,
      name,
      (original) =>
        function (this: unknown, ...args) {
          // The first argument of `send` is the message, which may be text.
          const where: readonly unknown[] = name === 'send' ? args.slice(1) : args
          const host = where.find((each) => typeof each === 'string' && !isHere(each))
          if (host !== undefined) throw breach(`UDP to ${String(host)}`)
          return original.apply(this, args)
        },
    )
  guardNames(dns, 'dns')
  guardNames(dns.promises, 'dns.promises')
  guardNames(dns.Resolver.prototype, 'dns.Resolver')
  guardNames(dns.promises.Resolver.prototype, 'dns.promises.Resolver')
  // So that `import { connect } from 'node:tls'` returns these too.
  syncBuiltinESMExports()
}

guardNetwork()
