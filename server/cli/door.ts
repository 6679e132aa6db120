/**
 * Channel from the command line to a running Sello: a socket in the data folder (a named pipe on Windows). The
 * program that has the books open runs the command. Only users with access to the folder find it. It runs
 * command-line commands only: no operations by name, and therefore no approvals.
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { OpenedSello } from '../api/application.ts'
import { folderOf } from './shared.ts'
import { writeFileWhole } from '../db/embedded/files/atomic-files.ts'
import type { Io, Values } from './shared.ts'

/**
 * Folder of the socket inside that of the books, without access for others whatever the permissions of the outer
 * folder.
 */
const FOLDER = 'cli'
/** Contains the socket's path, which may be elsewhere if the path of the folder is too long. */
const ADDRESS_FILE = 'address'
/** Longest socket path on all systems, in bytes (macOS: 104 including its end). */
const LONGEST_PATH = 100
/** Maximum size of a request, which is one line: names of options and files. */
const REQUEST_BYTES = 256 * 1024
const REQUEST_MS = 10_000
const AT_ONCE = 8

/** A command to run: paths are absolute, and data read from its stdin is included. */
export interface CommandRequest {
  version: 1
  command: string
  values: Values
  stdin: string | null
}

type Line = { say: string } | { answer: string } | { exit: number }

export interface CommandDoor {
  close(): Promise<void>
}

/** Runs a command for a request; returns its exit code. */
type RunRequest = (request: CommandRequest, sello: OpenedSello, io: Io) => Promise<number>

function newAddress(folder: string): { address: string; temporary: string | null } {
  if (process.platform === 'win32')
    return { address: `\\\\.\\pipe\\sello-${randomBytes(16).toString('hex')}`, temporary: null }
  const inFolder = join(folder, 'socket')
  if (Buffer.byteLength(inFolder) <= LONGEST_PATH) return { address: inFolder, temporary: null }
  // Created for this user only, with an unpredictable name.
  const temporary = mkdtempSync(join(tmpdir(), 'sello-'))
  return { address: join(temporary, 'socket'), temporary }
}

async function serve(socket: Socket, sello: OpenedSello, run: RunRequest): Promise<void> {
  socket.setEncoding('utf8')
  socket.setTimeout(REQUEST_MS, () => socket.destroy())
  // If the client disconnects, the command still runs to its end.
  socket.on('error', () => {})
  const reply = (line: Line): void => {
    if (socket.writable) socket.write(`${JSON.stringify(line)}\n`)
  }
  const request = await new Promise<CommandRequest | null>((done) => {
    let text = ''
    socket.on('data', (piece) => {
      text += String(piece)
      const end = text.indexOf('\n')
      if (end < 0 && text.length <= REQUEST_BYTES) return
      socket.removeAllListeners('data')
      done(end < 0 ? null : readRequest(text.slice(0, end)))
    })
    socket.on('close', () => done(null))
  })
  if (!request) {
    socket.destroy()
    return
  }
  socket.setTimeout(0)
  const exit = await run(request, sello, {
    env: {},
    say: (text) => reply({ say: text }),
    answer: (text) => reply({ answer: text }),
    stdin: () => request.stdin ?? '',
    untilStopped: async () => {},
  })
  reply({ exit })
  socket.end()
}

function readRequest(text: string): CommandRequest | null {
  try {
    const request = JSON.parse(text) as CommandRequest
    const isOurs = request.version === 1 && typeof request.command === 'string'
    return isOurs && typeof request.values === 'object' && request.values !== null ? request : null
  } catch {
    return null
  }
}

/** Opens the channel of a running Sello, which `askDoor` finds. Throws the system's errors. */
export async function openDoor(sello: OpenedSello, run: RunRequest): Promise<CommandDoor> {
  const folder = join(resolve(folderOf(sello)), FOLDER)
  // Leftover of a run that was killed; the lock of the books proves that no process listens there.
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { mode: 0o700 })
  chmodSync(folder, 0o700)
  const { address, temporary } = newAddress(folder)
  const open = new Set<Socket>()
  const server: Server = createServer((socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    serve(socket, sello, run).catch((error: unknown) => {
      sello.env.report('command line', error)
      socket.destroy()
    })
  })
  server.maxConnections = AT_ONCE
  await new Promise<void>((done, fail) => {
    server.once('error', fail)
    server.listen(address, done)
  })
  if (process.platform !== 'win32') chmodSync(address, 0o600)
  writeFileWhole(join(folder, ADDRESS_FILE), `${address}\n`)
  return {
    close: async () => {
      for (const socket of open) socket.destroy()
      await new Promise<void>((done) => server.close(() => done()))
      for (const path of [folder, temporary]) if (path) rmSync(path, { recursive: true, force: true })
    },
  }
}

/** Returns the channel's path for a folder; null if there is none. */
function addressIn(dataDir: string): string | null {
  const file = join(resolve(dataDir), FOLDER, ADDRESS_FILE)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null
}

/** Sends a command to the Sello that has the books open. Returns its exit code, or null if none answers. */
export function callRunningSello(dataDir: string, request: CommandRequest, io: Io): Promise<number | null> {
  const address = addressIn(dataDir)
  if (address === null) return Promise.resolve(null)
  return new Promise((done) => {
    const socket = connect(address)
    let isAnswered = false
    let exit: number | null = null
    socket.once('connect', () => {
      socket.write(`${JSON.stringify(request)}\n`)
      createInterface({ input: socket }).on('line', (text) => {
        isAnswered = true
        const line = JSON.parse(text) as Line
        if ('say' in line) io.say(line.say)
        else if ('answer' in line) io.answer(line.answer)
        else exit = line.exit
      })
    })
    socket.on('error', () => {})
    // If the connection breaks during a command its result is unknown, so that it is not run again.
    socket.once('close', () => done(exit ?? (isAnswered ? 1 : null)))
  })
}

/** Resolves the paths of options against the folder in which the command was given. */
export function absolutePaths(values: Values, names: readonly string[]): Values {
  const paths = names.flatMap((name) => {
    const value = values[name]
    return typeof value === 'string' && value !== '' && value !== '-' ? [[name, resolve(value)]] : []
  })
  return { ...values, ...(Object.fromEntries(paths) as Values) }
}
