/** What a telephone makes of a page on a table: perspective, bent paper, light, shadow, noise; or worse. */
import { homographyOf } from '../../../../server/purchases/intake/pictures/homography.ts'
import type { Matrix, Quad } from '../../../../server/purchases/intake/pictures/homography.ts'
import type { Dice } from '../dice.ts'
import { blur, Noise, Texture } from './raster.ts'
import type { Raster } from './raster.ts'

interface Crease {
  /** Line a·x + b·y = c over the sheet, whose sides are 0 to 1; a and b of length 1. */
  a: number
  b: number
  c: number
  /** How far the sheet bends, and how differently its sides are lit. */
  bend: number
  light: number
}

interface Light {
  x: number
  y: number
  reach: number
  colour: readonly [number, number, number]
}

interface Shadow {
  a: number
  b: number
  c: number
  soft: number
  depth: number
}

interface Camera {
  width: number
  height: number
  quad: Quad
  curl: readonly [down: number, across: number, phase: number]
  creases: readonly Crease[]
  lights: readonly Light[]
  ambient: readonly [number, number, number]
  shadows: readonly Shadow[]
  /** Levels of the table, and its kind. */
  table: readonly [number, number, number]
  grain: 'smooth' | 'wood' | 'cloth' | 'stone'
  ink: number
  paper: readonly [number, number, number]
  noise: number
  softness: number
  blurs: number
}

/** Places the sheet: turned, seen at a slant, within the picture. */
function placed(page: Raster, dice: Dice, width: number, height: number, isHard: boolean): Quad {
  const turn = ((isHard ? dice.between(-9, 9) : dice.between(-3.5, 3.5)) * Math.PI) / 180
  const slant = isHard ? dice.between(0.05, 0.16) : dice.between(0.01, 0.08)
  const direction = dice.between(0, 2 * Math.PI)
  const ratio = page.height / page.width
  const corners: [number, number][] = [
    [-1, -ratio],
    [1, -ratio],
    [1, ratio],
    [-1, ratio],
  ]
  const seen = corners.map(([x, y]): [number, number] => {
    const u = x * Math.cos(turn) - y * Math.sin(turn)
    const v = x * Math.sin(turn) + y * Math.cos(turn)
    const depth = 1 + (slant * (u * Math.cos(direction) + v * Math.sin(direction))) / Math.max(1, ratio)
    return [u / depth, v / depth]
  })
  const xs = seen.map(([x]) => x)
  const ys = seen.map(([, y]) => y)
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const fill = isHard ? dice.between(0.86, 0.95) : dice.between(0.9, 0.97)
  const scale = Math.min((width * fill) / (right - left), (height * fill) / (bottom - top))
  const x0 = (width - scale * (right - left)) * dice.between(0.3, 0.7) - left * scale
  const y0 = (height - scale * (bottom - top)) * dice.between(0.3, 0.7) - top * scale
  return seen.map(([x, y]) => [x0 + x * scale, y0 + y * scale]) as unknown as Quad
}

const TABLES = [
  ['wood', [128, 88, 56]], ['wood', [92, 62, 44]], ['wood', [178, 140, 98]], ['smooth', [52, 54, 60]], ['cloth', [72, 84, 108]],
  ['stone', [120, 118, 114]], ['cloth', [110, 46, 44]], ['smooth', [30, 30, 32]],
] as const // prettier-ignore

