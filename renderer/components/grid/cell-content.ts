/** Content of a cell without a slot, as its column defines it. */
import { h } from 'vue'
import type { VNode } from 'vue'
import Money from '../fields/Money.vue'
import type { GridColumn } from './grid-columns.ts'

const NOTHING = '—'

/** Stateless component: every cell has one. */
export function CellContent({ column, row }: { column: GridColumn<unknown>; row: unknown }): VNode | string {
  const { key, text, euros, tone, title } = column
  const content = euros
    ? h(Money, { value: euros(row) })
    : text
      ? text(row) || NOTHING
      : String((row as Record<string, unknown>)[key] ?? '')
  if (!tone && !title) return content
  const classes = typeof tone === 'function' ? tone(row) : tone
  return h('span', { class: classes, title: title?.(row) ?? undefined }, [content])
}
CellContent.props = ['column', 'row']
