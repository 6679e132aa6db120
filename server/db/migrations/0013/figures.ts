/**
 * Turns the income of what an invoice took the place of: it was counted with the sign of a sale, so that the replaced sale
 * stood three times in model 130. A part of invoices of another program comes after those of the book, and its income is
 * its base.
 */
export const takenBackIncome = `
create temp table turned_income as
  select figure_entries.group_id, figure_entries.month, figure_entries.source_id, figure_entries.part,
    case
      when part > (select count(*) from invoice_replacements where invoice_replacements.invoice_id = source_id) then base_cents
      else -income_cents
    end as income_cents,
    income_cents as before_cents
  from figure_entries
  where source = 1 and part <> 0 and income_cents <> 0;
update figure_entries set income_cents = (
    select turned_income.income_cents from turned_income
    where turned_income.group_id = figure_entries.group_id and turned_income.month = figure_entries.month
      and turned_income.source_id = figure_entries.source_id and turned_income.part = figure_entries.part)
  where source = 1 and part <> 0 and income_cents <> 0;
update month_figures set income_cents = income_cents + (
    select sum(turned_income.income_cents - before_cents) from turned_income
    where turned_income.group_id = month_figures.group_id and turned_income.month = month_figures.month)
  where (group_id, month) in (select group_id, month from turned_income);
update period_totals set income_cents = income_cents + (
    select sum(turned_income.income_cents - before_cents) from turned_income
      join figure_groups on figure_groups.id = turned_income.group_id
    where figure_groups.book_id = period_totals.book_id and turned_income.month = period_totals.month)
  where side = 'issued' and (book_id, month) in (
    select figure_groups.book_id, turned_income.month from turned_income
      join figure_groups on figure_groups.id = turned_income.group_id);
drop table turned_income;
`