/** Chooses camera, light and table. A hard one: creases, two lights of different colour, pale ink, strong noise. */
function cameraOf(page: Raster, dice: Dice, isHard: boolean): Camera {
  const [width, height] = dice.of([
    [2268, 3024],
    [2250, 3000],
    [2448, 3264],
  ] as const)
  const [grain, table] = dice.of(TABLES)
  const warm = dice.between(0.84, 1)
  const quad = placed(page, dice, width, height, isHard)
  const lights: Light[] = []
  if (isHard)
    lights.push(
      {
        x: dice.between(-0.2, 1.2),
        y: dice.between(-0.2, 0.4),
        reach: dice.between(0.5, 0.9),
        colour: [0.34, 0.29, 0.2],
      },
      {
        x: dice.between(-0.2, 1.2),
        y: dice.between(0.6, 1.2),
        reach: dice.between(0.5, 0.9),
        colour: [0.18, 0.22, 0.32],
      },
    )
  else
    lights.push({
      x: dice.between(-0.2, 1.2),
      y: dice.between(-0.2, 1.2),
      reach: dice.between(0.8, 1.6),
      colour: [0.3, 0.29, 0.27],
    })
  const creases: Crease[] = []
  const shadows: Shadow[] = []
  const add = (angle: number, through: readonly [number, number], bend: number, light: number): void => {
    const [a, b] = [Math.cos(angle), Math.sin(angle)]
    creases.push({ a, b, c: a * through[0] + b * through[1], bend, light })
  }
  if (isHard) {
    // Folded for an envelope or a pocket, then crumpled a little.
    const folds = dice.of([[1 / 3, 2 / 3], [1 / 2], [1 / 2]])
    for (const fold of folds)
      add(
        Math.PI / 2 + dice.between(-0.02, 0.02),
        [0.5, fold],
        dice.between(0.004, 0.012),
        dice.between(0.12, 0.3) * dice.of([-1, 1]),
      )
    if (dice.chance(0.5))
      add(
        dice.between(-0.03, 0.03),
        [0.5, 0.5],
        dice.between(0.002, 0.008),
        dice.between(0.1, 0.22) * dice.of([-1, 1]),
      )
    for (let extra = dice.int(0, 2); extra > 0; extra--)
      add(
        dice.between(0, Math.PI),
        [dice.next(), dice.next()],
        dice.between(0.001, 0.004),
        dice.between(0.05, 0.14) * dice.of([-1, 1]),
      )
  }
  for (let count = isHard ? dice.int(1, 2) : dice.int(0, 1); count > 0; count--) {
    const angle = dice.between(0, 2 * Math.PI)
    const [a, b] = [Math.cos(angle), Math.sin(angle)]
    shadows.push({
      a,
      b,
      c: a * dice.between(0.25, 0.75) + b * dice.between(0.25, 0.75),
      soft: isHard ? dice.between(0.01, 0.12) : dice.between(0.06, 0.25),
      depth: isHard ? dice.between(0.25, 0.5) : dice.between(0.12, 0.35),
    })
  }
  const ambient = isHard ? dice.between(0.5, 0.66) : dice.between(0.62, 0.78)
  return {
    width,
    height,
    quad,
    curl: [
      dice.between(-1, 1) * (isHard ? 0.014 : 0.007),
      dice.between(-1, 1) * (isHard ? 0.008 : 0.003),
      dice.between(0, Math.PI),
    ],
    creases,
    lights,
    ambient: [ambient, ambient * (0.97 + 0.03 * warm), ambient * (isHard ? dice.between(0.82, 1.04) : warm)],
    shadows,
    table,
    grain,
    ink: isHard ? dice.between(0.5, 0.75) : dice.between(0.85, 0.98),
    paper: [250, 249, dice.int(236, 250)],
    noise: isHard ? dice.between(5, 10) : dice.between(2, 5),
    softness: isHard ? dice.between(0.18, 0.3) : dice.between(0.1, 0.25),
    blurs: isHard ? dice.int(1, 3) : 1,
  }
}

/** Returns the level of the table at a place of the picture, of 1 at the mean. */
function tableAt(texture: Texture, grain: Camera['grain'], x: number, y: number): number {
  if (grain === 'wood')
    return 0.75 + 0.5 * texture.rough(x * 0.004, y * 0.09 + texture.at(x * 0.003, y * 0.003) * 5)
  if (grain === 'cloth')
    return 0.8 + 0.2 * Math.sin(x * 0.9) * Math.sin(y * 0.9) + 0.2 * texture.rough(x * 0.05, y * 0.05)
  if (grain === 'stone') return 0.6 + 0.8 * texture.rough(x * 0.02, y * 0.02)
  return 0.92 + 0.16 * texture.at(x * 0.004, y * 0.004)
}

