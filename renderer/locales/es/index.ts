/** All the words in Spanish, the language that the others follow. */
import { components } from './components.ts'
import { connect } from './connect.ts'
import { contacts } from './contacts.ts'
import { errors } from './errors.ts'
import { home } from './home.ts'
import { inbox } from './inbox.ts'
import { invoice } from './invoice.ts'
import { invoiceList } from './invoices.ts'
import { registry } from './registry.ts'
import { settings } from './settings.ts'
import { shell } from './shell.ts'
import { welcome } from './welcome.ts'

const messages = {
  ...shell,
  ...components,
  ...errors,
  ...settings,
  ...connect,
  ...welcome,
  ...home,
  ...inbox,
  ...invoiceList,
  ...invoice,
  ...contacts,
  ...registry,
}
export type Messages = Worded<typeof messages>
/** The same keys with any text. */
type Worded<T> = { [Key in keyof T]: T[Key] extends string ? string : Worded<T[Key]> }
export default messages
