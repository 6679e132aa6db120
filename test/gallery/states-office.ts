/** Buying, the registry, taxes, connections and settings: their dialogs, and what they say when something is not right. */
import type { Page } from 'playwright-core'
import type { GalleryState, Stage } from './states.ts'

const at = (path: string) => () => path
const dialog = (page: Page) => page.getByRole('dialog').first().waitFor()
const click =
  (word: string) =>
  async ({ page, say }: Stage): Promise<void> =>
    page
      .getByRole('button', { name: say(word) })
      .first()
      .click()
const clickTo =
  (word: string) =>
  async (stage: Stage): Promise<void> => {
    await click(word)(stage)
    await dialog(stage.page)
  }

/** The page again, with an answer of the server changed on its way. */
async function withAnswer(
  { page }: Stage,
  operation: string,
  change: (data: Record<string, unknown>) => void,
): Promise<void> {
  await page.route(`**/app/call/${operation}`, async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { data: Record<string, unknown> }
    change(body.data)
    await route.fulfill({ response, json: body })
  })
  await page.reload()
  await page.locator('h1').first().waitFor()
}

const HOUR_MS = 3_600_000
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString()

const REGISTRY: Readonly<Record<string, (data: Record<string, unknown>) => void>> = {
  down: (data) => {
    data.service = { status: 'down', checkedAt: ago(60_000) }
    data.queue = {
      pending: 3,
      oldestPendingAt: ago(2 * HOUR_MS),
      nextAttemptAt: ago(-600_000),
      stopped: false,
    }
  },
  stopped: (data) => {
    data.queue = { pending: 12, oldestPendingAt: ago(30 * HOUR_MS), stopped: true }
  },
  clock: (data) => {
    data.clock = { skewSeconds: -4_210, checkedAt: ago(60_000) }
    data.attention = [
      { code: 'clock_wrong', message: '', fix: '', action: 'clock', params: { seconds: -4_210 } },
    ]
  },
  expired: (data) => {
    data.simulated = false
    data.certificate = {
      ...(data.certificate as object),
      status: 'expired',
      expiresOn: '2026-11-01',
      daysLeft: -20,
    }
    data.attention = [{ code: 'certificate_expired', message: '', fix: '', action: 'certificate' }]
  },
  broken: (data) => {
    data.chain = { ...(data.chain as object), ok: false }
  },
}

const PERSON = '/privacy/person'