/** Fades the print of a thermal printer: in bands, and along worn dots of its head. */
export function fadedThermal(page: Raster, dice: Dice): Raster {
  const { width, height } = page
  const data = Uint8Array.from(page.data)
  const texture = new Texture(dice)
  const band = dice.between(90, 260)
  const least = dice.between(0.28, 0.5)
  const columns = new Float32Array(width).fill(1)
  for (let worn = dice.int(1, 5); worn > 0; worn--) {
    const x = dice.int(20, width - 20)
    for (let u = 0; u < dice.int(1, 3); u++) columns[x + u] = dice.between(0, 0.4)
  }
  for (let y = 0; y < height; y++) {
    const rowInk = 0.35 + 0.9 * texture.at(0.5, y / band)
    for (let x = 0; x < width; x++) {
      const spot = 0.85 + 0.3 * texture.at(x / 150 + 7, y / 150)
      const ink = Math.max(least, Math.min(1, rowInk * spot)) * columns[x]!
      const at = (y * width + x) * 3
      for (let channel = 0; channel < 3; channel++)
        data[at + channel] = 255 - (255 - data[at + channel]!) * ink * (channel === 2 ? 0.82 : 0.94)
    }
  }
  return { width, height, data }
}

/** Distance of the points at which light and bending are computed, in pixels; between them they are interpolated. */
const STEP = 8
/** Values at each point: displacement across and down, shade of the bent sheet, red, green and blue light. */
const VALUES = 6
/** Width of the worn line of a fold, in parts of the sheet. */
const WORN = 0.0012
/** Width over which the light of a fold changes, in parts of the sheet. */
const FOLD = 0.006
/** Level that a camera gives to bright paper, and the share of the sheet that is brighter. */
const EXPOSED = 226
const BRIGHTEST = 0.03

interface Field {
  columns: number
  values: Float32Array
}

/** Computes light and bending at the points of a grid; exposed as a camera does. */
function fieldOf(camera: Camera, [a, b, c, d, e, f, g, h, i]: Matrix, ratio: number): Field {
  const { width, height, creases, lights, ambient, shadows, paper } = camera
  const [down, across, phase] = camera.curl
  const columns = Math.ceil(width / STEP) + 1
  const rows = Math.ceil(height / STEP) + 1
  const values = new Float32Array(columns * rows * VALUES)
  const levels: number[] = []
  for (let row = 0, at = 0; row < rows; row++)
    for (let column = 0; column < columns; column++, at += VALUES) {
      const x = column * STEP
      const y = row * STEP
      const w = g * x + h * y + i
      const u = (a * x + b * y + c) / w
      const v = (d * x + e * y + f) / w
      // Bent paper shows its points elsewhere.
      let du = across * Math.sin(v * 4.2 + phase)
      let dv = down * Math.sin(u * 3.1 + phase) * ratio * 1.4
      let shade = 1 + 6 * down * Math.cos(u * 3.1 + phase) + 4 * across * Math.cos(v * 4.2 + phase)
      for (const crease of creases) {
        const distance = crease.a * u + crease.b * v - crease.c
        const near = Math.exp(-Math.abs(distance) * 14)
        du += crease.a * crease.bend * near
        dv += crease.b * crease.bend * near
        // A fold is round: its light changes over a few millimetres.
        shade += (crease.light * near * 0.55 * distance) / Math.hypot(distance, FOLD)
      }
      let [red, green, blue] = ambient
      for (const light of lights) {
        const dx = x / width - light.x
        const dy = y / height - light.y
        const power = Math.exp(-(dx * dx + dy * dy) / (light.reach * light.reach))
        red += light.colour[0] * power
        green += light.colour[1] * power
        blue += light.colour[2] * power
      }
      for (const { a: sa, b: sb, c: sc, soft, depth } of shadows) {
        const distance = (sa * x) / width + (sb * y) / height - sc
        const share = distance <= -soft ? 0 : distance >= soft ? 1 : (distance + soft) / (2 * soft)
        const dark = 1 - depth * share * share * (3 - 2 * share)
        red *= dark
        green *= dark
        // The sky lights what the lamp does not.
        blue *= dark * (1 + 0.06 * share)
      }
      values.set([du, dv, shade, red, green, blue], at)
      if (u > 0 && u < 1 && v > 0 && v < 1) levels.push(paper[1] * shade * green)
    }
  levels.sort((one, other) => other - one)
  const gain = EXPOSED / (levels[Math.floor(levels.length * BRIGHTEST)] ?? EXPOSED)
  for (let at = 0; at < values.length; at += VALUES)
    for (let channel = 3; channel < VALUES; channel++) values[at + channel]! *= gain
  return { columns, values }
}

