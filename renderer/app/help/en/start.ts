/** Help in English: the first steps. */
import type { TopicText } from '../topics.ts'

export const start = {
  'first-invoice': {
    title: 'Your first invoice',
    lead: 'A customer, a line and “Review and issue”. Sello does the rest.',
    body: `
1. Press **New invoice** or the N key.
2. Type the name or NIF under **Customer**. If it is a new one, choose “Create” and add what is missing.
3. On the first line write what you sell, how much of it and the price without VAT. Enter goes to the next line.
4. Look at the totals and the paper on the right: that is the invoice as it will leave.
5. Press **Review and issue**. You see the number it will get and what is registered.
6. Confirm. Now you can mail it or download the PDF.

Until you issue it, it is a draft: it saves itself, has no number and can be deleted.

## What a complete invoice holds

Number and series, date, name, NIF and address of both sides, what is sold, the price before tax, rate and amount of VAT, and the day of the operation when it is another. Sello checks all of it before issuing and says what is missing.`,
    words: 'start create make new invoice step by step',
  },
  'test-and-live': {
    title: 'Test book and live book',
    lead: 'Each company has two books: in the test book nothing counts, in the live book everything does.',
    body: `
- **Test book**: orange frame, numbers that begin with T-, and PDFs marked PRUEBA (test). A simulated authority answers; nothing reaches the tax agency.
- **Live book**: calm and unmarked. What you issue is registered with the tax agency and cannot be undone.

They are apart: customers, products, series and invoices of one do not show in the other. Company data and certificate are shared.

## Changing books

Top left, under the company’s name. Open drafts are saved first.

## Before you go live

1. Complete the address in Settings, Company.
2. Import the certificate.
3. If you come from another program, set the series’ first number before its first invoice.

The first live invoice brings you into VERI*FACTU, at least until 31 December of that year. Sello reminds you before you confirm it.`,
    words: 'practice try demo sandbox production mode',
  },
  companies: {
    title: 'Several companies',
    lead: 'Switch by name, and always see the colour and letters of the company.',
    body: `
With more than one company, the button at the top left (or **G** and then **O**) opens the list. Type part of the name or of the NIF, choose with the arrows and press Enter. The right arrow goes from the live book to the test book, the group and the star.

- **Favourites**, **groups** and **recent** ones are yours: another person has their own.
- **Colour and letters** belong to the company. They are shown at the top, in the search, in the title of the window and before issuing. Change them in Settings, Company.

## Adding a company

Type the NIF first and press **Find its data**. The tax agency answers with the certificate of the open company, VIES without one. Type yourself what nobody answers.

## Archiving or deleting

In Settings, Company. An archived company gets no new documents and can be taken back. It is deleted only when the law no longer requires anything of it to stay. If it has tests only, it can be deleted at once.

**Settings, Archive** says of each archived company when it may be deleted and what stays until then, and what remains of the deleted ones.`,
    words: 'switch company client adviser group favourite colour archive remove delete',
  },
  'draft-and-issue': {
    title: 'Drafts, issuing, and what cannot be undone',
    lead: 'A draft is yours and changes as you like; an issued invoice stays as it is for good.',
    body: `
- **Draft**: no number, saves itself, can be changed and deleted. Nobody outside this computer sees it.
- **Issued**: it has a number, a record and a hash in the chain, and goes to the tax agency. Neither you nor Sello can change it.

## When you issue

Sello shows what it will register and waits for your yes. The review holds for {confirmMinutes} minutes and for what you saw: if the draft changes, it has to be looked at again.

## What can be undone

**Ctrl Z** takes back the last thing you did in this window, and then the one before. So does the Undo button of each notice.

- **What you deleted** comes back as it was for a day: contacts, products, drafts, quotes, templates, recurring invoices, mandates, bank accounts and rules. It is the same thing with its links, not a copy.
- **A received invoice** that was changed or voided, while its days are open.
- **The bank**: bringing in a file, matching a movement, setting it aside, applying the rules (all at once).
- **Payments**, views, mail texts and settings.

If something else has its place by now, or the period was closed, Sello says so and touches nothing. An issued invoice is not undone: it is rectified.

## What cannot be undone

- The number given: it is never used again, whatever becomes of the invoice.
- The record: it is put right by another record, never deleted.
- Joining VERI*FACTU with the first live invoice.
- A series’ first number, from its first invoice on.

## When it has to be issued

To a consumer, when the operation takes place. To a business, before the 16th of the month after the VAT falls due. An advance payment needs an invoice too.`,
    words: 'undo restore bring back bin irreversible delete remove change issued invoice deadline',
  },
  together: {
    title: 'Notes, tasks and changes at the same time',
    lead: 'Each invoice, contact, return or transaction can have notes and tasks. Yours wait in the Inbox, under For me.',
    body: `
Open **Notes and tasks** on the record. A task can have a day and a person; ticking it records who did it. Type **@** and a name in a note, and that person finds it in the inbox.

- A note is changed or removed by whoever wrote it. Once removed, its text is gone.
- Whoever may see the record sees its notes.

## If somebody else changes the same

Nothing is lost. What only one of you changed is merged by itself and shown. If you both changed the same field or line, you see how it was, yours and theirs, and you choose.

In an office the top of the page shows who else is editing. **Take over** makes their page save and wait.`,
    words: 'note task mention team conflict version colleague inbox notice',
  },
  console: {
    title: 'Practice: all your companies',
    lead: 'One row for each company with what it needs: returns, closings, trouble, certificates, papers and bank.',
    body: `
The numbers on top count companies. Press one and only those are left. A filter that you use often is saved under **Views**; only you see it.

- **Groups** and **favourites** are yours, the same as in the list of companies: each is a filter.
- In a narrow window each company is a tile: its next return and, below it, what it needs.
- Press a row and its books open. The first time of a day is entered in the history of that company.
- The clock beside the name says that something is newer than the figures, and of when they are. **?** means that it is not known; **–** that there is nothing.
- The icon at the end opens its returns and the **notes**.

## Working with several

Select them by their initials, or all, and choose: quarter packs, export, prepare closings, reminders or certificate. The work goes on in the background, company by company, even if you close the page. Each one says what happened. Cancelling finishes the company it is at and leaves the others as they were. Files are kept for seven days.

Preparing a closing says what is missing; it closes nothing.`,
    words: 'adviser accountant clients companies console bulk batch packs portfolio',
  },
  company: {
    title: 'Your company’s details, and several companies',
    lead: 'What the law wants on every invoice comes from Settings, Company. Sello keeps as many companies as you have.',
    body: `
An invoice carries your name or company name, NIF and address. A company adds its entry in the commercial register.

- What you change holds for invoices to come; issued ones keep what they said.
- The **NIF does not change**: another NIF is another company.
- The **IBAN** is printed on invoices paid by transfer.
- **Withholding** and **payment days** are proposed on each new invoice.

## Several companies

In the book menu, top left, choose **Add a company**. Each has its live book, its test book, its series and its certificate. They never mix.

Sello is for the common territory, for the Canary Islands, Ceuta and Melilla with their own tax, and for the Basque Country with TicketBAI. Navarre has announced another system, without rules so far. Whoever keeps the books through the SII is outside VERI*FACTU.`,
    words: 'sole trader add company business name address iban',
  },
  moving: {
    title: 'Bringing the history of another program',
    lead: 'Invoices, balances and what is open in your earlier program, with proof that nothing is missing.',
    body: `
1. Open **Bring your history** in the live book: it is in Ctrl K, in Import and on the empty dashboard.
2. Say your **first day in Sello**. The first day of a quarter is the easiest: then no return is divided.
3. **Drop all files at once**: the VAT books of the agency, lists of invoices, contacts, balances, ZIPs and the PDFs of your returns. Sello says what each is and how sure that is, with the sums of each month. Nothing is in the books yet.
4. Answer what the files do not say. Each question has a guess, what depends on it and how many documents it concerns.
5. **Take everything in**. The invoices come in as history: they are not registered and not numbered again, and count in the returns, the charts and what you are owed. You can go on working meanwhile.
6. **Check**: beside what the books give, type the result of each return that you filed, or drop its PDF. It is compared to the cent. If something differs, correct the file or write why.
7. **Attach the PDFs** of your invoices: drop the ZIPs, and each finds its invoice by the number in its name.

## If a file has errors

Each error names its sheet, its row, its column and what to do. Correct the file and drop it again: it replaces the earlier one. You can also take the good documents without those that fail. An old Excel file (.xls), or one with a password, is first saved as .xlsx and without it.

## A guess is shown as a guess

Some vendors publish the format of their files, of others it is assumed: each table says so. Of a PDF only what its sums prove is certain; the rest is a guess until you confirm it. What you leave unchecked is never shown as checked.

## Undo

A move is undone whole, with its contacts, balances and PDFs, as long as nothing of it was paid, reminded or corrected. Bringing the same file twice adds nothing.`,
    words:
      'migrate move switch change program history opening balances holded contasimple quipu factusol contaplus sage a3 odoo',
  },
  import: {
    title: 'Bringing data from another program',
    lead: 'Customers, products and received invoices come in from CSV or Excel, with a rehearsal first and an undo after.',
    body: `
1. Export a CSV or XLSX from your old program, or download our template.
2. Upload it in **Import** and say what each column is; Sello proposes most.
3. Rehearse: you see row by row what enters, what is there already and what fails. Nothing is kept yet.
4. Import. If you do not like the result, undo the whole import.

Invoices issued with another program come with **Bring your history**. To correct one, name its series, number and date. To go on with the numbering, set the series’ first number before its first invoice.`,
    words: 'migrate change program excel csv move customers',
  },
  keyboard: {
    title: 'Working by keyboard',
    lead: 'Everything works without the mouse, and each button tells its shortcut when you rest on it.',
    body: `
- **Ctrl K**: find invoices, customers, pages, actions and help topics.
- **F1**: help for the page you are on. **?**: all shortcuts.
- **N**: new invoice. **G** and a letter: go to a page (G F, invoices).
- In lists: **J** and **K** or the arrows to move, **Enter** to open, **X** to select, **/** to search.
- In the editor: **Enter** goes down a line, **Alt** with an arrow moves it, **Ctrl D** duplicates it, **Ctrl .** shows the paper and **Ctrl Enter** reviews and issues.
- **Ctrl Z** undoes in the draft; **Esc** closes what is open.

On macOS it is ⌘ instead of Ctrl. Single letters rest while you type, and can be turned off in Settings, Preferences.`,
    words: 'shortcuts keys fast accessibility mouse',
  },
  preferences: {
    title: 'The menu, the text and the first page',
    lead: 'Each person chooses how Sello looks; it changes nothing of the company.',
    body: `
- **Menu**: for running the business, for selling or for the accounts. The other pages are under **More pages**, at the end of the menu, and **Ctrl K** finds them. If something waits on one of them, it shows by itself.
- Pages with many tabs show those of every day and have the others under **More**. With the menu of all pages, all of them show.
- **Text size**: large or very large; rows and fields grow with it.
- **When Sello opens**: the page that comes first.
- **Single-letter shortcuts**: turn them off if they slip. Shortcuts show when you rest on a button, by mouse or by Tab, and all together with **?**.`,
    words: 'preferences appearance font size language dark menu hidden pages accessibility start',
  },
} satisfies Partial<Record<string, TopicText>>
