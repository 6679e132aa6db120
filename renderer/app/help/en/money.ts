/** Help in English: money and purchases. */
import type { TopicText } from '../topics.ts'

export const money = {
  payments: {
    title: 'Collections and payments',
    lead: 'Record what you collect and Sello knows who owes you, how much and since when.',
    body: `
- On the invoice, **Record collection**: it proposes what is due and today. A payment can be a part, or settle several invoices.
- What is left over stays **on account** of the customer and is used for the next one.
- A credit is set off against its invoice or paid back.
- If you make a mistake, undo it: the payment, not the invoice.
- An invoice can be paid **in instalments**: "Split into instalments" in the draft. Each due date is collected, debited and reminded by itself; a payment settles the one due first. The contact can have its usual ones, for example 30/60/90.

With the bank’s movements at hand, many payments are recorded from there.

## In cash

An operation of €{cash} or more cannot be paid in cash, not even in part, if one of the two acts as a business. Sello does not let you enter it.

When you are not going to be paid, “give up as uncollectible” takes it off what is owed, and can be undone. Recovering its VAT is another matter: it needs a rectifying invoice and what the law demands.`,
    words: 'instalments terms collect pay paid pending partial on account cash bizum transfer uncollectible',
  },
  reminders: {
    title: 'Claiming what is owed to you',
    lead: 'Three levels of letter, from a friendly note to a claim with interest.',
    body: `
In Collections and payments, **Overdue** has all of them by customer, with the days they are late. “Remind” prepares the letter in the customer’s language and shows it. **Send** mails it with the invoices; without a mail account it opens in your mail program. If you send it another way, “Mark as sent”. When and which is noted.

In Settings, **Mail**, you can plan reminders: before the due date, on it, and 7 and 15 days after. Those that are ready stand above the overdue ones: you read and send them; later they may go by themselves, if you say so. What is paid, cancelled or disputed is not reminded of, nor are customers you leave out.

## Between businesses

- The term is 30 days if you agree on nothing else, and {termDays} at most.
- After it there is **late-payment interest** without notice: the European Central Bank’s rate plus eight points. It changes every half-year; Sello keeps it.
- And €{recovery} an invoice for the costs of recovery.

You may claim them or not: you choose the level.

## If they do not pay

Under the conditions of article 80 of the VAT law you can make a rectifying invoice and recover the VAT. The debt goes on. The reason is “uncollectible debt” or “insolvency”, and the terms are strict: talk to your adviser first.

A contact’s **statement** shows all that was invoiced and paid.`,
    words: 'late payer unpaid reminder overdue debt claim interest statement',
  },
  'direct-debits': {
    title: 'Direct debits: SEPA mandates and files',
    lead: 'The customer signs a mandate, you prepare the file and your bank collects.',
    body: `
1. Ask your bank for the **creditor identifier** and enter it under Direct debits.
2. Make the customer’s **mandate**: their IBAN, the day they signed and its reference. Keep the signed paper.
3. In **Bank files** choose the invoices and the day of collection. Sello makes the XML file (pain.008).
4. Upload it to your bank’s website.
5. When the bank has executed it, mark it as executed: the payments are recorded.
6. If a debit is returned, enter it with its reason: the invoice is due again.

A mandate not used for {mandateMonths} months is void.

To pay your suppliers, the same the other way round: a file of transfers (pain.001).

Sello does not connect to your bank: you carry the file.`,
    words: 'sepa file mandate direct debit pain.008 pain.001 creditor returned',
  },
  received: {
    title: 'Received invoices and expenses you deduct',
    lead: 'Drop the PDF or XML on the page: Sello reads what it can and you check it.',
    body: `
Each has a **reception number** of its own, in sequence within the year, and the concept the VAT book asks for. The document is kept inside, encrypted.

Sello reads electronic invoices and the tax QR. It enters nothing by itself, and says when that invoice is there already.

## To deduct the VAT

- A **complete invoice in your name**, with your NIF. A ticket will do if it has your NIF, your address and the VAT amount.
- It is an expense of your activity.
- You hold it, and do so within four years.

Vehicles and what you use half privately are deducted in part: say on the line how much. Meals, gifts and others have limits of their own: ask your adviser.

## With withholding

A professional’s or the landlord’s are entered with what you withhold: that is what you pay with the 111 or the 115.

One already declared is not deleted: it is voided and keeps its number.`,
    words: 'purchases expenses supplier deductible received invoice receipt scan pdf car fuel meals',
  },
  incoming: {
    title: 'Documents to review',
    lead: 'What comes in is read on this computer by itself; nothing is entered until you say so.',
    body: `
Drop files or folders anywhere in the window, paste a picture or use **Add documents**. A single one, dropped on another page, opens as a received invoice.

## What each mark means

- **Ready**: all that is needed is proven: by the sums, a control digit, the QR code or the data of an electronic invoice, or it is as in earlier documents of that supplier.
- **To check**: a value is only read or guessed. It is shown in amber, and its place is marked on the paper.
- **Duplicate**, **not an invoice** or **unread**: it says why, and entering it asks for your answer.

A sure value says what it rests on if you ask. Nothing counts as matching unless the total is printed and the sums make it.

If your suppliers write in Catalan, Basque, Galician or English, choose the languages of scans and photos in **Where documents come from**.

## Without the mouse

- J and K go from one document to another.
- Enter accepts a value and goes to the next to check; Alt 1 takes another value that the document says.
- Ctrl Enter enters it and opens the next. X rejects. Both are undone with Ctrl Z.
- S splits a file with several invoices; M joins the photos of one.

**Enter the ready ones** does it at once for those that meet your rule, and says which are left and why.

A new IBAN of a known supplier is a red warning: before you pay, ask them in another way.

What is rejected is deleted after 30 days.`,
    words:
      'documents review tray scan photo receipt mail folder drag paste ocr read duplicate split join reject',
  },
  bank: {
    title: 'Bank and reconciliation',
    lead: 'Bring your bank’s file and say what each movement is; Sello proposes and you accept.',
    body: `
1. Add the account with its IBAN.
2. On your bank’s website download the movements: **Norma 43**, camt.053 or CSV.
3. Upload it. Those already there are not repeated, even if the dates overlap, and the balances are checked.
4. For each movement Sello suggests the invoice and says why: the amount, the number in the text, the name.
5. Accept it, choose another, or say that it is a fee or an expense.

A **rule** remembers what to do with those that repeat. It books by itself only if you mark it as automatic.

Everything can be undone, a whole file too. **Reconcile** compares the bank’s balance with your books’ on a day.

Sello does not enter your bank nor keep its passwords.`,
    words: 'movements statement norma 43 camt csv reconcile rules fee balance',
  },
  assets: {
    title: 'Fixed assets and depreciation',
    lead: 'What lasts longer than a year is no expense of one day: it is divided among the years in which it is used.',
    body: `
## Adding

Received invoices with an investment good, or on an account of fixed assets, stand at the top of **Fixed assets** until you add them with one click. Add anything else with «New asset». Say what it cost, since when it is used and how it is depreciated: a percentage a year, a number of years, all on the first day, or nothing (land). The plan stands below.

The tables propose the most: that of simplified direct estimation, and that of article 12 of the law on corporation tax. Above it Sello warns: the excess is no expense. What was bought used, and new elements of a small company, may go up to twice as fast.

If you come from another program, type what was depreciated before and until which day: the plan goes on from there.

## Every year

«Depreciate» shows what is left to book, with its total, and books it once for each asset. It can be undone while the days are open. Form 130 counts the plan of the year up to the quarter, booked or not, and the book has those rows and the investment goods.

## Taking out

When an asset is sold, scrapped or lost, Sello depreciates it until that day, takes it out of the accounts and books gain or loss. With the invoice of the sale, the price leaves the account of income and is no income in the 130.

## VAT and the pro rata

If you always deduct all VAT there is nothing to regularise. With a **pro rata** (prorrata), state the final one of each year: if that of a year differs by more than ten points from that of the purchase, Sello computes the regularisation of goods from 3,005.06 euros on and takes it to box 43. A return with pro rata has to be filed on the agency’s site.`,
    words:
      'depreciation amortisation fixed assets investment goods computer vehicle van machinery coefficient table residual value sale disposal pro rata regularisation box 43',
  },
  ledger: {
    title: 'The ledger',
    lead: 'Entries make themselves with each invoice, payment and expense. You look at it or hand it to your adviser.',
    body: `
It follows the General Accounting Plan for small companies, in double entry. Each entry leads to the document it comes from; to change it, correct the document.

- **Journal**: entries in order. **Account**: those of one.
- **Trial balance**, **profit and loss** and **balance sheet**: of any period.
- Entries of your own for the rest: payroll, depreciation, loans.
- **Opening**: the balances you start with if you come from another program.

## Closing

Closing up to a day keeps anything before from being touched. A year is closed once it has ended, in order; it can be opened while the next one is open.

It legalises no books and files no accounts with the commercial register.`,
    words: 'accounting entries journal balance profit loss chart of accounts pgc close year',
  },
} satisfies Partial<Record<string, TopicText>>
