/** Help in English: the registry. */
import type { TopicText } from '../topics.ts'

export const registry = {
  verifactu: {
    title: 'VERI*FACTU in plain words',
    lead: 'Every invoice you issue leaves a record chained to the one before, and Sello sends it to the tax agency for you.',
    body: `
1. Issuing makes the **record**: who invoices, whom, when, how much. Your lines are not in it.
2. From it and the one before comes the **hash**, a code that would change if anybody touched anything. So they form a chain.
3. Sello sends it to the agency and keeps the answer.
4. The invoice carries a **QR** with which your customer checks that it is registered.

## What the marks say

- **Queued** and **Sending**: nothing for you to do.
- **Registered**: the agency has it.
- **Registered with warnings**: it has it, and points at something worth amending.
- **Rejected**: it does not have it. The invoice exists all the same; its record needs correcting.
- **Unconfirmed**: it was sent and no answer came. Sello asks before repeating.

## From when it is compulsory

For payers of corporation tax from {verifactuCompanies}; for everybody else from {verifactuOthers}, by {verifactuGazette}. {verifactuAnnouncement} You can begin earlier: the first live invoice binds you until 31 December of that year.

Income tax withheld and invoices you receive are not registered.`,
    words: 'verifactu anti-fraud law tax agency hash chain record compulsory date',
  },
  'signed-registry': {
    title: 'TicketBAI in plain words',
    lead: 'In the Basque Country each invoice is signed with your certificate when it is issued, and Sello sends it to your foral treasury.',
    body: `
1. Issuing makes the **TicketBAI file**: who invoices, whom, each line and its amounts. It is signed at that moment and names the invoice before: so they form a chain.
2. The invoice carries the **TBAI code**, on one line, and below it a **QR** with which your customer checks it.
3. Sello sends the file as it was signed and keeps what your treasury answers.

## Before the first invoice

The certificate has to be there, in Settings, Certificate. Without it, or with an expired one, nothing is issued and the draft stays as it is. The test book signs with a trial key and needs none.

A **device** certificate only serves on the computer that holds its key, and with somebody present: recurring invoices that issue themselves need another one.

## What differs by province

- **Araba and Gipuzkoa** receive each invoice by itself. A file that was refused, or has wrong data, is corrected by Zuzendu: it is not signed again and the customer’s invoice does not change. If the invoice itself is wrong, rectify it.
- **Bizkaia** receives it inside the book LROE, many at once if need be. Natural persons state the **IAE code** of their activity, in Settings, Company. It has no Zuzendu: a wrong invoice is rectified or annulled.

Annulling says that the invoice should not have existed. For returns and discounts, make a rectifying invoice.

## What Sello does not do

The chapters of LROE other than those of issued invoices. And nothing was ever tried against a real service of the treasuries: it is made from their official schemas and samples.`,
    words:
      'ticketbai tbai batuz lroe zuzendu bizkaia gipuzkoa araba basque country foral treasury signature iae activity',
  },
  offline: {
    title: 'What happens without the internet',
    lead: 'You can issue all the same. The invoice is valid, and its record leaves as soon as the connection is back.',
    body: `
- Number, hash and QR are made on this computer, without a network.
- The record waits **in the queue**. Bottom left shows how many wait; after an hour a strip over the page says so.
- Sello tries again by itself, with longer and longer pauses. “Send now”, in [registryPage], tries at once.
- When it is back they go in order, with the mark of an incident that the rules ask for.

The same happens when it is the agency that does not answer. Do not issue the same invoice again: nothing is lost.

What does need a network: checking a NIF with the census or VIES, asking for an exchange rate, and sending mail.`,
    words: 'offline no connection network internet down queue pending not answering wifi',
  },
  qr: {
    title: 'The QR on the invoice',
    lead: 'With it your customer checks on the agency’s website that the invoice is registered.',
    body: `
It stands at the top, with the words that [registry] asks for. It measures 30 to 40 mm and holds your NIF, the number, the date and the total; nothing else.

- Reading it with a phone leads to the agency’s website, which says whether it has the invoice.
- If yours is still in the queue, it will not be found yet: wait until it has left.
- That of a test invoice is not valid, and that of a draft is grey.

On the invoice’s page, “Check at the tax agency” does the same from the computer.

Do not cover it, crop it or print it smaller. The payment QR is another one: banks’ apps read it, and it is turned on in Settings, Documents.`,
    words: 'QR code check verify site customer not found',
  },
  certificate: {
    title: 'The certificate: getting and loading one',
    lead: 'To issue in the live book the agency has to know that it is you. To practise you need none.',
    body: `
## Which one

- As a **sole trader**: your certificate as a person.
- As a **company**: that of its representative, or the company’s seal.

Recognised providers issue them; Spain’s Mint (FNMT) is the most common. You apply on their website and prove your identity.

## Loading it into Sello

1. Where it is installed, export it **with its private key**: you get a .p12 or .pfx file, protected by a password.
2. In Settings, Certificate, drop the file and type that password.
3. Sello says whose it is and until when it is valid.

File and password are forgotten: only the key is kept, encrypted, on this computer.

## When it expires

We tell you {certificateDays} days before. If it expires you go on issuing, and the records wait until you import the new one. Not under TicketBAI: without a valid certificate nothing is issued.

If it does not open: the password is that of the export, and capitals count. If it says there is no private key, export it again with that option ticked. The Spanish identity card does not serve: its key cannot be exported.`,
    words: 'FNMT p12 pfx digital signature password representative seal expired install',
  },
  'registry-trouble': {
    title: 'When the agency refuses or something stops',
    lead: 'The page [registryPage] says what is the matter in words, and each thing has its button.',
    body: `
- **Customer’s NIF refused**: it is not in the census or not under that name. Correct the contact, check it with the tax agency and amend.
- **Your company’s NIF or name**: they have to be those of the census. Correct them in Settings, Company.
- **Certificate**: missing, expired or not entitled to file for your company. Import another in Settings, Certificate.
- **Number already registered**: another program used that series. Decide which one holds, or go on in another series.
- **Clock**: if the computer is more than {clockMinutes} minutes away from the agency’s time, nothing is issued until it is set.
- **Older copy**: you have restored old books. Begin a new installation: Sello asks the agency what was issued since and goes on with the numbers.
- **The chain does not add up**: somebody or something changed the data. Nothing is issued; restore the last good copy or export the records and ask for help.

A rejected invoice is still an invoice: do not issue it again. What is repeated is its record.`,
    words: 'rejected error census not identified clock time chain broken conflict older copy restore',
  },
} satisfies Partial<Record<string, TopicText>>