export const officeStates: readonly GalleryState[] = [
  {
    name: 'settings-mail-server',
    world: 'everyday',
    path: at('/settings/mail'),
    act: async ({ page, say }) => {
      await page.getByText(say('mail.account.smtp'), { exact: true }).click()
      await page.getByRole('button', { name: /^(?:Servidor|Server): / }).click()
    },
  },
  {
    name: 'received-faults',
    world: 'everyday',
    path: at('/received/new'),
    expected: /status of 422/,
    act: async ({ page }) => {
      await page.locator('#received-supplier').waitFor()
      await page.keyboard.press('Control+s')
      await page.waitForTimeout(300)
    },
  },
  {
    name: 'received-more',
    world: 'everyday',
    path: at('/received/new'),
    act: async (stage) => {
      await click('received.addLine')(stage)
      await click('received.more')(stage)
    },
  },
  ...Object.entries(REGISTRY).map(([name, change]): GalleryState => ({
    name: `registry-${name}`,
    world: 'everyday',
    path: at('/registry'),
    act: (stage) => withAnswer(stage, 'registry.status', change),
  })),
  {
    name: 'registry-record',
    world: 'everyday',
    path: at('/registry'),
    act: async ({ page }) => {
      await page.locator('tbody button').first().click()
      await page.waitForTimeout(400)
    },
  },
  {
    name: 'registry-installation',
    world: 'everyday',
    path: at('/registry'),
    act: clickTo('registryPage.installation.new'),
  },
  {
    name: 'registry-export',
    world: 'everyday',
    path: at('/registry'),
    act: clickTo('registryPage.export.action'),
  },
  {
    name: 'registry-pack',
    world: 'everyday',
    path: at('/registry'),
    act: clickTo('pack.action'),
  },
  {
    name: 'tax-filing',
    world: 'everyday',
    path: at('/taxes/2026-3T/303'),
    act: clickTo('taxes.filing.mark'),
  },
  { name: 'tax-profile', world: 'everyday', path: at('/taxes'), act: clickTo('taxes.profile.title') },
  {
    name: 'tax-wages',
    world: 'everyday',
    path: at('/taxes/2026-4T/190'),
    act: clickTo('taxes.wages.open'),
  },
  ...['115', '347', '390', '180'].map((model): GalleryState => ({
    name: `tax-${model}`,
    world: 'everyday',
    path: at(`/taxes/2026-4T/${model}`),
  })),
  {
    name: 'tax-documents',
    world: 'everyday',
    path: at('/taxes/2026-4T/303'),
    act: async ({ page }) => {
      await page.locator('button.text-primary.tabular-nums').first().click()
      await dialog(page)
    },
  },
  { name: 'keys-new', world: 'everyday', path: at('/connect/keys'), act: clickTo('connect.keys.new') },
  {
    name: 'keys-new-custom',
    world: 'everyday',
    path: at('/connect/keys'),
    act: async (stage) => {
      await clickTo('connect.keys.new')(stage)
      await stage.page.getByText(stage.say('connect.keys.preset.custom')).click()
    },
  },
  {
    name: 'keys-secret',
    world: 'everyday',
    path: at('/connect/keys'),
    act: async (stage) => {
      await clickTo('connect.keys.new')(stage)
      await stage.page.locator('#key-name').fill(`Programa de almacén ${Date.now()}`)
      await click('connect.keys.create')(stage)
      await stage.page.getByText(stage.say('connect.keys.secretWarning')).first().waitFor()
    },
  },
  {
    name: 'settings-privacy-found',
    world: 'everyday',
    path: at('/settings/privacy'),
    act: async ({ page }) => {
      await page.locator('#privacy-search').fill('an')
      await page.waitForTimeout(600)
    },
  },
  {
    name: 'privacy-person',
    world: 'everyday',
    path: at('/settings/privacy'),
    act: async ({ page }) => {
      await page.locator('#privacy-search').fill('lvaro')
      await page.locator(`a[href^="${PERSON}"]`).first().click()
      await page.waitForURL((url) => url.pathname === PERSON)
    },
  },
  {
    name: 'privacy-erase',
    world: 'everyday',
    path: at('/settings/privacy'),
    act: async (stage) => {
      await stage.page.locator('#privacy-search').fill('lvaro')
      await stage.page.locator(`a[href^="${PERSON}"]`).first().click()
      await clickTo('privacy.erase.open')(stage)
    },
  },
  {
    name: 'settings-series-new',
    world: 'everyday',
    path: at('/settings/series'),
    act: click('seriesPage.add'),
  },
  ...(
    [
      ['ending', { status: 'expiring', daysLeft: 12 }],
      ['ended', { status: 'expired', daysLeft: -20 }],
    ] as const
  ).map(([name, changes]): GalleryState => ({
    name: `settings-certificate-${name}`,
    world: 'everyday',
    path: at('/settings/certificate'),
    act: (stage) =>
      withAnswer(stage, 'certificates.get', (data) => {
        Object.assign((data.certificate as object | null) ?? data, changes)
      }),
  })),
  {
    name: 'settings-certificate-import',
    world: 'everyday',
    path: at('/settings/certificate'),
    act: click('settings.certificate.replace'),
  },
  {
    name: 'settings-certificate-remove',
    world: 'everyday',
    path: at('/settings/certificate'),
    act: clickTo('settings.certificate.remove'),
  },
  {
    name: 'settings-company-leave',
    world: 'everyday',
    path: at('/settings'),
    act: click('leaving.open'),
  },
  {
    name: 'settings-company-end',
    world: 'everyday',
    path: at('/settings'),
    act: async ({ page }) => {
      await page
        .locator('main [role="region"]')
        .last()
        .evaluate((box) => box.scrollTo(0, box.scrollHeight))
    },
  },
]
