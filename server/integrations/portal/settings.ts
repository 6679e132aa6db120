/** Settings of the portal: where it writes to, and whether the real service may be reached. */
import { certificateHolder } from '../../company/certificates/index.ts'
import { findCompany } from '../../company/index.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { recordAudit } from '../../platform/audit/index.ts'
import { emitEvent } from '../../platform/events/index.ts'
import type { PortalSettings, portalSettingsContract, setPortalSettingsContract } from './contract.ts'
import { directoryView } from './directory/index.ts'
import { countUnits, lastDirectory } from './directory/rows.ts'
import { findSettings, writeSettings } from './rows.ts'
import { environmentOf } from './environment.ts'

async function settingsView(ctx: Ctx): Promise<PortalSettings> {
  const { email, live_since: liveSince, live_by: liveBy } = await findSettings(ctx)
  const holder = await certificateHolder(ctx)
  const directory = await lastDirectory(ctx)
  return {
    email,
    usualEmail: (await findCompany(ctx)).email,
    environment: environmentOf(ctx.book),
    live: liveSince !== null,
    liveSince: liveSince === null ? null : new Date(liveSince).toISOString(),
    liveBy,
    certificate: holder && { nif: holder.nif, name: holder.name },
    units: await countUnits(ctx),
    directory: directory && directoryView(directory),
  }
}

/** Returns the settings. */
export const getPortalSettings: UseCase<typeof portalSettingsContract> = (ctx) => settingsView(ctx)

/** Replaces the settings. */
export const setPortalSettings: UseCase<typeof setPortalSettingsContract> = (ctx, { email, live }) =>
  ctx.transaction(async (tx) => {
    const before = await findSettings(tx)
    await writeSettings(tx, {
      email: email === null || email.trim() === '' ? null : email.trim(),
      live_since: live ? (before.live_since ?? tx.now().getTime()) : null,
      live_by: live ? (before.live_by ?? tx.actor.name) : null,
    })
    const wasLive = before.live_since !== null
    await recordAudit(tx, {
      action:
        live === wasLive ? 'portal.settings_changed' : live ? 'portal.live_allowed' : 'portal.live_closed',
      target: { type: 'company', id: tx.book.publicId },
    })
    await emitEvent(tx, 'portal.changed', {})
    // What waits may leave now.
    if (live) tx.wake('portal')
    return settingsView(tx)
  })
