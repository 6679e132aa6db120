/**
 * Builds the logical structure of a file: marks painted as content of their elements, and the elements written at the
 * end.
 */
import type { Artifact, Page, Tag, TextMark } from '../layout/marks.ts'

interface NumberTree {
  add: (key: number, value: unknown) => unknown
  get: (key: number) => unknown
}

/** The parts of pdfkit that this file uses and its types lack. */
export interface TaggedDocument extends PDFKit.PDFDocument {
  ref: (data: object) => PDFKit.PDFKitReference
}

/**
 * Writes the parent tree, which leads from content to its elements, as an object of its own: a signature adds an
 * element, and would otherwise have to repeat the object that contains the whole tree.
 */
function parentTreeApart(doc: TaggedDocument): () => void {
  const root = doc.getStructTreeRoot() as unknown as { data: { ParentTree: NumberTree } }
  const tree = root.data.ParentTree
  const apart = doc.ref(tree) as unknown as { end: () => void }
  root.data.ParentTree = Object.assign(apart, {
    add: (key: number, value: unknown) => tree.add(key, value),
    get: (key: number) => tree.get(key),
  })
  return () => apart.end()
}

/** Left, top, right and bottom in points from the bottom left of the page, as PDF requires. */
type BoundingBox = readonly [number, number, number, number]

/**
 * Returns the texts that a blank must follow: a screen reader or a program that joins an element's texts would
 * otherwise join the last word of a line with the first of the next.
 */
export function marksFollowedBySpace(pages: readonly Page[]): ReadonlySet<TextMark> {
  const before = new Map<Tag, TextMark>()
  const wanted = new Set<TextMark>()
  for (const { marks } of pages)
    for (const mark of marks) {
      if (mark.kind !== 'text' || typeof mark.tag === 'string') continue
      const previous = before.get(mark.tag)
      if (previous && !previous.goesOn) wanted.add(previous)
      before.set(mark.tag, mark)
    }
  return wanted
}

/**
 * Paints content for elements. Content of one element that is painted without interruption is one marked-content
 * sequence.
 */
export class Tagger {
  readonly #doc: TaggedDocument
  readonly #contents = new Map<Tag, PDFKit.PDFStructureContent[]>()
  readonly #boxes = new Map<Tag, BoundingBox>()
  readonly #endParentTree: () => void
  #open: Tag | Artifact | null = null

  constructor(doc: TaggedDocument) {
    this.#doc = doc
    this.#endParentTree = parentTreeApart(doc)
  }

  /** Begins content that belongs to this element, or is an artifact. */
  enter(tag: Tag | Artifact): void {
    if (tag === this.#open) return
    this.leave()
    this.#open = tag
    if (typeof tag === 'string') {
      this.#doc.markContent('Artifact', { type: tag })
      return
    }
    const content = this.#doc.markStructureContent(tag.type)
    const known = this.#contents.get(tag)
    if (known) known.push(content)
    else this.#contents.set(tag, [content])
  }

  /** Ends the open sequence: before a new page, and at the end. */
  leave(): void {
    if (this.#open === null) return
    this.#doc.endMarkedContent()
    this.#open = null
  }

  /** Sets the position of a figure (ISO 14289-1, 7.3). */
  place(figure: Tag, box: BoundingBox): void {
    this.#boxes.set(figure, box)
  }

  /** Writes the tree. Empty elements are omitted, except cells: a row keeps its number of cells. */
  finish(root: Tag): void {
    this.leave()
    this.#doc.addStructure(this.#elementOf(root))
    this.#endParentTree()
  }

  #elementOf(tag: Tag): PDFKit.PDFStructureElement {
    const element = this.#doc.struct(tag.type, {
      ...(tag.alt === undefined ? {} : { alt: tag.alt }),
      ...(tag.scope === undefined ? {} : { scope: tag.scope }),
    } as PDFKit.Mixins.StructureElementOptions)
    const box = this.#boxes.get(tag)
    if (box)
      (element as unknown as { dictionary: { data: Record<string, unknown> } }).dictionary.data.A = {
        O: 'Layout',
        Placement: 'Block',
        BBox: [...box],
      }
    for (const content of this.#contents.get(tag) ?? []) element.add(content)
    for (const child of tag.children) if (this.#says(child)) element.add(this.#elementOf(child))
    return element
  }

  #says(tag: Tag): boolean {
    return (
      tag.type === 'TD' ||
      tag.type === 'TH' ||
      this.#contents.has(tag) ||
      tag.children.some((child) => this.#says(child))
    )
  }
}
