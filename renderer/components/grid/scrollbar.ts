/** How wide the gutter is that a list keeps for its scrollbar, in pixels; 0 where bars lie over the page. */
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
