/** The variants of a document: scans and photographs of its pages. */
import type { Dice } from '../dice.ts'
import { fadedThermal, photographed } from './photo.ts'
import { drawPages } from './raster.ts'
import type { Raster } from './raster.ts'
import { bitScan, greyScan } from './scan.ts'
import { bitPng, jpeg } from './write.ts'

export const VARIANTS = ['text', 'scan300', 'scan200', 'photo', 'hard'] as const
type Variant = (typeof VARIANTS)[number]

interface Picture {
  ending: string
  bytes: Buffer
}

/** Draws the pictures of a PDF; its pages are drawn once for each resolution. */
export class PictureMaker {
  private readonly pdf: Uint8Array
  private readonly isThermal: boolean
  private readonly drawn = new Map<number, Promise<Raster[]>>()

  /** `isThermal`: the print fades on hard photographs. */
  constructor(pdf: Uint8Array, isThermal: boolean) {
    this.pdf = pdf
    this.isThermal = isThermal
  }

  private pages(dpi: number): Promise<Raster[]> {
    const pages = this.drawn.get(dpi) ?? drawPages(this.pdf, dpi)
    this.drawn.set(dpi, pages)
    return pages
  }

  /** Returns the pictures of all pages. */
  async picturesOf(variant: Exclude<Variant, 'text'>, dice: Dice): Promise<Picture[]> {
    const pages = await this.pages(variant === 'scan200' ? 200 : 300)
    const pictures: Picture[] = []
    for (const [index, page] of pages.entries()) {
      const name = pages.length > 1 ? `-p${index + 1}` : ''
      if (variant === 'scan300') {
        const { grey, level } = bitScan(page, dice)
        pictures.push({ ending: `${name}.s300.png`, bytes: bitPng(grey, level, 300) })
      } else if (variant === 'scan200')
        pictures.push({
          ending: `${name}.s200.jpg`,
          bytes: await jpeg(greyScan(page, dice), dice.int(70, 85)),
        })
      else {
        const isHard = variant === 'hard'
        const paper = isHard && this.isThermal ? fadedThermal(page, dice) : page
        const photo = photographed(paper, dice, isHard)
        pictures.push({
          ending: `${name}.${variant}.jpg`,
          bytes: await jpeg(photo, isHard ? 60 : dice.int(80, 92)),
        })
      }
    }
    return pictures
  }
}
