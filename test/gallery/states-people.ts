/** An office: its door, its team, what several people see of each other, and the companies of an adviser. */
import type { Page } from 'playwright-core'
import { visit } from '../support/browser/browser.ts'
import type { GalleryState, Stage } from './states.ts'
import type { OfficeOfWorld, PersonName } from './office/world.ts'

export const PASSWORD = 'grava-tejado-nube-siete'
/** What the browser logs of refusals that a state is about. */
const REFUSED = /status of 4\d\d/

type Act = (stage: Stage) => Promise<unknown>
const at = (path: string) => () => path
const dialog = (page: Page) => page.getByRole('dialog').first().waitFor()
const button = ({ page, say }: Stage, word: string) =>
  page.getByRole('button', { name: say(word), exact: !say(word).endsWith(' ') }).first()
const click =
  (...words: string[]): Act =>
  async (stage) => {
    for (const word of words) await button(stage, word).click()
  }
const clickTo =
  (...words: string[]): Act =>
  async (stage) => {
    await click(...words)(stage)
    await dialog(stage.page)
  }
const office = ({ world }: Stage): OfficeOfWorld => {
  if (!world.office) throw new Error('This is no office.')
  return world.office
}

function state(
  name: string,
  as: PersonName | null,
  path: GalleryState['path'],
  act?: Act,
  more: Partial<GalleryState> = {},
): GalleryState {
  return {
    name: `office-${name}`,
    world: 'office',
    path,
    expected: REFUSED,
    ...(as ? { as } : {}),
    ...(act ? { act: async (stage) => void (await act(stage)) } : {}),
    ...more,
  }
}

// ---- The door. ----

const opened =
  (link: (stage: Stage) => Promise<string> | string, then: Act = () => Promise.resolve()): Act =>
  async (stage) => {
    await stage.page.goto('about:blank')
    await stage.page.goto(await link(stage))
    await stage.page.locator('h1').first().waitFor()
    await then(stage)
  }
let invited = 0
const invitation = async (stage: Stage): Promise<string> =>
  office(stage).invite(`invitada.${(invited += 1)}@example.com`)
const begun =
  (...then: Act[]): Act =>
  (stage) =>
    opened(
      () => invitation(stage),
      async () => {
        await stage.page.locator('#register-email').fill(`invitada.${invited}@example.com`)
        await stage.page.locator('#register-name').fill('Ivana Rey')
        await click('people.register.next')(stage)
        await button(stage, 'people.register.passkey').waitFor()
        for (const each of then) await each(stage)
      },
    )(stage)
const hash = (fragment: string) => (stage: Stage) => `${office(stage).url}/#${fragment}`
const typed =
  (email: string, password: string): Act =>
  async (stage) => {
    await click('people.signIn.password')(stage)
    await stage.page.locator('#sign-in-email').fill(email)
    await stage.page.locator('#sign-in-password').fill(password)
    await click('people.signIn.go')(stage)
  }

const doorStates: readonly GalleryState[] = [
  state('sign-in', null, at('/')),
  state('sign-in-password', null, at('/'), click('people.signIn.password')),
  state('sign-in-missing', null, at('/'), click('people.signIn.password', 'people.signIn.go')),
  state('sign-in-wrong', null, at('/'), async (stage) => {
    await typed('nadie@example.com', 'no es esta contraseña')(stage)
    await stage.page.getByRole('alert').first().waitFor()
  }),
  state('sign-in-code', null, at('/'), async (stage) => {
    await typed('marta.sanz@gestoria-ribera.example', PASSWORD)(stage)
    await stage.page.locator('#sign-in-code').waitFor()
  }),
  state('sign-in-refused', null, at('/'), opened(hash('refused=directory_not_a_member'))),
  state('invitation', null, at('/'), opened(invitation)),
  state(
    'invitation-other',
    null,
    at('/'),
    opened(invitation, async (stage) => {
      await stage.page.locator('#register-email').fill('otra@example.com')
      await stage.page.locator('#register-name').fill('Ivana Rey')
      await click('people.register.next')(stage)
      await stage.page.getByRole('alert').first().waitFor()
    }),
  ),
  state('invitation-ways', null, at('/'), begun()),
  state('invitation-password', null, at('/'), begun(click('people.register.password'))),
  state(
    'invitation-second',
    null,
    at('/'),
    begun(click('people.register.password'), async (stage) => {
      await stage.page.locator('#register-password').fill(PASSWORD)
      await click('people.register.next')(stage)
      await stage.page.locator('#second-first').waitFor()
    }),
  ),
  state('recovery', null, at('/'), opened(hash('recovery=rct_0000000000000000'))),
  state('invitation-accept', 'luis', at('/'), opened(invitation)),
  state('alone', 'nora', at('/')),
]

