/** An office that people open in a browser: a real server over PostgreSQL with the built page, and their authenticators. */
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { startOfficeServer } from '../../../server/api/office-server/run.ts'
import { DIRECTORY_CALLBACK } from '../../../server/api/office-server/session-cookie.ts'
import type { FirmDirectorySettings } from '../../../server/app/people/index.ts'
import { inviteFromOutside } from '../../../server/app/people/outside.ts'
import { OWNER } from '../../../server/cli/shared.ts'
import type { Book, Mode } from '../../../server/context.ts'
import type { Role } from '../../../server/domain/people.ts'
import { openOfficeOf } from './office.ts'
import type { Office, OfficeServer } from './office.ts'
import { testKey } from './databases.ts'

const UI = resolve(import.meta.dirname, '../../../out/renderer')

interface OfficeWindow {
  office: Office
  /** For what a test does itself: the same database, in this process. */
  server: OfficeServer
  books: Record<Mode, Book>
  url: string
  /** Invites somebody as the operator does; returns the link. */
  invite(email: string, roles: Role[]): Promise<string>
  /** Opens a browser of somebody, with an authenticator. */
  visit(browser: Browser, look?: Look): Promise<Visit>
}

interface Look {
  language?: 'es' | 'en'
  theme?: 'light' | 'dark'
  width?: number
}

/** A browser of somebody, with every complaint of its pages. */
interface Visit {
  context: BrowserContext
  page: Page
  complaints: string[]
  /** Makes the authenticator check who is there, or not. */
  setVerified(isVerified: boolean): Promise<void>
}

/** Refusals that a test provokes are answers, which the browser logs as errors. */
const EXPECTED = /the server responded with a status of (?:401|403|404|409|422|429)/

async function addAuthenticator(
  context: BrowserContext,
  page: Page,
): Promise<(isVerified: boolean) => Promise<void>> {
  const devtools: CDPSession = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return async (isVerified) => {
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: isVerified })
  }
}

/** Returns a port that nobody has now. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return port
}

/**
 * Starts an office with the example company, which ends with the test; with `directoryOf` also with the firm's
 * directory, whose provider gets the address that it sends people back to.
 */
export async function openOfficeWindow({
  directoryOf,
}: {
  directoryOf?: (callback: string) => Promise<FirmDirectorySettings>
} = {}): Promise<OfficeWindow> {
  const office = await openOfficeOf(1)
  const server = office.servers[0]!
  const books = await office.company()
  const port = directoryOf ? await freePort() : 0
  const firmDirectory = await directoryOf?.(`http://localhost:${port}${DIRECTORY_CALLBACK}`)
  const running = await startOfficeServer({
    url: office.database.url,
    masterKey: testKey(),
    connections: 4,
    listen: { host: '127.0.0.1', port },
    publicUrls: [],
    isProxy: () => false,
    metrics: null,
    work: [],
    docsDir: null,
    uiDir: UI,
    firmDirectory,
    logRequests: false,
    drainMs: 0,
    log: (line) => void (line.includes('bug') && console.error(line)),
  })
  onTestFinished(async () => {
    await running.stop()
  })
  // Passkeys need a name: the address of this computer has none.
  const url = `http://localhost:${new URL(running.url ?? '').port}`
  const company = await server.env.store.reader
    .selectFrom('companies')
    .select('public_id')
    .where('id', '=', books.live.companyId)
    .executeTakeFirstOrThrow()
  return {
    office,
    server,
    books,
    url,
    invite: async (email, roles) => {
      const made = await inviteFromOutside(server.env, OWNER, {
        company: company.public_id,
        email,
        roles,
        site: url,
      })
      return made.link
    },
    visit: async (browser, { language = 'es', theme = 'light', width = 1280 } = {}) => {
      const context = await browser.newContext({
        viewport: { width, height: 800 },
        locale: language === 'en' ? 'en-GB' : 'es-ES',
        colorScheme: theme,
        reducedMotion: 'reduce',
        acceptDownloads: true,
      })
      onTestFinished(() => context.close())
      const page = await context.newPage()
      const complaints: string[] = []
      page.on('console', (message) => {
        const isFault = message.type() === 'error' || message.type() === 'warning'
        if (isFault && !EXPECTED.test(message.text())) complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`))
      const setVerified = await addAuthenticator(context, page)
      return { context, page, complaints, setVerified }
    },
  }
}
