/** Commands that run the server: for programs, for a person's browser, or as a unit of the service manager. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { OpenedSello, StartOptions } from '../api/application.ts'
import { writeFileWhole } from '../db/embedded/files/atomic-files.ts'
import type { CommandDoor } from './door.ts'
import { LEAD_LIVES_MS, openPage } from './open-page.ts'
import { optionFault, portOf, text } from './shared.ts'
import { uiFolder } from './ui-folder.ts'
import type { Command, Io, Settings, Values } from './shared.ts'

type OpenDoor = (sello: OpenedSello) => Promise<CommandDoor>

/** Opening books of an earlier version upgrades them first, which takes minutes for very large ones. */
const UNIT_STARTS_WITHIN_MS = 180_000
const UNIT_POLL_MS = 200

function startOptions(values: Values, settings: Settings, io: Io): StartOptions {
  const named = text(values, 'port') ?? (io.env.SELLO_PORT || undefined)
  const port = portOf(named)
  // The compile cache is inside the data folder, which only this user can access.
  if (existsSync(settings.dataDir)) enableCompileCache(join(settings.dataDir, 'cache'))
  const namedPort = named === undefined ? undefined : port
  const mayOnlyRead = values['read-only'] === true
  return { ...settings, port, namedPort, uiDir: uiFolder(), log: io.say, mayOnlyRead }
}

/** Where the page's address goes: to the person's browser, into a file, or only to the output. */
type Hand = { browser: true } | { file: string } | null

/** Serves a person's browser: uses an already running Sello, and shows a fault that prevents opening the books. */
async function serveWindow(
  { values, settings, io, openDoor }: { values: Values; settings: Settings; io: Io; openDoor: OpenDoor },
  hand: Hand,
): Promise<{ answer?: unknown }> {
  const isNamed = Boolean(text(values, 'data') ?? io.env.SELLO_DATA)
  const options = startOptions(values, settings, io)
  const { addressOfOther, startSelloWithRecovery } = await import('../api/application.ts')
  const other = await addressOfOther(options.dataDir)
  if (other) {
    io.say(`Sello was open already, at ${other.uiUrl}`)
    if (hand && 'browser' in hand) openPage(other.uiUrl)
    return { answer: { ...other, alreadyOpen: true } }
  }
  let quit = (): void => {}
  const quitting = new Promise<void>((resolve) => (quit = resolve))
  const create = isNamed ? ('in_folder' as const) : true
  const running = await startSelloWithRecovery({ ...options, create, shareWindow: true, quit, openDoor })
  const { url, uiUrl, mcpUrl, port } = running
  if (options.port !== 0 && port !== options.port) io.say(`Port ${options.port} is taken; using ${port}.`)
  const trouble = running.trouble()
  if (trouble) io.say(`The books cannot be opened (${trouble.kind}): the page explains what to do.`)
  const linkFile = hand && 'file' in hand ? hand.file : null
  if (linkFile !== null) {
    const { LINK_LIVES_MS } = await import('../api/window/sessions.ts')
    writeFileWhole(linkFile, `${uiUrl}\n`)
    setTimeout(() => rmSync(linkFile, { force: true }), LINK_LIVES_MS).unref()
  } else io.say(`Sello is open. This link works once: ${uiUrl}\nStop it with Ctrl+C.`)
  io.answer(
    JSON.stringify({
      url,
      // What a service prints is stored in a log that others may read.
      uiUrl: linkFile === null ? uiUrl : `${url}/`,
      mcpUrl,
      pid: process.pid,
      ...(trouble ? { trouble: trouble.kind } : {}),
    }),
  )
  if (hand && 'browser' in hand) openPage(uiUrl)
  await Promise.race([io.untilStopped(), quitting])
  if (linkFile !== null) rmSync(linkFile, { force: true })
  await running.close()
  return {}
}

const runUserManager = (...argv: string[]): boolean =>
  spawnSync('systemctl', ['--user', ...argv], { stdio: 'ignore' }).status === 0

