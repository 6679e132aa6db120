/** Tries every way to open a connection under the network guard, and reports which were stopped; in JSON. */
import dgram from 'node:dgram'
import dns, { lookup as namedLookup } from 'node:dns'
import { lookup as promisedLookup } from 'node:dns/promises'
import { once } from 'node:events'
import http from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import net from 'node:net'
import tls, { connect as namedConnect } from 'node:tls'
import { connectsTried } from '../../../../../support/setup/network-guard.ts'

// A name that does not exist, so that nothing would be reached even without the guard.
const HOST = 'sello-guard.invalid.aeat.es'
// Reserved for documentation (RFC 5737); nothing answers there.
const ELSEWHERE = '192.0.2.1'

// Exists in Node, but not in its types.
type Naming = tls.TLSSocket & { setServername(name: string): void }

// Throws without the guard, before anything is tried.
const before = connectsTried()

function outcome(emitter: NodeJS.EventEmitter): Promise<unknown> {
  return once(emitter, 'error').then(([error]: unknown[]) => Promise.reject(error))
}

function called(call: (done: (error: Error | null) => void) => void): Promise<unknown> {
  return new Promise((resolve, reject) => call((error) => (error ? reject(error) : resolve(null))))
}

const WAYS: Record<string, () => Promise<unknown>> = {
  'net by options': () => outcome(net.connect({ host: HOST, port: 443 })),
  'net by port and host': () => outcome(net.connect(443, HOST.toUpperCase())),
  'net to an address': () => outcome(net.connect(443, ELSEWHERE)),
  'net to an IPv6 address': () => outcome(net.connect({ host: '2001:db8::1', port: 443 })),
  'net by a lookup of its own': () =>
    outcome(
      net.connect({
        host: 'some.example',
        port: 443,
        lookup: (_host, _options, done) => done(null, ELSEWHERE, 4),
      }),
    ),
  'new Socket': () => outcome(new net.Socket().connect(443, HOST)),
  tls: () => outcome(tls.connect({ host: HOST, port: 443 })),
  'tls by its named import': () => outcome(namedConnect(443, HOST)),
  'tls for its name, elsewhere': () => outcome(tls.connect({ host: '127.0.0.1', port: 1, servername: HOST })),
  'a server name on a socket': async () =>
    (new tls.TLSSocket(new net.Socket()) as Naming).setServername(HOST),
  https: () => outcome(https.get(`https://${HOST}/`)),
  http: () => outcome(http.get(`http://www1.agenciatributaria.gob.es.${HOST}/`)),
  http2: () => outcome(http2.connect(`https://${HOST}`)),
  fetch: () => fetch(`https://${HOST}/`),
  'fetch of any other': () => fetch('https://example.org/'),
  'dns.lookup': () => called((done) => dns.lookup(HOST, done)),
  'dns.lookup by its named import': () => called((done) => namedLookup(HOST, done)),
  'dns.promises.lookup': () => dns.promises.lookup(HOST),
  'node:dns/promises': () => promisedLookup(HOST),
  'dns.resolve4': () => called((done) => dns.resolve4(HOST, done)),
  'a resolver': () => called((done) => new dns.Resolver().resolveTxt(HOST, done)),
  'a resolver of promises': () => new dns.promises.Resolver().resolve6(HOST),
  udp: () => called((done) => dgram.createSocket('udp4').send('message', 53, ELSEWHERE, done)),
  'udp connect': () =>
    called((done) => void dgram.createSocket('udp4').connect(53, ELSEWHERE, () => done(null))),
}

function isStopped(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.message.startsWith('A test may not leave this computer') || isStopped(error.cause)
}

const ways: Record<string, string> = {}
for (const [name, attempt] of Object.entries(WAYS)) {
  try {
    await attempt()
    ways[name] = 'went through'
  } catch (error) {
    ways[name] = isStopped(error) ? 'stopped' : String(error)
  }
}

// Allowed, because tests need servers of their own.
const server = http.createServer((_request, response) => response.end('here'))
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as net.AddressInfo
const here: string[] = []
for (const host of ['127.0.0.1', 'localhost'])
  here.push(await (await fetch(`http://${host}:${port}/`)).text())
const own = http.get({
  host: 'some.example',
  port,
  lookup: (_host, options, done) =>
    options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4),
})
const [response] = (await once(own, 'response')) as [http.IncomingMessage]
for await (const part of response) here.push(String(part))
process.stdout.write(JSON.stringify({ ways, here, counted: connectsTried() > before }))
process.exit()
