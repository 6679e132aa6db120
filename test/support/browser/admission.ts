/**
 * Admission of tests to the window of a server in its own process: its link works once, so that each app has one
 * admission.
 */
import type { BrowserContext } from 'playwright-core'

/** The output of a served app. */
interface Entered {
  url: string
  uiUrl: string
}

interface Admission {
  pass: string
  cookie: { name: string; value: string }
  /** Credentials of a request to the window's API. */
  headers: { authorization: string; cookie: string }
}

const admissions = new Map<string, Promise<Admission>>()

async function enter({ url, uiUrl }: Entered): Promise<Admission> {
  const link = new URL(uiUrl).hash.replace('#link=', '')
  const answer = await fetch(`${url}/app/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ link }),
  })
  const [pair = ''] = (answer.headers.get('set-cookie') ?? '').split(';')
  const [name = '', value = ''] = pair.split('=')
  if (answer.status !== 200) throw new Error(`The link lets nobody in: ${answer.status}.`)
  const { pass } = ((await answer.json()) as { data: { pass: string } }).data
  return { pass, cookie: { name, value }, headers: { authorization: `Bearer ${pass}`, cookie: pair } }
}

/** Uses the link of an app at the first call. */
export function admissionOf(app: Entered): Promise<Admission> {
  const known = admissions.get(app.uiUrl)
  if (known) return known
  const admission = enter(app)
  admissions.set(app.uiUrl, admission)
  return admission
}

/** Gives a browser profile the session's cookie. */
export async function giveCookie(app: Entered, context: BrowserContext): Promise<void> {
  const { cookie } = await admissionOf(app)
  await context.addCookies([
    { ...cookie, domain: '127.0.0.1', path: '/app', httpOnly: true, sameSite: 'Strict' },
  ])
}

/** Lets every page of a browser into an app, those that are open too. */
export async function letIn(app: Entered, context: BrowserContext): Promise<void> {
  await giveCookie(app, context)
  const { pass } = await admissionOf(app)
  const keep = ([origin, kept]: [string, string]): void => {
    if (location.origin === origin) localStorage.setItem('sello.pass', kept)
  }
  const given: [string, string] = [new URL(app.url).origin, pass]
  await context.addInitScript(keep, given)
  for (const page of context.pages()) await page.evaluate(keep, given)
}
