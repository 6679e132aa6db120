/** All texts in English. */
import type { Messages } from '../es/index.ts'
import { adviser } from './adviser.ts'
import { assets } from './assets.ts'
import { approval } from './approval.ts'
import { backups } from './backups.ts'
import { bank } from './bank.ts'
import { before } from './before.ts'
import { closing } from './closing.ts'
import { handOn } from './hand-on.ts'
import { companies } from './companies.ts'
import { components } from './components.ts'
import { connect } from './connect.ts'
import { consolePage } from './console.ts'
import { contacts } from './contacts.ts'
import { desktop } from './desktop.ts'
import { erp } from './erp.ts'
import { errors } from './errors.ts'
import { exchange } from './exchange.ts'
import { exports } from './exports.ts'
import { filing } from './filing.ts'
import { finder } from './finder.ts'
import { help } from './help.ts'
import { home } from './home.ts'
import { inbox } from './inbox.ts'
import { incoming } from './incoming.ts'
import { incomingSources } from './incoming-sources.ts'
import { inspection } from './inspection.ts'
import { journey } from './journey.ts'
import { leaving } from './leaving.ts'
import { invoice } from './invoice.ts'
import { invoiceList } from './invoices.ts'
import { listExports } from './list-exports.ts'
import { lists } from './lists.ts'
import { lock } from './lock.ts'
import { mail } from './mail.ts'
import { merge } from './merge.ts'
import { moving } from './moving.ts'
import { notes } from './notes.ts'
import { payments } from './payments.ts'
import { recipients } from './recipients.ts'
import { recover } from './recover.ts'
import { rectify } from './rectify.ts'
import { returnFile } from './return-file.ts'
import { histories } from './histories.ts'
import { imports } from './imports.ts'
import { items } from './items.ts'
import { keys } from './keys.ts'
import { ledger } from './ledger.ts'
import { portal } from './portal.ts'
import { privacy } from './privacy.ts'
import { quotes } from './quotes.ts'
import { recurring } from './recurring.ts'
import { received } from './received.ts'
import { registry } from './registry.ts'
import { schemes } from './schemes.ts'
import { settings } from './settings.ts'
import { shell } from './shell.ts'
import { supplierMemory } from './supplier-memory.ts'
import { tax } from './tax.ts'
import { taxes } from './taxes.ts'
import { updates } from './updates.ts'
import { undoDelete } from './undo-delete.ts'
import { webhooks } from './webhooks.ts'
import { welcome } from './welcome.ts'
import { fillTerms, USUAL_TERMS } from '../terms.ts'

const messages: Messages = {
  ...shell,
  ...adviser,
  ...approval,
  ...assets,
  ...backups,
  ...bank,
  ...before,
  ...closing,
  ...handOn,
  ...companies,
  ...components,
  ...desktop,
  ...erp,
  ...errors,
  ...exchange,
  ...exports,
  ...supplierMemory,
  ...filing,
  ...schemes,
  ...settings,
  ...connect,
  ...welcome,
  ...finder,
  ...help,
  ...home,
  ...incoming,
  ...incomingSources,
  ...inspection,
  ...journey,
  ...leaving,
  ...histories,
  ...inbox,
  ...invoiceList,
  ...invoice,
  ...consolePage,
  ...contacts,
  ...imports,
  ...items,
  ...keys,
  ...ledger,
  ...lists,
  ...listExports,
  ...lock,
  ...mail,
  ...merge,
  ...moving,
  ...notes,
  ...payments,
  ...portal,
  ...privacy,
  ...quotes,
  ...recipients,
  ...recover,
  ...recurring,
  ...received,
  ...registry,
  ...tax,
  ...rectify,
  ...returnFile,
  ...taxes,
  ...updates,
  ...undoDelete,
  ...webhooks,
}
/** With their words for the tax and registry of most companies. */
export default fillTerms(messages, USUAL_TERMS.en)
/** With words in brackets. */
export { messages as templates }
