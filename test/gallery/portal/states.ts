/** The portal of public bodies on an invoice, in the settings and on a contact; the journey of an invoice and its answers. */
import { refused, statesOf } from '../answering.ts'
import type { GalleryState, Stage } from '../states.ts'
import {
  HISTORY,
  IMPORTED,
  JOURNEY_PAID,
  JOURNEY_REJECTED,
  LIVE_SETTINGS,
  LOST,
  NEW_SETTINGS,
  NO_REPLIES,
  offer,
  REJECTED,
  REPLIES,
  submission,
  UNITS_FOUND,
  WAITING,
} from './answers.ts'

const portal = statesOf('portal', '/connect/keys')
const journey = statesOf('journey', '/connect/keys')
const ofInvoice = ({ invoice }: Readonly<Record<string, string>>): string => `/invoices/${invoice}`
const ofContact = ({ contact }: Readonly<Record<string, string>>): string => `/contacts/${contact}`

const dialog = ({ page }: Stage) => page.getByRole('dialog').first().waitFor()
const press = ({ page, say }: Stage, key: string) =>
  page
    .getByRole('button', { name: say(key), exact: true })
    .first()
    .click()
/** Scrolls to the panel, because the picture shows the window. */
const panel = async ({ page, say }: Stage): Promise<void> => {
  const region = page.getByRole('region', { name: say('portal.title'), exact: true })
  await region.waitFor()
  await region.evaluate((element) => element.scrollIntoView({ block: 'start' }))
}
const steps = async ({ page }: Stage): Promise<void> => {
  const section = page.locator('[aria-labelledby="invoice-journey"]')
  await section.waitFor()
  await section.evaluate((element) => element.scrollIntoView({ block: 'start' }))
}
const ofSubmissions = (...submissions: ReturnType<typeof submission>[]) => ({
  'portal.ofInvoice': offer({ submissions }),
})

export const portalStates: readonly GalleryState[] = [
  portal('ready', { 'portal.ofInvoice': offer() }, ofInvoice, panel),
  portal('ask', { 'portal.ofInvoice': offer() }, ofInvoice, async (stage) => {
    await panel(stage)
    await press(stage, 'portal.submit')
    await dialog(stage)
  }),
  portal(
    'missing',
    {
      'portal.ofInvoice': offer({
        whyNot: ['email_missing', 'live_off', 'no_certificate', 'format'],
        formatFault: 'customer_address_incomplete',
      }),
    },
    ofInvoice,
    panel,
  ),
  portal('waiting', ofSubmissions(WAITING), ofInvoice, panel),
  portal('lost', ofSubmissions(LOST), ofInvoice, panel),
  portal('lost-ask', ofSubmissions(LOST), ofInvoice, async (stage) => {
    await panel(stage)
    await press(stage, 'portal.settle.action')
    await dialog(stage)
  }),
  portal('registered', ofSubmissions(submission()), ofInvoice, panel),
  portal(
    'cancel',
    {
      ...ofSubmissions(submission()),
      'portal.cancel': refused(409, 'portal_wrong_state', {}),
    },
    ofInvoice,
    async (stage) => {
      await panel(stage)
      await press(stage, 'portal.cancel.action')
      await dialog(stage)
      await stage.page.getByLabel(stage.say('portal.cancel.reason')).fill('Importe equivocado')
      await stage.page
        .getByRole('dialog')
        .getByRole('button', { name: stage.say('portal.cancel.action') })
        .click()
      await stage.page.getByRole('dialog').getByRole('alert').waitFor()
    },
    { expected: /status of 409/ },
  ),
  portal('history', ofSubmissions(...HISTORY), ofInvoice, panel),
  portal('rejected', ofSubmissions(REJECTED), ofInvoice, panel),
  portal(
    'simulated',
    {
      'portal.ofInvoice': offer({
        environment: 'simulator',
        submissions: [submission({ environment: 'simulator' })],
      }),
    },
    ofInvoice,
    panel,
  ),
  portal('settings-new', { 'portal.settings': NEW_SETTINGS }, '/settings/portal'),
  portal('settings-live', { 'portal.settings': LIVE_SETTINGS }, '/settings/portal'),
  portal(
    'settings-read',
    { 'portal.settings': LIVE_SETTINGS, 'portal.importDirectory': IMPORTED },
    '/settings/portal',
    async ({ page }) => {
      await page.locator('input[type="file"]').setInputFiles({
        name: 'unidades.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from('a;b'),
      })
      await page.locator('[role="status"] li').first().waitFor()
    },
  ),
  portal('units', { 'portal.units': UNITS_FOUND }, ofContact, async ({ page, say }) => {
    const search = page.getByLabel(say('portal.units.search'))
    await search.fill('madrid')
    await page.getByRole('list', { name: say('portal.units.found') }).waitFor()
    await search.evaluate((element) => element.scrollIntoView({ block: 'start' }))
  }),
  journey('none', { 'replies.list': NO_REPLIES }, ofInvoice, steps),
  journey('paid', { 'invoices.journey': JOURNEY_PAID, 'replies.list': REPLIES }, ofInvoice, async (stage) => {
    await steps(stage)
    await stage.page.locator('[aria-labelledby="invoice-journey"] summary').first().click()
  }),
  journey('rejected', { 'invoices.journey': JOURNEY_REJECTED, 'replies.list': NO_REPLIES }, ofInvoice, steps),
  journey(
    'take',
    {
      'invoices.journey': JOURNEY_REJECTED,
      'replies.list': REPLIES,
      'replies.take': refused(422, 'reply_code_missing', {}),
    },
    ofInvoice,
    async (stage) => {
      await steps(stage)
      await press(stage, 'journey.reply.take')
      await stage.page.locator('#reply-text').fill('Hola')
      await press(stage, 'journey.reply.takeIn')
      await stage.page
        .locator('#reply-text')
        .evaluate((element) => element.scrollIntoView({ block: 'center' }))
    },
    { expected: /status of 422/ },
  ),
]