/** Returns the photograph of a page. */
export function photographed(page: Raster, dice: Dice, isHard: boolean): Raster {
  const camera = cameraOf(page, dice, isHard)
  const { width, height, creases, paper } = camera
  const unit: Quad = [[0, 0], [1, 0], [1, 1], [0, 1]] // prettier-ignore
  const toSheet = homographyOf(camera.quad, unit)
  if (toSheet === null) throw new Error('The sheet has no corners.')
  const [a, b, c, d, e, f, g, h, i] = toSheet
  const ratio = page.width / page.height
  const field = fieldOf(camera, toSheet, ratio)
  const noise = new Noise(dice)
  const texture = new Texture(dice)
  const data = new Uint8Array(width * height * 3)
  const stride = field.columns * VALUES
  const line = new Float32Array(stride)
  const { data: source, width: sourceWidth } = page
  const sourceStride = sourceWidth * 3
  const [red, green, blue] = camera.table
  for (let y = 0, at = 0; y < height; y++) {
    const above = Math.floor(y / STEP) * stride
    const share = (y % STEP) / STEP
    for (let each = 0; each < stride; each++)
      line[each] = field.values[above + each]! * (1 - share) + field.values[above + stride + each]! * share
    for (let x = 0; x < width; x++, at += 3) {
      const from = ((x / STEP) | 0) * VALUES
      const next = from + VALUES
      const t = (x % STEP) / STEP
      const w = g * x + h * y + i
      const u = (a * x + b * y + c) / w
      const v = (d * x + e * y + f) / w
      const su = u + line[from]! + (line[next]! - line[from]!) * t
      const sv = v + line[from + 1]! + (line[next + 1]! - line[from + 1]!) * t
      const litRed = line[from + 3]! + (line[next + 3]! - line[from + 3]!) * t
      const litGreen = line[from + 4]! + (line[next + 4]! - line[from + 4]!) * t
      const litBlue = line[from + 5]! + (line[next + 5]! - line[from + 5]!) * t
      const grain = noise.next() * camera.noise
      const tint = noise.next() * camera.noise * 0.4
      if (su >= 0 && su < 1 && sv >= 0 && sv < 1) {
        let shade = line[from + 2]! + (line[next + 2]! - line[from + 2]!) * t
        for (const crease of creases) {
          const distance = crease.a * u + crease.b * v - crease.c
          if (distance < WORN && distance > -WORN) shade += crease.light < 0 ? -0.16 : 0.12
        }
        const px = su * (sourceWidth - 1)
        const py = sv * (page.height - 1)
        const left = px | 0
        const top = py | 0
        const fx = px - left
        const fy = py - top
        const p = top * sourceStride + left * 3
        const right = left + 1 < sourceWidth ? 3 : 0
        const below = top + 1 < page.height ? sourceStride : 0
        for (let channel = 0; channel < 3; channel++) {
          const q = p + channel
          const upper = source[q]! * (1 - fx) + source[q + right]! * fx
          const lower = source[q + below]! * (1 - fx) + source[q + below + right]! * fx
          const level = upper * (1 - fy) + lower * fy
          const lit = channel === 0 ? litRed : channel === 1 ? litGreen : litBlue
          const seen =
            paper[channel]! * (1 - camera.ink * (1 - level / 255)) * lit * shade +
            grain +
            (channel === 1 ? 0 : channel === 0 ? tint : -tint)
          data[at + channel] = seen < 0 ? 0 : seen > 255 ? 255 : seen
        }
      } else {
        // The sheet throws a thin shadow on the table.
        const gap = Math.max(-su, su - 1, -sv / ratio, (sv - 1) / ratio)
        const level = tableAt(texture, camera.grain, x, y) * (gap < 0.012 ? 0.55 + gap * 37 : 1)
        const seenRed = red * level * litRed + grain + tint
        const seenGreen = green * level * litGreen + grain
        const seenBlue = blue * level * litBlue + grain - tint
        data[at] = seenRed < 0 ? 0 : seenRed > 255 ? 255 : seenRed
        data[at + 1] = seenGreen < 0 ? 0 : seenGreen > 255 ? 255 : seenGreen
        data[at + 2] = seenBlue < 0 ? 0 : seenBlue > 255 ? 255 : seenBlue
      }
    }
  }
  blur(data, width, height, 3, Math.min(0.33, camera.softness * Math.sqrt(camera.blurs)))
  return { width, height, data }
}
