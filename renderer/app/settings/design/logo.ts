/**
 * Conversion of any picture that the window can draw into a logo for paper: on white, without transparency, in print
 * resolution. Scripts of an SVG never run: it is drawn as an image.
 */
import { base64Of } from '../company/certificate.ts'
import type { NewLogo } from './design.ts'

/** Pixels: 150 points of paper at 400 dots to the inch are 833. */
const MOST = { width: 1200, height: 400 }
/** Minimum side length of the server; narrower pictures get a white margin. */
const LEAST_SIDE = 16

export const MAX_PICTURE_BYTES = 20_000_000
/** Larger pictures are not decoded: at four bytes per pixel they would fill the memory. */
const MAX_PIXELS = 60_000_000
/** Drawings are smaller than this as PNG; larger files are photographs, which are smaller as JPEG. */
const PHOTO_BYTES = 150_000
const PHOTO_QUALITY = 0.92

export type PictureFault = 'pictureKind' | 'pictureEmpty' | 'pictureLarge' | 'pictureBroken'

/** Error of a picture that cannot be used; `reason` is a message key below `settings.design.fault`. */
export class PictureError extends Error {
  readonly reason: PictureFault
  constructor(reason: PictureFault) {
    super(`The picture cannot be used: ${reason}.`)
    this.name = 'PictureError'
    this.reason = reason
  }
}

/** Checks a file before it is read; returns null if nothing is wrong. */
export function pictureFault(file: { name: string; type: string; size: number }): PictureFault | null {
  if (!file.type.startsWith('image/') && !/\.(png|jpe?g|webp|svg|gif|bmp|avif|ico)$/i.test(file.name))
    return 'pictureKind'
  if (file.size === 0) return 'pictureEmpty'
  return file.size > MAX_PICTURE_BYTES ? 'pictureLarge' : null
}

interface Fitted {
  /** Sizes of the uploaded sheet, and of the picture in its middle. Pixels. */
  sheet: { width: number; height: number }
  picture: { width: number; height: number }
}

/** Returns the largest size inside the limits. A raster picture is never enlarged; a vector drawing is. */
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
    // Not `decode()`: a picture that is too large must be rejected before it is decoded.
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

/** Returns the picture of a file, ready to be uploaded. Throws `PictureError`. */
export async function logoOf(file: File): Promise<NewLogo> {
  const fault = pictureFault(file)
  if (fault) throw new PictureError(fault)
  const isVector = file.type === 'image/svg+xml' || /\.svg$/i.test(file.name)
  // A drawing needs its own media type: without one it would be read as text.
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
    // A drawing that contains an HTML page may be shown, but not read back.
    throw thrown instanceof PictureError ? thrown : new PictureError('pictureBroken')
  } finally {
    URL.revokeObjectURL(source)
  }
}