// ---- The team and the own account. ----

const ofEva =
  (entry: string): Act =>
  async (stage) => {
    const { page, say } = stage
    const row = page.locator('main ul.card > li').filter({ hasText: 'luis@moncayo.example' })
    await row.getByRole('button').last().click()
    await page.getByRole('menuitem', { name: say(entry) }).click()
    await dialog(page)
  }
const TEAM = at('/settings/team')
const ACCOUNT = at('/settings/account')

const teamStates: readonly GalleryState[] = [
  state('team', 'ana', TEAM),
  state('team-end', 'ana', TEAM, async ({ page, say }) =>
    page.getByText(say('people.team.invitations')).first().scrollIntoViewIfNeeded(),
  ),
  state('team-rules', 'ana', TEAM, async ({ page, say }) =>
    page.getByText(say('people.rules.bankAccounts')).first().scrollIntoViewIfNeeded(),
  ),
  state('team-older', 'ana', TEAM, click('people.team.older')),
  state('team-bookkeeper', 'luis', TEAM),
  state('team-invite', 'ana', TEAM, clickTo('people.team.invite')),
  state('team-invite-faults', 'ana', TEAM, clickTo('people.team.invite', 'people.team.create')),
  state('team-invited', 'ana', TEAM, async (stage) => {
    await clickTo('people.team.invite')(stage)
    await stage.page.locator('#invite-email').fill(`invitada.${(invited += 1)}@example.com`)
    await stage.page
      .locator('#invite-form')
      .getByText(stage.say('people.role.sales'), { exact: true })
      .click()
    await click('people.team.create')(stage)
    await stage.page.locator('[role="dialog"] pre').waitFor()
  }),
  state('team-roles', 'ana', TEAM, async ({ page, say }) => {
    await page.getByRole('button', { name: `${say('people.team.change')}: Luis Soto` }).click()
    await dialog(page)
  }),
  state('team-remove', 'ana', TEAM, ofEva('people.team.remove')),
  state('team-recover', 'ana', TEAM, ofEva('people.team.askRecovery')),
  state('account', 'ana', ACCOUNT),
  state('account-sessions', 'ana', ACCOUNT, async ({ page, say }) =>
    page.getByText(say('people.account.sessions')).first().scrollIntoViewIfNeeded(),
  ),
  state('account-history', 'ana', ACCOUNT, async ({ page, say }) =>
    page.getByText(say('people.account.actions')).first().scrollIntoViewIfNeeded(),
  ),
  state('account-with-password', 'marta', ACCOUNT),
  state('account-add-passkey', 'ana', ACCOUNT, clickTo('people.account.addPasskey')),
  state('account-remove-passkey', 'ana', ACCOUNT, async ({ page, say }) => {
    await page.getByRole('button', { name: `${say('people.account.remove')}: Portátil` }).click()
    await dialog(page)
  }),
  state('account-set-password', 'ana', ACCOUNT, clickTo('people.account.setPassword')),
  state('account-new-codes', 'marta', ACCOUNT, clickTo('people.account.newCodes')),
  state('verify', 'ana', at('/connect/keys'), async (stage) => {
    // The browser asks, and nobody has answered yet.
    await stage.page.evaluate(() => {
      navigator.credentials.get = () => new Promise(() => undefined)
    })
    await askForKey(stage)
    await stage.page.getByText(stage.say('people.verify.asking')).waitFor()
  }),
  state('verify-stopped', 'ana', at('/connect/keys'), async (stage) => {
    await stage.page.evaluate(() => {
      navigator.credentials.get = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
    })
    await askForKey(stage)
    await stage.page.getByRole('dialog').getByRole('alert').first().waitFor()
  }),
  state('verify-password', 'marta', ACCOUNT, async (stage) => {
    await stage.page.evaluate(() => {
      navigator.credentials.get = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
    })
    await click('people.account.newCodes')(stage)
    await dialog(stage.page)
    await stage.page.waitForTimeout(300)
    const go = stage.page.getByRole('button', { name: stage.say('people.verify.usePassword') })
    if ((await go.count()) === 0) await stage.page.getByRole('dialog').getByRole('button').last().click()
    await go.click()
    await stage.page.locator('#verify-password').waitFor()
  }),
  state('sign-in-again', 'luis', at('/invoices'), async (stage) => {
    await stage.page.context().clearCookies()
    await stage.page.keyboard.press('g')
    await stage.page.keyboard.press('c')
    await stage.page.getByText(stage.say('people.signIn.againTitle')).first().waitFor()
  }),
  state('recovery-band', 'eva', at('/invoices')),
]

