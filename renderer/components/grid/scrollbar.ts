/** Width of the gutter that a list reserves for its scrollbar, in pixels; 0 for overlay scrollbars. */
let measured: number | undefined

export function scrollbarWidth(): number {
  if (measured !== undefined) return measured
  const box = document.createElement('div')
  box.style.cssText =
    'position:absolute;top:-100px;width:50px;height:50px;overflow:auto;scrollbar-gutter:stable'
  document.body.append(box)
  measured = box.offsetWidth - box.clientWidth
  box.remove()
  return measured
}
