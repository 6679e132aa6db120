/** Button label of a next step, for somebody who may take it. */
import { mayRun } from '../stores/person.ts'
import type { Runs } from '../stores/person.ts'
import type { Action, ActionItem } from './action-items.ts'

/** Operation with which each action ends; the others show something or lead to a page. */
const RUNS: Partial<Record<Action, Runs>> = {
  resend: 'registry.send',
  correct: 'invoices.amend',
  annul: 'invoices.cancel',
  rectify: 'invoices.rectify',
  clock: 'registry.acceptClock',
  installation: 'registry.newInstallation',
  decide: 'registry.close',
  resume: 'registry.resume',
}

const VERBS: Partial<Record<Action, string>> = {
  resend: 'registryPage.act.resend',
  correct: 'registryPage.act.correct',
  annul: 'registryPage.act.annul',
  rectify: 'registryPage.act.rectify',
  call: 'registryPage.act.call',
  certificate: 'registryPage.act.certificate',
  clock: 'registryPage.act.clock',
  installation: 'registryPage.act.installation',
  decide: 'registryPage.act.decide',
  resume: 'registryPage.act.resume',
}

/** Returns the message key of the button, or null if the user has nothing to do. */
export function actionVerb({ action, own }: Pick<ActionItem, 'action' | 'own'>): string | null {
  const runs = own === 'certificate_missing' ? 'certificates.import' : RUNS[action]
  if (runs !== undefined && !mayRun(runs)) return null
  if (own === 'certificate_missing') return 'registryPage.certificate.import'
  return VERBS[action] ?? null
}