async function askForKey(stage: Stage): Promise<void> {
  await clickTo('connect.keys.new')(stage)
  await stage.page.locator('#key-name').fill(`Tienda ${Date.now()}`)
  await click('connect.keys.create')(stage)
}

// ---- Several people in one company. ----

const record: GalleryState['path'] = ({ draft }) => `/invoices/${draft}`
const cell = (page: Page, row: number, name: string) =>
  page.locator(`[data-anchor^="line:"][data-anchor$=":${name}"]`).nth(row)

async function type(page: Page, row: number, text: string): Promise<void> {
  const field = cell(page, row, 'unitPrice')
  await field.waitFor()
  const input = (await field.evaluate((node) => node.matches('input, textarea')))
    ? field
    : field.locator('input, textarea').first()
  await input.click()
  await input.fill(text)
  await input.press('Tab')
}

/** Opens the same draft as somebody else, who stays there until the picture is taken. */
async function besides(stage: Stage): Promise<Page> {
  const context = stage.page.context()
  const theirs = await office(stage).open(context.browser()!, {}, 'luis')
  context.once('close', () => void theirs.context.close())
  await visit(theirs.page, editing(stage.world.ids))
  await cell(theirs.page, 0, 'unitPrice').waitFor()
  await stage.page.getByRole('button', { name: stage.say('presence.takeOver') }).waitFor()
  return theirs.page
}
let price = 1_300
const editing: GalleryState['path'] = ({ draft }) => `/invoices/${draft}/edit`

const togetherStates: readonly GalleryState[] = [
  state('home', 'ana', at('/')),
  state('home-bookkeeper', 'luis', at('/')),
  state('home-adviser', 'marta', at('/')),
  state('home-sales', 'eva', at('/invoices')),
  state('no-access', 'eva', at('/bank')),
  state('inbox', 'ana', at('/inbox')),
  state('inbox-mine', 'ana', at('/inbox/mine')),
  state('inbox-mine-end', 'ana', at('/inbox/mine'), async ({ page, say }) =>
    page.getByText(say('forMe.mentions')).last().scrollIntoViewIfNeeded(),
  ),
  state('inbox-mine-deny', 'ana', at('/inbox/mine'), click('forMe.deny')),
  state('inbox-mine-own', 'luis', at('/inbox/mine')),
  state('inbox-mine-empty', 'eva', at('/inbox/mine')),
  state('notes', 'ana', record, async (stage) => {
    const title = stage.page.getByRole('button', { name: stage.say('notes.title') }).first()
    if ((await title.getAttribute('aria-expanded')) === 'false') await title.click()
    await stage.page.locator('textarea').first().scrollIntoViewIfNeeded()
  }),
  state(
    'notes-long',
    'luis',
    ({ invoice }) => `/invoices/${invoice}`,
    async (stage) => {
      const title = stage.page.getByRole('button', { name: stage.say('notes.title') }).first()
      if ((await title.getAttribute('aria-expanded')) === 'false') await title.click()
      await stage.page.locator('textarea').first().scrollIntoViewIfNeeded()
    },
  ),
  state('presence', 'ana', editing, besides),
  state('conflict', 'ana', editing, async (stage) => {
    const theirs = await besides(stage)
    const own = (price += 10)
    // The other one saves first.
    await stage.page.route(
      '**/app/call/invoices.update',
      async (route) => {
        await type(theirs, 0, String(own + 3))
        await theirs.waitForTimeout(1_500)
        await route.continue()
      },
      { times: 1 },
    )
    await type(stage.page, 0, String(own))
    await stage.page.getByRole('button', { name: stage.say('merge.takeTheirs') }).waitFor()
  }),
  state('activity', 'ana', at('/connect/activity')),
  state('keys', 'ana', at('/connect/keys')),
  state('settings', 'ana', at('/settings')),
  state('settings-end', 'ana', at('/settings'), async (stage) => {
    await stage.page.getByText(stage.say('companies.end.title')).first().scrollIntoViewIfNeeded()
  }),
  state('settings-delete', 'ana', at('/settings'), clickTo('companies.end.delete')),
]

