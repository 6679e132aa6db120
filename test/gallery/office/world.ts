/** An office for pictures: a real server over PostgreSQL with the built page, and its people, each with a browser. */
import { resolve } from 'node:path'
import type { Browser } from 'playwright-core'
import { startOfficeServer } from '../../../server/api/office-server/run.ts'
import { inviteFromOutside } from '../../../server/app/people/index.ts'
import { OWNER } from '../../../server/cli/shared.ts'
import type { Book, Mode } from '../../../server/context.ts'
import { watchPage } from '../../support/browser/browser.ts'
import type { Look, WatchedPage } from '../../support/browser/browser.ts'
import { openIdentityProvider } from '../../support/people/identity-provider.ts'
import {
  giveBackDatabase,
  hasServer,
  startTestServer,
  takeDatabase,
  testKey,
} from '../../support/postgres/databases.ts'
import { Office, SITE } from '../../support/postgres/office.ts'
import type { OfficeServer } from '../../support/postgres/office.ts'
import type { Visitor } from '../../support/postgres/visitor.ts'
import { furnishOffice } from './books.ts'
import type { World } from '../worlds.ts'

const UI = resolve(import.meta.dirname, '../../../out/renderer')
const LOOK_MS = 250

/** Who is signed in, by first name. */
export type PersonName = 'ana' | 'luis' | 'eva' | 'marta' | 'oscar' | 'nora'

export interface OfficeOfWorld {
  /** For what a state does itself: the same database, in this process. */
  server: OfficeServer
  books: Record<Mode, Book>
  people: Readonly<Record<PersonName, Visitor>>
  url: string
  /** Opens a browser of somebody who is signed in, with their passkey; of nobody for null. */
  open(browser: Browser, look: Look, who: PersonName | null): Promise<WatchedPage>
  /** Returns a new link with which somebody joins the company. */
  invite(email: string): Promise<string>
}

/** The refusal to somebody who is not signed in is how the page learns that: browsers log every refusal. */
const EXPECTED = /the server responded with a status of 401/

/** A passkey as Chromium's authenticator has it; without a person at it, it waits. */
async function addPasskey({ context, page }: WatchedPage, visitor: Visitor, personId: string): Promise<void> {
  const devtools = await context.newCDPSession(page)
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
  const credential = visitor.passkey.exported('localhost', personId)
  // Of several browsers, each begins after what the server has seen.
  await devtools.send('WebAuthn.addCredential', {
    authenticatorId,
    credential: { ...credential, signCount: Math.floor(Date.now() / 1_000) },
  })
}

/** Opens the office with its people and 60 companies. Throws where there is no PostgreSQL. */
export async function openOfficeWorld(): Promise<World> {
  const cluster = hasServer() ? null : await startTestServer()
  if (!cluster && !hasServer()) throw new Error('An office needs PostgreSQL: install it.')
  const office = new Office(await takeDatabase())
  const ends: (() => Promise<unknown>)[] = []
  const stop = async (): Promise<void> => {
    for (const end of ends.toReversed()) await end()
    await Promise.all(office.servers.map((server) => server.close()))
    await giveBackDatabase({ ...office.database, spoiled: true })
    await cluster?.stop()
  }
  try {
    const server = await office.start()
    // Nobody signs in there in a picture: only its button is shown.
    const provider = await openIdentityProvider('http://localhost/nowhere')
    ends.push(() => provider.stop())
    const running = await startOfficeServer({
      url: office.database.url,
      masterKey: testKey(),
      connections: 4,
      listen: { host: '127.0.0.1', port: 0 },
      publicUrls: [],
      isProxy: () => false,
      metrics: null,
      work: ['bulk'],
      docsDir: null,
      uiDir: UI,
      firmDirectory: {
        issuer: provider.issuer,
        clientId: provider.clientId,
        clientSecret: provider.clientSecret,
        name: 'Asesoría Moncayo',
        groupsClaim: 'groups',
        linkByEmail: false,
        allowInsecure: true,
      },
      logRequests: false,
      drainMs: 0,
      log: (line) => void (line.includes('bug') && console.error(line)),
    })
    ends.push(() => running.stop())
    // Passkeys need a name: the address of this computer has none.
    const url = `http://localhost:${new URL(running.url ?? '').port}`
    const { books, people, ids, personIds, company } = await furnishOffice(office)
    const open: OfficeOfWorld['open'] = async (browser, look, who) => {
      const { language = 'es', theme = 'light', width = 1280, height = 800 } = look
      const context = await browser.newContext({
        viewport: { width, height },
        locale: language === 'en' ? 'en-GB' : 'es-ES',
        colorScheme: theme,
        reducedMotion: 'reduce',
      })
      const page = await context.newPage()
      const complaints = watchPage(page, url)
      const watched = { page, context, complaints }
      if (who) {
        const visitor = people[who]
        // Whoever is in no company has no book.
        const book = who === 'nora' ? {} : { activeBook: ids.book ?? '' }
        await visitor.run('session.savePreferences', { language, theme, ...book }, null)
        await context.addCookies([
          { name: 'sello', value: visitor.cookie ?? '', url, httpOnly: true, sameSite: 'Strict' },
        ])
        await addPasskey(watched, visitor, personIds[who])
      }
      await page.goto(url)
      await page.locator('h1').first().waitFor()
      await page.waitForTimeout(LOOK_MS)
      complaints.splice(0, complaints.length, ...complaints.filter((text) => !EXPECTED.test(text)))
      return watched
    }
    return {
      app: { url, pid: process.pid, uiUrl: url, folder: '', end: stop, stop },
      books: null,
      ids,
      office: {
        server,
        books,
        people,
        url,
        open,
        invite: async (email) => {
          const [site] = SITE.origins
          const { link } = await inviteFromOutside(server.env, OWNER, {
            company,
            email,
            roles: ['sales'],
            site,
          })
          return link.replace(site, url)
        },
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}