/** The file in which the unit of this user leaves the page's address; null without a folder for such files. */
const unitLinkFile = (io: Io): string | null =>
  io.env.XDG_RUNTIME_DIR ? join(io.env.XDG_RUNTIME_DIR, 'sello', 'link') : null

/**
 * Opens the page of a unit of this user's service manager, with the link that it left at its start; starts the unit if
 * Sello does not run. Returns null if there is no such manager, unit or link, or if the unit ends before it answers.
 */
async function openThroughUnit(
  unit: string,
  settings: Settings,
  io: Io,
): Promise<{ answer: unknown } | null> {
  const linkFile = unitLinkFile(io)
  if (linkFile === null) return null
  const { addressOfOther } = await import('../api/application.ts')
  if (!(await addressOfOther(settings.dataDir))) {
    // Of a server that was killed.
    rmSync(linkFile, { force: true })
    if (!runUserManager('start', unit)) return null
    const deadline = Date.now() + UNIT_STARTS_WITHIN_MS
    while (!existsSync(linkFile)) {
      if (Date.now() > deadline || !runUserManager('is-active', '--quiet', unit)) return null
      await pause(UNIT_POLL_MS)
    }
  } else if (!existsSync(linkFile)) return null
  const address = readFileSync(linkFile, 'utf8').trim()
  rmSync(linkFile, { force: true })
  openPage(address)
  io.say(`Sello is open, as ${unit} of this user.`)
  // The browser reads the address from a file that is deleted when this process ends.
  const stopped = new AbortController()
  await Promise.race([
    pause(LEAD_LIVES_MS, undefined, { signal: stopped.signal }).catch(() => {}),
    io.untilStopped(),
  ])
  stopped.abort()
  return { answer: { unit } }
}

/** Returns the commands that run a server; `openDoor` opens its channel for other command lines. */
export function serveCommands(openDoor: OpenDoor): Readonly<Record<'serve' | 'open', Command>> {
  return {
    serve: {
      usage: 'serve [--port N] [--window [--link-file FILE]] [--read-only]',
      about:
        'Run the server on this computer until it is stopped. With --window for a person: the page shows why the books cannot be opened, and a second start uses the running server. With --link-file, the link that admits a browser is written to that file instead of the output. With --read-only, books on read-only media open too: nothing in them is changed or sent.',
      options: {
        port: { type: 'string' },
        window: { type: 'boolean' },
        'link-file': { type: 'string' },
        'read-only': { type: 'boolean' },
      },
      async run(values, settings, io) {
        const linkFile = text(values, 'link-file')
        if (values.window === true)
          return serveWindow(
            { values, settings, io, openDoor },
            linkFile === undefined ? null : { file: linkFile },
          )
        if (linkFile !== undefined) throw optionFault('link-file', '--link-file needs --window.')
        const options = startOptions(values, settings, io)
        const { startSello } = await import('../api/application.ts')
        const running = await startSello({ ...options, openDoor })
        const { url, uiUrl, mcpUrl, port } = running
        if (options.port !== 0 && port !== options.port)
          io.say(`Port ${options.port} is taken; using ${port}.`)
        io.answer(JSON.stringify({ url, uiUrl, mcpUrl, pid: process.pid }))
        await io.untilStopped()
        await running.close()
        return {}
      },
    },
    open: {
      usage: 'open [--port N] [--read-only] [--unit NAME.service]',
      about:
        'Open the page in the browser. Starts the server if it does not run, and then runs until it is stopped; with --unit it starts that unit of the service manager of this user instead, if there is one.',
      options: {
        port: { type: 'string' },
        'read-only': { type: 'boolean' },
        unit: { type: 'string' },
      },
      async run(values, settings, io) {
        const unit = text(values, 'unit')
        if (unit !== undefined && !/^[\w@.:-]+\.service$/.test(unit))
          throw optionFault('unit', 'Name a unit such as sello.service.')
        return (
          (unit === undefined ? null : await openThroughUnit(unit, settings, io)) ??
          serveWindow({ values, settings, io, openDoor }, { browser: true })
        )
      },
    },
  }
}
