/** The page that shows all pictures of a gallery, state by state. */

export interface Picture {
  state: string
  /** Name of the look: also the folder of the file. */
  look: string
  faults: readonly string[]
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

export function indexPage(pictures: readonly Picture[]): string {
  const states = [...new Set(pictures.map(({ state }) => state))]
  const sections = states.map((state) => {
    const figures = pictures
      .filter((picture) => picture.state === state)
      .map(({ look, faults }) => {
        const file = escaped(`${look}/${state}.png`)
        const told = faults.map((fault) => `<li>${escaped(fault)}</li>`).join('')
        return `<figure${faults.length > 0 ? ' class="fault"' : ''}><a href="${file}"><img loading="lazy" alt="" src="${file}"></a><figcaption>${escaped(look)}<ul>${told}</ul></figcaption></figure>`
      })
    return `<section id="${escaped(state)}"><h2>${escaped(state)}</h2><div>${figures.join('')}</div></section>`
  })
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Gallery</title><style>
body { font: 14px/1.5 system-ui, sans-serif; margin: 24px; background: #f4f4f1; color: #171715 }
div { display: flex; flex-wrap: wrap; gap: 16px; align-items: flex-start }
figure { margin: 0 } img { height: 360px; border: 1px solid #d5d4ce; background: #fff }
.fault img { border: 3px solid #b3161b } li { max-width: 60ch }
</style><h1>${states.length} states</h1>${sections.join('\n')}</html>
`
}
