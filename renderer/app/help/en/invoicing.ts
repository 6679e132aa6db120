/** Help in English: invoicing. */
import type { TopicText } from '../topics.ts'

export const invoicing = {
  correct: {
    title: 'Rectify, annul or amend: which one and when',
    lead: 'If the customer sees the mistake, rectify. If the invoice should never have existed, annul. If only the record is wrong, amend.',
    body: `
## Rectify

For what is read on the invoice: amounts, rates, customer, wording; and for returns, later discounts or bad debts. You make a new invoice, in a series of its own, that says which invoice it corrects and why. There are {rectifyYears} years from when the VAT fell due or the base changed.

- **By difference**: the new one holds only what goes up or down.
- **By substitution**: the new one holds the right figures whole and takes the other’s place.

Sello asks for the reason in plain words and picks the kind (R1 to R5).

## Annul

Only for an invoice that should never have existed and that the customer has not received: made twice, or by mistake. It keeps its number and stops counting. Not for a sale that is returned: rectify that.

## Amend

For something that stands only in the agency’s record: the NIF as the census knows it, the description, the regime key or the day of the operation. Also when the agency refused the first record. Invoice and PDF stay the same.

All three are on the invoice’s page: Rectify in the bar, the other two under “…”: Annul the invoice and Correct the record.`,
    words: 'mistake wrong correct credit note return discount delete issued invoice R1 R4 R5',
  },
  series: {
    title: 'Series and numbers',
    lead: 'The series is the beginning of the number. Within one, numbers follow each other without gaps.',
    body: `
The number is given at issue, never before, and is not used again even if the invoice is annulled. A draft has none.

- **F2026**: complete invoices. **S2026**: simplified. **R2026**: rectifying, which by law need their own series.
- Each year’s are made when they are needed.
- In the test book they begin with T-.

## If you come from another program

In Settings, Series, set the number you go on with. That is possible only before the first invoice of the series.

## Dates

An invoice cannot be dated before the last one of its series, nor in the future. If the operation was on another day, give the **day of operation**, under “More”.

## Invoices that somebody else issues

If your adviser, a platform or your customer issues invoices of yours, add a series for each of them in Settings, Series, and say on the invoice, under “More”, who issues it. They stay yours: they are registered in your name, and the record says who made them. With a customer it takes an agreement beforehand, and your acceptance of each invoice.

A used series does not change: archive it and open another. Keep separate series if you invoice from several places or for several activities.`,
    words: 'number sequence start from numbering F2026 T- self-billing third party adviser platform',
  },
  simplified: {
    title: 'Simplified invoices (tickets)',
    lead: 'Up to €{simplified} with VAT you can make an invoice without the customer’s details.',
    body: `
In the editor open **More** and choose kind F2. The limit is €{simplifiedSectors} with VAT in retail, hospitality, hairdressing, taxis, parking, dry cleaning and the other trades the law names.

Not for exempt sales to another country of the Union, for distance sales, or when the customer owes the VAT.

## If the customer asks for the details

A business that wants to deduct the VAT, or any customer who needs it for a tax matter, can ask you for their NIF, address and the VAT amount. Choose a complete invoice then, or mark it with the customer’s details under “More”.

## If the ticket is made already

Select it in the list and make an **invoice in substitution** (F3): it names the ticket and takes its place without counting twice.

A ticket with a mistake is rectified by an R5. It prints on A4 or on an 80 mm roll.`,
    words: 'ticket receipt F2 F3 consumer without NIF till',
  },
  quotes: {
    title: 'Quotes, proformas and delivery notes',
    lead: 'They are not invoices: no invoice number, no record. They become one when it is time.',
    body: `
- **Quote**: what it will cost, with a day until which it holds. The customer accepts it or not.
- **Proforma**: looks like an invoice but is none; for an advance payment or an approval of spending.
- **Delivery note**: what you handed over. Several can end in one invoice.

## Invoicing a quote

On its page, **Invoice**: whole, by lines, by a percentage or as a deposit. Sello keeps count and never invoices more than was quoted.

If you change a quote that was sent, the earlier version is kept. The draft made from it is reviewed and issued like any other.`,
    words: 'offer estimate accept deposit advance delivery',
  },
  recurring: {
    title: 'Invoices that repeat',
    lead: 'Sello prepares the draft on its day; you review and issue it.',
    body: `
1. In **Recurring** press “New recurring invoice”, or open an invoice and choose “Repeat this invoice”.
2. Say how often: every month, on the last day, every quarter…
3. Say when it ends: never, on a day or after a number of times.

Prepared drafts show on Home and under Invoices, Drafts. If Sello was closed that day, it prepares them when it opens: one for each date, none twice.

Nothing is issued by itself. A **template** keeps content without dates, to use when you like.`,
    words: 'monthly fee subscription rent maintenance automatic retainer template',
  },
  customers: {
    title: 'Contacts: customers and suppliers',
    lead: 'A contact keeps what an invoice needs and what is its own: withholding, surcharge, payment days.',
    body: `
- The **NIF** is checked as you type. “Check at the tax agency” asks the census whether NIF and name belong together, so that the agency does not refuse it.
- From another country of the Union you give the **VAT number**, checked in VIES.
- Without a Spanish NIF: passport, a document of their country or another one.
- The **address** is not required for a private person.

Anything outside is asked only when you ask for it.

## Duplicates

Sello points out contacts with the same NIF and offers to merge them. A merge can be undone.

Changing a contact does not change its issued invoices: they keep what they said that day. A contact that drafts or mandates use cannot be deleted.`,
    words: 'customer supplier client census VIES VAT number duplicates merge foreign passport',
  },
  items: {
    title: 'Products and services',
    lead: 'Keep what you sell often, and on the invoice its first letters will do.',
    body: `
A product or service brings name, price without VAT, VAT rate and, if you like, code and unit. On the line everything can be changed: what you saved is where you start from.

- Changing a price does not touch invoices already made.
- What you no longer sell is deactivated; invoices that used it do not change.
- To have many at once, import them from Excel.

Sello keeps no stock.`,
    words: 'products services catalogue price list code stock warehouse',
  },
  documents: {
    title: 'The PDF, its look, and mail',
    lead: 'The PDF is made at issue and never changes again; its look is chosen in Settings, Document design.',
    body: `
- **Look**: logo, colour and foot, with the paper beside it as you change. It holds for documents made from then on.
- **Language**: that of the invoice, else the customer’s, else the company’s.
- **Signature**: if you have imported the certificate, the PDF is signed. A Spanish invoice is valid without.
- **Formats**: PDF with the invoice inside as XML, Facturae for public bodies (FACe), UBL and CII, Peppol, and the UBL 2.5 of invoices between businesses.

## Sending it

“Send by mail” makes a message with the PDF: through your account, if you set it up in Settings, Mail, or opened in your mail program. Mails shows what left and what did not.

On each contact you choose how it receives its invoices: the PDF alone, which has the data inside, or Facturae, CII, UBL or the reply page as well. You can change it in each mail.

## The reply page

It is a file with which your customer says that the invoice arrived, that it accepts it, that it rejects it and why, or when it pays. It needs no connection: the answer comes by mail with a code. Paste it on the invoice, under Journey, or let a watched mailbox take it in. It is what the customer says, not a status of the public platform.

An electronic invoice needs the customer’s consent. A test book sends to your own address only.`,
    words: 'logo colour email send print facturae FACe language electronic signature',
  },
  exchange: {
    title: 'The electronic invoice between businesses',
    lead: 'The law wants invoices between businesses as a file that the other program reads, and wants to be told when you pay or that you reject.',
    body: `
## When it concerns you

In **E-invoicing**, “What the law asks” has each date with its source, says whether it binds you, and what you lack. It depends on your turnover of last year and on whether you are a company: if the books do not know, state it there.

Today real sending is **off**: the tax agency has not published all that it takes. The same page shows each thing that Sello assumes. Meanwhile send the invoice by mail with its XML, and try the rest in the test book.

## To answer

- **If a received invoice is right, do nothing**: silence is acceptance.
- Once you have paid it in full, the payment is reported with its day. If you enter the payment in Sello, it leaves by itself. Part payments are not reported.
- If you do not accept it, **Reject**: for a commercial reason, or because it was for you in private.
- The term is four days without Saturdays, Sundays and national holidays. Sello says how many are left, which ones count and which do not.

The arrows, or J and K, go from one to the next; P reports the payment, R rejects, and X selects several.

## Those you issue

With sending on, invoices to businesses leave by themselves. “Invoices” shows the state, what you say and what your customer says; opening one shows the messages, the receipt (CSV and locator) and the exact file.

**Withdrawing** is only for an operation that never existed. A mistake is corrected.

## If something does not leave

The page says why, and when it is tried again. You can also save the status message, take it to the platform yourself, and bring its answer in here.

## How each customer receives

By default by the public platform: nothing has to be agreed. In the contact you can state that it is another one, with the day on which you agreed it.`,
    words:
      'b2b mandatory spfe public platform ubl statuses payment rejection acceptance term four days csv locator withdraw default',
  },
} satisfies Partial<Record<string, TopicText>>
