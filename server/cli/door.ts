/**
 * The way from the command line to a Sello that is running: a socket in the data folder (a named pipe on Windows), through
 * which a command is run by the program that has the books open. Only who may enter the folder finds it. It runs the
 * commands of the command line and nothing else: no operation by name, and so no approval.
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { OpenedSello } from '../api/application.ts'
import { writeFileWhole } from '../db/files/atomic-files.ts'
import type { Io, Values } from './shared.ts'

/** Folder of the socket, within that of the books, closed to others whatever the folder around it is. */
const FOLDER = 'cli'
/** Names the socket: it may lie elsewhere where the path of the folder is too long for one. */
const ADDRESS_FILE = 'address'
/** Longest path that every system takes for a socket, in bytes (macOS: 104 with its end). */
const LONGEST_PATH = 100
/** A request is one line: names of options and files. */
const REQUEST_BYTES = 256 * 1024
const REQUEST_MS = 10_000
const AT_ONCE = 8

/** What a command line asks to be run: paths are whole, what it read from its own stdin goes along. */
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

/** Runs a command for a request; answers its exit code. */
export type RunRequest = (request: CommandRequest, sello: OpenedSello, io: Io) => Promise<number>

function newAddress(folder: string): { address: string; temporary: string | null } {
  if (process.platform === 'win32')
    return { address: `\\\\.\\pipe\\sello-${randomBytes(16).toString('hex')}`, temporary: null }
  const inFolder = join(folder, 'socket')
  if (Buffer.byteLength(inFolder) <= LONGEST_PATH) return { address: inFolder, temporary: null }
  // Made for this user alone, with a name that nobody foresees.
  const temporary = mkdtempSync(join(tmpdir(), 'sello-'))
  return { address: join(temporary, 'socket'), temporary }
}

async function serve(socket: Socket, sello: OpenedSello, run: RunRequest): Promise<void> {
  socket.setEncoding('utf8')
  socket.setTimeout(REQUEST_MS, () => socket.destroy())
  // Whoever hung up hears no more of a command, which runs to its end.
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

/** Opens the door of a running Sello; it is found by `askDoor`. Throws what the system says. */
export async function openDoor(sello: OpenedSello, run: RunRequest): Promise<CommandDoor> {
  const folder = join(resolve(sello.env.store.folder), FOLDER)
  // Left by a run that was killed; the lock of the books says that nobody listens there.
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

/** The address of the running Sello of a folder; null when none left one. */
function addressIn(dataDir: string): string | null {
  const file = join(resolve(dataDir), FOLDER, ADDRESS_FILE)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null
}

/** Has a command run by the Sello that has the books open. Answers its exit code, or null when none answers. */
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
    // Cut off in the middle: what became of the command is not known, so it is not run again.
    socket.once('close', () => done(exit ?? (isAnswered ? 1 : null)))
  })
}

/** Where paths of options lead from the folder that a command was given in. */
export function absolutePaths(values: Values, names: readonly string[]): Values {
  const paths = names.flatMap((name) => {
    const value = values[name]
    return typeof value === 'string' && value !== '' && value !== '-' ? [[name, resolve(value)]] : []
  })
  return { ...values, ...(Object.fromEntries(paths) as Values) }
}
