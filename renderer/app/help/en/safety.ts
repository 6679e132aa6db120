/** Help in English: security, connections and terms. */
import type { TopicText } from '../topics.ts'

export const safety = {
  backup: {
    title: 'The copy and the recovery code',
    lead: 'Your books are encrypted on this computer. Not to lose them you need two things: a copy away from it, and the code.',
    body: `
## The recovery code

It opens your data if the computer breaks or you change to another. Seven groups of letters and digits. Print it or write it down, and keep it **away from the computer**. In Settings, Security, you can make a new one. The key changes with it if you leave that ticked: your data are encrypted again and the earlier code opens nothing of them. Portable backups and folders you copied elsewhere keep the code they had.

Nobody can give it to you if you lose it: not even we.

## The copy

Sello makes one **every day**, on quitting if something changed, and before it updates your books. It opens it, checks it and compares it with them; every week it tries the newest. It keeps those of 7 days, 4 weeks and 12 months.

In Settings, Backups, you see the last one and can make one at once. Choose **another folder besides** there, on an external disk: if this computer breaks, those that are on it go with it.

If none can be made, a bar on every page says so until one is made again.

The **portable backup**, in the same place, is one file that opens on any computer with the code you had when it was made. Keep it away from this one.

## Going back to a copy

If your data are missing or damaged, the window that says so offers the backups there are, or your portable file. Before it puts one in place it checks that it is whole; what was there is kept aside, in replaced-….

A copy does not know what you issued after it. Sello notices and does not let you issue, so that no number is given twice. In AEAT registry, **new installation**: it asks the agency what is missing and goes on from there.

## Changing computers

1. Install Sello on the new one and put the folder there, or restore your portable backup.
2. Open it with the recovery code.
3. Sello notices that it is another computer and does not issue. In AEAT registry, new installation, saying that the books have moved.
4. Use the old folder no more.`,
    words: 'backup copy security restore change computer recovery code lost password',
  },
  leaving: {
    title: 'Taking everything with you, and bringing it back',
    lead: 'One ZIP with everything of a company in formats that any program reads. Another Sello brings it back with equal books.',
    body: `
## Taking it

In Settings, Company, **Take everything with you**. It has the invoices as PDF, the electronic ones, attachments, the records with the answers of the AEAT, the VAT books, the journal, and all data as JSON and CSV. The file README says what each is.

Sello reads it again completely before you get it. Nothing changes here: you can go on working.

**It is not encrypted.** Keep it where only the right people can read it. For an encrypted file make a portable backup.

Certificates, passwords and keys are not in it: the file manifest.json says what stayed and why.

## Bringing it

In a newly installed Sello, at the foot of the welcome page: **Bring an archive of Sello**. It checks every file, verifies the books, and brings all or nothing. If something is missing or was changed, it says what.

The real book issues nothing until you begin a **new installation** in AEAT registry. Do it once the earlier Sello issues no more: two that number at a time would give the same numbers twice.

Afterwards add the certificate, mail and connections again.`,
    words:
      'export leave everything move away change program archive zip json portability bring import company',
  },
  inspection: {
    title: 'Showing the books: the inspector’s pack',
    lead: 'One file with everything, checked without Sello: for the tax agency, your accountant, or yourself in ten years.',
    body: `
## Preparing it

In AEAT registry, **Inspector’s pack**. Choose the years or the whole book. You can go on working while it is made.

It holds the records as XML with the agency’s answers, the chain, the invoices as PDF, the whole history, the VAT books and the journal.

## Checking it

Unpack it and open **index.html** in a browser, without a connection. Drop the ZIP on it: it says point by point whether everything agrees and, where something was changed, which record, invoice or file.

What it cannot tell: whether somebody remade the whole pack. Compare the hash of the last record with what the agency holds.

It is not encrypted, and holds your customers’ data.

## Checking your books here

In Settings, Security, **Check now** goes through all your books and remembers what came of it.`,
    words: 'inspection tax inspector audit export check verify accountant zip keep preserve',
  },
  privacy: {
    title: 'Your data: where they are and who sees them',
    lead: 'They are on this computer, encrypted. Sello has no cloud, no account, no usage statistics.',
    body: `
## What leaves, and when

- The **records** of your live invoices, to the tax agency.
- The **mails** you send, through your mail account.
- A **question** to the census, to VIES or for an exchange rate, when you ask it.
- What you allow an **assistant** or a program with a key.

## The key

Your system’s keychain keeps it; where there is none, a file beside the data, and Settings, Security, says so. Whoever has your session open sees what you see: lock the computer when you get up, or turn on Sello’s lock.

## Your customers’ data

You answer for them. When somebody asks for theirs, or to have them erased, see **A person’s data**. What you export or send is no longer encrypted: keep it well.`,
    words: 'privacy gdpr data protection lock encryption cloud security keychain password delete customer',
  },
  team: {
    title: 'The team and your account',
    lead: 'In an office with a server each person signs in with their own account, and sees what their role allows.',
    body: `
## Inviting

In Settings, Team, **Invite**: type the email address and tick what they may do. You get a link to send them. It works **once, for three days and for that address only**; withdraw it there if it was a mistake.

You can give several roles at once. **Sales** prepares quotes and drafts and sees neither the bank nor the ledger; it issues invoices only if you tick that. **Read only** reads everything and changes nothing. One owner always remains.

## Signing in

- With a **passkey**: the fingerprint, face or PIN of the computer. Have two, on different devices.
- With **a password and a code app**. Save the ten single-use codes: they help if you lose your phone.
- With the directory of your company, if whoever runs the server has linked it.

A session ends after 30 minutes without use, and after 12 hours. If it ends while you type, you sign in again over the page and **nothing is lost**.

## Confirming that it is you

Before approving, touching the certificate, creating keys, changing bank accounts or roles, Sello asks for the passkey again. So nobody does it from a session that you left open.

## If somebody loses their way in

In Team, in their actions: **Has lost their way in**. Another administrator confirms it, or you wait three days. The person sees it in their account and can refuse it: if you see that red bar and did not ask for it, press **It was not me**.`,
    words: 'users people roles permissions invite session passkey password team account sign in sign out',
  },
  lock: {
    title: 'Locking Sello',
    lead: 'A code shuts the window when you go: nobody sees your books or touches anything until you are back.',
    body: `
## Turning it on

In Settings, Security: choose a passphrase or a PIN, and the minutes without a touch. Keep the recovery code first: it opens Sello if you forget the lock code.

- It shuts **after that time**, with the computer’s own lock or sleep if you tick it, and **at once** with Ctrl L.
- It warns half a minute before. It never shuts while something is being issued.
- Opened again, Sello is still locked, in all its tabs.
- What you were writing comes back when you unlock.

## If you get it wrong

Each wrong try makes you wait longer. With **I forgot the code** and the recovery code you choose another. History tells of it.

## What it does not do

Programs and assistants with a key of their own go on, and what waits is still sent to the agency. It encrypts nothing more: it protects from whoever sits in your chair, not from whoever takes the disk; encryption does that.`,
    words: 'password pin code idle lock screen forgotten unlock',
  },
  'person-data': {
    title: 'A person’s data',
    lead: 'When somebody asks for their data, or to have them erased, Sello gathers what there is, erases what it may and keeps what the law wants.',
    body: `
You have a month to answer. Make sure who is asking first.

1. Open the contact and press **This person’s data**, or look for them in Settings, Privacy, by name, tax number or mail.
2. **Export their data** makes a ZIP with a summary, the data and their documents.
3. **Erase** first shows three groups: what is erased, what is blocked and what is kept, and until when.
4. Type their name to confirm. It cannot be undone.

## What is kept

Invoices, their records, payments and entries: six years, longer for capital goods or sales to other countries of the Union. The contact is **blocked**: it is in no list and cannot be invoiced.

When the date has passed, Settings, Privacy, says so. Nothing is erased by itself. If they come back as a customer, **Lift** returns the contact; what was erased does not come back.

Only the open book is searched. Companies have no such right; the people who work for them do.`,
    words: 'gdpr data protection right of access erasure forget delete customer export portability blocking',
  },
  assistants: {
    title: 'Assistants and the Inbox',
    lead: 'An assistant can prepare and ask for you. What cannot be undone is always your decision.',
    body: `
In Connections, **Assistants**: choose the program, copy what you are given and test the connection. It talks to this computer, and only while Sello is open. ChatGPT cannot: it calls from the servers of OpenAI, which do not reach it.

- It can read, make drafts and check them. In the test book it issues too.
- In the live book it **asks for your approval** to issue, annul or correct. The **Inbox** shows exactly what would be registered; your approval does it, and without an answer the request expires after ten minutes. If the draft changes meanwhile, the request is withdrawn and you are notified.
- Everything else comes as a **proposal**, with effects and alternatives.
- Accepting a proposal does what can be undone (it changes a contact’s data, prepares a rectifying draft) and takes you to the dialog of everything else: it is you who issues, annuls or sends.
- If what it is about changes meanwhile, the card says how; if it can no longer be done, it is closed and says why.

## Before you say yes

Look at the customer and the total. The lock code, or your finger, is asked for first: then no program says yes for you. If you have no code yet, the first approval takes you to set one; in Settings, Security, you can turn this off, with the same code. The reason the assistant gives is its own text: do not take it for a check.

## What it did

Beside each key, **See what it did** shows what the assistant asked, what it got and which invoices it saw, for 30 days. No keys or confirmations are kept.

Proposals expire after {proposalDays} days. You can revoke its key at any time; it stops working at once.`,
    words: 'artificial intelligence ai claude mcp assistant approve inbox proposal reject',
  },
  'api-keys': {
    title: 'Keys for other programs',
    lead: 'A key lets another program on this computer read or write one book, within the limits you set.',
    body: `
1. In Connections, API keys, press **New key**.
2. Choose what it may do: read, make drafts, issue…
3. Give it a daily cap and an expiry if it issues.
4. Copy it: **it is shown once**. Keep it where you keep passwords.

- It is for one book. Test keys begin with svc_test_, live ones with svc_live_.
- Those made here do not issue by themselves in the live book: they ask for your permission in the Inbox. In the test book they do issue.
- A key cannot make another that may do more than itself.
- **Revoke** turns it off at once. Do so if you do not know who has it.

All it does is in History.`,
    words: 'api key token rest integration program shop connect revoke',
  },
  webhooks: {
    title: 'Tell other programs',
    lead: 'A webhook sends to an address, as it happens, what goes on in a book: an issue, an answer of the AEAT, a payment.',
    body: `
1. In Connections, Webhooks, press **New webhook**.
2. Give the address of the program that receives and choose what it gets.
3. Copy the **secret**: it is shown once. With it the receiver checks that a message comes from Sello.
4. Press **Try it** and see what it answered.

A message says what happened and to which invoice, never its content: the program asks for that with its key.

## If it does not arrive

Sello tries ten times in about three days, less and less often. Then it stands under **Lost**, with the reason, and you can send it again: that one or those of some days. If the receiver fails for five days on end, Sello switches the webhook off and says so on Home; what waits goes out once you switch it on.

## Changing the secret

**Renew the secret** gives a new one; for 24 hours messages carry both signatures.

## Addresses

They go by https to public addresses. One of this computer or your network only you can allow, here, never a program with its key.`,
    words: 'webhook message event notify integration shop secret signature resend lost',
  },
  accounting: {
    title: 'Reading your accounting system',
    lead: 'Sello brings contacts, invoices and products from Holded or Odoo when you ask. It only reads, and what is read stays apart from your books.',
    body: `
## Connecting

In Connections, Accounting system, choose the system and paste a **read-only** key that you make there. Sello tries it, tells which permissions it has and which are missing, and keeps it encrypted. It is never shown again.

## Reading

**Read now** brings what may have changed; the **full reading**, everything since the history begins. It never reads by itself: many plans have few requests a month. Sello counts them, keeps a part in reserve and tells before it takes more.

- If it breaks off, the next one goes on where it stopped.
- What is not there any more is marked; here it is not deleted.
- Rows that cannot be read stay in **Readings**, with the reason.

## Contacts

Each contact there is laid beside the one here, field by field. Linking changes nothing that you do not tick, and it can be undone.

## Invoices there

They are no invoices of these books and are not registered with the tax agency from here. An issued one is copied to a **draft**; a received one opens filled in, to **enter it here**. In the tax summary the received ones there count that are not entered already, and it says which days were read.

## Disconnecting

It destroys the key on this computer. What was read stays, and you can delete it afterwards.`,
    words: 'erp holded odoo accounting sync import api key requests quota link read connect',
  },
  adviser: {
    title: 'Your adviser, without a server',
    lead: 'Your books go to the adviser in an encrypted file; the changes come back in another one, and you decide on each.',
    body: `
## To begin

1. In Connections, Adviser, press **Invite** and send the file to your adviser.
2. Your adviser opens it in Sello and sends you the answer. Open it with **Open received file**.
3. Call them and read the **code** to each other. If it is the same at both ends, confirm it: nobody is in between.
4. **Save your books** and send them by mail, USB stick or a shared folder. Only your adviser can open them.

## Every month

Your adviser enters purchases, entries, closings and filed returns in the copy, and sends you the changes. When you open the file you see each of them with its amounts. Nothing enters your books until you take it. If something no longer fits (a closed period, a purchase that is there, an account out of use), it says why. Your next file tells your adviser what you took.

Activity shows the name of who did it.

## What an adviser cannot do

Issue, cancel or rectify invoices, send records, sign, or see your certificates, keys and passwords: they do not travel. Only your computer issues.

## If a file does not open

Each refusal says why: its end is missing, it was changed on its way, it is of another company, it was read already, or changes before it are missing. A lost file does no harm: the next one brings everything that is open.`,
    words: 'adviser accountant bookkeeper share send books changes encrypted file without server code invite',
  },
  activity: {
    title: 'History: who did what',
    lead: 'Everything that happens in your books is noted with its time, and nobody can delete it.',
    body: `
You see who it was (you, a key or Sello by itself), which way it came in and what it was about. Filter by person, action or dates.

The notes form a chain, as the invoices’ records do. **Verify** walks all of it and says whether it is intact.

It tells what an assistant did, when something was changed or who closed a period. It holds no passwords and no keys.`,
    words: 'history audit activity log who verify',
  },
  troubles: {
    title: 'Common problems',
    lead: 'Each notice of Sello says what is the matter, what is safe and what to do. Here are the most common.',
    body: `
- **Sello does not answer**: check that it is open and retry. What was saved is fine.
- **Another Sello is using these data**: close the other window or program. Do not open one folder from two computers.
- **The keychain is locked**: unlock your system’s session and retry, or use the recovery code.
- **The data do not open with this key**: they are another computer’s or the file is damaged. Use the recovery code or the last copy.
- **A newer version wrote these data**: update Sello. Nothing was changed.
- **Only reading works now**: usually a full disk. Make room and retry.
- **The clock is wrong**: turn on automatic time in your system.
- **The certificate is missing**: import it in Settings, Certificate.
- **This changed elsewhere**: somebody saved it first. Look at the changes and save yours.
- **Something failed in Sello**: not your fault. Retry; “Details” has the code to tell us.

If an invoice does not leave, look at AEAT registry before repeating it: it is nearly always in the queue.`,
    words: 'error failure not working does not open help support locked damaged slow',
  },
  glossary: {
    title: 'Glossary',
    lead: 'The hard words, one line each. In brackets, the Spanish one.',
    body: `
- **Taxable base** (base imponible): the price without VAT that it is reckoned on.
- **VAT amount** (cuota): the rate applied to the base.
- **Chargeable event** (devengo): when VAT falls due; nearly always on delivery or completion.
- **Issue date** (fecha de expedición): the day you issue. **Day of operation** (fecha de operación): the day it was done, if another.
- **Rectifying invoice** (factura rectificativa): one that corrects another.
- **Simplified invoice** (factura simplificada): a ticket.
- **Hash** (huella): a code that sums up a record and the one before; if anything changes it no longer fits.
- **Invoice record** (registro de facturación): what is sent to the tax agency of each invoice.
- **Amend** (subsanar): correct what was registered without touching the invoice.
- **VAT number** (NIF-IVA): the NIF with the country in front, for operating in the Union.
- **Reverse charge** (inversión del sujeto pasivo): the customer declares the VAT.
- **Equivalence surcharge** (recargo de equivalencia): what retailers pay on top instead of filing VAT.
- **Scheme** (régimen): an activity’s VAT rules; the general one unless said otherwise.
- **Disbursement** (suplido): what you pay in the customer’s name.
- **Output VAT** (repercutido): what you charge. **Input VAT** (soportado): what you pay.
- **Pro rata** (prorrata): the part of VAT you deduct if only some of your operations give the right.
- **Cash accounting** (criterio de caja): declaring VAT when you are paid.
- **Remittance** (remesa): several debits or payments in one file for the bank.
- **Reconcile** (conciliar): check that the bank and your books say the same.
- **SII**: the system by which other businesses keep their books at the agency at once; whoever is in it does not use VERI*FACTU.`,
    words: 'dictionary meaning what is definition terms',
  },
} satisfies Partial<Record<string, TopicText>>