// ---- Many companies. ----

async function selected({ page }: Stage, rows: number): Promise<void> {
  await page.locator('[role="row"][aria-rowindex]').nth(1).focus()
  for (let row = 0; row < rows; row++) {
    await page.keyboard.press('x')
    if (row < rows - 1) await page.keyboard.press('j')
  }
}
const CONSOLE = at('/console')
const work =
  (kind: string): Act =>
  async (stage) => {
    await selected(stage, 3)
    // After a column of the same name.
    const action = stage.page
      .getByRole('button', { name: stage.say(`console.work.action.${kind}`), exact: true })
      .last()
    // A narrow window has the later ones in a menu.
    if (await action.isVisible().catch(() => false)) await action.click()
    else {
      await stage.page
        .getByRole('button', { name: stage.say('invoiceList.bulk.more') })
        .last()
        .click()
      await stage.page
        .getByRole('menuitem', { name: stage.say(`console.work.action.${kind}`) })
        .first()
        .click()
    }
    await dialog(stage.page)
  }
const outcomes =
  (nth: number): Act =>
  async (stage) => {
    const open = stage.page.getByRole('button', { name: stage.say('console.work.open') })
    // A narrow window shows the last two works, until all are asked for.
    if (!(await open.nth(nth).isVisible())) await click('console.work.title')(stage)
    await open.nth(nth).click()
    await dialog(stage.page)
  }
const switcher =
  (text = ''): Act =>
  async ({ page }) => {
    await page.keyboard.press('g')
    await page.keyboard.press('o')
    const field = page.getByRole('combobox').first()
    await field.waitFor()
    if (text) await field.fill(text)
    await page.waitForTimeout(500)
  }

const companyStates: readonly GalleryState[] = [
  state('console', 'ana', CONSOLE),
  state('console-adviser', 'marta', CONSOLE),
  state('console-filtered', 'ana', at('/console?cards=late,certificate&model=303')),
  state('console-none', 'ana', at('/console?q=nadie-se-llama-así')),
  state('console-selected', 'ana', CONSOLE, (stage) => selected(stage, 3)),
  state('console-views', 'ana', CONSOLE, click('console.views.title')),
  state('console-panel', 'ana', at('/console?sort=name'), async (stage) => {
    await stage.page.locator('[role="row"][aria-rowindex]').nth(2).focus()
    await stage.page.keyboard.press('m')
    await stage.page.getByPlaceholder(stage.say('console.notes.new')).waitFor()
  }),
  ...['pack', 'export', 'close', 'remind', 'certificate', 'assign'].map((kind) =>
    state(`console-${kind}`, 'ana', CONSOLE, work(kind)),
  ),
  state('console-works', 'ana', CONSOLE, click('console.work.title')),
  state('console-failures', 'ana', CONSOLE, outcomes(0)),
  state('console-closings', 'ana', CONSOLE, outcomes(1)),
  state('console-files', 'ana', CONSOLE, outcomes(2)),
  state('switcher', 'ana', at('/'), switcher()),
  state('switcher-search', 'ana', at('/'), switcher('taller')),
  state('switcher-none', 'ana', at('/'), switcher('nadie se llama así')),
  state('switcher-archived', 'ana', at('/'), async (stage) => {
    await switcher()(stage)
    for (let step = 0; step < 12; step++) await stage.page.keyboard.press('PageDown')
    await stage.page.waitForTimeout(500)
  }),
  state('palette', 'ana', at('/'), async ({ page }) => {
    await page.keyboard.press('Control+k')
    await page
      .getByRole('dialog')
      .getByRole('textbox')
      .or(page.getByRole('dialog').getByRole('combobox'))
      .first()
      .fill('taller')
    await page.waitForTimeout(500)
  }),
  state('new-company', 'ana', at('/welcome')),
]

export const peopleStates: readonly GalleryState[] = [
  ...doorStates,
  ...teamStates,
  ...togetherStates,
  ...companyStates,
]
