/**
 * A released Firefox through WebDriver BiDi (https://w3c.github.io/webdriver-bidi/), reduced to the needs of one
 * page. Playwright uses builds of its own, and sends commands that a released Firefox does not know.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { tool } from '../tools.ts'

interface Firefox {
  /** Every requested address, and the console output. */
  asked: string[]
  complaints: string[]
  /** Opens an address and waits until it is loaded. */
  open(url: string): Promise<void>
  /** Chooses a file in an input of the page. */
  choose(selector: string, file: string): Promise<void>
  /** Evaluates an expression and awaits its promise. Throws its errors. */
  evaluate<T>(expression: string): Promise<T>
  stop(): Promise<void>
}

interface Message {
  id?: number
  type: 'success' | 'error' | 'event'
  method?: string
  message?: string
  result?: unknown
  params?: { request?: { url: string }; text?: string }
}

/** Disables all requests and telemetry of the browser itself. */
const preferences = (locale: string): Record<string, string | boolean | number> => ({
  'intl.accept_languages': locale,
  'app.normandy.enabled': false,
  'app.update.auto': false,
  'browser.safebrowsing.update.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'toolkit.telemetry.enabled': false,
})

/** Starts it with a separate profile, in the given language. */
export async function startFirefox(locale: string): Promise<Firefox> {
  const program = tool('firefox')
  if (!program) throw new Error('Firefox is not there: skip the test with needs().')
  const profile = mkdtempSync(join(tmpdir(), 'sello-firefox-'))
  const lines = Object.entries(preferences(locale)).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  )
  writeFileSync(join(profile, 'user.js'), lines.join(''))
  const child = spawn(
    program,
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'],
    // Its home is the profile: no files of the user who runs the tests are read or written.
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, HOME: profile, MOZ_CRASHREPORTER_DISABLE: '1' },
    },
  )
  const ended = once(child, 'exit')
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
    rmSync(profile, { recursive: true, force: true })
  }
  try {
    return await connect(await addressOf(child.stderr), stop)
  } catch (error) {
    await stop()
    throw error
  }
}

async function addressOf(stderr: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stderr })) {
    const [, address] = /WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? []
    if (address) {
      stderr.resume()
      return address
    }
  }
  throw new Error('Firefox ended before it listened.')
}

async function connect(address: string, stop: () => Promise<void>): Promise<Firefox> {
  const socket = new WebSocket(`${address}/session`)
  await once(socket, 'open')
  const asked: string[] = []
  const complaints: string[] = []
  const waiting = new Map<number, (message: Message) => void>()
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    if (message.id !== undefined) waiting.get(message.id)?.(message)
    else if (message.method === 'network.beforeRequestSent') asked.push(message.params?.request?.url ?? '')
    else if (message.method === 'log.entryAdded') complaints.push(message.params?.text ?? '')
  })
  let sent = 0
  const send = async <T>(method: string, params: object): Promise<T> => {
    const id = (sent += 1)
    const answer = new Promise<Message>((resolve) => waiting.set(id, resolve))
    socket.send(JSON.stringify({ id, method, params }))
    const { type, message, result } = await answer
    waiting.delete(id)
    if (type === 'error') throw new Error(`${method}: ${message}`)
    return result as T
  }
  await send('session.new', { capabilities: {} })
  await send('session.subscribe', { events: ['network.beforeRequestSent', 'log.entryAdded'] })
  const { contexts } = await send<{ contexts: { context: string }[] }>('browsingContext.getTree', {})
  const { context } = contexts[0]!
  return {
    asked,
    complaints,
    stop,
    async open(url) {
      await send('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    async choose(selector, file) {
      const { nodes } = await send<{ nodes: { sharedId: string }[] }>('browsingContext.locateNodes', {
        context,
        locator: { type: 'css', value: selector },
      })
      if (!nodes[0]) throw new Error(`Nothing on the page is ${selector}.`)
      await send('input.setFiles', { context, element: { sharedId: nodes[0].sharedId }, files: [file] })
    },
    async evaluate<T>(expression: string): Promise<T> {
      const asJson = `Promise.resolve(${expression}).then((value) => JSON.stringify(value))`
      const answer = await send<{ result?: { value: string }; exceptionDetails?: { text: string } }>(
        'script.evaluate',
        { expression: asJson, target: { context }, awaitPromise: true },
      )
      if (!answer.result) throw new Error(answer.exceptionDetails?.text)
      return JSON.parse(answer.result.value) as T
    },
  }
}
