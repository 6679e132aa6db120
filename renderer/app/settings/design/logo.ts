/**
 * Any picture the window can draw, as a logo for paper: on white, without transparency, as large as print needs. Scripts
 * of an SVG never run: it is drawn as an image.
 */
import { base64Of } from '../company/certificate.ts'
import type { NewLogo } from './design.ts'

/** Pixels: 150 points of paper at 400 dots to the inch are 833. */
const MOST = { width: 1200, height: 400 }
/** The server takes no smaller side; narrower pictures get white beside them. */
const LEAST_SIDE = 16

export const MAX_PICTURE_BYTES = 20_000_000
/** More is not unpacked: at four bytes a pixel it would fill the memory. */
const MAX_PIXELS = 60_000_000
/** Drawings are smaller than this as PNG; what is larger is a photograph, which JPEG keeps in less. */
const PHOTO_BYTES = 150_000
const PHOTO_QUALITY = 0.92

export type PictureFault = 'pictureKind' | 'pictureEmpty' | 'pictureLarge' | 'pictureBroken'

/** Why a picture cannot be used; `reason` is a message key below `settings.design.fault`. */
export class PictureError extends Error {
  readonly reason: PictureFault
  constructor(reason: PictureFault) {
    super(`The picture cannot be used: ${reason}.`)
    this.name = 'PictureError'
    this.reason = reason
  }
}

/** What is wrong with a file before it is read; null when nothing is. */
export function pictureFault(file: { name: string; type: string; size: number }): PictureFault | null {
  if (!file.type.startsWith('image/') && !/\.(png|jpe?g|webp|svg|gif|bmp|avif|ico)$/i.test(file.name))
    return 'pictureKind'
  if (file.size === 0) return 'pictureEmpty'
  return file.size > MAX_PICTURE_BYTES ? 'pictureLarge' : null
}

interface Fitted {
  /** Of the sheet that is sent, and of the picture in its middle. Pixels. */
  sheet: { width: number; height: number }
  picture: { width: number; height: number }
}

/** The largest size inside the limits. Points are never invented, but a drawing of lines has as many as it is given. */
export function fitPicture(size: { width: number; height: number }, isVector: boolean): Fitted {
  const room = Math.min(MOST.width / size.width, MOST.height / size.height)
  const scale = isVector ? room : Math.min(1, room)
  const picture = {
    width: Math.max(1, Math.round(size.width * scale)),
    height: Math.max(1, Math.round(size.height * scale)),
  }
  const sheet = {
    width: Math.max(LEAST_SIDE, picture.width),
    height: Math.max(LEAST_SIDE, picture.height),
  }
  return { sheet, picture }
}

async function loaded(url: string): Promise<HTMLImageElement> {
  const image = new Image()
  image.src = url
  try {
    // Not `decode()`: what is too large is turned away before it is unpacked.
    await new Promise<void>((resolve, reject) => {
      image.addEventListener('load', () => resolve(), { once: true })
      image.addEventListener('error', () => reject(new PictureError('pictureBroken')), { once: true })
    })
  } catch {
    throw new PictureError('pictureBroken')
  }
  const { naturalWidth: width, naturalHeight: height } = image
  if (width === 0 || height === 0) throw new PictureError('pictureBroken')
  if (width * height > MAX_PIXELS) throw new PictureError('pictureLarge')
  return image
}

function encoded(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new PictureError('pictureBroken'))),
      type,
      PHOTO_QUALITY,
    ),
  )
}

/** The picture of a file, ready to be sent. Throws `PictureError`. */
export async function logoOf(file: File): Promise<NewLogo> {
  const fault = pictureFault(file)
  if (fault) throw new PictureError(fault)
  const isVector = file.type === 'image/svg+xml' || /\.svg$/i.test(file.name)
  // A drawing by its own type: without one it would be read as text.
  const source = URL.createObjectURL(isVector ? new Blob([file], { type: 'image/svg+xml' }) : file)
  try {
    const image = await loaded(source)
    const { sheet, picture } = fitPicture(
      { width: image.naturalWidth, height: image.naturalHeight },
      isVector,
    )
    const canvas = Object.assign(document.createElement('canvas'), sheet)
    const pen = canvas.getContext('2d', { alpha: false })
    if (!pen) throw new PictureError('pictureBroken')
    pen.fillStyle = '#fff'
    pen.fillRect(0, 0, sheet.width, sheet.height)
    pen.imageSmoothingQuality = 'high'
    const left = Math.floor((sheet.width - picture.width) / 2)
    const top = Math.floor((sheet.height - picture.height) / 2)
    pen.drawImage(image, left, top, picture.width, picture.height)
    const drawing = await encoded(canvas, 'image/png')
    const photo = drawing.size > PHOTO_BYTES ? await encoded(canvas, 'image/jpeg') : drawing
    const chosen = photo.size < drawing.size ? photo : drawing
    const base64 = base64Of(new Uint8Array(await chosen.arrayBuffer()))
    return { base64, url: `data:${chosen.type};base64,${base64}`, ...sheet, bytes: chosen.size }
  } catch (thrown) {
    // A drawing that holds a page may be shown, but not read back.
    throw thrown instanceof PictureError ? thrown : new PictureError('pictureBroken')
  } finally {
    URL.revokeObjectURL(source)
  }
}
